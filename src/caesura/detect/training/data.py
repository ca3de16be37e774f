"""Training text: words with the mark that follows each, read like any transcript.

Two kinds of file are understood: `word/LABEL` with one document on each line (O none, C comma,
P period, Q question mark, E exclamation mark, S semicolon), and punctuated text, a document each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import IntArray
from caesura.errors import FormatError
from caesura.formats.plain import parse
from caesura.formats.scan import MARKS
from caesura.io.files import read_text

CLASSES = ("none", "comma", "period", "question")
SILENCE, UNKNOWN = 0, 255
GAP = 32
_CLASS = {",": 1, ":": 1, ".": 2, "!": 2, ";": 2, "?": 3}
_LABELS = {"O": "", "C": ",", "P": ".", "Q": "?", "E": "!", "S": ";"}
_LABELLED = re.compile(r"\S+/[OCPQES](?=\s|$)")

LabelArray = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A document: its words and the class of the mark after each."""

    words: list[str]
    labels: LabelArray


@dataclass(frozen=True, slots=True, eq=False)
class LabelledCorpus:
    """Documents in one row, with silence between them.

    `ids` are 1 + the place in `words` (the most widespread words first), 0 is silence; `labels`
    are classes, 255 where there is no label; `starts` is where each source begins.
    """

    words: list[str]
    ids: npt.NDArray[np.int32]
    labels: LabelArray
    starts: IntArray


def read_labelled(path: str, encoding: str | None = None) -> Iterator[Labelled]:
    """The documents of a file."""
    text = read_text(path, encoding)
    begin = text[:2000].split()
    if begin and all(map(_LABELLED.fullmatch, begin[:-1])) and _LABELLED.match(begin[0]):
        for line in text.splitlines():
            if line.strip():
                yield labelled(_punctuated(line), path)
    else:
        yield labelled(text, path)


def labelled(text: str, source: str = "<string>") -> Labelled:
    """Punctuated text as words and classes.

    >>> labelled("Well, is it? Yes.").labels.tolist()
    [1, 0, 3, 2]
    """
    document = parse(text, "marks", marks=MARKS + ",:", source=source)
    labels = np.zeros(document.segmentation.length, np.uint8)
    marks = document.segmentation.marks
    if marks is None:
        raise FormatError(source, "no punctuation to train on", "give punctuated text")
    labels[document.segmentation.boundaries] = [_CLASS.get(str(mark), 0) for mark in marks]
    return Labelled(document.words, labels)


def gather(sources: Sequence[Iterable[Labelled]]) -> LabelledCorpus:
    """Put the documents of all sources into one corpus."""
    documents = [list(source) for source in sources]
    words = widespread([[word for one in source for word in one.words] for source in documents])
    index = {word: at for at, word in enumerate(words, 1)}
    ids, labels, starts, length = [], [], [], 0
    for source in documents:
        starts.append(length)
        for document in source:
            some = np.fromiter(map(index.__getitem__, document.words), np.int32)
            ids += [some, np.zeros(GAP, np.int32)]
            labels += [document.labels, np.full(GAP, UNKNOWN, np.uint8)]
            length += some.size + GAP
    return LabelledCorpus(words, np.concatenate(ids), np.concatenate(labels), np.array(starts))


def widespread(sources: Iterable[Iterable[str]]) -> list[str]:
    """The distinct words, those first that are frequent in many sources: by the sum of roots."""
    score: Counter[str] = Counter()
    for words in sources:
        for word, count in Counter(words).items():
            score[word] += count**0.5  # type: ignore[assignment]
    return sorted(score, key=lambda word: (-score[word], word))


def _punctuated(line: str) -> str:
    for label, mark in _LABELS.items():
        line = re.sub(rf"/{label}(?=\s|$)", mark, line)
    return line
