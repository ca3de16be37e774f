"""What evalb counts: of each line, and of all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from caesura.core.counts import Counts, Matches, ratio
from caesura.core.segmentation import BoolArray, IntArray
from caesura.tasks.trees.measures import BracketCounts

VALID, ERROR, SKIP = range(3)
"""How a line ended; evalb prints these numbers."""


@dataclass(frozen=True, slots=True)
class EvalbCounts(Counts):
    """Lines: all, errors, skipped; and what counts in those of up to as many words as the cutoff.

    The figures of brackets and words are those of valid lines.
    """

    sentences: int
    errors: int
    skipped: int
    short_sentences: int
    short_errors: int
    short_skipped: int
    short_tp: int
    short_system: int
    short_gold: int
    short_crossing: int
    short_without_crossing: int
    short_few_crossing: int
    short_complete: int
    short_words: int
    short_tags: int

    @property
    def short(self) -> Matches:
        """Brackets of short sentences."""
        return Matches.from_totals(self.short_tp, self.short_system, self.short_gold)

    @property
    def valid(self) -> int:
        """Sentences that count."""
        return self.sentences - self.errors - self.skipped

    @property
    def short_valid(self) -> int:
        """Short sentences that count."""
        return self.short_sentences - self.short_errors - self.short_skipped

    @property
    def short_tag_accuracy(self) -> float:
        """Right tags / words of short sentences."""
        return ratio(self.short_tags, self.short_words)

    @property
    def short_complete_share(self) -> float:
        """The share of short sentences with the same brackets."""
        return ratio(self.short_complete, self.short_valid)


@dataclass(frozen=True, slots=True)
class LineCounts:
    """What evalb prints of each line, and how many brackets match without their labels."""

    status: IntArray
    length: IntArray
    tp: IntArray
    gold: IntArray
    system: IntArray
    crossing: IntArray
    words: IntArray
    tags: IntArray
    unlabelled: IntArray

    def rows(self) -> tuple[tuple[int, ...], ...]:
        """What evalb prints of each line."""
        columns = (
            self.length, self.status, self.tp, self.gold, self.system, self.crossing, self.words,
            self.tags,
        )  # fmt: skip
        return tuple(map(tuple, np.stack(columns).T.tolist()))

    def part(self, start: int, stop: int) -> LineCounts:
        """Some of the lines."""
        return LineCounts(*(getattr(self, name)[start:stop] for name in self.__slots__))

    @property
    def is_valid(self) -> BoolArray:
        """Which lines count."""
        valid: BoolArray = self.status == VALID
        return valid

    def brackets(self) -> BracketCounts:
        """The counts of all lines; lines that do not count have zeros."""
        valid = int(np.count_nonzero(self.is_valid))
        tp, gold, system = (int(each.sum()) for each in (self.tp, self.gold, self.system))
        words, crossing = int(self.words.sum()), int(self.crossing.sum())
        return BracketCounts(
            *(tp, system, gold),
            *(int(self.unlabelled.sum()), system, gold),
            *(int(self.tags.sum()), words, words),
            *(crossing, crossing, valid, *self._sentences(self.is_valid)),
            valid,
        )

    def lines(self, cutoff: int) -> EvalbCounts:
        """How lines ended, and the figures of those that are not longer than the cutoff."""
        short = self.length <= cutoff
        own = self.is_valid & short
        figures = self.tp, self.system, self.gold, self.crossing, self.words, self.tags
        tp, system, gold, crossing, words, tags = (int(each[own].sum()) for each in figures)
        return EvalbCounts(
            *(*self._ends(np.ones_like(short)), *self._ends(short)),
            *(tp, system, gold, crossing, *self._sentences(own), words, tags),
        )

    def _ends(self, which: BoolArray) -> tuple[int, int, int]:
        status = self.status[which]
        return (
            status.size,
            int(np.count_nonzero(status == ERROR)),
            int(np.count_nonzero(status == SKIP)),
        )

    def _sentences(self, which: BoolArray) -> tuple[int, int, int]:
        """The lines without crossing, with two or less, and with the same brackets."""
        is_complete = (self.tp == self.gold) & (self.tp == self.system)
        sentences = (self.crossing == 0, self.crossing <= 2, is_complete)
        none, few, complete = (int(np.count_nonzero(each & which)) for each in sentences)
        return none, few, complete
