"""Checks that versions of a transcript have the same words, and shows the first difference."""

from __future__ import annotations

from collections.abc import Sequence

from caesura.core.segmentation import NO_BREAK, Document
from caesura.errors import LengthsDifferError, WordsDifferError

CONTEXT = 4


MASSES = frozenset(("masses", "segeval"))
"""The formats that give the lengths of units."""


def require_one_axis(axis: Document, others: Sequence[Document]) -> None:
    """Raise an error that shows the first difference unless all words are the same."""
    for document in others:
        if axis.text is not None and document.text is not None and axis.text != document.text:
            raise _first_difference(document, axis)
        length, wanted = document.segmentation.length, axis.segmentation.length
        if length != wanted:
            of_masses = not MASSES.isdisjoint((document.form, axis.form))
            lengths = document.source, length, axis.source, wanted
            raise LengthsDifferError(*lengths, of_masses=of_masses)


def _first_difference(document: Document, axis: Document) -> WordsDifferError:
    from caesura.align.characters import common_prefix

    ours, theirs = document.text or "", axis.text or ""
    shared = common_prefix(ours, theirs)
    index = ours.count(" ", 0, shared)
    if {ours[shared : shared + 1], theirs[shared : shared + 1]} == {"", " "}:
        index += 1  # a word of the longer text comes after all of the other
    has_sentences = "choi" in (document.form, axis.form)
    words, place = [document.words, axis.words], index
    if has_sentences:  # the first word that differs in the sentence
        words = [side[index].split(NO_BREAK) if index < len(side) else [] for side in words]
        pairs = enumerate(zip(*words, strict=False))
        place = next((at for at, (a, b) in pairs if a != b), min(map(len, words)))
    return WordsDifferError(
        index,
        (document.place(index), _in_context(words[0], place)),
        (axis.place(index), _in_context(words[1], place)),
        "sentence" if has_sentences else "word",
    )


def _in_context(words: list[str], index: int) -> str:
    if index >= len(words):
        return f"“{' '.join(words[-CONTEXT:])}” is the end" if words else "is the end"
    before = words[max(0, index - CONTEXT) : index]
    after = words[index + 1 : index + 1 + CONTEXT]
    return f"“{' '.join([*before, f'[{words[index]}]', *after])}”"
