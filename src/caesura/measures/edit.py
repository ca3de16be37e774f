"""Boundary similarity B and segmentation similarity S, from boundary edit distance.

Fournier (2013), Evaluating text segmentation using boundary edit distance; Fournier and Inkpen
(2012), Segmentation similarity and agreement.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.batch import Positions, SegmentationBatch, require_one_length_each
from caesura.core.bits import BitArray, alternate, bits_of, moved_down, moved_up, sizes
from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.score import Score
from caesura.core.segmentation import BoolArray, IntArray, Segmentation, isin_sorted
from caesura.measures.axis import matching
from caesura.measures.base import Cut, PairMeasure, Spans

BITS_NEAR = 8
"""The longest reach of near misses that are found with bits: their time grows with its square."""


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
class Edit(PairMeasure):
    """B and S; boundaries less than `near` words apart may count as a near miss (n_t).

    Near misses are paired as Fournier does it: the shortest first, then from left to right. The
    end of the transcript is not a potential boundary, so `final` makes no difference.
    """

    name: ClassVar[str] = "edit"
    counts: ClassVar[type[Counts]] = EditCounts
    cut: ClassVar[Cut] = "spans"
    of_references: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("boundary_similarity", "B", "Boundary similarity, with credit for near misses.",
              views=("each", "mean", "agreement", "pair", "compare", "correlate", "sweep"),
              of="both", has_time=False, option="near"),
        Score("segmentation_similarity", "S", "Segmentation similarity.", views=("each",),
              has_time=False),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"near": 1}

    near: int = 2

    def count(self, candidate: Segmentation, reference: Segmentation) -> EditCounts:
        """Count one candidate against one reference."""
        return self.count_each(
            SegmentationBatch.from_one(candidate), SegmentationBatch.from_one(reference)
        ).each()[0]

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> EditCounts:
        """Count many documents."""
        require_one_length_each(candidate, reference)
        reach = candidate.reach(self.near - 1)
        placed, wanted = (each.positions("drop", reach) for each in (candidate, reference))
        ours, theirs = _only(placed, wanted), _only(wanted, placed)
        transpositions, distance = _near_misses(ours, theirs, reach)
        return self._counts(
            placed.sizes - ours.sizes,
            ours.sizes + theirs.sizes - 2 * transpositions,
            transpositions,
            distance,
            reference.slots(),
        )

    def count_pairs(self, members: Sequence[Segmentation]) -> Iterator[EditCounts]:
        """Count each version of one document against all after it."""
        if self.near > BITS_NEAR:
            yield from PairMeasure.count_pairs(self, members)  # type: ignore[misc]
            return
        bits = bits_of([member.positions() for member in members], len(members[0]))
        for at in range(len(members) - 1):
            one, others = bits[at], bits[at + 1 :]
            ours, theirs = one & ~others, others & ~one
            unmatched = sizes(ours) + sizes(theirs)
            transpositions, distance = _near_misses_in_bits(ours, theirs, self.near - 1)
            yield self._counts(
                sizes(one & others),
                unmatched - 2 * transpositions,
                transpositions,
                distance,
                np.full(len(others), members[0].slots()),
            )

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: boundaries that may be near misses."""
        return matching(candidate.positions(), reference.positions(), self.near - 1)

    def _counts(
        self,
        matches: IntArray,
        additions: IntArray,
        transpositions: IntArray,
        distance: IntArray,
        slots: IntArray,
    ) -> EditCounts:
        cost = self.near * additions + distance
        pairs = self.near * (additions + transpositions + matches)
        room = self.near * slots
        return of_arrays(EditCounts, matches, additions, transpositions, cost, pairs, room)


def _only(positions: Positions, others: Positions) -> Positions:
    return positions.some(~isin_sorted(positions.at, others.at))


def _near_misses(ours: Positions, theirs: Positions, reach: int) -> tuple[IntArray, IntArray]:
    """The number of near misses and the sum of their distances, in each document.

    Shorter ones come first. At each distance only neighbours can pair: what lies between two
    boundaries of different sides is nearer to one of them on the other side, and one of that pair
    is taken already.
    """
    merged = np.concatenate((ours.at * 2, theirs.at * 2 + 1))
    merged.sort(kind="stable")
    left = Positions(merged, ours.offsets + theirs.offsets)
    number = total = np.zeros_like(ours.sizes)
    while left.at.size > 1:
        positions, side = left.at >> 1, left.at & 1
        gaps = np.where(side[1:] != side[:-1], np.diff(positions), reach + 1)
        distance = gaps.min()
        if distance > reach:
            break
        first = _alternate(gaps == distance)
        pairs = left.at_numbers(first).sizes
        number, total = number + pairs, total + distance * pairs
        if distance == reach:
            break
        stays = np.ones(positions.size, dtype=np.bool_)
        stays[first] = stays[first + 1] = False
        left = left.some(stays)
    return number, total


def _near_misses_in_bits(ours: BitArray, theirs: BitArray, reach: int) -> tuple[IntArray, IntArray]:
    """The same as `_near_misses` for pairs of rows of bits."""
    number = total = np.zeros(len(ours), np.int64)
    for distance in range(1, reach + 1):
        links = ours & moved_down(theirs, distance) | theirs & moved_down(ours, distance)
        for nearer in range(1, distance):
            links &= ~moved_down(ours | theirs, nearer)
        first = alternate(links, distance)
        pairs = sizes(first)
        number, total = number + pairs, total + distance * pairs
        taken = first | moved_up(first, distance)
        ours, theirs = ours & ~taken, theirs & ~taken
    return number, total


def _alternate(linked: BoolArray) -> IntArray:
    """Of links between neighbours take, in each chain, the first, third, fifth …"""
    index = np.arange(linked.size)
    chain_start = np.maximum.accumulate(np.where(linked, 0, index + 1))
    return np.flatnonzero(linked & ((index - chain_start) % 2 == 0))
