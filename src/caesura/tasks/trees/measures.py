"""Brackets of constituency trees, even if tokens and sentences differ.

Jo, Park & Park (2024), A novel alignment-based approach for PARSEVAL measures. A bracket is a label
and two edges. Both texts are put on one axis of characters; edges that are the same point there are
equal, however the text between them is cut into tokens and sentences. Brackets match one to one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.counts import Counts, Matches, ratio
from caesura.core.measure import GroupMeasure, Measure
from caesura.core.score import Score, View, matches, tallies
from caesura.core.segmentation import BoolArray, IntArray
from caesura.measures.breakdown import BreakdownCounts, most_frequent
from caesura.tasks.trees.constituents import AlignedTrees, Placed, TreeAlgorithm
from caesura.tasks.trees.data import Trees

LENGTHS = (10, 20, 30, 40)
"""The most tokens of the gold sentences that are scored together, where they are 1:1."""
LENGTH_NAMES = ("1–10", "11–20", "21–30", "31–40", "over 40", "not 1:1")
MAIN: tuple[View, ...] = ("compare", "headline", "correlate")
TALLIES = {
    "tp": ("TP", "Those that both sides have."),
    "fp": ("FP", "Those that only the system has."),
    "fn": ("FN", "Those that only the gold has."),
}


@dataclass(frozen=True, slots=True)
class BracketCounts(Counts):
    """Brackets, with and without labels, and tags: right, of the system, of the gold.

    `crossing` are the system's brackets that cross one of the gold's, `paired_crossing` those in
    sentences that are 1:1; `paired` are these, `without_crossing` and `few_crossing` those
    of them with none and with two or less, `complete` those with the same brackets; `sentences` are
    the gold's.
    """

    bracket_tp: int
    bracket_system: int
    bracket_gold: int
    unlabelled_tp: int
    unlabelled_system: int
    unlabelled_gold: int
    tag_tp: int
    tag_system: int
    tag_gold: int
    crossing: int
    paired_crossing: int
    paired: int
    without_crossing: int
    few_crossing: int
    complete: int
    sentences: int

    @property
    def brackets(self) -> Matches:
        """Brackets with the same edges and the same label."""
        return Matches.from_totals(self.bracket_tp, self.bracket_system, self.bracket_gold)

    @property
    def unlabelled(self) -> Matches:
        """Brackets with the same edges."""
        return Matches.from_totals(self.unlabelled_tp, self.unlabelled_system, self.unlabelled_gold)

    @property
    def tags(self) -> Matches:
        """Tokens with the same edges and the same tag."""
        return Matches.from_totals(self.tag_tp, self.tag_system, self.tag_gold)

    @property
    def crossing_mean(self) -> float:
        """Crossing brackets per sentence that is 1:1."""
        return ratio(self.paired_crossing, self.paired)

    @property
    def crossing_none(self) -> float:
        """The share of 1:1 sentences without crossing brackets."""
        return ratio(self.without_crossing, self.paired)

    @property
    def crossing_two_or_less(self) -> float:
        """The share of 1:1 sentences with two crossing brackets or less."""
        return ratio(self.few_crossing, self.paired)

    @property
    def complete_share(self) -> float:
        """The share of gold sentences that are complete."""
        return ratio(self.complete, self.sentences)

    @property
    def score(self) -> float:
        """F1 of the brackets."""
        return self.brackets.f1


@dataclass(frozen=True, slots=True)
class Brackets(Measure):
    """Precision, recall and F1 of brackets, with and without labels, and of tags."""

    name: ClassVar[str] = "brackets"
    kind: ClassVar[str] = "trees"
    counts: ClassVar[type[Counts]] = BracketCounts
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "labels": ("cut", "full"),
        "algorithm": ("blocks", "jp"),
    }
    scores: ClassVar[tuple[Score, ...]] = (
        *tallies("brackets", "bracket", TALLIES, views=("unit",)),
        *matches("brackets", "bracket", "brackets", views=("unit",), f1_views=MAIN),
        *tallies("unlabelled", "unlabelled", TALLIES, views=("unit",)),
        *matches("unlabelled", "unlabelled", "brackets without labels", views=("unit",),
                 f1_views=("compare",)),
        *tallies("tags", "tag", TALLIES, views=("unit",)),
        *matches("tags", "tag", "tags", views=("unit",), f1_views=("compare",)),
        Score("tag_accuracy", "tag accuracy", "Right tags / gold tokens.", views=("other",),
              take="tags.recall", group="tags", short="accuracy"),
        Score("complete_sentences", "complete", "1:1 sentences with the same brackets.", None,
              take="complete", group="complete", short="sentences", is_count=True),
        Score("complete_share", "complete", "1:1 sentences with the same brackets / gold "
              "sentences.", views=("other", "compare"), group="complete", short="share"),
        Score("crossing_brackets", "crossing brackets", "System brackets that cross a gold "
              "bracket.", None, ("other",), take="crossing", heading="crossing",
              group="crossing", short="brackets", is_count=True),
        Score("crossing_mean", "crossing per sentence", "Crossing brackets of 1:1 sentences / "
              "1:1 sentences.", "low", ("other",), heading="per sentence", group="crossing",
              short="mean"),
        Score("crossing_none", "no crossing", "1:1 sentences without crossing brackets / 1:1 "
              "sentences.", views=("other",), group="crossing", short="none"),
        Score("crossing_two_or_less", "two crossing or less", "1:1 sentences with at most two "
              "crossing brackets / 1:1 sentences.", views=("other",), heading="≤ 2",
              group="crossing", short="two_or_less"),
    )  # fmt: skip

    labels: str = "cut"
    keep_empty: bool = False
    algorithm: TreeAlgorithm = "blocks"
    evalb: str = "none"

    def count(self, system: Trees, gold: Trees) -> BracketCounts:
        """Count one system's trees against the gold trees."""
        aligned = AlignedTrees.from_trees(system, gold, self.algorithm)
        return count_parts(aligned, *whole(aligned))[0]


