"""Puts versions of a transcript on one axis: the same words, or words carried over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein, Opcodes

from caesura.counts import Counts, ratio
from caesura.errors import LengthsDifferError, WordsDifferError
from caesura.segmentation import Document, IntArray, Segmentation

CONTEXT = 4


@dataclass(frozen=True, slots=True)
class AlignmentCounts(Counts):
    """Word errors of a document against the axis, and what became of its boundaries."""

    errors: int
    words: int
    merged: int
    lost: int

    @property
    def word_error_rate(self) -> float:
        """(substitutions + deletions + insertions) / words of the axis."""
        return ratio(self.errors, self.words)

    def scores(self) -> dict[str, float]:
        """The word error rate."""
        return {"word_error_rate": self.word_error_rate}


def require_one_axis(axis: Document, others: Sequence[Document]) -> None:
    """Raise an error that shows the first difference unless all words are the same."""
    for document in others:
        if axis.text is not None and document.text is not None and axis.text != document.text:
            raise _first_difference(document, axis)
        length, wanted = document.segmentation.length, axis.segmentation.length
        if length != wanted:
            raise LengthsDifferError(document.source, length, axis.source, wanted)


def carry(document: Document, axis: Document) -> tuple[Document, AlignmentCounts]:
    """Move a document's boundaries to the words of another, aligned by edit distance.

    A boundary after a word that the axis lacks goes to the nearest aligned word before it; one
    that has none before it is lost; two that land together are merged.
    """
    words, wanted = document.words, axis.words
    if not words or not wanted or document.text == axis.text:
        require_one_axis(axis, [document])
        return document, AlignmentCounts(0, axis.segmentation.length, 0, 0)
    edits = Levenshtein.opcodes(words, wanted)
    errors = sum(
        max(edit.src_end - edit.src_start, edit.dest_end - edit.dest_start)
        for edit in edits
        if edit.tag != "equal"
    )
    landed = _landing(edits, len(words))[document.segmentation.positions()]
    segmentation = _moved(document.segmentation, landed, len(wanted))
    lost = int((landed < 0).sum())
    merged = landed.size - lost - segmentation.positions().size
    moved = Document(segmentation, axis.text, document.form, document.source)
    return moved, AlignmentCounts(errors, len(wanted), merged, lost)


def _moved(segmentation: Segmentation, landed: IntArray, length: int) -> Segmentation:
    """Place the boundaries where they landed; of marks that land together the first is kept."""
    inner = (landed >= 0) & (landed < length - 1)
    places = np.append(landed[inner], length - 1)
    if segmentation.marks is None:
        return Segmentation.from_positions(places, length)
    marks = np.append(segmentation.marks[:-1][inner], segmentation.marks[-1])
    return Segmentation.from_positions(places, length, marks)


def _landing(edits: Opcodes, length: int) -> IntArray:
    """For each source word, the index of the destination word it is aligned with, or before."""
    landing = np.empty(length, dtype=np.int64)
    for edit in edits:
        source = slice(edit.src_start, edit.src_end)
        if edit.tag == "delete":
            landing[source] = edit.dest_start - 1
        else:
            width = edit.src_end - edit.src_start
            landing[source] = edit.dest_start + np.arange(width)
    return landing


def _first_difference(document: Document, axis: Document) -> WordsDifferError:
    ours, theirs = document.text or "", axis.text or ""
    low, high = 0, min(len(ours), len(theirs))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if ours[:middle] == theirs[:middle] else (low, middle - 1)
    index = ours.count(" ", 0, low)
    if low == min(len(ours), len(theirs)) and _ends_word(ours, low) and _ends_word(theirs, low):
        index += 1
    return WordsDifferError(
        index,
        (document.place(index), _in_context(document.words, index)),
        (axis.place(index), _in_context(axis.words, index)),
    )


def _ends_word(text: str, at: int) -> bool:
    return at == len(text) or text[at] == " "


def _in_context(words: list[str], index: int) -> str:
    if index >= len(words):
        return f"“{' '.join(words[-CONTEXT:])}” is the end"
    before = words[max(0, index - CONTEXT) : index]
    after = words[index + 1 : index + 1 + CONTEXT]
    return f"“{' '.join([*before, f'[{words[index]}]', *after])}”"
