"""Pairings: what is counted against what, in the order of the rows, and many in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import Any, NamedTuple

from caesura.align.versions import Versions
from caesura.core.batch import PanelBatch, SegmentationBatch
from caesura.core.counts import Counts
from caesura.core.row import Key
from caesura.core.segmentation import Panel, Segmentation
from caesura.measures import FAMILIES
from caesura.measures.base import Measure, PairMeasure, PanelMeasure, ReferenceMeasure

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


Stage = tuple[Iterable[Pairing], list[Any]]


@lru_cache(maxsize=16)
def measures_of(options: Any) -> tuple[Measure, ...]:
    """Every measure of transcripts that can be and is asked for, with the options of a task."""
    return tuple(
        measure.from_task(options)
        for measure in FAMILIES["transcript"].values()
        if (not measure.asked_by or getattr(options, measure.asked_by))
        and (measure.has_time or options.axis == "words")
    )


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
    stages = [*_stages(ours, theirs, panel, measures)]
    if len(references) < MANY:
        stages.append(_last_stage(theirs, measures))
    for pairings, counted in _counted(stages, panel):
        columns = [(measure, counts.each(len(pairings))) for measure, counts in counted]
        for at, pairing in enumerate(pairings):
            for measure, column in columns:
                yield pairing.key(measure), column[at]
    if len(references) >= MANY:
        yield from _count_references(references, measures)


def _count_references(
    references: Mapping[str, Segmentation], measures: Sequence[Measure]
) -> Iterator[tuple[Key, Counts]]:
    """Count many references of one document against each other."""
    names, asked = [*references], _of_references(measures)
    rows = [measure.count_pairs(list(references.values())) for measure in asked]
    for at, found in enumerate(zip(*rows, strict=True)):
        others = names[at + 1 :]
        columns = [counts.each(len(others)) for counts in found]
        for other, each in zip(others, zip(*columns, strict=True), strict=True):
            for measure, counts in zip(asked, each, strict=True):
                yield Key(names[at], measure.name, other), counts


def _of_references(measures: Sequence[Measure]) -> list[PairMeasure]:
    return [each for each in measures if isinstance(each, PairMeasure) and each.of_references]


def count_versions(
    documents: Sequence[Versions], measures: Sequence[Measure]
) -> Iterator[tuple[Key, Counts]]:
    """Count many documents with the same names, each of them on one axis of words."""
    every = [each.everyone for each in documents]
    systems, references = (
        {
            name: SegmentationBatch.from_segmentations([each[name].segmentation for each in every])
            for name in side
        }
        for side in (documents[0].systems, documents[0].references)
    )
    return count_batches(systems, references, measures)


def count_batches(
    systems: Mapping[str, SegmentationBatch],
    references: Mapping[str, SegmentationBatch],
    measures: Sequence[Measure],
) -> Iterator[tuple[Key, Counts]]:
    """Count many documents, on words: the fields of the counts are arrays."""
    panel = PanelBatch.from_members(list(references.values()))
    stages = [*_stages(systems, references, panel, measures), _last_stage(references, measures)]
    for pairings, counted in _counted(stages, panel):
        columns = [(measure, counts.split(len(pairings))) for measure, counts in counted]
        for at, pairing in enumerate(pairings):
            for measure, column in columns:
                yield pairing.key(measure), column[at]


def _counted(
    stages: Iterable[Stage], panel: PanelBatch
) -> Iterator[tuple[list[Pairing], list[tuple[Measure, Counts]]]]:
    """Some pairings and their counts, those of the documents of one after those of another."""
    words = int(panel.places.lengths.sum())
    for pairings, asked in stages:
        stage = iter(pairings)
        while some := list(islice(stage, max(1, AT_ONCE // max(1, words)))):
            sides = _sides(some)
            yield some, [(measure, measure.count_each(*sides)) for measure in asked]


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
