"""Words of one segmentation against another: insertions, deletions, substitutions, and known words.

Sproat and Emerson (2003), The first international Chinese word segmentation bakeoff. Neighbouring
words that are wrong make one stretch, within a line of the gold: where it has words on both sides,
they are substitutions, the rest are insertions or deletions. The bakeoff's program finds stretches
with `diff`; here they are where the spans of the words differ.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.counts import Counts, ratio
from caesura.core.measure import Measure
from caesura.core.score import Better, Score, View
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Text
from caesura.measures.joint import AlignedTexts

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

    @property
    def score(self) -> float:
        """The recall of words that the dictionary lacks."""
        return self.oov_recall


def _errors(name: str, heading: str, what: str) -> Score:
    return Score(
        f"word_{name}", name, what, None, VIEWS, take=name, heading=heading, group="words",
        short=name, is_count=True,
    )  # fmt: skip


def _rate(name: str, label: str, what: str) -> Score:
    better: Better = None if name == "oov_rate" else "high"
    return Score(name, label, what, better, VIEWS, take=name, group="words", short=name)


@dataclass(frozen=True, slots=True)
class WordErrors(Measure):
    """Insertions, deletions and substitutions of words; recall of words in a dictionary or not."""

    name: ClassVar[str] = "words"
    kind: ClassVar[str] = "lexicon"
    counts: ClassVar[type[Counts]] = WordErrorCounts
    is_optional: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        _errors("insertions", "ins", "Words of stretches that are too many for the gold."),
        _errors("deletions", "del", "Gold words of stretches that are too many for the system."),
        _errors("substitutions", "sub", "Words of stretches that have one on the other side."),
        _rate("oov_rate", "OOV rate", "Gold words that the dictionary lacks / gold words."),
        _rate("oov_recall", "OOV recall", "Right ones / gold words that the dictionary lacks."),
        _rate("iv_recall", "IV recall", "Right ones / gold words in the dictionary."),
    )

    def count(
        self, texts: AlignedTexts, dictionary: Collection[str] | None = None
    ) -> WordErrorCounts:
        """Count two texts that are aligned."""
        ends = texts.system.sentence_ends.size, texts.gold.sentence_ends.size
        points = [np.array([0, end]) for end in ends]
        return self.count_parts(texts, (points[0], points[1]), dictionary)[0]

    @staticmethod
    def count_parts(
        texts: AlignedTexts,
        points: tuple[IntArray, IntArray],
        dictionary: Collection[str] | None = None,
    ) -> list[WordErrorCounts]:
        """Count between neighbouring points, which are numbers of sentences on both sides."""
        gold = texts.gold
        edges = np.append(0, gold.sentence_ends)[points[1]]
        found = _CountedBlocks.from_texts(texts)
        columns = list(found.errors(texts, edges))
        if dictionary is None:
            columns += [np.zeros(edges.size - 1, np.int64)] * 4
        else:
            right, known = found.right_words(texts), is_known(gold, dictionary)
            for chosen in (~known, ~known & right, known, known & right):
                columns.append(np.diff(np.append(0, np.cumsum(chosen))[edges]))
        return [WordErrorCounts(*row) for row in np.stack(columns, axis=1).tolist()]


@dataclass(frozen=True, slots=True)
class _CountedBlocks:
    """Blocks of words, which of them are right, and how many words others have in common."""

    is_right: BoolArray
    common: IntArray

    @classmethod
    def from_texts(cls, texts: AlignedTexts) -> _CountedBlocks:
        is_right = texts.tokens.is_one_to_one.copy()
        common = np.zeros(is_right.size, np.int64)
        for at in np.flatnonzero(texts.is_altered).tolist():
            common[at] = np.count_nonzero(_in_common(*texts.units(at)))
            is_right[at] = is_right[at] and common[at] == 1
        return cls(is_right, common)

    def errors(self, texts: AlignedTexts, edges: IntArray) -> tuple[IntArray, ...]:
        """Insertions, deletions and substitutions between some numbers of gold words.

        Neighbouring blocks of a line that are wrong make a stretch. The slow twin is
        `errors_of_a_line` of tests/tasks/text/test_word_errors.py.
        """
        wrong = np.flatnonzero(~self.is_right)  # the numbers of blocks, in order
        first = texts.tokens.gold[wrong]
        line = np.searchsorted(texts.gold.sentence_ends, first, side="right")
        is_new = (np.diff(wrong, prepend=-2) > 1) | (np.diff(line, prepend=-1) > 0)
        begins = np.flatnonzero(is_new)  # (stretches,) the first of the wrong blocks of each
        ours, theirs = (
            np.add.reduceat((each - self.common)[wrong], begins) if wrong.size else wrong
            for each in texts.tokens.sizes
        )
        part = np.searchsorted(edges, first[begins], side="right") - 1
        part = np.minimum(part, edges.size - 2)
        each = ours - theirs, theirs - ours, np.minimum(ours, theirs)
        return tuple(
            np.bincount(part, np.maximum(size, 0), edges.size - 1).astype(np.int64) for size in each
        )

    def right_words(self, texts: AlignedTexts) -> BoolArray:
        """Which gold words are right."""
        found = np.repeat(self.is_right, texts.tokens.sizes[1])
        for at in np.flatnonzero(self.common).tolist():
            first = int(texts.tokens.gold[at])
            own = _in_common(*texts.units(at))
            found[first : first + own.size] = own
        return found


def _in_common(ours: list[str], theirs: list[str]) -> BoolArray:
    """Which of the second words are in the longest common subsequence."""
    from rapidfuzz.distance import LCSseq

    found = np.zeros(len(theirs), np.bool_)
    for tag, _, _, start, stop in LCSseq.opcodes(ours, theirs):
        found[start:stop] = tag == "equal"
    return found


def is_known(text: Text, dictionary: Collection[str]) -> BoolArray:
    """Which words of a text are in a dictionary."""
    words, known = text.tokens(0, text.token_ends.size), frozenset(dictionary)
    return np.array([word in known for word in words], np.bool_)
