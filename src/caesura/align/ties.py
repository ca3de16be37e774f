"""Ties: which of the alignments with the fewest errors is taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

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


@dataclass(frozen=True, slots=True)
class Prices:
    """What an edit costs, more than all the rest in a region, and a substitution beyond that."""

    edit: int
    substitution: int
    dtype: type[np.signedinteger]


TIMED = Prices(LONGEST << 7, SUBSTITUTION, np.int64)
PLAIN = Prices(128, 1, np.int16)


@dataclass(frozen=True, eq=False)
class Ties:
    """Moves words within an alignment to equal partners, or nearer in time, at no more errors.

    Edits with at most NEAR equal words between them make a region, with up to PAD equal words
    before and after. In each of up to 64 words a side, the alignment is found that has the fewest
    errors and then the least summed difference in time, where a substitution counts as a quarter
    of a second. Of as many errors, the fewer substitutions the more equal words. Unknown times
    differ by nothing from any other. No region has more errors than it must, unless it holds one
    of the `seams`, which are places in a.
    """

    a: IntArray
    b: IntArray
    times_a: IntArray
    times_b: IntArray
    partner: IntArray
    seams: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))

    def settle(self) -> None:
        """Change `partner` wherever that makes words equal or brings them nearer in time."""
        if not self.a.size or not self.b.size:
            return
        regions, pads = self._regions()
        if self._prices is PLAIN:
            regions = self._promising(regions, pads)
        for some in _batches(regions):
            self._settle(regions[some])

    @cached_property
    def _prices(self) -> Prices:
        is_timed = all(np.any(times >= 0) for times in (self.times_a, self.times_b))
        return TIMED if is_timed else PLAIN

    @cached_property
    def _is_hit(self) -> BoolArray:
        return hits_of(self.a, self.b, self.partner)

    @cached_property
    def _is_substituted(self) -> BoolArray:
        return (self.partner >= 0) & ~self._is_hit

    def _regions(self) -> tuple[IntArray, IntArray]:
        """Where there may be a choice: begin in a and b, end in a and b; and the pads of each."""
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
        i = np.flatnonzero(self._is_hit)
        j = self.partner[i]
        begin_a, begin_b = np.append(0, i + 1), np.append(0, j + 1)
        end_a, end_b = np.append(i, self.a.size), np.append(j, self.b.size)
        at = np.flatnonzero((end_a > begin_a) | (end_b > begin_b))
        runs = np.diff(at, prepend=0, append=i.size)
        return np.stack([each[at] for each in (begin_a, begin_b, end_a, end_b)], axis=1), runs

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

        One more equal word takes the place of two substitutions. Equal words at both ends are part
        of a longest common subsequence, and those at the end of the alignment that is taken.
        """
        first = np.searchsorted(self.seams, regions[:, 0])
        is_doubtful = first < np.searchsorted(self.seams, regions[:, 2], "right")
        ending, core = regions.copy(), regions.copy()
        ending[:, 2:] -= pads[:, 1:]
        core[:, 2:] -= pads[:, 1:]
        core[:, :2] += pads[:, :1]
        begin, end = core[:, 0], core[:, 2]
        several = np.flatnonzero(~is_doubtful & (_within(self._is_substituted, begin, end) > 1))
        more = [np.flatnonzero(is_doubtful)]
        for some in _batches(core[several]):
            these = several[some]
            common = self._common_words(core[these])
            more.append(these[common > _within(self._is_hit, begin[these], end[these])])
        return ending[np.concatenate(more)]

    def _common_words(self, regions: IntArray) -> IntArray:
        """The length of the longest common subsequence of each region (Hyyrö 2004).

        A bit of `row` is 0 where the subsequence grows by a word of b. All regions advance at once;
        those with more words of a come first.
        """
        height, width = _size(regions).T
        wide = 1 << max(3, int(width.max() - 1).bit_length())
        is_same = self._is_same(regions, wide)
        is_same &= np.arange(wide) < width[:, None]
        masks = np.packbits(is_same, axis=-1, bitorder="little").view(f"<u{wide // 8}")[:, :, 0]
        row = ~np.zeros(len(regions), masks.dtype)
        for mask, active in zip(masks, _active(height), strict=True):
            some = row[:active]
            grown = some & mask[:active]
            rest = some - grown
            some += grown
            some |= rest
        return np.bitwise_count(~row).astype(np.int64)

    def _is_same(self, regions: IntArray, width: int) -> BoolArray:
        """Which words of a region are equal: by word of a, region, and number of words of b."""
        at_a, at_b = self._places(regions, width)
        a, b = self._narrow
        is_same: BoolArray = a[at_a] == b[at_b]
        return is_same

    @cached_property
    def _narrow(self) -> tuple[npt.NDArray[np.signedinteger], npt.NDArray[np.signedinteger]]:
        """The words as numbers of 32 bits if they are small enough, which are compared faster."""
        if min(self.a.min(), self.b.min()) < 0 or max(self.a.max(), self.b.max()) >> 31:
            return self.a, self.b
        return self.a.astype(np.int32), self.b.astype(np.int32)

    def _places(self, regions: IntArray, width: int) -> tuple[IntArray, IntArray]:
        """The words of regions; beyond a region's end stands whatever follows."""
        height = int(_size(regions)[:, 0].max())
        at_a = np.minimum(np.arange(height)[:, None] + regions[:, 0], self.a.size - 1)
        at_b = np.minimum(np.arange(width) + regions[:, 1, None], self.b.size - 1)
        return at_a[:, :, None], at_b

    def _settle(self, regions: IntArray) -> None:
        size, every = _size(regions), np.arange(len(regions))
        savings = self._savings(regions)
        saved = _saved(savings, _active(size[:, 0]))
        most = saved[size[:, 0], every, size[:, 1]]
        better = np.flatnonzero(most < self._present(regions))
        if better.size:
            moves = _moves(saved, savings)
            self._change(regions[better], _traced(moves, better, size[better]))

    def _change(self, regions: IntArray, local: IntArray) -> None:
        """Set the partners of the words of regions, which are counted from its beginning."""
        size = regions[:, 2] - regions[:, 0]
        at, word = np.nonzero(np.arange(local.shape[1]) < size[:, None])
        partner = local[at, word]
        begin = regions[at]
        self.partner[begin[:, 0] + word] = np.where(partner < 0, -1, begin[:, 1] + partner)

    def _savings(self, regions: IntArray) -> Savings:
        """What it costs to align two words less than to insert one and delete the other.

        By word of a, region, word of b. No result depends on what stands beyond a region's end.
        """
        price, width = self._prices, int(_size(regions)[:, 1].max())
        is_same = self._is_same(regions, width)
        savings: Savings = np.multiply(is_same, -price.edit - price.substitution, dtype=price.dtype)
        savings += price.dtype(price.substitution - price.edit)
        if price is TIMED:
            at_a, at_b = self._places(regions, width)
            savings += _apart(self.times_a[at_a], self.times_b[at_b])
        return savings

    def _present(self, regions: IntArray) -> IntArray:
        """What the alignment so far costs in each region, less than if no words were aligned."""
        present: IntArray = self._sums[regions[:, 2]] - self._sums[regions[:, 0]]
        return present

    @cached_property
    def _sums(self) -> IntArray:
        """What the words before each cost less than if none were aligned.

        To align two words saves one edit of two, and both if they are equal.
        """
        price, is_aligned = self._prices, self.partner >= 0
        costs = price.substitution * self._is_substituted
        costs -= price.edit * (is_aligned.astype(np.int64) + self._is_hit)
        if price is TIMED:
            other = self.times_b[self.partner[is_aligned]]
            costs[is_aligned] += _apart(self.times_a[is_aligned], other)
        return np.append(0, np.cumsum(costs))


