"""Word alignment: which words of two transcripts correspond.

Long transcripts are cut where a string of words that both have once leads the same way as its
neighbours do. What lies between the cuts is aligned exactly by rapidfuzz. Then the errors are
compared with the least possible, which is quicker to find than an alignment; where they are more,
the words are aligned again without cuts. Words that only one side has are one word to the other.
Memory is linear in the words. Of the alignments with the fewest errors, `Ties` takes one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.align.anchors import ANCHOR_WORDS, word_anchors
from caesura.core.arrays import stretched
from caesura.core.segmentation import BoolArray, IntArray, Track
from caesura.errors import SegmentationError

Cell = tuple[int, int]
"""A number of words of a and of b."""
MAX_DIRECT_CELLS = 1 << 22
"""The largest matrix of words that is not cut."""
PIECE_WORDS = 1024
"""How far apart cuts are."""
MAX_STEPS = 1 << 31
"""The machine words of a matrix up to which the fewest errors of all words are computed."""
BYTE = 256
NEAR, PAD, SIDE = 4, 8, 64
"""The most equal words between edits of one region, those around it, and its words on a side."""
CELLS = 1 << 17
"""Of the matrices of regions that are filled together: with more they are not in the cache."""
LONGEST = 1 << 40
SUBSTITUTION = 250_000
"""How much nearer in time a pair of words must be to be preferred to a pair of equal words."""
DIAGONAL, ONLY_A, ONLY_B, STOP = range(4)
Moves = npt.NDArray[np.int8]
Savings = npt.NDArray[np.signedinteger]
_NONE: IntArray = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Edits:
    """An alignment of the words of a with those of b, of the fewest errors.

    `landing` holds for each word of a the index of the word of b that it is aligned with, equal or
    not; for an inserted word, which is aligned with none, that of the nearest aligned word before
    it, -1 if there is none. `deletions` are the words of b that a lacks. `is_certain` is false
    where there were too many words to guarantee the fewest errors over all of them.
    """

    landing: IntArray
    is_aligned: BoolArray
    hits: int
    substitutions: int
    deletions: int
    insertions: int
    is_certain: bool

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions together."""
        return self.substitutions + self.deletions + self.insertions


def word_ids(words_a: str, words_b: str) -> tuple[IntArray, IntArray]:
    """Number the words of two texts, separated by one space each; equal words have equal numbers.

    >>> [ids.tolist() for ids in word_ids("so it is", "it is so it is")]
    [[0, 1, 2], [1, 2, 0, 1, 2]]
    """
    a, b = numbered(*(text.split(" ") if text else [] for text in (words_a, words_b)))
    return a, b


def numbered(*texts: Sequence[str]) -> list[IntArray]:
    """Number the words of some texts; equal words have equal numbers."""
    distinct = dict.fromkeys(chain.from_iterable(texts))
    number = dict(zip(distinct, range(len(distinct)), strict=True))
    return [np.fromiter(map(number.__getitem__, text), np.int64, len(text)) for text in texts]


def edits(
    a: IntArray, b: IntArray, *, times_a: IntArray | None = None, times_b: IntArray | None = None
) -> Edits:
    """Align numbered words; insertions, deletions and substitutions cost 1 each.

    No alignment has fewer errors. Where checking that would take more than MAX_STEPS steps, it is
    checked in as few stretches as fit the limit, and `is_certain` is false: each stretch has the
    fewest errors possible between two cuts.

    Among alignments of equal cost, one with more equal words is taken where a small region allows
    it, or, if times are given (in microseconds, -1 where unknown), one whose aligned words are
    nearer in time: see `Ties`. Else it is the one that rapidfuzz finds between the cuts.
    Where unequal numbers of words stand between two equal words, the last ones on both sides are
    paired: of fewer words of a all are substituted, for the last words of b; of more the first,
    and the others are inserted after them.

    >>> alignment = edits(*word_ids("so it rained all the night", "it rained all night"))
    >>> alignment.landing.tolist(), alignment.insertions
    ([-1, 0, 1, 2, 2, 3], 2)
    """
    partner, seams = _partners(a, b)
    times = _times_or_unknown(times_a, a), _times_or_unknown(times_b, b)
    Ties(a, b, *times, partner, seams).settle()
    return edits_from_partners(a, b, partner, is_certain=not seams.size)


