"""Boundaries counted one by one: right places, false alarms and misses.

Slot error rate: Makhoul et al. (1999); NIST SU error: Rich Transcription (2004); either and mean
of several references: Kolář and Lamel (2012); consensus k-of-m: Boháč et al. (2012).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.counts import Counts, Matches, ratio
from caesura.core.segmentation import (
    Final,
    IntArray,
    Panel,
    Segmentation,
    isin_sorted,
    require_one_length,
)
from caesura.measures.base import Options


@dataclass(frozen=True, slots=True)
class BoundaryCounts(Matches):
    """Right places, false alarms and misses among the slots that could hold a boundary."""

    slots: int

    @property
    def ser(self) -> float:
        """Slot error rate, (fp + fn) / (tp + fn): with one kind of boundary, NIST's SU error."""
        return ratio(self.fp + self.fn, self.tp + self.fn)

    @property
    def cer(self) -> float:
        """Boundary classification error, (fp + fn) / slots."""
        return ratio(self.fp + self.fn, self.slots)

    @property
    def kappa(self) -> float:
        """Cohen's κ of the two as ratings of every slot; undefined if all are one category.

        It is undefined, too, where there are no slots, as on the axis of time.
        """
        a, b, n = self.tp + self.fp, self.tp + self.fn, self.slots
        by_chance = a * b + (n - a) * (n - b)
        return ratio(n * (n - self.fp - self.fn) - by_chance, (n > 0) * (n * n - by_chance))

    def swapped(self) -> "BoundaryCounts":
        """The same with candidate and reference changing places."""
        return BoundaryCounts(self.tp, self.fn, self.fp, self.slots)

    def scores(self) -> dict[str, float]:
        """Precision, recall, F1 and the error rates."""
        return {**Matches.scores(self), "ser": self.ser, "cer": self.cer}


@dataclass(frozen=True, slots=True)
class Boundary(Options):
    """Precision, recall, F1, SER and CER against one reference."""

    name: ClassVar[str] = "boundary"
    kind: ClassVar[str] = "pair"
    counts: ClassVar[type[Counts]] = BoundaryCounts

    final: Final = "drop"

    def count(self, candidate: Segmentation, reference: Segmentation) -> BoundaryCounts:
        """Count one candidate against one reference."""
        require_one_length(candidate, reference)
        placed, wanted = candidate.positions(self.final), reference.positions(self.final)
        tp = int(np.count_nonzero(isin_sorted(placed, wanted)))
        return BoundaryCounts(tp, placed.size - tp, wanted.size - tp, reference.slots(self.final))


@dataclass(frozen=True, slots=True)
class Consensus(Options):
    """Precision, recall and F1 against the positions that at least `least` of m references have.

    0 stands for the majority, floor(m/2) + 1.
    """

    name: ClassVar[str] = "consensus"
    kind: ClassVar[str] = "panel"
    counts: ClassVar[type[Counts]] = BoundaryCounts
    least_values: ClassVar[dict[str, int]] = {"least": 0}

    least: int = 0
    final: Final = "drop"

    def count(self, candidate: Segmentation, panel: Panel) -> BoundaryCounts:
        """Count one candidate against the consensus of the references."""
        least = self.least or len(panel) // 2 + 1
        return Boundary(self.final).count(candidate, panel.consensus(least))


@dataclass(frozen=True, slots=True)
class EitherCounts(Counts):
    """Decisions that match no reference.

    `errors` is fp + fn and `boundaries` the mean number of reference boundaries, both times the
    number of references, so that they stay whole.
    """

    fp: int
    fn: int
    errors: int
    boundaries: int

    @property
    def ser(self) -> float:
        """(fp + fn) / mean number of reference boundaries."""
        return ratio(self.errors, self.boundaries)

    @property
    def score(self) -> float:
        """The slot error rate."""
        return self.ser

    def scores(self) -> dict[str, float]:
        """The slot error rate."""
        return {"ser_either": self.ser}


