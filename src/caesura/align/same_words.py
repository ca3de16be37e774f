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
        index,
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
