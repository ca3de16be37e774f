"""How far matched boundaries are from each other in time: their mean and spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.counts import Counts, ratio
from caesura.core.measure import Cut, PairMeasure
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import Final, IntArray, Segmentation
from caesura.matching.one_to_one import nearest_first

MILLISECOND = 1000
LIMITS = (5, 10, 20, 50)
"""Up to how many milliseconds matched boundaries are counted."""


@dataclass(frozen=True, slots=True)
class DeviationCounts(Counts):
    """Matched boundaries, and the sums of how much later the candidate's are, in microseconds.

    `shift` is the sum with signs, `distance` that without, `squares` that of the squares;
    `within_5` … are the matches at most some milliseconds apart.
    """

    matches: int
    shift: int
    distance: int
    squares: int
    within_5: int
    within_10: int
    within_20: int
    within_50: int

    @property
    def mean(self) -> float:
        """The mean deviation in milliseconds, above 0 where the candidate is late."""
        return ratio(self.shift, self.matches) / MILLISECOND

    @property
    def absolute(self) -> float:
        """The mean distance in milliseconds."""
        return ratio(self.distance, self.matches) / MILLISECOND

    @property
    def spread(self) -> float:
        """The standard deviation of the deviations, in milliseconds."""
        square: Numeric = ratio(self.squares, self.matches) / MILLISECOND**2
        spread: float = np.maximum(square - self.mean**2, 0.0) ** 0.5
        return spread

    def share(self, limit: int) -> float:
        """The share of the matches at most some milliseconds apart."""
        return ratio(getattr(self, f"within_{limit}"), self.matches)

    @property
    def score(self) -> float:
        """The mean distance."""
        return self.absolute


def _share(limit: int) -> Score:
    return Score(
        f"deviation_within_{limit}",
        f"≤{limit} ms",
        f"Share of the matched boundaries at most {limit} ms apart.",
        take=lambda counts: counts.share(limit),
    )


@dataclass(frozen=True, slots=True)
class Deviation(PairMeasure[DeviationCounts]):
    """Mean and spread of the deviation of boundaries in time, matched one to one, nearest first.

    `unit` is how many microseconds the axis counts; a sample counts as a millisecond.
    """

    name: ClassVar[str] = "deviation"
    counts: ClassVar[type[Counts]] = DeviationCounts
    cut: ClassVar[Cut] = "whole"
    has_time: ClassVar[bool] = True
    has_words: ClassVar[bool] = False
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (
        Score("deviation", "deviation", "Mean deviation of matched boundaries in ms; late is +.",
              None, take="mean"),
        Score("deviation_absolute", "|deviation|",
              "Mean absolute deviation of matched boundaries in ms.", "low", take="absolute"),
        Score("deviation_sd", "SD", "Standard deviation of the deviation in ms.", "low",
              take="spread"),
        *map(_share, LIMITS),
        Score("deviation_matches", "matched", "Boundaries matched, the nearest first.", None,
              take="matches", is_count=True),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}
    task_options: ClassVar[dict[str, str]] = {"unit": "deviation_unit"}

    tolerance: int = 20 * MILLISECOND
    final: Final = "drop"
    unit: int = 1

    def count(self, candidate: Segmentation, reference: Segmentation) -> DeviationCounts:
        """Count one candidate against one reference."""
        ours, theirs = (each.positions(self.final) for each in (candidate, reference))
        wanted, found = nearest_first(theirs, ours, self.tolerance)
        late = self.unit * (ours[found] - theirs[wanted])
        apart = np.abs(late)
        within = [int(np.count_nonzero(apart <= each * MILLISECOND)) for each in LIMITS]
        return DeviationCounts(
            late.size, int(late.sum()), int(apart.sum()), _sum_of_squares(apart), *within
        )


def _sum_of_squares(values: IntArray) -> int:
    """The sum of squares, exact where 64 bits are too few."""
    most = int(values.max(initial=0))
    if most * most * values.size < 2**63:
        return int(np.dot(values, values))
    return sum(each * each for each in values.tolist())