@dataclass(frozen=True, slots=True)
class Either(Options):
    """Errors are only those decisions with which no reference agrees."""

    name: ClassVar[str] = "either"
    kind: ClassVar[str] = "panel"
    counts: ClassVar[type[Counts]] = EitherCounts

    final: Final = "drop"

    def count(self, candidate: Segmentation, panel: Panel) -> EitherCounts:
        """Count what no reference has, and what every reference has and the candidate lacks."""
        require_one_length(candidate, panel.members[0])
        placed, some = candidate.positions(self.final), panel.positions(self.final)
        votes, references = panel.votes(self.final), len(panel)
        everyone = some[votes == references]
        fp = placed.size - int(np.count_nonzero(isin_sorted(placed, some)))
        fn = everyone.size - int(np.count_nonzero(isin_sorted(everyone, placed)))
        return EitherCounts(fp, fn, references * (fp + fn), int(votes.sum()))


@dataclass(frozen=True, slots=True)
class TolerantCounts(Counts):
    """Matches when a boundary may be some words off, each boundary matched at most once."""

    matches: int
    placed: int
    wanted: int

    @property
    def precision(self) -> float:
        """Matches / candidate boundaries."""
        return ratio(self.matches, self.placed)

    @property
    def recall(self) -> float:
        """Matches / reference boundaries."""
        return ratio(self.matches, self.wanted)

    @property
    def f1(self) -> float:
        """2·matches / (candidate + reference boundaries)."""
        return ratio(2 * self.matches, self.placed + self.wanted)

    @property
    def score(self) -> float:
        """F1."""
        return self.f1

    def scores(self) -> dict[str, float]:
        """Precision, recall and F1 with the tolerance."""
        return {
            "tolerant_precision": self.precision,
            "tolerant_recall": self.recall,
            "tolerant_f1": self.f1,
        }


@dataclass(frozen=True, slots=True)
class Tolerant(Options):
    """Precision, recall and F1 with a tolerance of some words and the most matches possible."""

    name: ClassVar[str] = "tolerant"
    kind: ClassVar[str] = "pair"
    counts: ClassVar[type[Counts]] = TolerantCounts
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 2
    final: Final = "drop"

    def count(self, candidate: Segmentation, reference: Segmentation) -> TolerantCounts:
        """Count one candidate against one reference."""
        require_one_length(candidate, reference)
        placed, wanted = candidate.positions(self.final), reference.positions(self.final)
        matches = most_matches(placed, wanted, self.tolerance)
        return TolerantCounts(matches, placed.size, wanted.size)


def most_matches(a: IntArray, b: IntArray, tolerance: int) -> int:
    """The size of the largest one-to-one matching of a with b at most `tolerance` apart.

    By Hall's theorem it is |a| minus the largest deficiency, a sum over disjoint runs a[i..k] of
    their length less the number of b within reach of the run. With `before` the b's below the
    reach of a[i] and `upto` those up to the end of the reach of a[k], a run's deficiency is
    (k + 1 - upto[k]) - (i - before[i]): the best sum is a walk with two states, outside and
    inside a run, whose steps are 2×2 matrices in (max, +). Their product is associative, so it is
    taken pairwise, in O(n) and without a loop over boundaries.

    >>> most_matches(np.array([0, 2]), np.array([2, 4]), 2)
    2
    """
    if not a.size or not b.size:
        return 0
    index = np.arange(a.size)
    enter = np.searchsorted(b, a - tolerance, side="left") - index
    leave = index + 1 - np.searchsorted(b, a + tolerance, side="right")
    # steps[to][from], 0 outside a run, 1 inside: a step may enter, leave, do both or neither.
    steps = [[np.maximum(0, enter + leave), leave], [enter, np.zeros_like(index)]]
    while steps[0][0].size > 1:
        steps = _compose_pairs(steps)
    return int(a.size - steps[0][0][0])


def _compose_pairs(steps: list[list[IntArray]]) -> list[list[IntArray]]:
    """Compose neighbours, the later after the earlier; an odd last step stays as it is."""
    even = steps[0][0].size // 2 * 2
    first = [[entry[0:even:2] for entry in row] for row in steps]
    later = [[entry[1:even:2] for entry in row] for row in steps]
    rest = [[entry[even:] for entry in row] for row in steps]
    return [
        [
            np.concatenate(
                (
                    np.maximum(later[i][0] + first[0][j], later[i][1] + first[1][j]),
                    rest[i][j],
                )
            )
            for j in (0, 1)
        ]
        for i in (0, 1)
    ]
