"""Edits of boundaries that turn one segmentation into the other: B, S, and generalised Hamming.

Boundary similarity B: Fournier (2013), Evaluating text segmentation using boundary edit distance;
segmentation similarity S: Fournier and Inkpen (2012), Segmentation similarity and agreement.
Generalised Hamming distance: Bookstein, Kulyukin and Raita (2002); a shift costs its distance times
a factor.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappush, heappushpop
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from caesura.core.batch import Positions, SegmentationBatch, require_one_length_each
from caesura.core.bits import BitArray, alternate, bits_of, moved_down, moved_up, sizes
from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.measure import Cut, PairMeasure, Spans
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import IntArray, Segmentation
from caesura.measures.geometry import CellGrid, matching, on_grid, one_sided

BITS_NEAR = 8
"""The longest reach of near misses that are found with bits: their time grows with its square."""
CHUNK = 1 << 13
"""Words of bits that are compared at once: arrays of 64 kB stay in the processor's cache."""
Costs = tuple[int, int, int]
"""The costs of an insertion, of a deletion, and of a shift by one item."""


@dataclass(frozen=True, slots=True)
class EditCounts(Counts):
    """Edits that turn one segmentation into the other.

    `cost`, `pairs` and `room` are numerator and denominators of B and S in n-ths of an edit, n
    the reach of near misses, so that they stay whole.
    """

    matches: int
    additions: int
    transpositions: int
    cost: int
    pairs: int
    room: int

    @property
    def boundary_similarity(self) -> float:
        """B = 1 - (additions + weighted transpositions) / (additions + transpositions + matches)."""  # noqa: E501
        return ratio(self.pairs - self.cost, self.pairs)

    @property
    def segmentation_similarity(self) -> float:
        """S = 1 - (additions + weighted transpositions) / potential boundaries."""
        return ratio(self.room - self.cost, self.room)


@dataclass(frozen=True, slots=True)
class Edit(PairMeasure[EditCounts]):
    """B and S; boundaries less than `near` words apart may count as a near miss (n_t).

    Near misses are paired as Fournier does it: the shortest first, then from left to right. The
    end of the transcript is not a potential boundary, so `final` makes no difference.
    """

    name: ClassVar[str] = "edit"
    counts: ClassVar[type[Counts]] = EditCounts
    cut: ClassVar[Cut] = "spans"
    has_time: ClassVar[bool] = True
    of_references: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("boundary_similarity", "B", "Boundary similarity, with credit for near misses.",
              views=("each", "mean", "agreement", "pair", "compare", "correlate"),
              of="both"),
        Score("segmentation_similarity", "S", "Segmentation similarity.", views=("each",)),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"near": 1}

    near: int = 2
    grid: CellGrid | None = None

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> EditCounts:
        """Count many documents."""
        candidate, reference = on_grid(self.grid, candidate, reference)
        require_one_length_each(candidate, reference)
        reach = candidate.reach(self.near - 1)
        placed, wanted = (each.positions("drop", reach) for each in (candidate, reference))
        sides = one_sided(placed, wanted)
        transpositions, distance = _near_misses(sides, reach)
        boundaries, slots = placed.sizes + wanted.sizes, reference.slots()
        return self._counts(boundaries, sides.sizes, transpositions, distance, slots)

    def count_pairs(self, members: Sequence[Segmentation]) -> Iterator[EditCounts]:
        """Count each version of one document against all after it.

        Bits take .3 s for 1,000 references of 1,000 words, batches 3.5 s. Of 10,000 words they take
        1.9 s, without chunks 3.8 s.
        """
        if self.near > BITS_NEAR or self.grid:
            yield from PairMeasure.count_pairs(self, members)
            return
        sets = [member.positions() for member in members]
        placed, bits = np.array([each.size for each in sets]), bits_of(sets, len(members[0]))
        rows = CHUNK // (bits.shape[-1] + 1) + 1  # at once
        for at in range(len(members) - 1):
            others = [bits[start : start + rows] for start in range(at + 1, len(members), rows)]
            unmatched, transpositions, distance = np.concatenate(
                [_edits_in_bits(bits[at], some, self.near - 1) for some in others], axis=1
            )
            boundaries = placed[at] + placed[at + 1 :]
            slots = np.full(unmatched.size, members[0].slots())
            yield self._counts(boundaries, unmatched, transpositions, distance, slots)

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: boundaries that may be near misses."""
        return matching(candidate.positions(), reference.positions(), self.near - 1)

    def _counts(
        self,
        boundaries: IntArray,
        unmatched: IntArray,
        transpositions: IntArray,
        distance: IntArray,
        slots: IntArray,
    ) -> EditCounts:
        """The counts from all boundaries of both sides, and those that only one of them has."""
        matches, additions = (boundaries - unmatched) // 2, unmatched - 2 * transpositions
        cost = self.near * additions + distance
        pairs = self.near * (additions + transpositions + matches)
        room = self.near * slots
        return of_arrays(EditCounts, matches, additions, transpositions, cost, pairs, room)


def _near_misses(sides: Positions, reach: int) -> tuple[IntArray, IntArray]:
    """The number of near misses and the sum of their distances, in each document.

    `sides` are the boundaries that only one side has, as `one_sided` has them. Shorter near misses
    come first. At each distance only neighbours can pair: what lies between two boundaries of
    different sides is nearer to one of them on the other side, and one of that pair is taken
    already. So each round looks at all neighbours at once: .007 s for 400,000 boundaries, where a
    loop takes .05 s. The slow twin is `edits` of tests/support/reference_transcript.py.
    """
    left = sides
    number = total = np.zeros_like(sides.sizes)  # (documents,)
    while left.at.size > 1:
        position, side = left.at >> 1, left.at & 1  # (left,) in order
        # (left - 1,) from each boundary to the next; too far where they are of one side
        gaps = np.where(side[1:] != side[:-1], np.diff(position), reach + 1)
        distance = gaps.min()
        if distance > reach:
            break
        # Of the links in each chain of neighbours at this distance, the first, third, fifth … are
        # pairs; a chain begins after the last neighbours that are not linked.
        linked, index = gaps == distance, np.arange(gaps.size)
        chain_start = np.maximum.accumulate(np.where(linked, 0, index + 1))
        first = np.flatnonzero(linked & ((index - chain_start) % 2 == 0))  # boundary of each pair
        pairs = left.at_numbers(first).sizes
        number, total = number + pairs, total + distance * pairs
        if distance == reach:
            break
        stays = np.ones(position.size, dtype=np.bool_)
        stays[first] = stays[first + 1] = False
        left = left.some(stays)
    return number, total


def _edits_in_bits(one: BitArray, others: BitArray, reach: int) -> IntArray:
    """Compare one set of boundaries with others, which are rows of bits.

    A column for each of the others: the number of boundaries that only one side has, the number of
    near misses, and the sum of their distances. It does what `_near_misses` does, distance by
    distance.
    """
    left = one ^ others  # (others, words) boundaries that only one side has
    unmatched = sizes(left)
    number = total = np.zeros_like(unmatched)
    for distance in range(1, reach + 1):
        # boundaries with one of the other side at this distance, and nothing between the two
        links = left & moved_down(left, distance) & (one ^ moved_down(one, distance))
        for nearer in range(1, distance):
            links &= ~moved_down(left, nearer)
        first = alternate(links, distance)
        pairs = sizes(first)
        number, total = number + pairs, total + distance * pairs
        if distance < reach:
            left &= ~(first | moved_up(first, distance))
    return np.stack((unmatched, number, total))


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