def whole(aligned: AlignedTrees) -> tuple[IntArray, IntArray]:
    """All sentences of both sides as one part."""
    sizes = (each.text.sentence_ends.size for each in (aligned.system, aligned.gold))
    ours, theirs = (np.array([0, size]) for size in sizes)
    return ours, theirs


def count_parts(
    aligned: AlignedTrees, ours_at: IntArray, theirs_at: IntArray
) -> list[BracketCounts]:
    """Count between neighbouring points, which are numbers of sentences on both sides."""
    ours, theirs = aligned.ours, aligned.theirs
    mine, yours = _Sums.from_side(ours, ours_at), _Sums.from_side(theirs, theirs_at)
    labelled, unlabelled = aligned.labelled, aligned.unlabelled
    both_empty, _, empty = aligned.empty(ours_at, theirs_at)
    columns = [
        yours.brackets(labelled.theirs),
        mine.brackets(),
        yours.brackets(),
        yours.brackets(unlabelled.theirs),
        mine.brackets(),
        yours.brackets(),
        yours.tokens(aligned.tags.theirs),
        mine.tokens(),
        yours.tokens(),
        mine.brackets(aligned.is_crossing),
        mine.brackets(aligned.is_crossing & _is_paired(aligned)[ours.sentence]),
        *(yours.sentences(each) + both_empty for each in _of_sentences(aligned)),
        np.diff(theirs_at) + empty,
    ]
    return [BracketCounts(*row) for row in np.stack(columns).T.tolist()]


@dataclass(frozen=True, slots=True)
class _Sums:
    """How much there is in each part of a side: of its brackets, tokens and sentences."""

    side: Placed
    points: IntArray
    tokens_at: IntArray

    @classmethod
    def from_side(cls, side: Placed, points: IntArray) -> _Sums:
        ends = np.append(0, side.trees.text.sentence_ends)
        return cls(side, points, ends[points])

    def brackets(self, which: object = None) -> IntArray:
        """How many of some brackets, or of all, lie in each part."""
        at = np.searchsorted(self.side.trees.brackets.first, self.tokens_at)
        return np.diff(at) if which is None else _between(which, at)

    def tokens(self, which: object = None) -> IntArray:
        """How many of some tokens, or of all, lie in each part."""
        return np.diff(self.tokens_at) if which is None else _between(which, self.tokens_at)

    def sentences(self, numbers: IntArray) -> IntArray:
        """How many of some sentences, which are in order, lie in each part."""
        return np.diff(np.searchsorted(numbers, self.points))


def _between(which: Numeric, at: IntArray) -> IntArray:
    """How often something holds between neighbouring places."""
    found: IntArray = np.diff(np.append(0, np.cumsum(which, dtype=np.int64))[at])
    return found


def _of_sentences(aligned: AlignedTrees) -> list[IntArray]:
    """The gold sentences that are 1:1, and those of them without crossing, with few, complete."""
    blocks = aligned.texts.sentences
    pairs = np.flatnonzero(blocks.is_one_to_one)
    mine, yours = blocks.system[pairs], blocks.gold[pairs]
    ours, theirs = aligned.ours, aligned.theirs
    crossing = _by_sentence(ours, aligned.is_crossing)[mine]
    right = _by_sentence(theirs, aligned.labelled.theirs)[yours]
    every = np.ones(ours.label.size, np.bool_), np.ones(theirs.label.size, np.bool_)
    is_complete = (right == _by_sentence(ours, every[0])[mine]) & (
        right == _by_sentence(theirs, every[1])[yours]
    )
    return [yours, yours[crossing == 0], yours[crossing <= 2], yours[is_complete]]


def _is_paired(aligned: AlignedTrees) -> BoolArray:
    """Which of the system's sentences are 1:1."""
    blocks = aligned.texts.sentences
    paired = np.zeros(aligned.system.text.sentence_ends.size, np.bool_)
    paired[blocks.system[:-1][blocks.is_one_to_one]] = True
    return paired


