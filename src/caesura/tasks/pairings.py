"""Pairings: what is counted against what, in the order of the rows, and many in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import Any, NamedTuple

from caesura.core.batch import PanelBatch, SegmentationBatch
from caesura.core.counts import Counts
from caesura.core.row import Key
from caesura.core.segmentation import Panel, Segmentation
from caesura.measures.base import (
    DocumentMeasure,
    Measure,
    PairMeasure,
    PanelMeasure,
    ReferenceMeasure,
)
from caesura.tasks.objects import TRANSCRIPT

AT_ONCE = 1 << 18
"""About how many words are counted in one pass."""
MANY = 24
"""From this number of references on, their pairs are counted with bits instead of positions."""


class Pairing(NamedTuple):
    """A candidate and what it is counted against, a reference or a panel, with their names."""

    system: str | None
    reference: str | None
    left_out: str | None
    ours: Any
    theirs: Any

    def key(self, measure: Measure) -> Key:
        """What the counts of a measure refer to."""
        return Key(self.system, measure.name, self.reference, self.left_out)


class Counted(NamedTuple):
    """Pairings, and for each measure their counts as arrays.

    The counts of all documents of one pairing come before those of the next.
    """

    pairings: list[Pairing]
    columns: list[tuple[Any, Counts]]

    @property
    def by_key(self) -> Iterator[tuple[Key, Counts]]:
        """What is counted, in the order of the rows; the counts are arrays over the documents."""
        parts = [(measure, counts.divided(len(self.pairings))) for measure, counts in self.columns]
        for at, pairing in enumerate(self.pairings):
            for measure, each in parts:
                yield pairing.key(measure), each[at]


Stage = tuple[Iterable[Pairing], list[Any]]


@lru_cache(maxsize=16)
def measures_of(options: Any) -> tuple[Measure, ...]:
    """Every measure of boundaries that can be and is asked for, with the options of a task."""
    return tuple(
        measure.from_task(options)
        for measure in TRANSCRIPT.counted(options.also)
        if measure.is_asked_of(options)
        and not issubclass(measure, DocumentMeasure)
        and (measure.has_time or options.axis == "words")
    )


@lru_cache(maxsize=16)
def document_measures_of(options: Any) -> tuple[DocumentMeasure, ...]:
    """Every measure of whole documents that is asked for."""
    named = [TRANSCRIPT.measures[name] for name in options.also]
    return tuple(each.from_task(options) for each in named if issubclass(each, DocumentMeasure))


def count_one(
    systems: Mapping[str, Segmentation],
    references: Mapping[str, Segmentation],
    measures: Sequence[Measure],
) -> Iterator[tuple[Key, Counts]]:
    """Count one document, on any axis, a pairing at a time."""
    panel = Panel(tuple(references.values()))
    stages = [*_stages(systems, references, panel, measures), _last_stage(references, measures)]
    for pairings, asked in stages:
        for each in pairings:
            sides = (each.theirs,) if each.ours is None else (each.ours, each.theirs)
            for measure in asked:
                yield each.key(measure), measure.count(*sides)


def count_on_words(
    systems: Mapping[str, Segmentation],
    references: Mapping[str, Segmentation],
    measures: Sequence[Measure],
) -> Iterator[tuple[Key, Counts]]:
    """Count one document, on words, many pairings at a time."""
    ours, theirs = (
        {name: SegmentationBatch.from_one(each) for name, each in side.items()}
        for side in (systems, references)
    )
    panel = PanelBatch.from_panel(Panel(tuple(references.values())))
    for pairings, columns in _counted(ours, theirs, panel, measures):
        found = [(measure, counts.each(len(pairings))) for measure, counts in columns]
        for at, pairing in enumerate(pairings):
            for measure, column in found:
                yield pairing.key(measure), column[at]


def count_batches(
    systems: Mapping[str, SegmentationBatch],
    references: Mapping[str, SegmentationBatch],
    measures: Sequence[Measure],
) -> Iterator[Counted]:
    """Count many documents, on words, all of a few pairings at a time."""
    panel = PanelBatch.from_members(list(references.values()))
    return _counted(systems, references, panel, measures)


def _counted(
    systems: Mapping[str, SegmentationBatch],
    references: Mapping[str, SegmentationBatch],
    panel: PanelBatch,
    measures: Sequence[Measure],
) -> Iterator[Counted]:
    stages = [*_stages(systems, references, panel, measures)]
    has_many = len(references) >= MANY and len(panel.places) == 1
    if not has_many:
        stages.append(_last_stage(references, measures))
    most = max(1, AT_ONCE // max(1, int(panel.places.lengths.sum())))
    for pairings, asked in stages:
        stage = iter(pairings)
        while some := list(islice(stage, most)):
            sides = _sides(some)
            yield Counted(some, [(each, each.count_each(*sides)) for each in asked])
    if has_many:
        yield from _count_references(references, measures)


def _count_references(
    references: Mapping[str, SegmentationBatch], measures: Sequence[Measure]
) -> Iterator[Counted]:
    """Count many references of one document against each other."""
    names, asked = [*references], _of_references(measures)
    members = [each.segmentation(0) for each in references.values()]
    rows = [measure.count_pairs(members) for measure in asked]
    for at, found in enumerate(zip(*rows, strict=True)):
        pairings = [Pairing(names[at], other, None, None, None) for other in names[at + 1 :]]
        yield Counted(pairings, list(zip(asked, found, strict=True)))


def _of_references(measures: Sequence[Measure]) -> list[PairMeasure]:
    return [each for each in measures if isinstance(each, PairMeasure) and each.of_references]


def _sides(pairings: list[Pairing]) -> tuple[Any, ...]:
    """What the measures take: both sides of all pairings, or the panels alone."""
    theirs = type(pairings[0].theirs).from_batches([each.theirs for each in pairings])
    if pairings[0].ours is None:
        return (theirs,)
    return SegmentationBatch.from_batches([each.ours for each in pairings]), theirs


def _stages(
    systems: Mapping[str, Any],
    references: Mapping[str, Any],
    panel: Any,
    measures: Sequence[Measure],
) -> Iterator[Stage]:
    """All pairings but the last with the measures that are asked for, in the order of the rows."""
    panels = [each for each in measures if isinstance(each, PanelMeasure)]
    pairs = [each for each in measures if isinstance(each, PairMeasure)]
    yield (Pairing(name, None, None, each, panel) for name, each in systems.items()), panels
    if len(references) > 1:
        ceiling = [each for each in panels if each.has_ceiling]
        yield _left_out(systems, references, panel), ceiling
    against_each = (
        Pairing(system, reference, None, ours, theirs)
        for system, ours in systems.items()
        for reference, theirs in references.items()
    )
    yield against_each, pairs
    alone = [each for each in measures if isinstance(each, ReferenceMeasure)]
    yield [Pairing(None, None, None, None, panel)], alone


def _last_stage(references: Mapping[str, Any], measures: Sequence[Measure]) -> Stage:
    """References against each other."""
    pairings = (
        Pairing(a, b, None, ours, theirs)
        for (a, ours), (b, theirs) in combinations(references.items(), 2)
    )
    return pairings, _of_references(measures)


def _left_out(
    systems: Mapping[str, Any], references: Mapping[str, Any], panel: Any
) -> Iterator[Pairing]:
    """Annotators and systems against all references but one."""
    for index, (left_out, person) in enumerate(references.items()):
        others = panel.without(index)
        for name, each in {left_out: person, **systems}.items():
            yield Pairing(name, None, left_out, each, others)
