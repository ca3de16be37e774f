"""Edits: which words of two transcripts correspond, by edit distance over words.

Long transcripts are cut where a string of words that both have once leads the same way as its
neighbours do. What lies between the cuts is aligned exactly by rapidfuzz. Then the errors are
compared with the least possible, which is quicker to find than an alignment; where they are more,
the words are aligned again without cuts. Words that only one side has are one word to the other.
Memory is linear in the words.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from caesura.align.ties import Ties, hits_of
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import SegmentationError

Cell = tuple[int, int]

DIRECT = 1 << 22
PIECE = 1024
STRING = 6
SAMPLE = 8
BUDGET = 1 << 31
BYTE = 256
MANY = 1 << 16
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


def codes(words_a: str, words_b: str) -> tuple[IntArray, IntArray]:
    """Number the words of two texts, separated by one space each; equal words have equal numbers.

    >>> [each.tolist() for each in codes("so it is", "it is so it is")]
    [[0, 1, 2], [1, 2, 0, 1, 2]]
    """
    both = [text.split(" ") if text else [] for text in (words_a, words_b)]
    distinct = dict.fromkeys(both[0]) | dict.fromkeys(both[1])
    number = dict(zip(distinct, range(len(distinct)), strict=True))
    a, b = (np.fromiter(map(number.__getitem__, each), np.int64, len(each)) for each in both)
    return a, b


def edits(
    a: IntArray,
    b: IntArray,
    *,
    times_a: IntArray | None = None,
    times_b: IntArray | None = None,
) -> Edits:
    """Align numbered words; insertions, deletions and substitutions cost 1 each.

    No alignment has fewer errors. Where checking that would take more than BUDGET steps, it is
    checked in as few stretches as fit the budget, and `is_certain` is false: each stretch has the
    fewest errors possible between two cuts.

    Among alignments of equal cost, one with more equal words is taken where a small region allows
    it, or, if times are given (in microseconds, -1 where unknown), one whose aligned words are
    nearer in time: see `Ties`. Else it is the one that rapidfuzz finds between the cuts.
    Where unequal numbers of words stand between two equal words, the last ones on both sides are
    paired: of fewer words of a all are substituted, for the last words of b; of more the first,
    and the others are inserted after them.

    >>> found = edits(*codes("so it rained all the night", "it rained all night"))
    >>> found.landing.tolist(), found.insertions
    ([-1, 0, 1, 2, 2, 3], 2)
    """
    partner, seams = _partners(a, b)
    Ties(a, b, _known(times_a, a), _known(times_b, b), partner, seams).settle()
    return told(a, b, partner, is_certain=not seams.size)


def fewest_errors(a: IntArray, b: IntArray) -> int:
    """How many errors `edits` finds, in less time.

    >>> fewest_errors(*codes("so it rained all the night", "it rained all night"))
    2
    """
    _, inner = _inner(a, b)
    if not inner.cuts:
        return inner.least
    inner.align()
    return edits(a, b).errors if inner.seams.size else inner.errors


def _known(times: IntArray | None, words: IntArray) -> IntArray:
    if times is None:
        return np.full(words.size, -1, dtype=np.int64)
    if times.size != words.size:
        raise SegmentationError(f"{times.size} times for {words.size} words")
    return times


def told(a: IntArray, b: IntArray, partner: IntArray, *, is_certain: bool) -> Edits:
    """What an alignment comes to; `partner` is -1 where a word is inserted."""
    is_aligned: BoolArray = partner >= 0
    aligned, hits = int(is_aligned.sum()), int(hits_of(a, b, partner).sum())
    landing = np.maximum.accumulate(partner) if partner.size else partner
    counts = (hits, aligned - hits, b.size - aligned, a.size - aligned)
    return Edits(landing, is_aligned, *counts, is_certain)


def _partners(a: IntArray, b: IntArray) -> tuple[IntArray, IntArray]:
    """For each word of a the word of b that it is aligned with, or -1; and the seams.

    These are the places in a at which it is not certain that fewer errors are impossible.
    """
    head, inner = _inner(a, b)
    inner.align()
    tail = a.size - head - inner.a.size
    partner = np.concatenate((np.arange(head), inner.partner, b.size - np.arange(tail, 0, -1)))
    partner[head : a.size - tail] += np.where(inner.partner < 0, 0, head)
    return partner, inner.seams + head


def _inner(a: IntArray, b: IntArray) -> tuple[int, _Stretch]:
    """How many words are equal at the beginning, and what lies between them and equal last ones."""
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    return head, _Stretch(a[head : a.size - tail], b[head : b.size - tail])


def _common(a: IntArray, b: IntArray) -> int:
    """How many words are equal from the beginning."""
    size = min(a.size, b.size)
    differs = np.flatnonzero(a[:size] != b[:size])
    return int(differs[0]) if differs.size else size


class _Stretch:
    """Two sequences of words that are aligned from end to end."""

    def __init__(self, a: IntArray, b: IntArray) -> None:
        self.a, self.b = a, b
        shared = _shared(a, b)
        self.words = _words(shared[0]), _words(shared[1])
        self.is_foreign = not shared[0].any()
        is_large = a.size * b.size > DIRECT
        self.cuts = _cuts(a, b) if is_large and not self.is_foreign else []
        self.seams = _NONE

    @property
    def least(self) -> int:
        """The fewest errors possible."""
        from rapidfuzz.distance import Levenshtein

        if self.is_foreign:
            return max(self.a.size, self.b.size)
        return Levenshtein.distance(*self.words)

    @property
    def errors(self) -> int:
        """The errors of the alignment."""
        return self._errors((0, 0), (self.a.size, self.b.size))

    def align(self) -> None:
        """Find `partner` and `seams`."""
        bounds = [(0, 0), *self.cuts, (self.a.size, self.b.size)]
        i, j = _NONE, _NONE
        if not self.is_foreign:
            i, j = np.hstack([_hits(*self.words, *ends) for ends in pairwise(bounds)])
        self.partner = _paired(i, j, self.a.size, self.b.size)
        if self.cuts:
            self._make_sure(bounds)

    def _make_sure(self, bounds: list[Cell]) -> None:
        """Align again, without cuts, where fewer errors are possible."""
        from rapidfuzz.distance import Levenshtein

        a, b = self.words
        whole = self.errors
        number = min(1 + self._steps(whole) // BUDGET, len(bounds) - 1)
        ends = [bounds[at * (len(bounds) - 1) // number] for at in range(number + 1)]
        self.seams = np.array([i for i, _ in ends[1:-1]], dtype=np.int64)
        for begin, end in pairwise(ends):
            words = a[begin[0] : end[0]], b[begin[1] : end[1]]
            errors = self._errors(begin, end) if number > 1 else whole
            least = Levenshtein.distance(*words, score_cutoff=max(0, errors - 1))
            if least < errors:
                hits = _hits(*words, (0, 0), (len(words[0]), len(words[1])), hint=least)
                fresh = _paired(*hits, len(words[0]), len(words[1]))
                self.partner[begin[0] : end[0]] = np.where(fresh < 0, -1, fresh + begin[1])

    def _steps(self, errors: int) -> int:
        """The size, in machine words, of the matrix that gives the least number of errors."""
        shorter, longer = sorted((self.a.size, self.b.size))
        band = 2 * errors + 1
        return int(longer * min(band, shorter)) // 64

    def _errors(self, begin: Cell, end: Cell) -> int:
        """How many errors lie between two places that the alignment passes through."""
        partner = self.partner[begin[0] : end[0]]
        hits = hits_of(self.a[begin[0] : end[0]], self.b, partner)
        sizes = end[0] - begin[0] + end[1] - begin[1]
        return sizes - int((partner >= 0).sum()) - int(hits.sum())


def _shared(a: IntArray, b: IntArray) -> tuple[IntArray, IntArray]:
    """Number the words anew; 0 and 1 are all words that only a and only b has.

    rapidfuzz looks numbers below BYTE up faster, which pays with many words if the most frequent
    have them. Nothing else depends on the numbers.
    """
    both = np.concatenate((a, b))
    if both.size and (both.min() < 0 or both.max() > 8 * both.size):
        both = np.unique(both, return_inverse=True)[1]
    in_a, in_b = np.zeros((2, int(both.max(initial=0)) + 1), np.bool_)
    in_a[both[: a.size]] = in_b[both[a.size :]] = True
    shared = np.flatnonzero(in_a & in_b)
    if shared.size > BYTE and both.size > MANY:
        shared = shared[np.argsort(-np.bincount(both)[shared], kind="stable")]
    number = np.zeros(in_a.size, np.int64)
    number[shared] = np.arange(2, shared.size + 2)
    return number[both[: a.size]], np.maximum(number, 1)[both[a.size :]]


def _words(values: IntArray) -> array[int]:
    """The words in the form that rapidfuzz compares fastest: 64 bits each, not hashed."""
    return array("Q", values.astype(np.int64).tobytes())


def _hits(
    a: array[int], b: array[int], begin: Cell, end: Cell, *, hint: int | None = None
) -> tuple[IntArray, IntArray]:
    """Where equal words are aligned, in a and in b, in an alignment of fewest errors.

    The edits are applied to strings of "0" and "1" of the same lengths, which shows what they keep
    without an object for each of them.
    """
    from rapidfuzz.distance import Levenshtein

    found = Levenshtein.editops(a[begin[0] : end[0]], b[begin[1] : end[1]], score_hint=hint)
    size_a, size_b = end[0] - begin[0], end[1] - begin[1]
    in_b = found.apply("1" * size_a, "0" * size_b)
    in_a = found.inverse().apply("1" * size_b, "0" * size_a)
    return _ones(in_a) + begin[0], _ones(in_b) + begin[1]


def _ones(marks: str) -> IntArray:
    """Where a string has a 1."""
    return np.flatnonzero(np.frombuffer(marks.encode("ascii"), np.uint8) == ord("1"))


def _paired(i: IntArray, j: IntArray, size_a: int, size_b: int) -> IntArray:
    """The partners of all words of a, from equal words in order and what lies between them."""
    begin_a, begin_b = np.append(0, i + 1), np.append(0, j + 1)
    gap_a, gap_b = np.append(i, size_a) - begin_a, np.append(j, size_b) - begin_b
    length = np.minimum(gap_a, gap_b)
    at = np.flatnonzero(length)
    late = begin_b[at] + np.maximum(0, gap_b - gap_a)[at]
    step = _spread(length[at])
    partner = np.full(size_a, -1, dtype=np.int64)
    partner[i] = j
    partner[np.repeat(begin_a[at], length[at]) + step] = np.repeat(late, length[at]) + step
    return partner


def _spread(length: IntArray) -> IntArray:
    """Count from 0 up to each length, one after the other."""
    first = np.cumsum(length) - length
    return np.arange(int(length.sum())) - np.repeat(first, length)


def _cuts(a: IntArray, b: IntArray) -> list[Cell]:
    """Places that the alignment will pass through, some words apart."""
    chain = _chain(a, b)
    bounds = np.vstack(([(0, 0)], chain, [(a.size, b.size)]))
    moved = np.diff(bounds, axis=0)
    is_steady = 4 * np.abs(moved[:, 0] - moved[:, 1]) <= moved.sum(axis=1)
    sure = chain[is_steady[:-1] & is_steady[1:]] + STRING // 2
    _, first = np.unique(sure.sum(axis=1) // (2 * PIECE), return_index=True)
    return [(i, j) for i, j in sure[first].tolist()]


def _chain(a: IntArray, b: IntArray) -> IntArray:
    """Places of strings that both sequences have once, as many as come in the same order."""
    (hashes_a, places_a), (hashes_b, places_b) = _rare(a), _rare(b)
    _, at_a, at_b = np.intersect1d(hashes_a, hashes_b, assume_unique=True, return_indices=True)
    place_a, place_b = places_a[at_a], places_b[at_b]
    order_a, order_b = np.argsort(place_a), np.argsort(place_b)
    ends = (0, 0), (order_a.size, order_b.size)
    chosen_a, chosen_b = _hits(_words(order_a), _words(order_b), *ends, hint=64)
    return np.stack((place_a[order_a[chosen_a]], place_b[order_b[chosen_b]]), axis=1)


def _rare(words: IntArray) -> tuple[npt.NDArray[np.uint64], IntArray]:
    """Hashes of strings that occur once, and their places, of one string in SAMPLE."""
    factor, numbers = np.uint64(0x9E3779B97F4A7C15), words.astype(np.uint64)
    hashes = np.zeros(max(0, words.size - STRING + 1), dtype=np.uint64)
    for shift in range(STRING):
        hashes += numbers[shift : shift + hashes.size]
        hashes *= factor
        hashes ^= hashes >> np.uint64(29)
    places = np.flatnonzero(hashes % np.uint64(SAMPLE) == 0)
    values, index, number = np.unique(hashes[places], return_index=True, return_counts=True)
    return values[number == 1], places[index[number == 1]]