def fewest_errors(a: IntArray, b: IntArray) -> int:
    """How many errors `edits` finds, in less time.

    >>> fewest_errors(*word_ids("so it rained all the night", "it rained all night"))
    2
    """
    from rapidfuzz.distance import Levenshtein

    if a.size * b.size <= MAX_DIRECT_CELLS:
        return Levenshtein.distance(_words(a), _words(b))
    partner, seams = _partners(a, b)
    if seams.size:
        times = _times_or_unknown(None, a), _times_or_unknown(None, b)
        Ties(a, b, *times, partner, seams).settle()
    return _errors(a, b, partner)


def edits_from_partners(a: IntArray, b: IntArray, partner: IntArray, *, is_certain: bool) -> Edits:
    """What an alignment comes to; `partner` has the word of b for each of a, -1 if inserted."""
    is_aligned: BoolArray = partner >= 0
    aligned, hits = int(is_aligned.sum()), int(hits_of(a, b, partner).sum())
    landing = np.maximum.accumulate(partner) if partner.size else partner
    counts = (hits, aligned - hits, b.size - aligned, a.size - aligned)
    return Edits(landing, is_aligned, *counts, is_certain)


def _times_or_unknown(times: IntArray | None, words: IntArray) -> IntArray:
    if times is None:
        return np.full(words.size, Track.UNKNOWN)
    if times.size != words.size:
        raise SegmentationError(f"{times.size} times for {words.size} words")
    return times


def _partners(a: IntArray, b: IntArray) -> tuple[IntArray, IntArray]:
    """For each word of a the word of b that it is aligned with, or -1; and the seams.

    These are the places in a at which it is not certain that fewer errors are impossible.
    """
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    inner, seams = _inner_partners(a[head : a.size - tail], b[head : b.size - tail])
    last = b.size - np.arange(tail, 0, -1)
    inner[inner >= 0] += head
    return np.concatenate((np.arange(head), inner, last)), seams + head


def _common(a: IntArray, b: IntArray) -> int:
    """How many words are equal from the beginning."""
    size = min(a.size, b.size)
    differs = np.flatnonzero(a[:size] != b[:size])
    return int(differs[0]) if differs.size else size


