"""Ties: which of the alignments with the fewest errors is taken."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import BoolArray, IntArray

NEAR = 4
PAD = 8
SIDES = (8, 16, 32, 64)
CELLS = 1 << 20
LONGEST = 1 << 40
SUBSTITUTION = 250_000
"""How much nearer in time a pair of words must be to be preferred to a pair of equal words."""
EDIT = LONGEST << 7
"""More than all the rest in a region."""

DIAGONAL, ONLY_A, ONLY_B = range(3)


@dataclass(frozen=True, eq=False)
class Ties:
    """Moves words within an alignment to equal partners, or nearer in time, at no more errors.

    Edits with at most NEAR equal words between them make a region, with up to PAD equal words
    before and after. In each of up to 64 words a side, the alignment is found that has the fewest
    errors and then the least summed difference in time, where a substitution counts as a quarter
    of a second. Of as many errors, the fewer substitutions the more equal words. Unknown times
    differ by nothing from any other.
    """

    a: IntArray
    b: IntArray
    times_a: IntArray
    times_b: IntArray
    partner: IntArray

    def settle(self) -> None:
        """Change `partner` wherever that makes words equal or brings them nearer in time."""
        if not self.a.size or not self.b.size:
            return
        regions = self._regions()
        longest = np.maximum(regions[:, 2] - regions[:, 0], regions[:, 3] - regions[:, 1])
        for low, side in zip((0, *SIDES), SIDES, strict=False):
            some = regions[(longest > low) & (longest <= side)]
            many = CELLS // (side + 1) ** 2
            for at in range(0, len(some), many):
                self._settle(some[at : at + many], side)

    @cached_property
    def _is_hit(self) -> BoolArray:
        return hits_of(self.a, self.b, self.partner)

    def _regions(self) -> IntArray:
        """Where there may be a choice: begin in a and b, end in a and b."""
        gaps, runs = self._gaps()
        if not len(gaps):
            return gaps
        is_apart = np.append(runs[1:-1] > NEAR, [True])
        last = np.flatnonzero(is_apart)
        first = np.append(0, last + 1)[: last.size]
        regions = np.hstack((gaps[first, :2], gaps[last, 2:]))
        is_free = (first < last) | self._is_free(gaps[first])
        pads = np.minimum(runs // 2, PAD)
        pads[[0, -1]] = np.minimum(runs[[0, -1]], PAD)
        regions[:, :2] -= pads[first, None]
        regions[:, 2:] += pads[last + 1, None]
        return regions[is_free]

    def _gaps(self) -> tuple[IntArray, IntArray]:
        """What lies between equal runs, and how long the runs before, between and after are."""
        i = np.flatnonzero(self._is_hit)
        j = self.partner[i]
        ends = np.array([[self.a.size], [self.b.size]])
        begin = np.hstack((np.zeros((2, 1), np.int64), (i + 1, j + 1)))
        end = np.hstack(((i, j), ends))
        is_gap = (end > begin).any(axis=0)
        at = np.flatnonzero(is_gap)
        runs = np.diff(at, prepend=0, append=i.size)
        return np.vstack((begin[:, at], end[:, at])).T, runs

    def _is_free(self, gaps: IntArray) -> BoolArray:
        """Whether a gap alone leaves a choice: not one word for one, nor one that cannot slide."""
        i, j = gaps[:, 0], gaps[:, 1]
        size_a, size_b = gaps[:, 2] - i, gaps[:, 3] - j
        slides = np.where(size_a == 1, _repeats(self.a, i), _repeats(self.b, j))
        is_single = size_a + size_b == 1
        is_free: BoolArray = (np.maximum(size_a, size_b) > 1) | (is_single & slides)
        return is_free

    def _settle(self, regions: IntArray, side: int) -> None:
        size = regions[:, 2:] - regions[:, :2]
        costs = self._costs(regions, side)
        moves, least = _least(costs, size)
        better = np.flatnonzero(least < self._present(regions))
        local = _traced(moves[better], size[better])
        at, word = np.nonzero(np.arange(side) < size[better, 0, None])
        begin = regions[better]
        partner = local[at, word]
        self.partner[begin[at, 0] + word] = np.where(partner < 0, -1, begin[at, 1] + partner)

    def _costs(self, regions: IntArray, side: int) -> IntArray:
        """What it costs to align each word of a region with each: by region, word of a, word of b.

        Beyond a region's end stands whatever follows, which no result depends on.
        """
        step = np.arange(side)
        at_a = np.minimum(regions[:, 0, None] + step, self.a.size - 1)[:, :, None]
        at_b = np.minimum(regions[:, 1, None] + step, self.b.size - 1)[:, None, :]
        costs = _apart(self.times_a[at_a], self.times_b[at_b])
        costs += np.where(self.a[at_a] == self.b[at_b], 0, EDIT + SUBSTITUTION)
        return costs

    def _present(self, regions: IntArray) -> IntArray:
        """What the alignment so far costs in each region."""
        begin, end = regions[:, 0], regions[:, 2]
        words = (regions[:, 2:] - regions[:, :2]).sum(axis=1)
        present: IntArray = EDIT * words + self._sums[end] - self._sums[begin]
        return present

    @cached_property
    def _sums(self) -> IntArray:
        """What the words before each cost more than if none were aligned.

        To align two words saves one edit of two, and both if they are equal.
        """
        is_aligned = self.partner >= 0
        is_substituted = is_aligned & ~self._is_hit
        costs = SUBSTITUTION * is_substituted - EDIT * (is_aligned.astype(np.int64) + self._is_hit)
        other = self.times_b[self.partner[is_aligned]]
        costs[is_aligned] += _apart(self.times_a[is_aligned], other)
        return np.append(0, np.cumsum(costs))


def _repeats(words: IntArray, at: IntArray) -> BoolArray:
    """Whether the word before or after a word is the same."""
    same = np.concatenate(([False], words[1:] == words[:-1], [False, False]))
    repeats: BoolArray = same[at] | same[at + 1]
    return repeats


def _apart(one: IntArray, other: IntArray) -> IntArray:
    """How far times lie apart, up to twelve days."""
    is_known = (one >= 0) & (other >= 0)
    return np.where(is_known, np.minimum(np.abs(one - other), LONGEST), 0)


def _least(costs: IntArray, size: IntArray) -> tuple[npt.NDArray[np.int8], IntArray]:
    """For many small matrices at once: the last move to each cell, and the cost of the whole."""
    many, side = costs.shape[:2]
    moves = np.full((many, side + 1, side + 1), ONLY_B, dtype=np.int8)
    inserted = EDIT * np.arange(side + 1)
    row = np.broadcast_to(inserted, (many, side + 1))
    least = inserted[size[:, 1]]
    for i in range(1, side + 1):
        diagonal, down = row[:, :-1] + costs[:, i - 1], row + EDIT
        best = down.copy()
        np.minimum(best[:, 1:], diagonal, out=best[:, 1:])
        row = np.minimum.accumulate(best - inserted, axis=1) + inserted
        moves[:, i][row == down] = ONLY_A
        moves[:, i, 1:][row[:, 1:] == diagonal] = DIAGONAL
        ends = np.flatnonzero(size[:, 0] == i)
        least[ends] = row[ends, size[ends, 1]]
    return moves, least


def _traced(moves: npt.NDArray[np.int8], size: IntArray) -> IntArray:
    """Follow the moves back from the end: the partner of each word of each matrix, or -1."""
    partner = np.full((len(moves), moves.shape[1] - 1), -1, dtype=np.int64)
    i, j = size.T.copy()
    while (left := np.flatnonzero(i + j)).size:
        move = moves[left, i[left], j[left]]
        i[left] -= move != ONLY_B
        j[left] -= move != ONLY_A
        paired = left[move == DIAGONAL]
        partner[paired, i[paired]] = j[paired]
    return partner


def hits_of(a: IntArray, b: IntArray, partner: IntArray) -> BoolArray:
    """Which words of a are aligned with an equal one."""
    hits: BoolArray = partner >= 0
    hits[hits] = a[hits] == b[partner[hits]]
    return hits
