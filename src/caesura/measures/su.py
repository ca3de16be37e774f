"""SU scoring: sentence units as NIST's md-eval counts them, by their exact ends and as events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.batch import SegmentationBatch, require_one_length_each
from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.measure import Cut, PairMeasure
from caesura.core.score import Score
from caesura.core.segmentation import Final

ERRORS = {
    "deletions": ("Ndel", "Missed units"),
    "insertions": ("Nins", "Extra units"),
    "substitutions": ("Nsub", "Units of the wrong type"),
}


@dataclass(frozen=True, slots=True)
class SuCounts(Counts):
    """Errors among the units of the reference, by exact end and by event.

    Exact: an end counts on its own word. Event: units are paired that end near each other.
    """

    reference: int
    exact_deletions: int
    exact_insertions: int
    exact_substitutions: int
    deletions: int
    insertions: int
    substitutions: int

    @property
    def exact_errors(self) -> int:
        """Deletions, insertions and substitutions by exact end."""
        return self.exact_deletions + self.exact_insertions + self.exact_substitutions

    @property
    def errors(self) -> int:
        """Deletions, insertions and substitutions by event."""
        return self.deletions + self.insertions + self.substitutions

    @property
    def score(self) -> float:
        """The error rate by exact end, which md-eval calls the overall score."""
        return ratio(self.exact_errors, self.reference)


def _scores(key: str, field: str, heading: str, how: str) -> Iterator[Score]:
    """The errors of one way to count, each as a number and as a rate, and all of them as a rate."""

    def rate(name: str) -> Callable[[SuCounts], float]:
        return lambda counts: ratio(getattr(counts, name), counts.reference)

    after = " by event" if heading else ""
    for name, (short, what) in ERRORS.items():
        yield Score(
            f"su_{field}{name}", f"{heading}{short}", f"{what}, {how}.", None, ("su",),
            f"{field}{name}", group="su", short=f"{field}{name}", is_count=True,
        )  # fmt: skip
    yield Score(
        f"{key}_error_rate", f"SU error{after}", f"Errors {how} / reference units.", "low",
        ("su", "compare"), rate(f"{field}errors"), heading=f"{heading}error",
    )  # fmt: skip
    for name, (_, what) in ERRORS.items():
        yield Score(
            f"{key}_{name[:-1]}_rate", f"SU {name[:-1]}{after}", f"{what} {how} / reference units.",
            "low", (), rate(f"{field}{name}"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Su(PairMeasure[SuCounts]):
    """NIST's SU error rates; units are paired by their last `tolerance` words.

    If one side has no types, all units count as one type.
    """

    name: ClassVar[str] = "su"
    counts: ClassVar[type[Counts]] = SuCounts
    cut: ClassVar[Cut] = "whole"
    asked_by: ClassVar[str] = "su"
    task_options: ClassVar[dict[str, str]] = {"tolerance": "", "final": ""}
    scores: ClassVar[tuple[Score, ...]] = (
        Score("su_reference", "Nref", "Units of the reference.", None, ("su",), "reference",
              group="su", short="reference", is_count=True),
        *_scores("su", "exact_", "", "by exact end"),
        *_scores("su_event", "", "event ", "by event"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 1}

    tolerance: int = 2
    final: Final = "keep"

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> SuCounts:
        """Count many documents; the slow twin is `slow_count` of tests/measures/test_su.py."""
        from caesura.measures.su_units import APART, SuUnits, mapped_units, type_codes, types_at

        require_one_length_each(candidate, reference)
        is_typed = candidate.is_marked_with(reference)
        placed, wanted = (each.positions(self.final, APART) for each in (candidate, reference))
        ours, theirs = (
            SuUnits.from_batch(each, self.final, is_typed) for each in (candidate, reference)
        )
        mapped = mapped_units(ours, theirs, self.tolerance)  # (units of the reference,)
        types, our_types = type_codes(theirs.types, ours.types)
        is_met = mapped >= 0
        pairs = np.flatnonzero(is_met)
        used = mapped[pairs]
        found = types_at(theirs.last, ours.last[used], our_types[used])
        both, met = wanted.tally(found > 0), wanted.tally(is_met)
        is_wrong = np.zeros_like(is_met)
        is_wrong[pairs] = our_types[used] != types[pairs]
        return of_arrays(
            SuCounts,
            wanted.sizes,
            wanted.sizes - both,
            placed.sizes - both,
            both - wanted.tally(is_met & (found == types + 1)),
            wanted.sizes - met,
            placed.sizes - met,
            wanted.tally(is_wrong),
        )
