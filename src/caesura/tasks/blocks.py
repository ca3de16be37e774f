"""Blocks: parts of a transcript that are counted alone, so that few documents can be resampled.

A transcript is cut where nothing that is counted lies on both sides: no window of agreement, no
boundary and the window nearest to it, no two boundaries that may match. A window of Pk and
WindowDiff belongs to the block in which it begins. So the blocks' counts add up to the document's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from caesura.align.versions import Versions
from caesura.core.row import Row
from caesura.core.segmentation import BoolArray, Document, Final, IntArray, Panel, Segmentation
from caesura.measures.windows import WindowCounts, Windows, default_k
from caesura.measures.wisebe import windows

Count = Callable[[Versions, Final], list[Row]]
Spans = tuple[IntArray, IntArray]
WORDS = 50
MOST = 1000


@dataclass(frozen=True, slots=True)
class CutOptions:
    """What decides where a transcript may be cut: the options of what is counted in it.

    `blocks` asks for counts of each block, `marks` end the units of a huge plain text.
    """

    window: int
    tolerance: int
    near: int
    k: int
    final: Final
    marks: str
    blocks: bool


@dataclass(frozen=True, slots=True)
class Block:
    """The words from `start` up to `end`, of a transcript of `length` words."""

    start: int
    end: int
    length: int

    @property
    def is_last(self) -> bool:
        """Whether the transcript ends with this block."""
        return self.end == self.length

    def of(self, document: Document) -> Document:
        """The block of one version.

        What ends a block ends no unit: but for the last one, a word is added that takes the place
        of the transcript's end, and which is not counted.
        """
        return replace(document, segmentation=part(document.segmentation, self.start, self.end))

    def seen(self, segmentation: Segmentation, k: int) -> Segmentation:
        """The block and the k words after it: what windows that begin in it see."""
        stop = min(self.end + k, self.length)
        inner = part(segmentation, self.start, max(self.start, stop - 1))
        return replace(inner, length=stop - self.start) if stop > self.start else inner


def part(whole: Segmentation, start: int, end: int) -> Segmentation:
    """Some words; unless they are the last, a word is added that takes the place of the end."""
    first, last = np.searchsorted(whole.boundaries, (start, end)).tolist()
    inside = whole.boundaries[first:last] - start
    marks = None if whole.marks is None else whole.marks[first:last]
    if end == whole.length:
        return Segmentation(end - start, inside, marks)
    marks = None if marks is None else np.append(marks, "")
    return Segmentation(end - start + 1, np.append(inside, end - start), marks)


def count_in_blocks(versions: Versions, options: CutOptions, count: Count) -> list[Row]:
    """Count a document block by block; `count` counts one that is whole and on one axis."""
    k = {
        name: options.k or default_k(each.segmentation)
        for name, each in versions.references.items()
    }
    return [
        replace(row, block=block.end)
        for block in blocks(versions, options)
        for row in count_block(block, versions, options, count, k)
    ]


def count_block(
    block: Block, versions: Versions, options: CutOptions, count: Count, k: Mapping[str, int]
) -> list[Row]:
    """Count one block of a document; `k` holds the windows of Pk and WindowDiff by reference."""
    final = options.final if block.is_last else "drop"
    return with_windows(count(versions.each(block.of), final), block, versions, k)


def with_windows(
    rows: list[Row], block: Block, versions: Versions, k: Mapping[str, int]
) -> list[Row]:
    """The same rows with Pk and WindowDiff over the windows that begin in a block."""
    systems, references = versions.systems, versions.references

    def windows(system: str, reference: str) -> WindowCounts:
        pair = systems[system].segmentation, references[reference].segmentation
        return Windows(k[reference]).count(*(block.seen(each, k[reference]) for each in pair))

    return [
        replace(row, counts=windows(str(row.system), str(row.reference)))
        if row.measure == Windows.name
        else row
        for row in rows
    ]


def blocks(versions: Versions, options: CutOptions, most: int = MOST) -> list[Block]:
    """Cut a document into blocks of about 50 words, 1,000 at most."""
    panel = versions.panel
    candidates = [document.segmentation for document in versions.systems.values()]
    length = panel.slots("keep")
    safe = ~straddled(length, list(spans(candidates, panel, options)))
    number = min(most, max(1, round(length / WORDS)))
    ends = [*_chosen(safe, panel.positions("keep"), number).tolist(), length]
    return [Block(a, b, length) for a, b in zip([0, *ends[:-1]], ends, strict=True)]


def straddled(length: int, whole: list[Spans]) -> BoolArray:
    """After which words something would be cut in two."""
    change = np.zeros(length + 1, dtype=np.int64)
    for lows, highs in whole:
        np.add.at(change, lows, 1)
        np.add.at(change, highs, -1)
    result: BoolArray = np.cumsum(change[:-1]) > 0
    return result


def _chosen(safe: BoolArray, positions: IntArray, number: int) -> IntArray:
    """Near equal steps, the safe places that are farthest from any reference's boundary.

    The systems have no say in what is far, so that blocks of different runs have most ends in
    common.
    """
    length = safe.size
    places = np.flatnonzero(safe[:-1])
    if number == 1 or not places.size:
        return places[:0]
    step = np.round((places + 1) * number / length).astype(np.int64)
    after = np.minimum(np.searchsorted(positions, places), positions.size - 1)
    before = np.maximum(after - 1, 0)
    far = np.minimum(np.abs(positions[after] - places), np.abs(places - positions[before]))
    order = np.lexsort((places, -far, step))
    order = order[(step[order] > 0) & (step[order] < number)]
    first = np.flatnonzero(np.diff(step[order], prepend=-1))
    chosen: IntArray = np.unique(places[order[first]] + 1)
    return chosen


def spans(candidates: list[Segmentation], whole: Panel, options: CutOptions) -> Iterator[Spans]:
    """What must not be cut: from the place of a first to the place of a last boundary."""
    members = whole.members
    yield windows(whole.positions(options.final), options.window)
    for candidate in candidates:
        yield _to_nearest(candidate, whole, options)
    for index, person in enumerate(members):
        others = whole.without(index)
        for candidate in (person, *candidates) if len(others) else ():
            yield _to_nearest(candidate, others, options)
    reach = max(options.tolerance, options.near - 1)
    for at, member in enumerate(members):
        for other in candidates:
            yield _matches(other, member, reach, options.final)
        for other in members[:at]:
            yield _matches(other, member, options.near - 1, "drop")


def _to_nearest(candidate: Segmentation, panel: Panel, options: CutOptions) -> Spans:
    """From boundaries outside all windows to the nearest window."""
    placed = candidate.positions(options.final)
    starts, ends = windows(panel.positions(options.final), options.window)
    if not starts.size:
        return placed[:0], placed[:0]
    at = np.searchsorted(starts, placed, side="right") - 1
    before = ends[np.maximum(at, 0)]
    outside = (at < 0) | (placed > before)
    placed, at, before = placed[outside], at[outside], before[outside]
    after = starts[np.minimum(at + 1, starts.size - 1)]
    is_last = at + 1 == starts.size
    is_left = is_last | ((at >= 0) & (placed - before <= after - placed))
    nearest = np.where(is_left, before, after)
    return np.minimum(placed, nearest), np.maximum(placed, nearest)


def _matches(one: Segmentation, other: Segmentation, reach: int, final: Final) -> Spans:
    """From boundaries of one to all of the other's that they could match."""
    placed, wanted = one.positions(final), other.positions(final)
    if not wanted.size:
        return placed[:0], placed[:0]
    first = np.searchsorted(wanted, placed - reach, side="left")
    last = np.searchsorted(wanted, placed + reach, side="right") - 1
    some = first <= last
    placed, first, last = placed[some], first[some], last[some]
    return np.minimum(placed, wanted[first]), np.maximum(placed, wanted[last])
