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

from caesura.core.marks import MARKS, ascii_mark, with_kin
from caesura.core.segmentation import IntArray
from caesura.core.tokens import tokenized
from caesura.errors import FormatError, option
from caesura.formats.plain import parse
from caesura.io.files import read_text

CLASSES = ("none", "comma", "period", "question")
END = CLASSES.index("period")
"""The class from which on marks end a unit."""
SILENCE, UNKNOWN = 0, 255
GAP = 32
_PAUSES = ",:"
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


def read_labelled(path: str, encoding: str | None = None, marks: str = MARKS) -> Iterator[Labelled]:
    """The documents of a file; `marks` end the units of punctuated text."""
    text = read_text(path, encoding)
    begin = text[:2000].split()
    if begin and all(map(_LABELLED.fullmatch, begin[:-1])) and _LABELLED.match(begin[0]):
        for label, mark in _LABELS.items():
            text = re.sub(rf"/{label}(?=\s|$)", mark, text)
        yield from (labelled(line, path) for line in text.splitlines() if line.strip())
    else:
        yield labelled(text, path, marks)


def labelled(text: str, source: str = "<string>", marks: str = MARKS) -> Labelled:
    """Punctuated text as words and classes.

    >>> labelled("Well, is it? Yes.").labels.tolist()
    [1, 0, 3, 2]
    """
    document = parse(tokenized(text), "marks", marks=marks + _PAUSES, source=source)
    segmentation = document.segmentation
    if segmentation.marks is None:
        raise _unpunctuated(source, "no punctuation to train on")
    ends = with_kin(marks)
    labels = np.zeros(segmentation.length, np.uint8)
    labels[segmentation.boundaries] = [_class(str(mark), ends) for mark in segmentation.marks]
    return Labelled(document.words, labels)


def _class(mark: str, ends: str) -> int:
    """The class of a mark, which is empty where the text ends without one."""
    if not mark:
        return 0
    if mark not in ends:
        return 1
    return CLASSES.index("question") if ascii_mark(mark) == "?" else END


def require_ends(documents: Iterable[Labelled], what: str) -> None:
    """Raise an error if no unit ends in any document: a model of them would never cut."""
    if not any((each.labels >= END).any() for each in documents):
        raise _unpunctuated("the data", f"no mark that ends a unit in {what}")


def _unpunctuated(source: str, problem: str) -> FormatError:
    cure = f"give more punctuated text, or name its marks with {option('marks', '…')}"
    return FormatError(source, problem, cure)


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
