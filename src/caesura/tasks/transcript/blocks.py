"""Blocks: parts of a transcript that are counted alone, so that few documents can be resampled.

A transcript is cut where nothing that is counted lies on both sides: no window of agreement, no
boundary and the window nearest to it, no two boundaries that may match. A window of Pk and
WindowDiff belongs to the block in which it begins. So the blocks' counts add up to the document's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from caesura.align.versions import Versions
from caesura.core.batch import SegmentationBatch
from caesura.core.measure import PairMeasure, PanelMeasure, Spans
from caesura.core.row import Portion
from caesura.core.segmentation import BoolArray, IntArray, Panel, Segmentation
from caesura.core.table import CountTable, Key, Names, Part
from caesura.formats.masses import HELD
from caesura.tasks.transcript.options import TranscriptOptions
from caesura.tasks.transcript.pairings import count_pairings, measures_of

WORDS = 50
MOST = 1000


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


def part(whole: Segmentation, start: int, end: int) -> Segmentation:
    """Some words; unless they are the last, a word is added that takes the place of the end."""
    first, last = np.searchsorted(whole.boundaries, (start, end)).tolist()
    inside = whole.boundaries[first:last] - start
    marks = None if whole.marks is None else whole.marks[first:last]
    scores = None if whole.scores is None else whole.scores[start:end]
    if end == whole.length:
        return Segmentation(end - start, inside, marks, scores=scores)
    marks = None if marks is None else np.append(marks, "")
    scores = None if scores is None else np.append(scores, np.float32(np.nan))
    ends = np.append(inside, end - start)
    return Segmentation(end - start + 1, ends, marks, is_open=True, scores=scores)


def count_in_blocks(document: str, versions: Versions, task: TranscriptOptions) -> CountTable:
    """Count a document that is on one axis of words block by block."""
    references = {name: each.segmentation for name, each in versions.references.items()}
    overlaps = {
        name: overlap(task, each.length, each.boundaries.size) for name, each in references.items()
    }
    found = blocks(versions, task)
    tables = (
        count_blocks(document, found, versions, task),
        (count_ahead(document, found, versions, task, overlaps)),
    )
    return CountTable.from_tables(tables)


def overlap(task: TranscriptOptions, words: int, units: int) -> int:
    """How many words of the next part a part has to see, against a reference of this size."""
    return max((each.overlap(words, units) for each in measures_of(task)), default=0)


def count_blocks(
    document: str, found: Sequence[Block], versions: Versions, task: TranscriptOptions
) -> CountTable:
    """Count blocks in one pass, with the measures that do not look ahead.

    What ends a block ends no unit, but for the last.
    """
    last = found[-1:] if task.final == "keep" and found[-1].is_last else found[:0]
    inner = found[: len(found) - len(last)]
    passes = [(inner, replace(task, final="drop")), (last, task)]
    return CountTable.from_tables(
        [_counted(document, own, versions, how) for own, how in passes if own]
    )


def _counted(
    document: str, found: Sequence[Block], versions: Versions, task: TranscriptOptions
) -> CountTable:
    seen, names = _batches(found, versions), Names(tuple(versions.everyone))
    systems, references = (
        {name: seen(name) for name in side} for side in (versions.systems, versions.references)
    )
    measures = [each for each in measures_of(task) if not each.looks_ahead]
    parts = count_pairings(names, systems, references, measures)
    return _table(document, found, names, parts)


def count_ahead(
    document: str,
    found: Sequence[Block],
    versions: Versions,
    task: TranscriptOptions,
    overlaps: Mapping[str, int],
) -> CountTable:
    """Count blocks with the measures that look ahead, `overlaps` words against each reference."""
    seen, names = _batches(found, versions), Names(tuple(versions.everyone))
    measures: list[Any] = [each for each in measures_of(task) if each.looks_ahead]

    def parts() -> Iterator[Part]:
        for reference, words in overlaps.items():
            own = [each.prepared(words) for each in measures]
            for system in versions.systems:
                sides = seen(system, words), seen(reference, words)
                counted = [(each.name, each.count_each(*sides)) for each in own]
                yield names.codes([Key(system, reference)]), counted

    return _table(document, found, names, parts())


def _table(
    document: str, found: Sequence[Block], names: Names, parts: Iterable[Part]
) -> CountTable:
    portions = [Portion(block=block.end) for block in found]
    return CountTable.from_counts(names, [document] * len(found), parts, portions)


def _batches(found: Sequence[Block], versions: Versions) -> Callable[..., SegmentationBatch]:
    """What is seen of blocks in a version: the blocks themselves, or some words beyond them.

    A word is added that takes the place of what follows; of what is seen beyond, it is the last.
    """
    starts = np.array([block.start for block in found])
    ends = np.array([block.end for block in found])
    length = versions.panel.slots("keep")
    whole = {name: each.segmentation for name, each in versions.everyone.items()}

    @cache
    def seen(name: str, beyond: int = 0) -> SegmentationBatch:
        stops = np.minimum(ends + beyond, length) - 1 if beyond else ends
        return SegmentationBatch.from_parts(whole[name], starts, np.maximum(starts, stops))

    return seen


def blocks(versions: Versions, task: TranscriptOptions, most: int = MOST) -> list[Block]:
    """Cut a document into blocks of about 50 words, 1,000 at most."""
    panel = versions.panel
    candidates = [document.segmentation for document in versions.systems.values()]
    length = panel.slots("keep")
    number = min(most, max(1, round(length / WORDS)))
    if number == 1 or (length > HELD and not _has_words(versions)):
        return [Block(0, length, length)]
    safe = ~straddled(length, list(spans(candidates, panel, task)))
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


def spans(candidates: list[Segmentation], whole: Panel, task: TranscriptOptions) -> Iterator[Spans]:
    """What must not be cut, according to all measures."""
    for measure in measures_of(task):
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
