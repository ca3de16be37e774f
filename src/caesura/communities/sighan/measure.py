"""Words of one segmentation against another: insertions, deletions, substitutions, and known words.

Sproat and Emerson (2003), The first international Chinese word segmentation bakeoff. Neighbouring
words that are wrong make one stretch, within a line of the gold: where it has words on both sides,
they are substitutions, the rest are insertions or deletions. The bakeoff's program finds stretches
with `diff`; here they are where the spans of the words differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from caesura.core.arrays import sums_between
from caesura.core.counts import Counts, ratio
from caesura.core.score import Better, Score, View
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError, number
from caesura.io.files import read_text
from caesura.io.paths import stamp
from caesura.measures.joint import AlignedTexts, TextMeasure

VIEWS: tuple[View, ...] = ("other",)


@dataclass(frozen=True, slots=True)
class WordErrorCounts(Counts):
    """Errors; and gold words that are in no dictionary (`oov`) or in it (`iv`), and right ones."""

    insertions: int
    deletions: int
    substitutions: int
    oov: int
    oov_right: int
    iv: int
    iv_right: int

    @property
    def oov_rate(self) -> float:
        """Words that the dictionary lacks / gold words; undefined without a dictionary."""
        return ratio(self.oov, self.oov + self.iv)

    @property
    def oov_recall(self) -> float:
        """Right ones / words that the dictionary lacks."""
        return ratio(self.oov_right, self.oov)

    @property
    def iv_recall(self) -> float:
        """Right ones / words of the dictionary."""
        return ratio(self.iv_right, self.iv)


def _errors(name: str, heading: str, what: str) -> Score:
    return Score(
        f"word_{name}", name, what, None, VIEWS, take=name, heading=heading, group="words",
        short=name, is_count=True,
    )  # fmt: skip


def _rate(name: str, label: str, what: str) -> Score:
    better: Better = None if name == "oov_rate" else "high"
    return Score(name, label, what, better, VIEWS, take=name, group="words", short=name)


@dataclass(frozen=True, slots=True)
class WordErrors(TextMeasure):
    """Insertions, deletions and substitutions of words; recall of words in a dictionary or not."""

    name: ClassVar[str] = "words"
    title: ClassVar[str] = "Errors of words"
    counts: ClassVar[type[Counts]] = WordErrorCounts
    scores: ClassVar[tuple[Score, ...]] = (
        _errors("insertions", "ins", "Words of stretches that are too many for the gold."),
        _errors("deletions", "del", "Gold words of stretches that are too many for the system."),
        _errors("substitutions", "sub", "Words of stretches that have one on the other side."),
        _rate("oov_rate", "OOV rate", "Gold words that the dictionary lacks / gold words."),
        _rate("oov_recall", "OOV recall", "Right ones / gold words that the dictionary lacks."),
        _rate("iv_recall", "IV recall", "Right ones / gold words in the dictionary."),
    )

    dictionary: frozenset[str] | None = None

    @classmethod
    def from_task(cls, task: Any) -> Self:
        """The measure with the words of the task's dictionary, if it has one."""
        path = task.dictionary
        return cls(None if path is None else _read_dictionary(path, task.encoding, stamp(path)))

    def count_parts(
        self,
        texts: AlignedTexts,
        system_ends: IntArray,  # noqa: ARG002
        gold_ends: IntArray,
    ) -> list[WordErrorCounts]:
        """Count between neighbouring points, which are numbers of sentences on both sides."""
        edges = np.append(0, texts.gold.sentence_ends)[gold_ends]  # numbers of gold words
        is_right, right_words, common = _right_parts(texts)
        columns = list(_errors_between(edges, texts, is_right, common))
        if self.dictionary is None:
            columns += [np.zeros(edges.size - 1, np.int64)] * 4
        else:
            words = texts.gold.tokens(0, texts.gold.token_ends.size)
            known = np.array([word in self.dictionary for word in words], np.bool_)
            for chosen in (~known, ~known & right_words, known, known & right_words):
                columns.append(sums_between(chosen, edges))
        return [WordErrorCounts(*row) for row in np.stack(columns, axis=1).tolist()]


def _right_parts(texts: AlignedTexts) -> tuple[BoolArray, BoolArray, IntArray]:
    """Which blocks and which gold words are right, and words that others' sides have in common."""
    from rapidfuzz.distance import LCSseq

    is_right = texts.tokens.is_one_to_one.copy()
    right_words = np.repeat(is_right, texts.tokens.sizes[1])
    common = np.zeros(is_right.size, np.int64)
    for block in np.flatnonzero(texts.is_altered).tolist():
        ours, theirs = texts.units(block)
        first = int(texts.tokens.gold[block])
        for edit in LCSseq.opcodes(ours, theirs):
            right_words[first + edit.dest_start : first + edit.dest_end] = edit.tag == "equal"
        common[block] = np.count_nonzero(right_words[first : first + len(theirs)])
        is_right[block] &= common[block] == 1
    return is_right, right_words, common


def _errors_between(
    edges: IntArray, texts: AlignedTexts, is_right: BoolArray, common: IntArray
) -> Iterator[IntArray]:
    """Insertions, deletions and substitutions between some numbers of gold words.

    Neighbouring blocks of a line that are wrong make a stretch. The slow twin is
    `errors_of_a_line` of tests/communities/test_sighan.py.
    """
    wrong = np.flatnonzero(~is_right)  # the numbers of blocks, in order
    first = texts.tokens.gold[wrong]
    line = np.searchsorted(texts.gold.sentence_ends, first, side="right")
    is_new = (np.diff(wrong, prepend=-2) > 1) | (np.diff(line, prepend=-1) > 0)
    begins = np.flatnonzero(is_new)  # (stretches,) the first of the wrong blocks of each
    ours, theirs = (
        np.add.reduceat((sizes - common)[wrong], begins) if wrong.size else wrong
        for sizes in texts.tokens.sizes
    )
    part = np.searchsorted(edges, first[begins], side="right") - 1
    part = np.minimum(part, edges.size - 2)
    for errors in (ours - theirs, theirs - ours, np.minimum(ours, theirs)):
        yield np.bincount(part, np.maximum(errors, 0), edges.size - 1).astype(np.int64)


@lru_cache(maxsize=2)
def _read_dictionary(path: str, encoding: str | None, _: tuple[int, ...]) -> frozenset[str]:
    """The words of a file, cached by its stamp so that it is read once."""
    lines = read_text(path, encoding).split("\n")
    text = next((index for index, line in enumerate(lines) if len(line.split()) > 1), None)
    if text is not None:
        raise FormatError(
            path,
            f"{number(len(lines[text].split()), 'word')} on a line of a dictionary",
            "give a list with one word a line, not a text",
            line=text + 1,
        )
    words = frozenset(filter(None, map(str.strip, lines)))
    if not words:
        raise FormatError(path, "no words", "give a list with one word a line")
    return words
