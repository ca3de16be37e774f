"""Brackets, tags and crossing of constituency trees: their counts, by block, and the measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.counts import Counts, Matches, ratio
from caesura.core.measure import GroupMeasure, Measure
from caesura.core.score import Score, View, matches, tallies
from caesura.core.segmentation import IntArray
from caesura.measures.breakdown import BreakdownCounts, most_frequent
from caesura.measures.joint import JointCounts
from caesura.tasks.trees.brackets import MatchedTrees, TreeAlgorithm, match
from caesura.tasks.trees.format import Trees

LENGTHS = (10, 20, 30, 40)
"""The most tokens of the gold sentences that are scored together, where they are 1:1."""
LENGTH_NAMES = ("1–10", "11–20", "21–30", "31–40", "over 40", "not 1:1")
MAIN: tuple[View, ...] = ("compare", "headline", "correlate")
TALLIES = {
    "tp": ("TP", "Those that both sides have."),
    "fp": ("FP", "Those that only the system has."),
    "fn": ("FN", "Those that only the gold has."),
}
_INT: Any = np.int32


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


def count_blocks(
    matched: MatchedTrees, edges: tuple[IntArray, IntArray] | None = None
) -> tuple[list[BracketCounts], list[BreakdownCounts], list[JointCounts]]:
    """Count the blocks between sentences of the system and of the gold, or all as one.

    The joint counts are those of sentences without tokens.
    """
    ours, theirs = matched.ours, matched.theirs
    our_ends, their_ends = ours.trees.text.sentence_ends, theirs.trees.text.sentence_ends
    our_edges, their_edges = edges or (np.array([0, our_ends.size]), np.array([0, their_ends.size]))

    # (sentences,) what each sentence has, of the system and of the gold
    brackets, crossing = (
        np.bincount(ours.sentence[which], minlength=our_ends.size)
        for which in (slice(None), matched.is_crossing)
    )
    wanted, right, right_unlabelled = (
        np.bincount(theirs.sentence[which], minlength=their_ends.size)
        for which in (slice(None), matched.labelled.theirs, matched.unlabelled.theirs)
    )
    right_tags = _sums(matched.tags.theirs, np.append(0, their_ends))
    sentences = matched.texts.sentences
    pairs = np.flatnonzero(sentences.is_one_to_one)
    mine, yours = sentences.system[pairs], sentences.gold[pairs]
    paired_crossing = np.zeros_like(crossing)
    paired_crossing[mine] = crossing[mine]
    is_complete = (right[yours] == brackets[mine]) & (right[yours] == wanted[yours])
    paired = np.zeros((4, their_ends.size), np.bool_)  # all, without crossing, with few, complete
    paired[0, yours], paired[3, yours] = True, is_complete
    paired[1, yours], paired[2, yours] = crossing[mine] == 0, crossing[mine] <= 2

    # (blocks,) the same of the sentences of each block
    brackets, crossing, paired_crossing, tokens = (
        _sums(values, our_edges)
        for values in (brackets, crossing, paired_crossing, np.diff(our_ends, prepend=0))
    )
    wanted, right, right_unlabelled, right_tags, wanted_tokens, *of_pairs = (
        _sums(values, their_edges)
        for values in (
            wanted, right, right_unlabelled, right_tags, np.diff(their_ends, prepend=0), *paired
        )
    )  # fmt: skip
    both_empty = _places_between(matched.both_empty, their_edges)
    our_empty = _places_between(ours.trees.empty, our_edges)
    their_empty = _places_between(theirs.trees.empty, their_edges)
    columns = [
        right, brackets, wanted, right_unlabelled, brackets, wanted,
        right_tags, tokens, wanted_tokens, crossing, paired_crossing,
        *(number + both_empty for number in of_pairs), np.diff(their_edges) + their_empty,
    ]  # fmt: skip
    counts = [BracketCounts(*row) for row in np.stack(columns).T.tolist()]
    empties = np.stack([both_empty, our_empty, their_empty]).T.tolist()
    joints = [JointCounts(*row, *[0] * 6) for row in empties]
    return counts, _breakdowns_of(matched, our_edges, their_edges), joints


def _sums(values: Numeric, edges: IntArray) -> IntArray:
    """The sums of values between neighbouring edges."""
    return np.diff(np.append(0, np.cumsum(values, dtype=np.int64))[edges])


def _places_between(places: IntArray, edges: IntArray) -> IntArray:
    """How many places lie between neighbouring edges; those at the end are the last's."""
    block = np.searchsorted(edges[1:-1], places, side="right")
    return np.bincount(block, minlength=edges.size - 1)


def _breakdowns_of(
    matched: MatchedTrees, our_edges: IntArray, their_edges: IntArray
) -> list[BreakdownCounts]:
    """Brackets of each block by label, and by length of the gold sentence."""
    blocks = matched.texts.sentences
    # A block at the end may have no gold sentence: its size is 0, and it is not 1:1.
    tokens = np.append(np.diff(matched.theirs.trees.text.sentence_ends, prepend=0), 0)
    lengths = np.searchsorted(LENGTHS, tokens[blocks.gold[:-1]])
    lengths[~blocks.is_one_to_one] = len(LENGTHS) + 1
    columns = []
    for side, edges, sizes in (
        (matched.ours, our_edges, blocks.sizes[0]), (matched.theirs, their_edges, blocks.sizes[1]),
    ):  # fmt: skip
        block = np.repeat(np.arange(edges.size - 1, dtype=_INT), np.diff(edges))  # (sentences,)
        length = np.repeat(lengths.astype(_INT), sizes)  # (sentences,)
        columns.append((block[side.sentence], side.label, length[side.sentence]))
    ours, theirs = columns
    right = [column[matched.labelled.theirs] for column in theirs]
    return breakdowns(matched.names, (right, ours, theirs), our_edges.size - 1)


def breakdowns(
    names: tuple[str, ...], sides: Sequence[Sequence[IntArray]], number: int
) -> list[BreakdownCounts]:
    """Brackets of each block by label and by length of the sentence.

    `sides` are the brackets that are right, the system's and the gold's: the block, the label and
    the group of lengths of each.
    """
    groups: list[list[Any]] = [[] for _ in range(number)]
    for kind, labels, column in (("label", names, 1), ("length", LENGTH_NAMES, 2)):
        size = len(labels)
        tables = [  # (blocks, labels)
            np.bincount(side[0] * np.int64(size) + side[column], minlength=number * size).reshape(
                number, size
            )
            for side in sides
        ]
        for block, label in np.argwhere(sum(tables)).tolist():
            counts = (int(table[block, label]) for table in tables)
            groups[block].append((kind, labels[label], *counts))
    return [BreakdownCounts.zero() + BreakdownCounts(tuple(group)) for group in groups]


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
        return count_blocks(match(system, gold, self.algorithm))[0][0]


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
        return count_blocks(match(system, gold, self.algorithm))[1][0]
