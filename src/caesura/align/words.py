"""Edits: which words of two transcripts correspond, by edit distance over words.

Long transcripts are cut where a string of words that both have once leads the same way as its
neighbours do. What lies between the cuts is aligned exactly by rapidfuzz. Then the errors are
compared with the least possible, which is quicker to find than an alignment; where they are more,
the words are aligned again without cuts. Memory is linear in the words.
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
    partner, is_certain = _partners(a, b)
    Ties(a, b, _known(times_a, a), _known(times_b, b), partner).settle()
    return _told(a, b, partner, is_certain=is_certain)


def _known(times: IntArray | None, words: IntArray) -> IntArray:
    if times is None:
        return np.full(words.size, -1, dtype=np.int64)
    if times.size != words.size:
        raise SegmentationError(f"{times.size} times for {words.size} words")
    return times


def _told(a: IntArray, b: IntArray, partner: IntArray, *, is_certain: bool) -> Edits:
    """What an alignment comes to; `partner` is -1 where a word is inserted."""
    is_aligned: BoolArray = partner >= 0
    aligned, hits = int(is_aligned.sum()), int(hits_of(a, b, partner).sum())
    landing = np.maximum.accumulate(partner) if partner.size else partner
    counts = (hits, aligned - hits, b.size - aligned, a.size - aligned)
    return Edits(landing, is_aligned, *counts, is_certain)


def _partners(a: IntArray, b: IntArray) -> tuple[IntArray, bool]:
    """For each word of a the word of b that it is aligned with, or -1; and whether it is sure."""
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    inner = _Stretch(a[head : a.size - tail], b[head : b.size - tail])
    partner = np.concatenate((np.arange(head), inner.partner, b.size - np.arange(tail, 0, -1)))
    partner[head : a.size - tail] += np.where(inner.partner < 0, 0, head)
    return partner, inner.is_certain


def _common(a: IntArray, b: IntArray) -> int:
    """How many words are equal from the beginning."""
    size = min(a.size, b.size)
    differs = np.flatnonzero(a[:size] != b[:size])
    return int(differs[0]) if differs.size else size


class _Stretch:
    """Two sequences of words that are aligned from end to end."""

    def __init__(self, a: IntArray, b: IntArray) -> None:
        self.a, self.b = a, b
        self.is_certain = True
        cuts = _cuts(a, b) if a.size * b.size > DIRECT else []
        bounds = [(0, 0), *cuts, (a.size, b.size)]
        words = _words(a), _words(b)
        runs = [_runs(*words, *ends) for ends in pairwise(bounds)]
        self.partner = _paired(np.concatenate(runs), a.size)
        if cuts:
            self._make_sure(*words, bounds)

    def _make_sure(self, a: array[int], b: array[int], bounds: list[Cell]) -> None:
        """Align again, without cuts, where fewer errors are possible."""
        from rapidfuzz.distance import Levenshtein

        number = min(1 + self._steps // BUDGET, len(bounds) - 1)
        self.is_certain = number == 1
        ends = [bounds[at * (len(bounds) - 1) // number] for at in range(number + 1)]
        for begin, end in pairwise(ends):
            words = a[begin[0] : end[0]], b[begin[1] : end[1]]
            errors = self._errors(begin, end)
            least = Levenshtein.distance(*words, score_cutoff=max(0, errors - 1))
            if least < errors:
                runs = _runs(a, b, begin, end, hint=least)
                runs[:, :2] -= begin
                fresh = _paired(runs, end[0] - begin[0])
                self.partner[begin[0] : end[0]] = np.where(fresh < 0, -1, fresh + begin[1])

    @property
    def _steps(self) -> int:
        """The size, in machine words, of the matrix that gives the least number of errors."""
        shorter, longer = sorted((self.a.size, self.b.size))
        band = 2 * self._errors((0, 0), (self.a.size, self.b.size)) + 1
        return int(longer * min(band, shorter)) // 64

    def _errors(self, begin: Cell, end: Cell) -> int:
        """How many errors lie between two places that the alignment passes through."""
        partner = self.partner[begin[0] : end[0]]
        hits = hits_of(self.a[begin[0] : end[0]], self.b, partner)
        sizes = end[0] - begin[0] + end[1] - begin[1]
        return sizes - int((partner >= 0).sum()) - int(hits.sum())


def _words(values: IntArray) -> array[int]:
    """The words in the form that rapidfuzz compares fastest: 64 bits each, not hashed."""
    return array("Q", values.astype(np.int64).tobytes())


def _runs(
    a: array[int], b: array[int], begin: Cell, end: Cell, *, hint: int | None = None
) -> IntArray:
    """Equal runs (place in a, place in b, length) of an alignment of fewest errors.

    The last one is empty and is at the end.
    """
    from rapidfuzz.distance import Levenshtein

    pieces = a[begin[0] : end[0]], b[begin[1] : end[1]]
    blocks = Levenshtein.editops(*pieces, score_hint=hint).as_matching_blocks()
    flat = (number for block in blocks for number in block)
    runs = np.fromiter(flat, np.int64, 3 * len(blocks)).reshape(-1, 3)
    runs[:, :2] += begin
    return runs


def _paired(runs: IntArray, size: int) -> IntArray:
    """The partners of all words, from equal runs in order and what lies between them."""
    before = np.vstack((np.zeros((1, 2), np.int64), (runs[:, :2] + runs[:, 2:])[:-1]))
    gap_a, gap_b = (runs[:, :2] - before).T
    late = before[:, 1] + np.maximum(0, gap_b - gap_a)
    facing = np.stack((before[:, 0], late, np.minimum(gap_a, gap_b)), axis=1)
    start, other, length = np.vstack((runs, facing)).T
    step = _spread(length)
    partner = np.full(size, -1, dtype=np.int64)
    partner[np.repeat(start, length) + step] = np.repeat(other, length) + step
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
    start, other, length = _runs(_words(order_a), _words(order_b), *ends, hint=64).T
    step = _spread(length)
    chosen_a, chosen_b = (np.repeat(each, length) + step for each in (start, other))
    return np.stack((place_a[order_a[chosen_a]], place_b[order_b[chosen_b]]), axis=1)


def _rare(words: IntArray) -> tuple[npt.NDArray[np.uint64], IntArray]:
    """Hashes of strings that occur once, and their places, of one string in SAMPLE."""
    factor = np.uint64(0x9E3779B97F4A7C15)
    hashes = np.zeros(max(0, words.size - STRING + 1), dtype=np.uint64)
    for shift in range(STRING):
        hashes = (hashes + words[shift : shift + hashes.size].astype(np.uint64)) * factor
        hashes ^= hashes >> np.uint64(29)
    places = np.flatnonzero(hashes % np.uint64(SAMPLE) == 0)
    values, index, number = np.unique(hashes[places], return_index=True, return_counts=True)
    return values[number == 1], places[index[number == 1]]
