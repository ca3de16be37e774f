"""Boundary similarity B and segmentation similarity S, from boundary edit distance.

Fournier (2013), Evaluating text segmentation using boundary edit distance; Fournier and Inkpen
(2012), Segmentation similarity and agreement.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.counts import Counts, ratio
from caesura.core.score import Score
from caesura.core.segmentation import (
    BoolArray,
    IntArray,
    Segmentation,
    isin_sorted,
    require_one_length,
)
from caesura.measures.base import PairMeasure


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
    """B and S in which two boundaries less than `near` apart may be one near miss (n_t).

    Near misses are paired as Fournier does it: the shortest first, then from left to right. The
    end of the transcript is not a potential boundary, so `final` makes no difference.
    """

    name: ClassVar[str] = "edit"
    counts: ClassVar[type[Counts]] = EditCounts
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
        require_one_length(candidate, reference)
        placed, wanted = candidate.positions(), reference.positions()
        ours, theirs = _only(placed, wanted), _only(wanted, placed)
        transpositions, distance = _near_misses(ours, theirs, self.near)
        matches = placed.size - ours.size
        additions = ours.size + theirs.size - 2 * transpositions
        return EditCounts(
            matches=matches,
            additions=additions,
            transpositions=transpositions,
            cost=self.near * additions + distance,
            pairs=self.near * (additions + transpositions + matches),
            room=self.near * reference.slots(),
        )


def _only(positions: IntArray, others: IntArray) -> IntArray:
    return positions[np.flatnonzero(~isin_sorted(positions, others))]


def _near_misses(ours: IntArray, theirs: IntArray, near: int) -> tuple[int, int]:
    """The number of near misses and the sum of their distances.

    At each distance only neighbours can pair: what lies between two boundaries of different sides
    is nearer to one of them on the other side, and one of that pair is taken already.
    """
    merged = np.concatenate((ours * 2, theirs * 2 + 1))
    merged.sort(kind="stable")
    positions, is_ours = merged >> 1, (merged & 1) == 0
    number = total = 0
    for distance in range(1, near):
        if positions.size < 2:
            break
        first = _alternate((np.diff(positions) == distance) & (is_ours[1:] != is_ours[:-1]))
        number, total = number + first.size, total + distance * first.size
        left = np.ones(positions.size, dtype=np.bool_)
        left[first] = left[first + 1] = False
        positions, is_ours = positions[left], is_ours[left]
    return number, total


def _alternate(linked: BoolArray) -> IntArray:
    """Of links between neighbours take, in each chain, the first, third, fifth …"""
    index = np.arange(linked.size)
    chain_start = np.maximum.accumulate(np.where(linked, 0, index + 1))
    return np.flatnonzero(linked & ((index - chain_start) % 2 == 0))
