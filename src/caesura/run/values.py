"""Sentences as other tools return them: strings, lists of tokens, spaCy and stanza documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from numbers import Number
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from caesura.core.arrays import Array
from caesura.core.segmentation import Document, Segmentation
from caesura.core.text import Text
from caesura.errors import SegmentationError
from caesura.formats.registry import TIMED
from caesura.io.cwd import is_file

GIVE = "give a list of sentences, a text, a path, or a 0 or 1 for each word"
MANY = "several documents are a dict by name, for caesura.evaluate"
_REFUSED: tuple[tuple[type | tuple[type, ...], str], ...] = (
    ((bytes, bytearray), "decode it first: data.decode()"),
    (Mapping, MANY),
    (Set, "a set has no order, so give a list"),
)
_SUFFIXES = {".txt", ".conllu", *(suffix for form in TIMED.values() for suffix in form.suffixes)}


class SpacyDoc(Protocol):
    """A document of spaCy, or what looks like one."""

    @property
    def sents(self) -> Iterable[object]:
        """Its sentences."""


class StanzaDocument(Protocol):
    """A document of stanza, or what looks like one."""

    @property
    def sentences(self) -> Iterable[object]:
        """Its sentences."""


Analyzed = SpacyDoc | StanzaDocument
LONGEST = 1000
"""The most characters that a path is supposed to have."""


def items(value: object, source: str, give: str = GIVE) -> list[object] | Array:
    """What a value holds: its sentences, or an array of numbers; an error says what else it is."""
    for kind, cure in _REFUSED:
        if isinstance(value, kind):
            raise SegmentationError(f"{source}: {_named(value)} is not a segmentation; {cure}")
    if hasattr(value, "columns"):
        raise SegmentationError(f"{source}: {_named(value)} is not a segmentation; give one column")
    own = next(
        (getattr(value, name) for name in ("sents", "sentences") if hasattr(value, name)), ()
    )
    if own != ():
        return _sentences(own, source)
    if hasattr(value, "__array__"):
        array = np.asarray(value)
        return array if array.dtype.kind in "biuf" else list(array.tolist())
    if not isinstance(value, Iterable):
        raise SegmentationError(f"{source}: {_named(value)} is not a segmentation; {give}")
    found = list(value)
    if found and _is_number(found[0]):
        return _numbers(found, source)
    return [list(each) if isinstance(each, Iterator) else each for each in found]


def _named(value: object) -> str:
    kind = type(value).__name__
    return "None" if value is None else f"{kind} {value}" if isinstance(value, Number) else kind


def _is_number(value: object) -> bool:
    return isinstance(value, Number) or (isinstance(value, str) and value in ("0", "1"))


def _numbers(values: list[object], source: str) -> list[object] | Array:
    """An array of numbers; strings `0` and `1` are numbers where all are."""
    if isinstance(values[0], str):
        return np.array(values, np.int64) if all(map(_is_number, values)) else values
    try:
        return np.array(values)
    except ValueError:
        raise SegmentationError(f"{source}: a 0/1 list must be flat; {MANY}") from None


def _sentences(own: Any, source: str) -> list[Any]:
    """The sentences of a spaCy Doc (`sents`) or a stanza Document (`sentences`)."""
    try:
        return list(own)
    except ValueError:
        raise SegmentationError(
            f"{source}: this Doc has no sentences; add a pipe such as nlp.add_pipe('sentencizer')"
        ) from None


def text_of(sentence: object, at: int, source: str) -> str:
    """The text of a sentence, as it was written if that is known."""
    if isinstance(sentence, str):
        return sentence
    _refuse_document(sentence, source)
    for name in ("text", "sent"):
        if isinstance(getattr(sentence, name, None), str):
            return str(getattr(sentence, name))
    tokens = _tokens(sentence, at, source)
    if tokens and hasattr(tokens[0], "spacing"):
        return "".join(map(str, tokens))
    words = [word_of(token, source) for token in tokens]
    if sum(" " in word.strip() for word in words) * 2 > len(words):
        raise SegmentationError(
            f"{source}: a list of lists holds the tokens of each sentence, and “{words[0]}” is not "
            f"one; {MANY}"
        )
    return " ".join(words)


def tokens_of(sentence: object, at: int, source: str) -> list[str]:
    """The tokens of a sentence."""
    _refuse_document(sentence, source)
    return [word_of(token, source) for token in _tokens(sentence, at, source)]


def _refuse_document(sentence: object, source: str) -> None:
    if isinstance(sentence, Document | Segmentation | Text | PathLike | Mapping):
        raise SegmentationError(f"{source}: a list of {type(sentence).__name__}; {MANY}")


def _tokens(sentence: object, at: int, source: str) -> list[object]:
    tokens = getattr(sentence, "tokens", sentence)
    if not isinstance(tokens, Iterable) or isinstance(tokens, bytes):
        raise SegmentationError(f"{source}: item {at} is {_named(sentence)}, not a sentence")
    return list(tokens)


def word_of(token: object, source: str) -> str:
    """The text of a token: a string, or what spaCy, stanza (`text`) and syntok (`value`) have."""
    if type(token) is str:
        return token
    found = next(
        (getattr(token, name) for name in ("text", "value") if hasattr(token, name)), token
    )
    if isinstance(found, Number):
        raise SegmentationError(f"{source}: a 0/1 list must be flat; {MANY}")
    if not isinstance(found, str):
        raise SegmentationError(f"{source}: {_named(token)} is not a token; {MANY}")
    return found


def flat(sentences: list[Any]) -> list[Any]:
    """Sentences without the paragraphs that syntok puts them into."""
    inner = sentences[0][0] if sentences and _is_list(sentences[0]) and sentences[0] else None
    if inner is None or not _is_list(inner) or not hasattr(next(iter(inner), None), "spacing"):
        return sentences
    return [sentence for paragraph in sentences for sentence in paragraph]


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def encoded(text: str, source: str) -> bytes:
    """A text in UTF-8; an error if it has half of a character."""
    try:
        return text.encode()
    except UnicodeEncodeError as problem:
        line, code = text.count("\n", 0, problem.start) + 1, ord(text[problem.start])
        raise SegmentationError(
            f"{source}:{line}: a lone surrogate (\\u{code:04x}), which is not a character; "
            "fix the text"
        ) from None


def refuse_path(text: str, source: str, reader: str = "") -> None:
    """Raise an error if a string is a path: strings are texts."""
    if is_path(text):
        raise SegmentationError(
            f"{source}: '{text}' looks like a path, and a string is a text; "
            f"give pathlib.Path('{text}'){reader.format(text)}"
        )


def is_path(text: str) -> bool:
    """Whether a string ends like the name of a file and has no white space, or there is a file."""
    if len(text) > LONGEST or "\n" in text or Path(text).suffix.lower() not in _SUFFIXES:
        return False
    return " " not in text or is_file(text)
