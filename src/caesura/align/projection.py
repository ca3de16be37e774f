"""Puts versions of a transcript on one axis: the same words, or boundaries projected onto them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np

from caesura.align.same_words import require_one_axis
from caesura.align.words import Edits, codes, edits, fewest_errors, told
from caesura.core.alignment_scores import AlignmentCounts
from caesura.core.line_breaks import BLOCK, BREAKS
from caesura.core.segmentation import OUTSIDE, Document, IntArray, Segmentation, Track


def medoid(documents: Mapping[str, Document]) -> str:
    """The medoid: the version with the fewest word errors against the others."""
    worded = {name: each for name, each in documents.items() if each.text is not None}
    if len({each.text for each in worded.values()}) < 2 or len(worded) < 3:
        return next(iter(worded or documents))
    total = dict.fromkeys(worded, 0)
    for a, b in combinations(worded, 2):
        errors = fewest_errors(*codes(worded[a].text or "", worded[b].text or ""))
        total[a] += errors
        total[b] += errors
    return min(total, key=total.__getitem__)


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """A version on the axis, what it took to put it there, and how its own words were aligned.

    `edits` is None where its words are those of the axis.
    """

    document: Document
    counts: AlignmentCounts
    edits: Edits | None = None


def carry(document: Document, axis: Document) -> Carried:
    """Project a document's boundaries onto the words of another, aligned by edit distance.

    A boundary after a word that the axis lacks goes to the nearest aligned word before it; one
    that has none before it is lost; two that land together are merged. In a verbatim document,
    where labels say which words begin units, it goes right before the word that begins the next
    one, if that is aligned. Where lines correspond, the end of one is the end of the other.
    """
    length = axis.segmentation.length
    if document.text is None or axis.text is None or document.text == axis.text:
        require_one_axis(axis, [document])
        size = sum(map(len, axis.words)) if axis.has_characters else 0
        return Carried(document, AlignmentCounts(length, 0, 0, 0, 0, 0, 0, size))
    found = word_edits(document, axis)
    landed = _landed(document, found)
    if have_same_lines(document, axis):
        ends = document.segmentation.positions()
        landed = with_line_ends(landed, ends, line_edges(document), line_edges(axis))
    segmentation = _with_scores(_moved(document.segmentation, landed, length), document, found)
    lost = int((landed < 0).sum())
    merged = landed.size - lost - segmentation.positions().size
    words = found.hits, found.substitutions, found.deletions, found.insertions
    moved = Document(segmentation, axis.text, document.form, document.source)
    letters = _character_errors(document, axis, found) if axis.has_characters else (0, 0)
    counts = AlignmentCounts(*words, merged, lost, int(not found.is_certain), *letters)
    return Carried(moved, counts, found)


def _character_errors(document: Document, axis: Document, found: Edits) -> tuple[int, int]:
    """The characters of the axis, and the errors in them, word by word as the words are aligned."""
    from rapidfuzz.distance import Levenshtein

    ours, theirs = document.words, axis.words
    partner = [""] * len(theirs)
    for at in np.flatnonzero(found.is_aligned).tolist():
        partner[found.landing[at]] = ours[at]
    added = sum(len(ours[at]) for at in np.flatnonzero(~found.is_aligned).tolist())
    errors = sum(map(Levenshtein.distance, partner, theirs), added)
    return sum(map(len, theirs)), errors


def _landed(document: Document, found: Edits) -> IntArray:
    """After which words of the axis the boundaries land; -1 where there is none."""
    inner, marks = document.segmentation.positions(), document.segmentation.marks
    landed = found.landing[inner]
    if not document.is_verbatim or marks is None:
        return landed
    begins = found.is_aligned[inner + 1] & (marks[1:] != OUTSIDE)
    return np.where(begins, found.landing[inner + 1] - 1, landed)


def word_edits(document: Document, axis: Document) -> Edits:
    """How the words of one document become those of another."""
    ours, theirs = codes(document.text or "", axis.text or "")
    if have_same_lines(document, axis):
        return edits_in_lines(ours, theirs, line_edges(document), line_edges(axis))
    return edits(ours, theirs, times_a=_middles(document), times_b=_middles(axis))


def _middles(document: Document) -> IntArray | None:
    """The midpoint of each word in time, if times are known."""
    start, end = document.track.start, document.track.end
    if start is None or end is None:
        return None
    known = (start != Track.UNKNOWN) & (end != Track.UNKNOWN)
    return np.where(known, (start + end) // 2, Track.UNKNOWN)


def _with_scores(moved: Segmentation, document: Document, found: Edits) -> Segmentation:
    """Project scores as boundaries; of those that land together the highest is kept."""
    own = document.segmentation.scores
    if own is None:
        return moved
    landed = found.landing[: own.size]
    known = np.flatnonzero((landed >= 0) & ~np.isnan(own))
    order = known[np.argsort(own[known], kind="stable")]
    scores = np.full(moved.length, np.nan, np.float32)
    scores[landed[order]] = own[order]  # the last that is written is the highest
    return replace(moved, scores=scores)


def _moved(segmentation: Segmentation, landed: IntArray, length: int) -> Segmentation:
    """Place the boundaries where they landed; of marks that land together the first is kept.

    The end of a block of subtitles, which is the end of a line, too, comes before others.
    """
    inner = (landed >= 0) & (landed < length - 1)
    places = np.append(landed[inner], length - 1)
    if segmentation.marks is None:
        return Segmentation.from_positions(places, length)
    marks = np.append(segmentation.marks[:-1][inner], segmentation.marks[-1])
    order = np.argsort(marks != BLOCK, kind="stable")
    return Segmentation.from_positions(places[order], length, marks[order])


def have_same_lines(one: Document, other: Document) -> bool:
    """Whether both are subtitles as text, a sentence per line, with the same number of lines."""
    lines = one.line_starts, other.line_starts
    return (
        one.form == other.form == BREAKS
        and lines[0] is not None
        and lines[1] is not None
        and lines[0].size == lines[1].size
    )


def line_edges(document: Document) -> IntArray:
    """The first word of each line, and where the last one ends."""
    assert document.line_starts is not None
    return np.append(document.line_starts, document.segmentation.length)


def edits_in_lines(a: IntArray, b: IntArray, edges_a: IntArray, edges_b: IntArray) -> Edits:
    """Align numbered words between the edges of lines, each line with that of its number."""
    partner = np.full(a.size, -1)
    is_certain = True
    spans = zip(pairwise(edges_a.tolist()), pairwise(edges_b.tolist()), strict=True)
    for (start, stop), (begin, end) in spans:
        if start < stop and begin < end:
            found = edits(a[start:stop], b[begin:end])
            aligned = np.flatnonzero(found.is_aligned)
            partner[start + aligned] = begin + found.landing[aligned]
            is_certain &= found.is_certain
    return told(a, b, partner, is_certain=is_certain)


def with_line_ends(
    landed: IntArray, ends: IntArray, edges_a: IntArray, edges_b: IntArray
) -> IntArray:
    """Where boundaries landed, those at ends of lines at the ends of the corresponding lines."""
    line = np.searchsorted(edges_a[1:], ends + 1)
    is_last = edges_a[1:][line] == ends + 1
    result: IntArray = np.where(is_last, edges_b[1:][line] - 1, landed)
    return result
