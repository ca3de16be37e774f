"""Ties: which of the alignments with the fewest errors is taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import BoolArray, IntArray

Moves = npt.NDArray[np.int8]
Savings = npt.NDArray[np.signedinteger]

NEAR = 4
PAD = 8
SIDE = 64
CELLS = 1 << 17
"""Of the matrices that are filled together: with more they are not in the cache."""
LONGEST = 1 << 40
SUBSTITUTION = 250_000
"""How much nearer in time a pair of words must be to be preferred to a pair of equal words."""

DIAGONAL, ONLY_A, ONLY_B, STOP = range(4)
_NONE: IntArray = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Prices:
    """What an edit costs, more than all the rest in a region, and a substitution beyond that."""

    edit: int
    substitution: int
    dtype: type[np.signedinteger]


TIMED = Prices(LONGEST << 7, SUBSTITUTION, np.int64)
PLAIN = Prices(128, 1, np.int16)


class Ties:
    """An alignment whose words are moved to equal partners, or nearer in time, at no more errors.

    Edits with at most NEAR equal words between them make a region, with up to PAD equal words
    before and after. In each of up to SIDE words a side, the alignment is found that has the fewest
    errors and then the least summed difference in time, where a substitution counts as a quarter
    of a second. Of as many errors, the fewer substitutions the more equal words. Unknown times
    differ by nothing from any other. No region has more errors than it must, unless it holds one
    of the `seams`, which are places in a. The slow twin is `settled` of
    tests/support/noisy_words.py.

    Many regions are looked at together, as matrices: (words of a, regions, words of b). A region is
    a row of four numbers: where it begins in a and in b, and where it ends.
    """

    def __init__(
        self,
        a: IntArray,
        b: IntArray,
        times_a: IntArray,
        times_b: IntArray,
        partner: IntArray,
        seams: IntArray = _NONE,
    ) -> None:
        is_large = any(words.min(initial=0) < 0 or words.max(initial=0) >> 31 for words in (a, b))
        kind: Any = np.int64 if is_large else np.int32  # which is compared faster
        self.a, self.b = a.astype(kind), b.astype(kind)
        self.times_a, self.times_b, self.partner, self.seams = times_a, times_b, partner, seams
        self.is_timed = bool((times_a >= 0).any() and (times_b >= 0).any())
        self.prices = price = TIMED if self.is_timed else PLAIN

        is_aligned, self.is_hit = partner >= 0, hits_of(a, b, partner)
        self.is_substituted = is_aligned & ~self.is_hit
        # To align two words saves one edit of two, and both if they are equal.
        costs = price.substitution * self.is_substituted
        costs -= price.edit * (is_aligned.astype(np.int64) + self.is_hit)
        if self.is_timed:
            costs[is_aligned] += _apart(times_a[is_aligned], times_b[partner[is_aligned]])
        self.costs = np.append(0, np.cumsum(costs))  # of the words before each, if none cost 0

    def settle(self) -> None:
        """Change `partner` wherever that makes words equal or brings them nearer in time."""
        if not self.a.size or not self.b.size:
            return
        regions, pads = self._regions()
        if not self.is_timed:
            regions = self._promising(regions, pads)
        for batch in _batches(regions):
            self._settle(regions[batch])

    def _regions(self) -> tuple[IntArray, IntArray]:
        """Where there may be a choice, and how many equal words each region has at both ends."""
        gaps, runs = self._gaps()
        is_apart = np.append(runs[1:-1] > NEAR, [True])[: len(gaps)]
        last = np.flatnonzero(is_apart)
        first = np.append(0, last + 1)[: last.size]
        is_free = (first < last) | self._is_free(gaps[first])
        most = np.minimum(runs // 2, PAD)
        most[[0, -1]] = np.minimum(runs[[0, -1]], PAD)
        pads = np.stack((most[first], most[last + 1]), axis=1)
        regions = np.hstack((gaps[first, :2] - pads[:, :1], gaps[last, 2:] + pads[:, 1:]))
        chosen = is_free & (_size(regions).max(axis=1) <= SIDE)
        return regions[chosen], pads[chosen]

    def _gaps(self) -> tuple[IntArray, IntArray]:
        """What lies between equal runs, and how long the runs before, between and after are."""
        i = np.flatnonzero(self.is_hit)
        j = self.partner[i]
        begin_a, begin_b = np.append(0, i + 1), np.append(0, j + 1)
        end_a, end_b = np.append(i, self.a.size), np.append(j, self.b.size)
        at = np.flatnonzero((end_a > begin_a) | (end_b > begin_b))
        runs = np.diff(at, prepend=0, append=i.size)
        return np.stack((begin_a, begin_b, end_a, end_b), axis=1)[at], runs

    def _is_free(self, gaps: IntArray) -> BoolArray:
        """Whether a gap alone leaves a choice: not one word for one, nor one that cannot slide."""
        i, j = gaps[:, 0], gaps[:, 1]
        size_a, size_b = gaps[:, 2] - i, gaps[:, 3] - j
        slides = np.where(size_a == 1, _repeats(self.a, i), _repeats(self.b, j))
        is_single = size_a + size_b == 1
        is_free: BoolArray = (np.maximum(size_a, size_b) > 1) | (is_single & slides)
        return is_free

    def _promising(self, regions: IntArray, pads: IntArray) -> IntArray:
        """Regions in which as few errors may leave more equal words, without the pad at the end.

        One more equal word takes the place of two substitutions. Equal words at the end are those
        of the alignment that is taken.
        """
        first = np.searchsorted(self.seams, regions[:, 0])
        is_doubtful = first < np.searchsorted(self.seams, regions[:, 2], "right")
        before = np.append(0, np.cumsum(self.is_substituted))
        substitutions = before[regions[:, 2]] - before[regions[:, 0]]
        regions[:, 2:] -= pads[:, 1:]
        promising: IntArray = regions[is_doubtful | (substitutions > 1)]
        return promising

    def _settle(self, regions: IntArray) -> None:
        """Take the best alignment of each region, if it is better than the one that is there."""
        size = _size(regions)
        savings = self._savings(regions)
        saved = _saved(savings, size[:, 0])
        best = saved[size[:, 0], np.arange(len(regions)), size[:, 1]]
        better = np.flatnonzero(best < self.costs[regions[:, 2]] - self.costs[regions[:, 0]])
        if not better.size:
            return
        partners = _traced(_moves(saved, savings), better, size[better])  # (better, words of a)
        region, word = np.nonzero(np.arange(partners.shape[1]) < size[better, :1])
        partner, begin = partners[region, word], regions[better[region]]
        self.partner[begin[:, 0] + word] = np.where(partner < 0, -1, begin[:, 1] + partner)

    def _savings(self, regions: IntArray) -> Savings:
        """What it costs to align two words less than to insert one and delete the other.

        By word of a, region, word of b. Beyond a region's end stands whatever follows; no result
        depends on it.
        """
        height, width = _size(regions).max(axis=0)
        at_a = np.minimum(np.arange(height)[:, None] + regions[:, 0], self.a.size - 1)[:, :, None]
        at_b = np.minimum(np.arange(width) + regions[:, 1, None], self.b.size - 1)
        price, is_same = self.prices, self.a[at_a] == self.b[at_b]
        savings: Savings = np.multiply(is_same, -price.edit - price.substitution, dtype=price.dtype)
        savings += price.dtype(price.substitution - price.edit)
        if self.is_timed:
            savings += _apart(self.times_a[at_a], self.times_b[at_b])
        return savings


def _batches(regions: IntArray) -> Iterator[IntArray]:
    """Which regions to take together: of about the same size, those of more words of a first."""
    size = _size(regions)
    longest = size.max(axis=1)
    order = np.argsort(-longest, kind="stable")
    while order.size:
        many = CELLS // (int(longest[order[0]]) + 1) ** 2
        batch, order = np.split(order, [max(1, many)])
        yield batch[np.argsort(-size[batch, 0], kind="stable")]


def _size(regions: IntArray) -> IntArray:
    """How many words of a and of b a region has."""
    return regions[:, 2:] - regions[:, :2]


def _repeats(words: IntArray, at: IntArray) -> BoolArray:
    """Whether the word before or after a word is the same."""
    same = np.concatenate(([False], words[1:] == words[:-1], [False, False]))
    repeats: BoolArray = same[at] | same[at + 1]
    return repeats


def _apart(one: IntArray, other: IntArray) -> IntArray:
    """How far times lie apart, up to twelve days; unknown ones do not."""
    apart: IntArray = one - other
    np.abs(apart, out=apart)
    np.minimum(apart, LONGEST, out=apart)
    if one.min() < 0 or other.min() < 0:
        apart *= (one >= 0) & (other >= 0)
    return apart


def _saved(savings: Savings, words: IntArray) -> Savings:
    """For many small matrices at once what is saved up to each cell, as a number below 0.

    Those with more words of a come first, so each row is filled in the first ones only.
    """
    height, number, width = savings.shape
    saved = np.zeros((height + 1, number, width + 1), dtype=savings.dtype)
    for i, many in enumerate(np.searchsorted(-words, -np.arange(height)).tolist()):
        row = saved[i + 1, :many, 1:]
        np.add(saved[i, :many, :-1], savings[i, :many], out=row)
        np.minimum(row, saved[i, :many, 1:], out=row)
        np.minimum.accumulate(row, axis=1, out=row)
    return saved


def _moves(saved: Savings, savings: Savings) -> Moves:
    """The last move to each cell: two words aligned if that is as good, else a word of a alone."""
    moves = np.full(saved.shape, ONLY_B, dtype=np.int8)
    moves[1:] -= saved[1:] == saved[:-1]
    moves[1:, :, 1:] *= saved[1:, :, 1:] != saved[:-1, :, :-1] + savings
    moves[0, :, 0] = STOP
    return moves


def _traced(moves: Moves, which: IntArray, size: IntArray) -> IntArray:
    """Follow the moves back from the end: the partner of each word of some matrices, or -1."""
    height, many, width = moves.shape
    flat, row = moves.reshape(-1), many * width
    jump = np.array([row + 1, row, 1, 0])
    at = size[:, 0] * row + which * width + size[:, 1]
    path = [at]
    while np.count_nonzero(step := jump.take(flat.take(at))):
        at = at - step
        path.append(at)
    cells = np.stack(path)  # (steps, which)
    step, matrix = np.nonzero(flat[cells] == DIAGONAL)
    cell = cells[step, matrix]
    partner = np.full((which.size, height - 1), -1, dtype=np.int64)
    partner[matrix, cell // row - 1] = cell % width - 1
    return partner


def hits_of(a: IntArray, b: IntArray, partner: IntArray) -> BoolArray:
    """Which words of a are aligned with an equal one."""
    hits: BoolArray = partner >= 0
    hits[hits] = a[hits] == b[partner[hits]]
    return hits
