"""Word alignment: which words of two transcripts correspond, and where boundaries are projected.

Long transcripts are cut where a string of words that both have once leads the same way as its
neighbours do. What lies between the cuts is aligned exactly by rapidfuzz. Then the errors are
compared with the least possible, which is quicker to find than an alignment; where they are more,
the words are aligned again without cuts. Words that only one side has are one word to the other.
Memory is linear in the words.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise

import numpy as np

from caesura.align.anchors import ANCHOR_WORDS, word_anchors
from caesura.align.same_words import require_one_axis
from caesura.align.ties import Ties, hits_of
from caesura.core.alignment_scores import AlignmentCounts
from caesura.core.arrays import stretched
from caesura.core.line_breaks import BLOCK, BREAKS
from caesura.core.segmentation import OUTSIDE, BoolArray, Document, IntArray, Segmentation, Track
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
MANY_WORDS = 1 << 16
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
    a: IntArray,
    b: IntArray,
    *,
    times_a: IntArray | None = None,
    times_b: IntArray | None = None,
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

    rapidfuzz looks numbers below BYTE up faster, which pays with many words if the most frequent
    have them. Nothing else depends on the numbers.
    """
    both = np.concatenate((a, b))
    if both.size and (both.min() < 0 or both.max() > 8 * both.size):
        both = np.unique(both, return_inverse=True)[1]
    in_a, in_b = np.zeros((2, int(both.max(initial=0)) + 1), np.bool_)
    in_a[both[: a.size]] = in_b[both[a.size :]] = True
    shared = np.flatnonzero(in_a & in_b)
    if shared.size > BYTE and both.size > MANY_WORDS:
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


def medoid(documents: Mapping[str, Document]) -> str:
    """The medoid: the version with the fewest word errors against the others."""
    texts = {name: each.text for name, each in documents.items() if each.text is not None}
    if len({*texts.values()}) < 2 or len(texts) < 3:
        return next(iter(texts or documents))
    total = dict.fromkeys(texts, 0)
    for one, other in combinations(texts, 2):
        errors = fewest_errors(*word_ids(texts[one], texts[other]))
        total[one] += errors
        total[other] += errors
    return min(total, key=total.__getitem__)


@dataclass(frozen=True, slots=True, eq=False)
class ProjectedDocument:
    """A version on the axis, what it took to put it there, and how its own words were aligned.

    `edits` is None where its words are those of the axis.
    """

    document: Document
    counts: AlignmentCounts
    edits: Edits | None = None


def project(document: Document, axis: Document) -> ProjectedDocument:
    """Project a document's boundaries onto the words of another, aligned by edit distance.

    A boundary after a word that the axis lacks goes to the nearest aligned word before it; one
    that has none before it is lost; two that land together are merged. In a verbatim document,
    where labels say which words begin units, it goes right before the word that begins the next
    one, if that is aligned. Where lines correspond, the end of one is the end of the other.
    """
    own, length = document.segmentation, axis.segmentation.length
    if document.text is None or axis.text is None or document.text == axis.text:
        require_one_axis(axis, [document])
        size = sum(map(len, axis.words)) if axis.has_characters else 0
        return ProjectedDocument(document, AlignmentCounts(length, 0, 0, 0, 0, 0, 0, size))
    alignment, ends = word_edits(document, axis), own.positions()
    places = alignment.landing[ends]  # on the axis; -1 where there is none
    if document.is_verbatim and own.marks is not None:
        begins = alignment.is_aligned[ends + 1] & (own.marks[1:] != OUTSIDE)
        places = np.where(begins, alignment.landing[ends + 1] - 1, places)
    if edges := _edges_of_same_lines(document, axis):
        places = with_line_ends(places, ends, *edges)

    inside = (places >= 0) & (places < length - 1)
    positions, marks = np.append(places[inside], length - 1), None
    if own.marks is not None:  # of those that land together, the end of a block, else the first
        marks = np.append(own.marks[:-1][inside], own.marks[-1])
        order = np.argsort(marks != BLOCK, kind="stable")
        positions, marks = positions[order], marks[order]
    projected = Segmentation.from_positions(positions, length, marks)
    if own.scores is not None:
        scores = np.full(length, np.nan, np.float32)
        landing = alignment.landing[: own.scores.size]
        known = np.flatnonzero((landing >= 0) & ~np.isnan(own.scores))
        known = known[np.argsort(own.scores[known], kind="stable")]
        scores[landing[known]] = own.scores[known]  # the last that is written is the highest
        projected = replace(projected, scores=scores)

    lost = int((places < 0).sum())
    merged = places.size - lost - projected.positions().size
    words = (alignment.hits, alignment.substitutions, alignment.deletions, alignment.insertions)
    letters = _character_errors(document, axis, alignment) if axis.has_characters else (0, 0)
    counts = AlignmentCounts(*words, merged, lost, int(not alignment.is_certain), *letters)
    on_axis = Document(projected, axis.text, document.form, document.source)
    return ProjectedDocument(on_axis, counts, alignment)


