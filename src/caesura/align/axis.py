"""Puts versions of a transcript on one axis: the same words, or boundaries projected onto them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from caesura.align.lines import edits_in_lines, have_same_lines, line_edges, with_line_ends
from caesura.align.words import Edits, codes, edits, fewest_errors
from caesura.core.breaks import BLOCK
from caesura.core.counts import Counts, ratio
from caesura.core.score import Score
from caesura.core.segmentation import NO_BREAK, OUTSIDE, Document, IntArray, Segmentation, Track
from caesura.errors import LengthsDifferError, WordsDifferError

CONTEXT = 4
MASSES = frozenset(("masses", "segeval"))
"""The formats that give the lengths of units."""


@dataclass(frozen=True, slots=True)
class AlignmentCounts(Counts):
    """Word errors of a version against the axis, and what became of its boundaries.

    `hits` and `substitutions` are words of the axis that a word is aligned with, `deletions`
    those with none, `insertions` words that the axis lacks. Of the boundaries, `merged` landed
    where another did and `lost` had no aligned word before them. `uncertain` counts alignments that
    were too long to make sure that no other has fewer errors.
    """

    hits: int
    substitutions: int
    deletions: int
    insertions: int
    merged: int
    lost: int
    uncertain: int = 0

    @property
    def words(self) -> int:
        """The words of the axis."""
        return self.hits + self.substitutions + self.deletions

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def word_error_rate(self) -> float:
        """(substitutions + deletions + insertions) / words of the axis."""
        return ratio(self.errors, self.words)

    @property
    def coverage(self) -> float:
        """Words of the axis with which a word is aligned / words of the axis."""
        return ratio(self.hits + self.substitutions, self.words)


ALIGNMENT: tuple[Score, ...] = (
    Score("word_error_rate", "WER", "Word errors / words of the axis.", "low", ("alignment",)),
    Score("coverage", "coverage", "Words of the axis that are aligned / words of the axis.",
          views=("alignment",)),
    Score("substitutions", "substitutions", "Words aligned with others.", None, is_count=True),
    Score("deletions", "deletions", "Words of the axis with none.", None, is_count=True),
    Score("insertions", "insertions", "Words that the axis lacks.", None, is_count=True),
    Score("merged", "merged", "Boundaries that landed where another did.", None, ("alignment",),
          is_count=True),
    Score("lost", "lost", "Boundaries with no aligned word before them.", None, ("alignment",),
          is_count=True),
    Score("uncertain", "uncertain", "Alignments that might not have the fewest errors.", None,
          is_count=True),
)  # fmt: skip


def require_one_axis(axis: Document, others: Sequence[Document], before: int = 0) -> None:
    """Raise an error that shows the first difference unless all words are the same.

    If documents are parts, `before` words precede them.
    """
    for document in others:
        if axis.text is not None and document.text is not None and axis.text != document.text:
            raise _first_difference(document, axis, before)
        length, wanted = document.segmentation.length, axis.segmentation.length
        if length != wanted:
            of_masses = not MASSES.isdisjoint((document.form, axis.form))
            lengths = document.source, length, axis.source, wanted
            raise LengthsDifferError(*lengths, of_masses=of_masses)


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
        return Carried(document, AlignmentCounts(length, 0, 0, 0, 0, 0))
    found = word_edits(document, axis)
    landed = _landed(document, found)
    if have_same_lines(document, axis):
        ends = document.segmentation.positions()
        landed = with_line_ends(landed, ends, line_edges(document), line_edges(axis))
    segmentation = _moved(document.segmentation, landed, length)
    lost = int((landed < 0).sum())
    merged = landed.size - lost - segmentation.positions().size
    words = found.hits, found.substitutions, found.deletions, found.insertions
    moved = Document(segmentation, axis.text, document.form, document.source)
    counts = AlignmentCounts(*words, merged, lost, int(not found.is_certain))
    return Carried(moved, counts, found)


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


def _first_difference(document: Document, axis: Document, before: int) -> WordsDifferError:
    ours, theirs = document.text or "", axis.text or ""
    low, high = 0, min(len(ours), len(theirs))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if ours[:middle] == theirs[:middle] else (low, middle - 1)
    index = ours.count(" ", 0, low)
    if low == min(len(ours), len(theirs)) and _ends_word(ours, low) and _ends_word(theirs, low):
        index += 1
    has_sentences = "choi" in (document.form, axis.form)
    words, at = (document.words, axis.words), index
    if has_sentences:
        words = _sentence(document.words, index), _sentence(axis.words, index)
        pairs = enumerate(zip(*words, strict=False))
        at = next((at for at, (a, b) in pairs if a != b), min(map(len, words)))
    return WordsDifferError(
        before + index,
        (document.place(index), _in_context(words[0], at)),
        (axis.place(index), _in_context(words[1], at)),
        "sentence" if has_sentences else "word",
    )


def _ends_word(text: str, at: int) -> bool:
    return at == len(text) or text[at] == " "


def _sentence(sentences: list[str], index: int) -> list[str]:
    """The words of a sentence; none after the last."""
    return sentences[index].split(NO_BREAK) if index < len(sentences) else []


def _in_context(words: list[str], index: int) -> str:
    if index >= len(words):
        return f"“{' '.join(words[-CONTEXT:])}” is the end" if words else "is the end"
    before = words[max(0, index - CONTEXT) : index]
    after = words[index + 1 : index + 1 + CONTEXT]
    return f"“{' '.join([*before, f'[{words[index]}]', *after])}”"
