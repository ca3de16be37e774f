"""Pairings: what is counted against what, many in one pass, whole documents or blocks of one.

Blocks are parts of a transcript that are counted alone, so that few documents can be resampled. A
transcript is cut where nothing that is counted lies on both sides: no window of agreement, no
boundary and the window nearest to it, no two boundaries that may match. A window of Pk and
WindowDiff belongs to the block in which it begins. So the blocks' counts add up to the document's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations, islice, permutations, product, starmap
from typing import Any

import numpy as np

from caesura.align.versions import Versions
from caesura.core.arrays import DENSE
from caesura.core.batch import PanelBatch, SegmentationBatch
from caesura.core.counts import Counts
from caesura.core.measure import (
    DocumentMeasure,
    Measure,
    PairMeasure,
    PanelMeasure,
    ReferenceMeasure,
    Spans,
)
from caesura.core.row import EXTENT, Portion
from caesura.core.score import ALSO
from caesura.core.segmentation import BoolArray, IntArray, Panel, Segmentation
from caesura.core.table import CountTable, Key, Names, Part, coded
from caesura.measures.boundary import Boundary
from caesura.measures.windows import Windows, mean_k
from caesura.tasks.transcript.measures import MEASURES
from caesura.tasks.transcript.options import TranscriptOptions

AT_ONCE = 1 << 18
"""About how many words are counted in one pass, or boundaries · DENSE where these are few."""
MANY = 24
"""From this number of references on, their pairs are counted with bits instead of positions."""
BLOCK_WORDS, MAX_BLOCKS = 50, 1000
Batches = Mapping[str, SegmentationBatch]
Pairing = tuple[Key, Any, Any]
"""A candidate, or None, and what it is counted against, a reference or a panel; under their key."""
Stage = tuple[Iterable[Pairing], list[Any]]
"""Pairings, and the measures that are counted of them."""


@lru_cache(maxsize=16)
def measures_of(options: Any) -> tuple[Measure, ...]:
    """Every measure of boundaries that can be and is asked for, with the options of a task."""
    return tuple(
        measure.from_task(options)
        for measure in MEASURES.counted(options.also)
        if (measure.asked_by in ("", ALSO) or getattr(options, measure.asked_by))
        and not issubclass(measure, DocumentMeasure)
        and (measure.has_time or not options.is_on_signal)
        and (not options.ranks_only or measure.name in (*options.rankings[:1], EXTENT))
    )


@lru_cache(maxsize=16)
def document_measures_of(options: Any) -> tuple[DocumentMeasure, ...]:
    """Every measure of whole documents that is asked for."""
    asked = options.also
    if options.ranks_only:
        asked = [name for name in asked if name in options.rankings]
    named = [MEASURES.measure(name) for name in asked]
    return tuple(each.from_task(options) for each in named if issubclass(each, DocumentMeasure))


def count_versions(
    documents: Sequence[str],
    portions: Sequence[Portion],
    versions: Sequence[Versions],
    measures: Sequence[Measure],
) -> CountTable:
    """Count portions of documents with as many systems and references each, each on one axis.

    They are counted under the names of the first document, and get their own afterwards.
    """
    sides = [each.systems for each in versions], [each.references for each in versions]
    systems, references = (
        {
            name: SegmentationBatch.from_segmentations([each.segmentation for each in documents])
            for name, *documents in zip(side[0], *(each.values() for each in side), strict=True)
        }
        for side in sides
    )
    names = [tuple(each.everyone) for each in versions]
    parts = count_pairings(Names(names[0]), systems, references, measures)
    table = CountTable.from_counts(Names(names[0]), documents, parts, portions)
    return table if len({*names}) == 1 else table.named(names)


def count_pairings(
    names: Names,
    systems: Batches,
    references: Batches,
    measures: Sequence[Measure],
) -> Iterator[Part]:
    """Count many documents, or parts of one, all of a few pairings at a time."""
    panel = PanelBatch.from_members(list(references.values()))
    *stages, last = _stages(systems, references, panel, measures)
    has_many = len(references) >= MANY and len(panel.places) == 1
    size = min(int(panel.places.lengths.sum()), DENSE * panel.votes.size)
    most = max(1, AT_ONCE // max(1, size))
    for pairings, asked in stages if has_many else (*stages, last):
        stage = iter(pairings)
        while some := list(islice(stage, most)):
            keys, ours, theirs = zip(*some, strict=True)
            sides = [type(theirs[0]).from_batches(theirs)]
            if ours[0] is not None:  # else the panels alone
                sides = [SegmentationBatch.from_batches(ours), *sides]
            yield names.codes(keys), [(each.name, each.count_each(*sides)) for each in asked]
    if has_many:
        yield from _count_references(names, references, last[1])


def _count_references(
    names: Names, references: Batches, measures: Sequence[PairMeasure[Counts]]
) -> Iterator[Part]:
    """Count many references of one document against each other."""
    numbers = names.numbers(references)
    members = [each.segmentation(0) for each in references.values()]
    rows = [measure.count_pairs(members) for measure in measures]
    for at, found in enumerate(zip(*rows, strict=True)):
        codes = coded(numbers[at], numbers[at + 1 :], 0)
        yield codes, [(each.name, counts) for each, counts in zip(measures, found, strict=True)]


def _stages(
    systems: Batches, references: Batches, panel: PanelBatch, measures: Sequence[Measure]
) -> Iterator[Stage]:
    """All pairings, with the measures to count; references against each other come last."""
    panels = [
        each
        for each in measures
        if isinstance(each, PanelMeasure) and each.is_possible(len(references))
    ]
    pairs = [each for each in measures if isinstance(each, PairMeasure)]
    yield ((Key(name), each, panel) for name, each in systems.items()), panels
    if len(references) > 1:
        ceiling = [each for each in panels if each.has_ceiling]
        yield _left_out(systems, references, panel), ceiling
    against_each = (
        (Key(system, reference), ours, theirs)
        for system, ours in systems.items()
        for reference, theirs in references.items()
    )
    yield against_each, pairs
    if any(each.name == EXTENT for each in pairs):
        beside = (
            (Key(name, reference, left_out), ours, theirs)
            for name, ours in systems.items()
            for (left_out, _), (reference, theirs) in permutations(references.items(), 2)
        )
        yield beside, [each for each in pairs if each.name in (Boundary.name, EXTENT)]
    alone = [each for each in measures if isinstance(each, ReferenceMeasure)]
    yield [(Key(None), None, panel)], alone
    between = (
        (Key(a, b), ours, theirs) for (a, ours), (b, theirs) in combinations(references.items(), 2)
    )
    yield between, [each for each in pairs if each.of_references]


def _left_out(systems: Batches, references: Batches, panel: PanelBatch) -> Iterator[Pairing]:
    """Annotators and systems against all references but one."""
    for index, (left_out, person) in enumerate(references.items()):
        others = panel.without(index)
        for name, each in {left_out: person, **systems}.items():
            yield Key(name, None, left_out), each, others


# --- Blocks ---------------------------------------------------------------------------


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
    from caesura.formats.topics import HELD

    panel = versions.panel
    candidates = [document.segmentation for document in versions.systems.values()]
    length = panel.slots("keep")
    number = min(MAX_BLOCKS, max(1, round(length / BLOCK_WORDS)))
    has_words = any(document.text is not None for document in versions.everyone.values())
    if number == 1 or (length > HELD and not has_words):
        return np.array([0, length])
    safe = ~straddled(length, spans(candidates, panel, task))
    return np.concatenate(([0], _chosen(safe, panel.positions("keep"), number), [length]))


def straddled(length: int, whole: Iterable[Spans]) -> BoolArray:
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
    if not places.size:
        return places
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
            pairs = [*product(candidates, whole.members)]
            pairs += combinations(whole.members, 2) if measure.of_references else ()
            yield from starmap(measure.spans, pairs)