def _batches(regions: IntArray) -> Iterator[IntArray]:
    """Which regions to take together: of about the same size, those of more words of a first."""
    size = _size(regions)
    longest = size.max(axis=1)
    order = np.argsort(-longest, kind="stable")
    at = 0
    while at < order.size:
        many = CELLS // (int(longest[order[at]]) + 1) ** 2
        some = order[at : at + max(1, many)]
        yield some[np.argsort(-size[some, 0], kind="stable")]
        at += some.size


def _active(height: IntArray) -> list[int]:
    """For each row how many matrices have it, where the highest come first."""
    active: list[int] = np.searchsorted(-height, -np.arange(int(height[0]))).tolist()
    return active


def _size(regions: IntArray) -> IntArray:
    """How many words of a and of b a region has."""
    return regions[:, 2:] - regions[:, :2]


def _within(is_one: BoolArray, begin: IntArray, end: IntArray) -> IntArray:
    """How many there are from each beginning up to each end."""
    sums = np.append(0, np.cumsum(is_one))
    within: IntArray = sums[end] - sums[begin]
    return within


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


def _saved(savings: Savings, active: list[int]) -> Savings:
    """For many small matrices at once what is saved up to each cell, as a number below 0."""
    height, many, width = savings.shape
    saved = np.zeros((height + 1, many, width + 1), dtype=savings.dtype)
    for i, some in enumerate(active):
        row = saved[i + 1, :some, 1:]
        np.add(saved[i, :some, :-1], savings[i, :some], out=row)
        np.minimum(row, saved[i, :some, 1:], out=row)
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
    cells = np.stack(path)
    number, found = np.nonzero(flat[cells] == DIAGONAL)
    cell = cells[number, found]
    partner = np.full((which.size, height - 1), -1, dtype=np.int64)
    partner[found, cell // row - 1] = cell % width - 1
    return partner


def hits_of(a: IntArray, b: IntArray, partner: IntArray) -> BoolArray:
    """Which words of a are aligned with an equal one."""
    hits: BoolArray = partner >= 0
    hits[hits] = a[hits] == b[partner[hits]]
    return hits
