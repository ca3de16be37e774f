"""Blocks: parts of a transcript that are counted alone, so that few documents can be resampled.

A transcript is cut where nothing that is counted lies on both sides: no window of agreement, no
boundary and the window nearest to it, no two boundaries that may match. A window of Pk and
WindowDiff belongs to the block in which it begins. So the blocks' counts add up to the document's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations, product
from typing import ClassVar

import numpy as np

from caesura.align.versions import Versions
from caesura.core.batch import SegmentationBatch
from caesura.core.counts import Counts
from caesura.core.row import Key, Row
from caesura.core.segmentation import BoolArray, Document, Final, IntArray, Panel, Segmentation
from caesura.formats.masses import HELD
from caesura.measures.axis import WORDS as ON_WORDS
from caesura.measures.axis import WordAxis
from caesura.measures.base import PairMeasure, PanelMeasure, Spans
from caesura.measures.windows import WindowCounts, Windows
from caesura.tasks.pairings import count_batches, measures_of

Count = Callable[[Versions, Final], list[Row]]
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
    consensus: int = 0
    also: tuple[str, ...] = ()
    costs: tuple[int, int, int] = (2, 2, 1)

    axis: ClassVar[str] = "words"
    counted_axis: ClassVar[WordAxis] = ON_WORDS
    su: ClassVar[bool] = False


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
    return Segmentation(end - start + 1, np.append(inside, end - start), marks, is_open=True)


def count_in_blocks(document: str, versions: Versions, options: CutOptions) -> list[Row]:
    """Count a document that is on one axis of words block by block."""
    found = blocks(versions, options)
    last = found[-1:] if options.final == "keep" else []
    inner = found[: len(found) - len(last)]
    rows = _rows(document, inner, versions, replace(options, final="drop"))
    return rows + _rows(document, last, versions, options)


def _rows(document: str, found: list[Block], versions: Versions, options: CutOptions) -> list[Row]:
    """The rows of one block after another, all blocks counted in one pass."""
    if not found:
        return []
    keys, columns = zip(*_columns(found, versions, options), strict=True)
    return [
        Row(key.system, document, key.measure, key.reference, counts, key.left_out, block=block.end)
        for block, each in zip(found, zip(*columns, strict=True), strict=True)
        for key, counts in zip(keys, each, strict=True)
    ]


def _columns(
    found: list[Block], versions: Versions, options: CutOptions
) -> Iterator[tuple[Key, list[Counts]]]:
    """For everything that is counted, the counts of each block.

    A window of Pk and WindowDiff may go beyond its block.
    """
    starts, ends = (np.array([getattr(each, edge) for each in found]) for edge in ("start", "end"))
    whole = {name: each.segmentation for name, each in versions.everyone.items()}
    length = versions.panel.slots("keep")

    @cache
    def seen(name: str, beyond: int) -> SegmentationBatch:
        stops = ends if beyond < 0 else np.minimum(ends + beyond, length) - 1
        return SegmentationBatch.from_parts(whole[name], starts, stops)

    systems, references = (
        {name: seen(name, -1) for name in side} for side in (versions.systems, versions.references)
    )
    counted = count_batches(systems, references, measures_of(options))
    for key, counts in chain.from_iterable(each.by_key for each in counted):
        if key.measure == Windows.name:
            system, reference = str(key.system), str(key.reference)
            k = Windows(options.k).overlap(whole[reference])
            inside = Windows(k).count_each(seen(system, k), seen(reference, k))
            yield key, list(inside.each(len(found)))
        else:
            yield key, counts.each(len(found))


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
    number = min(most, max(1, round(length / WORDS)))
    if number == 1 or (length > HELD and not _has_words(versions)):
        return [Block(0, length, length)]
    safe = ~straddled(length, list(spans(candidates, panel, options)))
    ends = [*_chosen(safe, panel.positions("keep"), number).tolist(), length]
    return [Block(a, b, length) for a, b in zip([0, *ends[:-1]], ends, strict=True)]


def _has_words(versions: Versions) -> bool:
    return any(document.text is not None for document in versions.everyone.values())


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
    """What must not be cut, according to all measures."""
    for measure in measures_of(options):
        if measure.cut == "spans" and isinstance(measure, PanelMeasure):
            yield from measure.spans(candidates, whole)
            if measure.has_ceiling and len(whole) > 1:
                for index, person in enumerate(whole.members):
                    yield from measure.spans((person, *candidates), whole.without(index))
        elif measure.cut == "spans" and isinstance(measure, PairMeasure):
            for one, other in product(candidates, whole.members):
                yield measure.spans(one, other)
            for one, other in combinations(whole.members, 2) if measure.of_references else ():
                yield measure.spans(one, other)