def _by_sentence(side: Placed, which: Numeric) -> IntArray:
    """How many of some brackets each sentence has."""
    sentences = side.trees.text.sentence_ends.size
    return np.bincount(side.sentence[which], minlength=sentences)


@dataclass(frozen=True, slots=True)
class Breakdown(GroupMeasure):
    """Brackets by label, and by length of the gold sentence."""

    name: ClassVar[str] = "breakdown"
    kind: ClassVar[str] = "trees"
    counts: ClassVar[type[Counts]] = BreakdownCounts
    choices: ClassVar[dict[str, tuple[str, ...]]] = Brackets.choices
    titles: ClassVar[Mapping[str, str]] = {
        "label": "Brackets by label",
        "length": "Brackets by length of the gold sentence",
    }
    of_group: ClassVar[tuple[Score, ...]] = (
        Score("tp", "TP", "Brackets that both sides have.", None, is_count=True),
        Score("fp", "FP", "Brackets that only the system has.", None, is_count=True),
        Score("fn", "FN", "Brackets that only the gold has.", None, is_count=True),
        Score("precision", "P", "TP / (TP + FP)."),
        Score("recall", "R", "TP / (TP + FN)."),
        Score("f1", "F1", "2·TP / (2·TP + FP + FN)."),
    )  # fmt: skip

    labels: str = "cut"
    keep_empty: bool = False
    algorithm: TreeAlgorithm = "blocks"

    @classmethod
    def groups(cls, counts: BreakdownCounts) -> dict[str, dict[str, Matches]]:
        """Brackets by label, the most frequent first, and by length."""
        lengths = counts.of("length")
        by_length = {name: lengths[name] for name in LENGTH_NAMES if name in lengths}
        return {"label": most_frequent(counts.of("label")), "length": by_length}

    def count(self, system: Trees, gold: Trees) -> BreakdownCounts:
        """Count one system's trees against the gold trees."""
        aligned = AlignedTrees.from_trees(system, gold, self.algorithm)
        return count_breakdown(aligned, *whole(aligned))[0]


def count_breakdown(
    aligned: AlignedTrees, ours_at: IntArray, theirs_at: IntArray
) -> list[BreakdownCounts]:
    """Count between neighbouring points, which are numbers of sentences on both sides."""
    ours, theirs = aligned.ours, aligned.theirs
    lengths = _length_of_brackets(aligned)
    right = aligned.labelled.theirs
    parts = (
        np.searchsorted(theirs_at, theirs.sentence[right], side="right") - 1,
        np.searchsorted(ours_at, ours.sentence, side="right") - 1,
        np.searchsorted(theirs_at, theirs.sentence, side="right") - 1,
    )
    labels = theirs.label[right], ours.label, theirs.label
    groups = lengths[1][right], *lengths
    number = ours_at.size - 1
    by_label = [
        _tables(*each, len(aligned.names), number) for each in zip(labels, parts, strict=True)
    ]
    by_length = [
        _tables(*each, len(LENGTH_NAMES), number) for each in zip(groups, parts, strict=True)
    ]
    return [
        BreakdownCounts.zero()
        + BreakdownCounts(
            (
                *breakdown("label", aligned.names, *(table[at] for table in by_label)),
                *breakdown("length", LENGTH_NAMES, *(table[at] for table in by_length)),
            )
        )
        for at in range(number)
    ]


def _tables(numbers: IntArray, parts: IntArray, size: int, number: int) -> IntArray:
    """How often each number occurs in each part."""
    return np.bincount(parts * size + numbers, minlength=size * number).reshape(number, size)


def breakdown(
    kind: str, names: tuple[str, ...], right: IntArray, system: IntArray, gold: IntArray
) -> list[tuple[str, str, int, int, int]]:
    """How often each name occurs among the right, the system's and the gold's brackets."""
    there = np.flatnonzero(right + system + gold).tolist()
    columns = (right.tolist(), system.tolist(), gold.tolist())
    return [(kind, names[at], *(column[at] for column in columns)) for at in there]


def _length_of_brackets(aligned: AlignedTrees) -> tuple[IntArray, IntArray]:
    """The group of lengths of each bracket, by its sentence: the system's and the gold's."""
    blocks = aligned.texts.sentences
    # A block at the end may have no gold sentence: its size is 0, and it is not 1:1.
    sizes = np.append(np.diff(aligned.gold.text.sentence_ends, prepend=0), 0)
    group = length_groups(sizes[blocks.gold[:-1]])
    group[~blocks.is_one_to_one] = len(LENGTHS) + 1
    sides = (aligned.ours, blocks.system), (aligned.theirs, blocks.gold)
    ours, theirs = (
        group[np.searchsorted(edges, side.sentence, side="right") - 1] for side, edges in sides
    )
    return ours, theirs


def length_groups(words: IntArray) -> IntArray:
    """The groups of lengths that sentences of some sizes belong to."""
    return np.searchsorted(LENGTHS, words)


def length_group(words: int) -> int:
    """The group of a sentence."""
    return bisect_left(LENGTHS, words)
