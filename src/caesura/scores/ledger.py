"""Ledgers: summed counts by system, measure and reference, and the scores derived from them.

Counts may hold arrays instead of numbers; then so do the scores, one for each resample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from caesura.core.counts import mean
from caesura.core.results import ReferencePair, Typed
from caesura.core.row import Key, Row
from caesura.core.score import Score, Scores, values
from caesura.core.task import ALSO
from caesura.measures.base import Measure
from caesura.measures.marks import Marks
from caesura.scores.catalog import Catalog


@dataclass(frozen=True)
class Ledger:
    """Counts by key, summed over documents or of one of them.

    `mean` is the mean over references.
    """

    counts: Mapping[Key, Any]
    mean: Callable[[list[Any]], Any] = mean

    @classmethod
    def from_rows(cls, rows: Iterable[Row]) -> Ledger:
        """Sum the rows of each key."""
        sums: dict[Key, Any] = {}
        for row in rows:
            key = Key(row.system, row.measure, row.reference, row.left_out)
            sums[key] = sums[key] + row.counts if key in sums else row.counts
        return cls(sums)

    def get(
        self,
        measure: type[Measure],
        system: str | None,
        reference: str | None = None,
        left_out: str | None = None,
    ) -> Any:
        """The counts of a measure; zero where there are none."""
        found = self.counts.get(Key(system, measure.name, reference, left_out))
        return measure.counts.zero() if found is None else found

    def between(self, measure: type[Measure], one: str, other: str) -> Any:
        """Counts of a system or reference against a reference; of two references either way."""
        turned = self.counts.get(Key(other, measure.name, one))
        swapped = getattr(turned, "swapped", None)
        return self.get(measure, one, other) if swapped is None else swapped()

    def has(self, measure: type[Measure], system: str, reference: str | None) -> bool:
        """Whether something was counted."""
        return Key(system, measure.name, reference) in self.counts

    def is_asked(self, measure: type[Measure]) -> bool:
        """Whether a measure of references was counted, or is one that always is."""
        return measure.asked_by != ALSO or measure.name in self._measures

    @cached_property
    def _measures(self) -> set[str]:
        return {key.measure for key in self.counts}

    def named(self, measure: str, system: str) -> list[Any]:
        """All counts of a measure that is known by name only, of one system."""
        if measure not in self._named:
            own = self._named[measure] = {}
            for key in self.counts:
                if key.measure == measure:
                    own.setdefault(key.system, []).append(key)
        return [self.counts[key] for key in self._named[measure].get(system, ())]

    @cached_property
    def _named(self) -> dict[str, dict[str | None, list[Key]]]:
        """The keys of the measures that were asked for, by system."""
        return {}


def system_scores(
    ledger: Ledger, system: str, references: Sequence[str], catalog: Catalog
) -> Scores:
    """Every score of a system: against all references, means over them, or against gold."""
    scores: Scores = {}
    for measure in catalog.measures:
        if measure.kind == "pair":
            if _is_counted(ledger, measure, system, references):
                scores |= _means(ledger, measure, system, references)
        elif measure.kind == "panel":
            scores |= values(measure.scores, ledger.get(measure, system))
        elif measure.kind != "references":
            gold = next((each for each in references if ledger.has(measure, system, each)), None)
            if gold or not measure.is_optional:
                scores |= values(measure.scores, ledger.get(measure, system, gold))
    return catalog.named(scores)


def _is_counted(
    ledger: Ledger, measure: type[Measure], system: str, references: Sequence[str]
) -> bool:
    """Whether a measure has counts, or is one that always has."""
    return measure.asked_by != ALSO or any(ledger.has(measure, system, r) for r in references)


def _means(
    ledger: Ledger, measure: type[Measure], system: str, references: Sequence[str]
) -> Scores:
    each = [ledger.get(measure, system, reference) for reference in references]
    return {
        score.key_in("mean"): ledger.mean([score.value(counts) for counts in each])
        for score in measure.scores
        if not score.is_count and score.of != "references"
    }


def pair_scores(ledger: Ledger, system: str, reference: str, catalog: Catalog) -> Scores:
    """The scores of a system against one reference."""
    scores: Scores = {}
    for measure in catalog.measures:
        if measure.kind == "pair":
            is_counted = not measure.asked_by or ledger.has(measure, system, reference)
            if measure.asked_by == ALSO and not is_counted:
                continue
            kept = [
                score
                for score in measure.scores
                if score.of != "references" and (is_counted or not score.is_count)
            ]
            scores |= values(kept, ledger.between(measure, system, reference))
    return scores


def typed(ledger: Ledger, system: str, reference: str) -> Typed | None:
    """Counts and rates for each mark, and the slots of all; nothing where there are no marks."""
    marks = ledger.get(Marks, system, reference)
    if not marks.confusion:
        return None
    return Typed(
        correct=marks.correct,
        substitutions=marks.substitutions,
        deletions=marks.deletions,
        insertions=marks.insertions,
        by_mark={mark: values(Marks.by_mark, marks.of(mark)) for mark in marks.marks},
    )


def reference_scores(ledger: Ledger, references: Sequence[str], catalog: Catalog) -> Scores:
    """The agreement of the references: the coefficients, and means over their pairs."""
    scores: Scores = {}
    for measure in catalog.measures:
        if measure.kind == "references" and ledger.is_asked(measure):
            scores |= values(measure.scores, ledger.get(measure, None))
    pairs = [pair.scores for pair in reference_pairs(ledger, references, catalog)]
    for score in _of_pairs(ledger, catalog):
        scores[score.key_in("agreement")] = mean([pair[score.key] for pair in pairs])
    return scores


def reference_pairs(
    ledger: Ledger, references: Sequence[str], catalog: Catalog
) -> tuple[ReferencePair, ...]:
    """The references against each other."""
    measures = [each for each in catalog.measures if each.of_references and ledger.is_asked(each)]
    return tuple(
        ReferencePair(
            references=(a, b),
            scores={
                score.key: score.value(ledger.get(measure, a, b))
                for measure in measures
                for score in measure.scores
                if score.of != "systems"
            },
        )
        for a, b in combinations(references, 2)
    )


def _of_pairs(ledger: Ledger, catalog: Catalog) -> list[Score]:
    return [
        score
        for measure in catalog.measures
        if measure.of_references and ledger.is_asked(measure)
        for score in measure.scores
        if score.of != "systems"
    ]


def ceiling_scores(
    ledger: Ledger, name: str, references: Sequence[str], catalog: Catalog
) -> Scores:
    """A system against all references but one, averaged; an annotator against the others."""
    left_out = [name] if name in references else list(references)
    scores: Scores = {}
    for key, entry in catalog.shown("ceiling").items():
        measure, value = entry.measure, entry.score.value
        if measure.kind == "panel":
            scores[key] = mean([value(ledger.get(measure, name, None, each)) for each in left_out])
        else:
            others = (other for other in references if other != name)
            reached = {other: value(ledger.between(measure, name, other)) for other in others}
            scores[key] = mean(
                [
                    mean([reached[other] for other in references if other != each])
                    for each in left_out
                ]
            )
    return scores