def _inner_partners(a: IntArray, b: IntArray) -> tuple[IntArray, IntArray]:
    """The partners of words that begin and end differently in a and in b; and the seams."""
    shared_a, shared_b = _shared(a, b)
    if not shared_a.any():
        return _paired(np.zeros((2, 0), np.int64), a.size, b.size), _NONE
    words_a, words_b = _words(shared_a), _words(shared_b)
    cuts = _cuts(a, b) if a.size * b.size > MAX_DIRECT_CELLS else []
    bounds = [(0, 0), *cuts, (a.size, b.size)]
    hits = [
        _hits(words_a[i:end_i], words_b[j:end_j]) + np.array([[i], [j]])
        for (i, j), (end_i, end_j) in pairwise(bounds)
    ]
    partner = _paired(np.hstack(hits), a.size, b.size)
    if not cuts:
        return partner, _NONE

    # Align again, without cuts, where fewer errors are possible; in several stretches, if the
    # matrix that gives the least number of errors of all has too many machine words.
    from rapidfuzz.distance import Levenshtein

    shorter, longer = sorted((a.size, b.size))
    steps = longer * min(2 * _errors(a, b, partner) + 1, shorter) // 64
    number = min(1 + steps // MAX_STEPS, len(bounds) - 1)
    seams = [bounds[at * (len(bounds) - 1) // number] for at in range(number + 1)]
    for (i, j), (end_i, end_j) in pairwise(seams):
        stretch = words_a[i:end_i], words_b[j:end_j]
        errors = _errors(a[i:end_i], b[j:end_j], partner[i:end_i] - j)
        least = Levenshtein.distance(*stretch, score_cutoff=max(0, errors - 1))
        if least < errors:
            better = _paired(_hits(*stretch, hint=least), end_i - i, end_j - j)
            partner[i:end_i] = np.where(better < 0, -1, better + j)
    return partner, np.array([i for i, _ in seams[1:-1]], dtype=np.int64)


def _errors(a: IntArray, b: IntArray, partner: IntArray) -> int:
    """How many errors an alignment has; no word is aligned with one below 0."""
    return int(a.size + b.size - (partner >= 0).sum() - hits_of(a, b, partner).sum())


def _shared(a: IntArray, b: IntArray) -> tuple[IntArray, IntArray]:
    """Number the words anew; 0 and 1 are all words that only a and only b has.

    rapidfuzz looks numbers below BYTE up faster, so the most frequent words have them where there
    are more. Nothing else depends on the numbers.
    """
    both = np.concatenate((a, b))
    if both.size and (both.min() < 0 or both.max() > 8 * both.size):
        both = np.unique(both, return_inverse=True)[1]
    in_a, in_b = np.zeros((2, int(both.max(initial=0)) + 1), np.bool_)
    in_a[both[: a.size]] = in_b[both[a.size :]] = True
    shared = np.flatnonzero(in_a & in_b)
    if shared.size > BYTE:
        shared = shared[np.argsort(-np.bincount(both)[shared], kind="stable")]
    number = np.zeros(in_a.size, np.int64)
    number[shared] = np.arange(2, shared.size + 2)
    return number[both[: a.size]], np.maximum(number, 1)[both[a.size :]]


def _words(values: IntArray) -> array[int]:
    """The words in the form that rapidfuzz compares fastest: 64 bits each, not hashed."""
    return array("Q", values.astype(np.int64).tobytes())


def _hits(a: array[int], b: array[int], *, hint: int | None = None) -> IntArray:
    """Where equal words are aligned in an alignment of fewest errors: (2, hits), in a and in b.

    The edits are applied to strings of "0" and "1" of the same lengths, which shows what they keep
    without an object for each of them.
    """
    from rapidfuzz.distance import Levenshtein

    operations = Levenshtein.editops(a, b, score_hint=hint)
    marks_b = operations.apply("1" * len(a), "0" * len(b))
    marks_a = operations.inverse().apply("1" * len(b), "0" * len(a))
    digits = (np.frombuffer(marks.encode("ascii"), np.uint8) for marks in (marks_a, marks_b))
    return np.stack([np.flatnonzero(each == ord("1")) for each in digits])


def _paired(hits: IntArray, size_a: int, size_b: int) -> IntArray:
    """The partners of all words of a, from equal words in order and what lies between them."""
    i, j = hits
    begin_a, begin_b = np.append(0, i + 1), np.append(0, j + 1)  # (hits + 1,) of what is between
    gap_a, gap_b = np.append(i, size_a) - begin_a, np.append(j, size_b) - begin_b
    length = np.minimum(gap_a, gap_b)
    late = begin_b + np.maximum(0, gap_b - gap_a)
    partner = np.full(size_a, -1, dtype=np.int64)
    partner[i] = j
    partner[stretched(begin_a, length)] = stretched(late, length)
    return partner


def _cuts(a: IntArray, b: IntArray) -> list[Cell]:
    """Places that the alignment will pass through, some words apart."""
    anchors = word_anchors(a, b)
    bounds = np.vstack(([(0, 0)], anchors, [(a.size, b.size)]))
    moved = np.diff(bounds, axis=0)
    is_steady = 4 * np.abs(moved[:, 0] - moved[:, 1]) <= moved.sum(axis=1)
    sure = anchors[is_steady[:-1] & is_steady[1:]] + ANCHOR_WORDS // 2
    _, first = np.unique(sure.sum(axis=1) // (2 * PIECE_WORDS), return_index=True)
    return [(i, j) for i, j in sure[first].tolist()]


def hits_of(a: IntArray, b: IntArray, partner: IntArray) -> BoolArray:
    """Which words of a are aligned with an equal one."""
    hits: BoolArray = partner >= 0
    hits[hits] = a[hits] == b[partner[hits]]
    return hits


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
        width: Any = np.int64 if is_large else np.int32  # which is compared faster
        self.a, self.b = a.astype(width), b.astype(width)
        self.times_a, self.times_b, self.partner, self.seams = times_a, times_b, partner, seams
        self.is_timed = bool((times_a >= 0).any() and (times_b >= 0).any())
        # What an edit costs, more than all the rest in a region, and a substitution beyond that.
        self.edit, self.substitution = (LONGEST << 7, SUBSTITUTION) if self.is_timed else (128, 1)
        self.kind: Any = np.int64 if self.is_timed else np.int16
        is_aligned, self.is_hit = partner >= 0, hits_of(a, b, partner)
        self.is_substituted = is_aligned & ~self.is_hit
        # To align two words saves one edit of two, and both if they are equal.
        costs = self.substitution * self.is_substituted
        costs -= self.edit * (is_aligned.astype(np.int64) + self.is_hit)
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
        # A gap alone leaves a choice unless it is one word for one, or one that cannot slide.
        i, j = gaps[first, :2].T
        size_a, size_b = _size(gaps[first]).T
        slides = np.where(size_a == 1, _repeats(self.a, i), _repeats(self.b, j))
        is_single = size_a + size_b == 1
        is_free = (first < last) | (np.maximum(size_a, size_b) > 1) | (is_single & slides)
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
        regions, size = regions[better], size[better]
        partners = _traced(saved, savings, better, size)  # (regions, words of a)
        region, word = np.nonzero(np.arange(partners.shape[1]) < size[:, :1])
        partner, begin = partners[region, word], regions[region]
        self.partner[begin[:, 0] + word] = np.where(partner < 0, -1, begin[:, 1] + partner)

    def _savings(self, regions: IntArray) -> Savings:
        """What it costs to align two words less than to insert one and delete the other.

        By word of a, region, word of b. Beyond a region's end stands whatever follows; no result
        depends on it.
        """
        height, width = _size(regions).max(axis=0)
        at_a = np.minimum(np.arange(height)[:, None] + regions[:, 0], self.a.size - 1)[:, :, None]
        at_b = np.minimum(np.arange(width) + regions[:, 1, None], self.b.size - 1)
        is_same, equal = self.a[at_a] == self.b[at_b], -self.edit - self.substitution
        savings: Savings = np.multiply(is_same, equal, dtype=self.kind)
        savings += self.kind(self.substitution - self.edit)
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
    if max(one.max(), other.max()) > LONGEST:
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


def _traced(saved: Savings, savings: Savings, which: IntArray, size: IntArray) -> IntArray:
    """The partner of each word of some matrices, or -1: the moves, followed back from the end.

    Two words are aligned if that is as good as any other move, else a word of a stands alone.
    """
    moves: Moves = np.full(saved.shape, ONLY_B, dtype=np.int8)  # the last move to each cell
    moves[1:] -= saved[1:] == saved[:-1]
    savings += saved[:-1, :, :-1]
    moves[1:, :, 1:] *= saved[1:, :, 1:] != savings
    moves[0, :, 0] = STOP
    height, many, width = moves.shape
    flat, row = moves.reshape(-1), many * width
    jump = np.array([row + 1, row, 1, 0])
    cell = size[:, 0] * row + which * width + size[:, 1]
    path = [cell]
    while np.count_nonzero(step := jump.take(flat.take(cell))):
        cell = cell - step
        path.append(cell)
    cells = np.stack(path)  # (steps, matrices)
    step, matrix = np.nonzero(flat[cells] == DIAGONAL)
    cell = cells[step, matrix]
    partner = np.full((which.size, height - 1), -1, dtype=np.int64)
    partner[matrix, cell // row - 1] = cell % width - 1
    return partner