def _character_errors(document: Document, axis: Document, alignment: Edits) -> tuple[int, int]:
    """The characters of the axis, and the errors in them, word by word as the words are aligned."""
    from rapidfuzz.distance import Levenshtein

    ours, theirs = document.words, axis.words
    partner = [""] * len(theirs)
    for word in np.flatnonzero(alignment.is_aligned).tolist():
        partner[alignment.landing[word]] = ours[word]
    added = sum(len(ours[word]) for word in np.flatnonzero(~alignment.is_aligned).tolist())
    errors = sum(map(Levenshtein.distance, partner, theirs), added)
    return sum(map(len, theirs)), errors


def word_edits(document: Document, axis: Document) -> Edits:
    """Align the words of two documents, line by line where their lines correspond."""
    a, b = word_ids(document.text or "", axis.text or "")
    edges = _edges_of_same_lines(document, axis)
    if not edges:
        return edits(a, b, times_a=_middles(document), times_b=_middles(axis))
    partner, is_certain = np.full(a.size, -1), True
    for (start, stop), (begin, end) in zip(*map(pairwise, edges), strict=True):
        if start < stop and begin < end:
            alignment = edits(a[start:stop], b[begin:end])
            aligned = np.flatnonzero(alignment.is_aligned)
            partner[start + aligned] = begin + alignment.landing[aligned]
            is_certain &= alignment.is_certain
    return edits_from_partners(a, b, partner, is_certain=is_certain)


def _middles(document: Document) -> IntArray | None:
    """The midpoint of each word in time, if times are known."""
    start, end = document.track.start, document.track.end
    if start is None or end is None:
        return None
    known = (start != Track.UNKNOWN) & (end != Track.UNKNOWN)
    return np.where(known, (start + end) // 2, Track.UNKNOWN)


def _edges_of_same_lines(one: Document, other: Document) -> tuple[IntArray, IntArray] | None:
    """The first word of each line, and where the last one ends, if the lines of both correspond.

    Those of subtitles as text do, a sentence per line, if both have as many.
    """
    first, second = one.line_starts, other.line_starts
    if not one.form == other.form == BREAKS or first is None or second is None:
        return None
    if first.size != second.size:
        return None
    return np.append(first, one.segmentation.length), np.append(second, other.segmentation.length)


def with_line_ends(
    places: IntArray, ends: IntArray, edges_a: IntArray, edges_b: IntArray
) -> IntArray:
    """Where boundaries landed, those at ends of lines at the ends of the corresponding lines."""
    line = np.searchsorted(edges_a[1:], ends + 1)
    is_last = edges_a[1:][line] == ends + 1
    result: IntArray = np.where(is_last, edges_b[1:][line] - 1, places)
    return result
