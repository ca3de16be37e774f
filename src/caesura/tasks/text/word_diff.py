"""Words of one segmentation against another as SIGHAN's `score` counts them, with GNU `diff`.

Sproat and Emerson (2003), The first international Chinese word segmentation bakeoff. The program
compares the words of one line with those of the same line of the gold, whatever their places are.
It takes the marks in the margin of `diff -y` for errors, and so it does a word `|`, `<` or `>`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from caesura.core.counts import Counts, harmonic, ratio
from caesura.core.measure import Measure
from caesura.core.score import Better, Score, View
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.measures.joint import AlignedTexts
from caesura.tasks.text.gnu_diff import differences, hunks
from caesura.tasks.text.word_errors import WordErrorCounts, is_known

VIEWS: tuple[View, ...] = ("other",)
INSERTION, DELETION, SUBSTITUTION = range(3)
MARGIN = {">": INSERTION, "<": DELETION, "|": SUBSTITUTION}
"""The marks that `diff -y` writes between two columns."""


@dataclass(frozen=True, slots=True)
class WordDiffCounts(WordErrorCounts):
    """Errors and known words; and the words of both sides, and those of them that are right."""

    gold: int
    gold_right: int
    system: int
    system_right: int

    @property
    def precision(self) -> float:
        """Words that are right / words."""
        return ratio(self.system_right, self.system)

    @property
    def recall(self) -> float:
        """Gold words that are right / gold words."""
        return ratio(self.gold_right, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return harmonic(self.precision, self.recall)

    @property
    def score(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.f1


def _score(name: str, label: str, what: str, better: Better = "high") -> Score:
    is_count = better is None
    return Score(
        f"diff_{name}", f"{label} (diff)", what, better, VIEWS, take=name, heading=label,
        group="diff", short=name, is_count=is_count,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class WordDiff(Measure):
    """Precision, recall, F1 and errors of words, and recall of known ones, as `diff` finds them."""

    name: ClassVar[str] = "diff"
    kind: ClassVar[str] = "lexicon"
    counts: ClassVar[type[Counts]] = WordDiffCounts
    is_optional: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        _score("precision", "P", "Words that diff finds in the gold line / words."),
        _score("recall", "R", "Gold words that diff finds in the system's line / gold words."),
        _score("f1", "F1", "Harmonic mean of both."),
        _score("insertions", "ins", "Words of diff's hunks too many for the gold.", None),
        _score("deletions", "del", "Gold words of diff's hunks too many for the system.", None),
        _score("substitutions", "sub", "Words of diff's hunks with one beside them.", None),
        _score("oov_recall", "OOV recall", "Right ones / gold words that the dictionary lacks."),
        _score("iv_recall", "IV recall", "Right ones / gold words in the dictionary."),
    )

    def count(
        self, texts: AlignedTexts, dictionary: Collection[str] | None = None
    ) -> WordDiffCounts:
        """Count two texts, line by line."""
        ends = texts.system.sentence_ends.size, texts.gold.sentence_ends.size
        points = [np.array([0, end]) for end in ends]
        return self.count_parts(texts, (points[0], points[1]), dictionary)[0]

    @staticmethod
    def count_parts(
        texts: AlignedTexts,
        points: tuple[IntArray, IntArray],
        dictionary: Collection[str] | None = None,
    ) -> list[WordDiffCounts]:
        """Count between neighbouring points, of which those of the gold choose its lines."""
        known = None if dictionary is None else is_known(texts.gold, dictionary)
        rows = np.zeros((texts.gold.sentence_ends.size + 1, 11), np.int64)  # after each gold line
        for at, words, ours in _paired_lines(texts.system, texts.gold):
            line = _WordLine.from_words(words, ours)
            rows[at + 1] = line.row(None if known is None else known[_span(texts.gold, at)])
        sums = np.diff(np.cumsum(rows, axis=0)[points[1]], axis=0)
        return [WordDiffCounts(*row) for row in sums.tolist()]


@dataclass(frozen=True, slots=True)
class _WordLine:
    """What `diff` says of one line: errors of each kind, and the words that are not right."""

    errors: tuple[int, int, int]
    missed: list[bool]
    wrong: list[bool]

    @classmethod
    def from_words(cls, gold: list[str], system: list[str]) -> _WordLine:
        missed, wrong = differences(gold, system)
        errors = [0, 0, 0]
        for theirs, ours in hunks(missed, wrong):
            pairs = min(len(theirs), len(ours))
            errors[SUBSTITUTION] += pairs
            errors[DELETION] += len(theirs) - pairs
            for at in ours[pairs:]:
                errors[SUBSTITUTION if system[at] == "|" else INSERTION] += 1
        return cls((errors[0], errors[1], errors[2]), missed, wrong)._with_margin(gold)

    def _with_margin(self, gold: list[str]) -> _WordLine:
        """Take words that look like marks of the margin for errors, though they are right."""
        errors, missed = list(self.errors), list(self.missed)
        for at, word in enumerate(gold):
            if word in MARGIN and not missed[at]:
                errors[MARGIN[word]] += 1
                missed[at] = True
        return replace(self, errors=(errors[0], errors[1], errors[2]), missed=missed)

    def row(self, known: Collection[bool] | None) -> list[int]:
        """The counts of the line, in the order of `WordDiffCounts`."""
        words = [0] * 4
        if known is not None:
            for is_iv, is_missed in zip(known, self.missed, strict=True):
                words[2 * is_iv] += 1
                words[2 * is_iv + 1] += not is_missed
        totals = [
            len(self.missed),
            self.missed.count(False),
            len(self.wrong),
            self.wrong.count(False),
        ]
        return [*self.errors, *words, *totals]


def _paired_lines(system: Text, gold: Text) -> Iterator[tuple[int, list[str], list[str]]]:
    """The words of gold lines and of the system's with the same number, up to the shorter end."""
    ours = {int(line): at for at, line in enumerate(system.lines.tolist())}
    last = max(ours, default=0)
    for at, line in enumerate(gold.lines.tolist()):
        if line <= last:
            words = system.tokens(*_edges(system, ours[line])) if line in ours else []
            yield at, gold.tokens(*_edges(gold, at)), words


def _edges(text: Text, sentence: int) -> tuple[int, int]:
    ends = text.sentence_ends
    return int(ends[sentence - 1]) if sentence else 0, int(ends[sentence])


def _span(text: Text, sentence: int) -> slice:
    return slice(*_edges(text, sentence))
