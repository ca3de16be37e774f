"""Generalised Hamming distance: what it costs to turn one segmentation into the other.

Bookstein, Kulyukin and Raita (2002), Generalized Hamming distance. Boundaries are inserted, deleted
and shifted; a shift costs its distance times a factor.
"""

from dataclasses import dataclass
from heapq import heappush, heappushpop
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from caesura.core.batch import SegmentationBatch, require_one_length_each
from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.measure import Cut, PairMeasure, Spans
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import Segmentation
from caesura.measures.geometry import CellGrid, matching, on_grid, one_sided

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
class Ghd(PairMeasure[GhdCounts]):
    """The least cost of insertions, deletions and shifts of boundaries.

    Costs are whole numbers: only their ratios matter, so others can be multiplied. The end of the
    document is a boundary of both, so `final` makes no difference.
    """

    name: ClassVar[str] = "ghd"
    counts: ClassVar[type[Counts]] = GhdCounts
    cut: ClassVar[Cut] = "spans"
    has_time: ClassVar[bool] = True
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (
        Score("ghd", "GHD", "Generalised Hamming distance: the cost of inserted, deleted and "
              "shifted boundaries.", "low", take="score"),
    )  # fmt: skip

    costs: Costs = (2, 2, 1)
    grid: CellGrid | None = None

    @classmethod
    def signed(cls, options: Any) -> dict[str, object]:
        """The costs."""
        return {"costs": ",".join(map(str, options.costs))}

    @property
    def reach(self) -> int:
        """The longest shift that costs less than an insertion and a deletion."""
        insertion, deletion, shift = self.costs
        return (insertion + deletion - 1) // shift

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> GhdCounts:
        """Count many documents; only boundaries that the other side lacks cost something."""
        candidate, reference = on_grid(self.grid, candidate, reference)
        require_one_length_each(candidate, reference)
        sides = one_sided(candidate.positions(), reference.positions())
        edges = pairwise(sides.offsets.tolist())
        costs = [_least_cost(sides.at[low:high].tolist(), self.costs) for low, high in edges]
        return of_arrays(GhdCounts, np.array(costs, np.int64), reference.slots())

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: boundaries that may be shifted to each other."""
        return matching(candidate.positions(), reference.positions(), self.reach)


def _least_cost(sides: list[int], costs: Costs) -> int:
    """The least cost of boundaries that only one side has, as `one_sided` has them; n log n steps.

    From left to right, f(b) is the least cost of what was passed with b of the candidate's
    boundaries still to be shifted to the right, or -b of the reference's. A boundary either waits
    (b changes by 1) or is deleted or inserted; a step by one item costs |b| shifts. f stays convex,
    so it is kept as f(0) and its slopes on both sides of 0, in two heaps: a boundary adds one
    slope, and a step adds to all. The slow twin is `ghd` of tests/support/reference_topics.py.
    """
    insertion, deletion, shift = costs
    price = (deletion, insertion)
    waiting: tuple[list[int], list[int]] = ([], [])
    total = 0
    for code in sides:
        added, side = shift * (code >> 1), code & 1
        own, other = price[side], waiting[1 - side]
        is_shifted = other and other[0] + added < own
        paid = heappushpop(other, own - added) + added if is_shifted else own
        total += paid
        heappush(waiting[side], -paid - added)
    return total
