"""Pairings: what is counted against what, many in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, islice, permutations
from typing import Any, NamedTuple

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
)
from caesura.core.row import EXTENT, Portion
from caesura.core.score import ALSO
from caesura.core.segmentation import Document
from caesura.core.table import CountTable, Key, Names, Part, coded
from caesura.measures.boundary import Boundary
from caesura.tasks.transcript import MEASURES

AT_ONCE = 1 << 18
"""About how many words are counted in one pass, or boundaries · DENSE where these are few."""
MANY = 24
"""From this number of references on, their pairs are counted with bits instead of positions."""
SIDES = ("systems", "references")
Batches = Mapping[str, SegmentationBatch]


class Pairing(NamedTuple):
    """A candidate and what it is counted against, a reference or a panel."""

    key: Key
    ours: Any
    theirs: Any


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
    systems, references = (_packed([getattr(each, side) for each in versions]) for side in SIDES)
    names = [tuple(each.everyone) for each in versions]
    parts = count_pairings(Names(names[0]), systems, references, measures)
    table = CountTable.from_counts(Names(names[0]), documents, parts, portions)
    return table if len({*names}) == 1 else table.named(names)


def _packed(versions: Sequence[Mapping[str, Document]]) -> dict[str, SegmentationBatch]:
    """The first versions of all documents in one batch, and the others, under the first's names."""
    members = zip(*(each.values() for each in versions), strict=True)
    return {
        name: SegmentationBatch.from_segmentations([each.segmentation for each in own])
        for name, own in zip(versions[0], members, strict=False)
    }


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
            codes = names.codes([each.key for each in some])
            sides = [type(some[0].theirs).from_batches([each.theirs for each in some])]
            if some[0].ours is not None:  # else the panels alone
                sides = [SegmentationBatch.from_batches([each.ours for each in some]), *sides]
            yield codes, [(each.name, each.count_each(*sides)) for each in asked]
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
    yield (Pairing(Key(name), each, panel) for name, each in systems.items()), panels
    if len(references) > 1:
        ceiling = [each for each in panels if each.has_ceiling]
        yield _left_out(systems, references, panel), ceiling
    against_each = (
        Pairing(Key(system, reference), ours, theirs)
        for system, ours in systems.items()
        for reference, theirs in references.items()
    )
    yield against_each, pairs
    if any(each.name == EXTENT for each in pairs):
        beside = (
            Pairing(Key(name, reference, left_out), ours, theirs)
            for name, ours in systems.items()
            for (left_out, _), (reference, theirs) in permutations(references.items(), 2)
        )
        yield beside, [each for each in pairs if each.name in (Boundary.name, EXTENT)]
    alone = [each for each in measures if isinstance(each, ReferenceMeasure)]
    yield [Pairing(Key(None), None, panel)], alone
    between = (
        Pairing(Key(a, b), ours, theirs)
        for (a, ours), (b, theirs) in combinations(references.items(), 2)
    )
    yield between, [each for each in pairs if each.of_references]


def _left_out(systems: Batches, references: Batches, panel: PanelBatch) -> Iterator[Pairing]:
    """Annotators and systems against all references but one."""
    for index, (left_out, person) in enumerate(references.items()):
        others = panel.without(index)
        for name, each in {left_out: person, **systems}.items():
            yield Pairing(Key(name, None, left_out), each, others)
