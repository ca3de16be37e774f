"""Generalised Hamming distance: what it costs to turn one segmentation into the other.

Bookstein, Kulyukin and Raita (2002), Generalized Hamming distance. Boundaries are inserted, deleted
and shifted; a shift costs its distance times a factor.
"""

from dataclasses import dataclass
from heapq import heappush, heappushpop
from typing import ClassVar

import numpy as np

from caesura.core.batch import Positions, SegmentationBatch, require_one_length_each
from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.score import Score
from caesura.core.segmentation import IntArray, Segmentation, isin_sorted
from caesura.core.task import ALSO
from caesura.measures.axis import matching
from caesura.measures.base import Cut, PairMeasure, Spans

Costs = tuple[int, int, int]
"""The costs of an insertion, of a deletion, and of a shift by one item."""


@dataclass(frozen=True, slots=True)
class GhdCounts(Counts):
    """The cost of turning the candidate's boundaries into the reference's, and the slots."""

    cost: int
    slots: int

    @property
    def score(self) -> float:
        """The cost; undefined where there is no place for a boundary."""
        return ratio(self.cost, self.slots > 0)


@dataclass(frozen=True, slots=True)
class Ghd(PairMeasure):
    """The least cost of insertions, deletions and shifts of boundaries.

    Costs are whole numbers: only their ratios matter, so others can be multiplied. The end of the
    document is a boundary of both, so `final` makes no difference.
    """

    name: ClassVar[str] = "ghd"
    counts: ClassVar[type[Counts]] = GhdCounts
    cut: ClassVar[Cut] = "spans"
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (
        Score("ghd", "GHD", "Generalised Hamming distance: the cost of inserted, deleted and "
              "shifted boundaries.", "low", take="score"),
    )  # fmt: skip

    costs: Costs = (2, 2, 1)

    @property
    def reach(self) -> int:
        """The longest shift that costs less than an insertion and a deletion."""
        insertion, deletion, shift = self.costs
        return (insertion + deletion - 1) // shift

    def count(self, candidate: Segmentation, reference: Segmentation) -> GhdCounts:
        """Count one candidate against one reference."""
        return self.count_each(
            SegmentationBatch.from_one(candidate), SegmentationBatch.from_one(reference)
        ).each()[0]

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> GhdCounts:
        """Count many documents.

        Only boundaries that the other side lacks cost something. Those of one side far from any
        of the other are inserted or deleted, and two alone near each other are a shift; what is
        left is counted chain by chain.
        """
        require_one_length_each(candidate, reference)
        reach = candidate.reach(self.reach)
        placed, wanted = (each.positions("drop", reach) for each in (candidate, reference))
        ours, theirs = _only(placed, wanted), _only(wanted, placed)
        chains = _Chains.from_sides(ours, theirs, reach)
        cost = chains.sums(self._costs(chains), len(reference))
        return of_arrays(GhdCounts, cost, reference.slots())

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: boundaries that may be shifted to each other."""
        return matching(candidate.positions(), reference.positions(), self.reach)

    def _costs(self, chains: "_Chains") -> IntArray:
        """The cost of each chain."""
        insertion, deletion, shift = self.costs
        costs = deletion * chains.ours + insertion * chains.theirs
        pairs = np.flatnonzero((chains.ours == 1) & (chains.theirs == 1))
        starts = chains.starts[pairs]
        costs[pairs] = shift * (chains.at[starts + 1] - chains.at[starts])
        longer = (chains.ours > 0) & (chains.theirs > 0) & (chains.ours + chains.theirs > 2)
        for chain in np.flatnonzero(longer).tolist():
            own = slice(chains.starts[chain], chains.starts[chain + 1])
            costs[chain] = _least_cost(
                chains.at[own].tolist(), chains.is_ours[own].tolist(), self.costs
            )
        return costs


def _only(positions: Positions, others: Positions) -> Positions:
    return positions.some(~isin_sorted(positions.at, others.at))


@dataclass(frozen=True, slots=True, eq=False)
class _Chains:
    """Boundaries of both sides, in order, in chains of which each is within reach of the next.

    `starts` are the numbers of the first boundary of each chain and of the end; `owners` the
    documents of the chains.
    """

    at: IntArray
    is_ours: IntArray
    starts: IntArray
    owners: IntArray

    @classmethod
    def from_sides(cls, ours: Positions, theirs: Positions, reach: int) -> "_Chains":
        merged = np.concatenate((ours.at * 2 + 1, theirs.at * 2))
        owners = np.concatenate((ours.owners, theirs.owners))
        order = np.argsort(merged, kind="stable")
        at, is_ours = merged[order] >> 1, merged[order] & 1
        begins = np.diff(at, prepend=-reach - 2) > reach
        starts = np.append(np.flatnonzero(begins), at.size)
        return cls(at, is_ours, starts, owners[order][starts[:-1]])

    @property
    def ours(self) -> IntArray:
        """How many of the candidate's boundaries each chain has."""
        return np.add.reduceat(self.is_ours, self.starts[:-1]) if self.at.size else self.at

    @property
    def theirs(self) -> IntArray:
        """How many of the reference's."""
        return np.diff(self.starts) - self.ours

    def sums(self, values: IntArray, documents: int) -> IntArray:
        """The sum by document of values, one for each chain."""
        sums = np.zeros(documents, np.int64)
        np.add.at(sums, self.owners, values)
        return sums


def _least_cost(at: list[int], is_ours: list[int], costs: Costs) -> int:
    """The least cost of a chain, in n log n steps.

    From left to right, f(b) is the least cost of what was passed with b of the candidate's
    boundaries still to be shifted to the right, or -b of the reference's. A boundary either waits
    (b changes by 1) or is deleted or inserted; a step by one item costs |b| shifts. f stays convex,
    so it is kept as f(0) and its slopes on both sides of 0, in two heaps: a boundary adds one
    slope, and a step adds to all.
    """
    insertion, deletion, shift = costs
    price = (insertion, deletion)
    waiting: tuple[list[int], list[int]] = ([], [])
    total = added = 0
    before = at[0]
    for place, ours in zip(at, is_ours, strict=True):
        added += shift * (place - before)
        before, own, other = place, price[ours], waiting[1 - ours]
        is_shifted = other and other[0] + added < own
        paid = heappushpop(other, own - added) + added if is_shifted else own
        total += paid
        heappush(waiting[ours], -paid - added)
    return total
