"""Blocks: parts of a transcript that are counted alone, so that few documents can be resampled.

A transcript is cut where nothing that is counted lies on both sides: no window of agreement, no
boundary and the window nearest to it, no two boundaries that may match. A window of Pk and
WindowDiff belongs to the block in which it begins. So the blocks' counts add up to the document's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np

from caesura.align.versions import Versions
from caesura.core.batch import SegmentationBatch
from caesura.core.measure import PairMeasure, PanelMeasure, Spans
from caesura.core.row import Portion
from caesura.core.segmentation import BoolArray, IntArray, Panel, Segmentation
from caesura.core.table import CountTable, Key, Names, Part
from caesura.formats.masses import HELD
from caesura.measures.windows import Windows, mean_k
from caesura.tasks.transcript.options import TranscriptOptions
from caesura.tasks.transcript.pairings import count_pairings, measures_of

WORDS = 50
MOST = 1000


def count_in_blocks(document: str, versions: Versions, task: TranscriptOptions) -> CountTable:
    """Count a document that is on one axis of words block by block."""
    edges, names = block_edges(versions, task), Names(tuple(versions.everyone))
    # What ends a block ends no unit, but for the last.
    last = edges[-2:] if task.final == "keep" else edges[-1:]
    inner = edges[: edges.size + 1 - last.size]
    tables = []
    for own, options in ((inner, replace(task, final="drop")), (last, task)):
        if own.size > 1:
            seen = _batches(own, versions)
            systems, references = (
                {name: seen(name) for name in side}
                for side in (versions.systems, versions.references)
            )
            measures = [each for each in measures_of(options) if not isinstance(each, Windows)]
            parts = count_pairings(names, systems, references, measures)
            tables.append(_table(document, own, names, parts))
    windows = [each for each in measures_of(task) if isinstance(each, Windows)]
    ahead = _count_ahead(_batches(edges, versions), names, versions, windows)
    return CountTable.from_tables([*tables, _table(document, edges, names, ahead)])


def _count_ahead(
    seen: Callable[..., SegmentationBatch],
    names: Names,
    versions: Versions,
    measures: Sequence[Windows],
) -> Iterator[Part]:
    """Count blocks with windows of k words, which see the k words after each block."""
    for reference, document in versions.references.items():
        size = document.segmentation.length, document.segmentation.boundaries.size
        sized = [replace(measure, k=measure.k or mean_k(*size)) for measure in measures]
        for system in versions.systems:
            counted = [
                (each.name, each.count_each(seen(system, each.k), seen(reference, each.k)))
                for each in sized
            ]
            yield names.codes([Key(system, reference)]), counted


def _table(document: str, edges: IntArray, names: Names, parts: Iterable[Part]) -> CountTable:
    portions = [Portion(block=end) for end in edges[1:].tolist()]
    return CountTable.from_counts(names, [document] * len(portions), parts, portions)


def _batches(edges: IntArray, versions: Versions) -> Callable[..., SegmentationBatch]:
    """What is seen of blocks in a version: the blocks themselves, or some words beyond them.

    A word is added that takes the place of what follows; of what is seen beyond, it is the last.
    """
    starts, ends = edges[:-1], edges[1:]
    length = versions.panel.slots("keep")
    whole = {name: each.segmentation for name, each in versions.everyone.items()}

    @cache
    def seen(name: str, beyond: int = 0) -> SegmentationBatch:
        stops = np.minimum(ends + beyond, length) - 1 if beyond else ends
        return SegmentationBatch.from_parts(whole[name], starts, np.maximum(starts, stops))

    return seen


def block_edges(versions: Versions, task: TranscriptOptions) -> IntArray:
    """Where blocks of about 50 words begin, 1,000 at most, and where the last one ends."""
    panel = versions.panel
    candidates = [document.segmentation for document in versions.systems.values()]
    length = panel.slots("keep")
    number = min(MOST, max(1, round(length / WORDS)))
    has_words = any(document.text is not None for document in versions.everyone.values())
    if number == 1 or (length > HELD and not has_words):
        return np.array([0, length])
    safe = ~straddled(length, list(spans(candidates, panel, task)))
    return np.concatenate(([0], _chosen(safe, panel.positions("keep"), number), [length]))


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
