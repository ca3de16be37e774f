"""Pairings: what is counted against what, in the order of the rows, and many of them in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any, NamedTuple

from caesura.core.batch import Batch, PanelBatch
from caesura.core.counts import Counts
from caesura.core.segmentation import Panel, Segmentation
from caesura.measures.base import Measure, PairMeasure, PanelMeasure, ReferenceMeasure

Label = tuple[str | None, str, str | None, str | None]
"""System, measure, reference, and who is left out."""
AT_ONCE = 1 << 18
"""About how many words are counted in one pass."""
MANY = 24
"""From so many references on, their pairs are counted with bits instead of positions."""


class Pairing(NamedTuple):
    """A candidate and what it is counted against, a reference or a panel, with their names."""

    system: str | None
    reference: str | None
    left_out: str | None
    ours: Any
    theirs: Any

    def label(self, measure: Measure) -> Label:
        """What the counts of a measure are of."""
        return self.system, measure.name, self.reference, self.left_out


Stage = tuple[Iterable[Pairing], list[Any]]


def count_one(
    systems: Mapping[str, Segmentation],
    references: Mapping[str, Segmentation],
    measures: Sequence[Measure],
) -> Iterator[tuple[Label, Counts]]:
    """Count one document, on any axis, a pairing at a time."""
    for pairings, asked in _stages(
        systems, references, Panel(tuple(references.values())), measures
    ):
        for each in pairings:
            sides = (each.theirs,) if each.ours is None else (each.ours, each.theirs)
            for measure in asked:
                yield each.label(measure), measure.count(*sides)


def count_on_words(
    systems: Mapping[str, Segmentation],
    references: Mapping[str, Segmentation],
    measures: Sequence[Measure],
) -> Iterator[tuple[Label, Counts]]:
    """Count one document, on words, many pairings at a time."""
    ours, theirs = (
        {name: Batch.of(each) for name, each in side.items()} for side in (systems, references)
    )
    panel = PanelBatch.of(Panel(tuple(references.values())))
    for pairings, counted in _counted(ours, theirs, panel, measures):
        columns = [(measure, counts.each(len(pairings))) for measure, counts in counted]
        for at, pairing in enumerate(pairings):
            for measure, column in columns:
                yield pairing.label(measure), column[at]


def count_batches(
    systems: Mapping[str, Batch], references: Mapping[str, Batch], measures: Sequence[Measure]
) -> Iterator[tuple[Label, Counts]]:
    """Count many documents, on words: the fields of the counts are arrays."""
    panel = PanelBatch.from_batches(list(references.values()))
    for pairings, counted in _counted(systems, references, panel, measures):
        columns = [(measure, counts.split(len(pairings))) for measure, counts in counted]
        for at, pairing in enumerate(pairings):
            for measure, column in columns:
                yield pairing.label(measure), column[at]


def _counted(
    systems: Mapping[str, Batch],
    references: Mapping[str, Batch],
    panel: PanelBatch,
    measures: Sequence[Measure],
) -> Iterator[tuple[list[Pairing], list[tuple[Measure, Counts]]]]:
    """Some pairings and their counts, those of the documents of one after those of another."""
    words = int(panel.places.lengths.sum())
    for pairings, asked in _stages(systems, references, panel, measures):
        stage = iter(pairings)
        while some := list(islice(stage, max(1, AT_ONCE // max(1, words)))):
            sides = _sides(some)
            yield some, [(measure, measure.count_each(*sides)) for measure in asked]


def _sides(pairings: list[Pairing]) -> tuple[Any, ...]:
    """What the measures take: both sides of all pairings, or the panels alone."""
    theirs = type(pairings[0].theirs).joined([each.theirs for each in pairings])
    if pairings[0].ours is None:
        return (theirs,)
    return Batch.joined([each.ours for each in pairings]), theirs


def _stages(
    systems: Mapping[str, Any],
    references: Mapping[str, Any],
    panel: Any,
    measures: Sequence[Measure],
) -> Iterator[Stage]:
    """All pairings with the measures that are asked for, in the order of the rows."""
    panels = [each for each in measures if isinstance(each, PanelMeasure)]
    pairs = [each for each in measures if isinstance(each, PairMeasure)]
    yield (Pairing(name, None, None, each, panel) for name, each in systems.items()), panels
    if len(references) > 1:
        ceiling = [each for each in panels if each.has_ceiling]
        yield _left_out(systems, references, panel), ceiling
    yield (
        (
            Pairing(system, reference, None, ours, theirs)
            for system, ours in systems.items()
            for reference, theirs in references.items()
        ),
        pairs,
    )
    alone = [each for each in measures if isinstance(each, ReferenceMeasure)]
    yield [Pairing(None, None, None, None, panel)], alone
    yield (
        (
            Pairing(a, b, None, ours, theirs)
            for (a, ours), (b, theirs) in combinations(references.items(), 2)
        ),
        [each for each in pairs if each.of_references],
    )


def _left_out(
    systems: Mapping[str, Any], references: Mapping[str, Any], panel: Any
) -> Iterator[Pairing]:
    """Annotators and systems against all references but one."""
    for index, (left_out, person) in enumerate(references.items()):
        others = panel.without(index)
        for name, each in {left_out: person, **systems}.items():
            yield Pairing(name, None, left_out, each, others)
