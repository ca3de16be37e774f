"""Tokens and sentences evaluated jointly, by alignment: the jp-algorithm made exact.

Jo et al. (2024), An untold story of preprocessing task evaluation: units on both sides are merged
until their characters match again. Here two streams of characters are aligned; a point is
one where both are at the same place of an equal run; blocks lie between neighbouring points at
which units end on both sides. A sentence is right if its block is 1:1, a token if its block is 1:1
with equal characters; in a block whose characters differ, the longest common subsequence of the
tokens is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np

from caesura.align.characters import Runs, equal_runs, precedes, slide
from caesura.align.points import offsets_after, shared_spans, sync_points, within_runs
from caesura.align.wholes import keep_whole
from caesura.core.counts import NAN, Counts, Matches, ratio
from caesura.core.measure import Measure
from caesura.core.score import Score, matches, tallies
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Text
from caesura.errors import UsageError, number

LARGEST = 10**11
"""The most pairs of tokens that are compared, which takes about 20 seconds."""
TALLIES = {
    "tp": ("TP", "Units that are right."),
    "fp": ("FP", "Units of the system that are wrong."),
    "fn": ("FN", "Units of the gold that are missing."),
}


@dataclass(frozen=True, slots=True)
class JointCounts(Counts):
    """Right, system and gold sentences and tokens, and how many characters are aligned."""

    sentence_tp: int
    sentence_system: int
    sentence_gold: int
    token_tp: int
    token_system: int
    token_gold: int
    aligned: int
    characters_system: int
    characters_gold: int

    @property
    def sentences(self) -> Matches:
        """Sentences that are right, too many, missing."""
        return Matches.from_totals(self.sentence_tp, self.sentence_system, self.sentence_gold)

    @property
    def tokens(self) -> Matches:
        """Tokens that are right, too many, missing."""
        return Matches.from_totals(self.token_tp, self.token_system, self.token_gold)

    @property
    def known_tokens(self) -> Matches:
        """The same counts, undefined of a system that places sentences only; they may be arrays."""
        tokens = self.token_system + self.token_gold
        is_unknown = (tokens == 0) & (self.sentence_system + self.sentence_gold > 0)
        if not np.any(is_unknown):
            return self.tokens
        counts = self.tokens.tp, self.tokens.fp, self.tokens.fn
        known: list[Any] = [np.where(is_unknown, NAN, np.asarray(n, object)) for n in counts]
        tp, fp, fn = (each[()] for each in known)  # a number, of no dimension
        return Matches(tp, fp, fn)

    def without_tokens(self) -> JointCounts:
        """The same of a system that places sentences only."""
        return replace(self, token_tp=0, token_system=0, token_gold=0)

    @property
    def aligned_share(self) -> float:
        """The share of both sides' characters that are aligned."""
        return ratio(2 * self.aligned, self.characters_system + self.characters_gold)


@dataclass(frozen=True, slots=True)
class Blocks:
    """Units between neighbouring sync points: where each block begins and ends, on both sides."""

    system: IntArray
    gold: IntArray

    @property
    def sizes(self) -> tuple[IntArray, IntArray]:
        """How many units each block has, of the system and of the gold."""
        return np.diff(self.system), np.diff(self.gold)

    @property
    def is_one_to_one(self) -> BoolArray:
        """Which blocks have one unit on each side."""
        system, gold = self.sizes
        result: BoolArray = (system == 1) & (gold == 1)
        return result


@dataclass(frozen=True, slots=True)
class Joint(Measure):
    """Precision, recall and F1 of tokens and sentences, even if the characters differ.

    `equivalences` and `normalize` are how the texts were read.
    """

    name: ClassVar[str] = "joint"
    kind: ClassVar[str] = "text"
    counts: ClassVar[type[Counts]] = JointCounts
    scores: ClassVar[tuple[Score, ...]] = (
        *tallies("sentences", "sentence", TALLIES, views=("unit",)),
        *matches("sentences", "sentence", "sentences", views=("unit",),
                 f1_views=("compare", "headline", "correlate")),
        *tallies("tokens", "token", TALLIES, views=("unit",), take="known_{group}.{name}"),
        *matches("tokens", "token", "tokens", views=("unit",),
                 f1_views=("compare", "headline", "correlate")),
        Score("aligned", "aligned", "Share of characters that are aligned.", None,
              take="aligned_share"),
    )  # fmt: skip

    algorithm: Literal["blocks", "literal"] = "blocks"
    equivalences: str = "quotes"
    normalize: str = "none"

    def count(self, system: Text, gold: Text) -> JointCounts:
        """Count one system's text against the gold text."""
        if self.algorithm != "literal":
            return AlignedTexts.from_texts(system, gold).counts
        sentence_tp, token_tp = literal_matches(system, gold)
        sentences = sentence_tp, system.sentence_ends.size, gold.sentence_ends.size
        tokens = token_tp, system.token_ends.size, gold.token_ends.size
        return JointCounts(*sentences, *tokens, 0, 0, 0)


@dataclass(frozen=True)
class AlignedTexts:
    """Two texts that are aligned; `runs` is None where their characters are the same."""

    system: Text
    gold: Text
    runs: Runs | None

    @classmethod
    def from_texts(cls, system: Text, gold: Text) -> AlignedTexts:
        """Align two texts; exchanging them exchanges the sides and changes no count."""
        if system.stream == gold.stream:
            return cls(system, gold, None)
        is_first = precedes(system, gold)
        a, b = (system, gold) if is_first else (gold, system)
        runs = keep_whole(slide(equal_runs(a.stream, b.stream), a, b), a, b)
        return cls(system, gold, runs if is_first else runs.exchanged)

    @property
    def counts(self) -> JointCounts:
        """What is right on the whole, and how much there is."""
        ours, theirs = self.system, self.gold
        sentences = self.right_sentences, ours.sentence_ends.size, theirs.sentence_ends.size
        tokens = self.right_tokens, ours.token_ends.size, theirs.token_ends.size
        characters = self.aligned, len(ours.stream), len(theirs.stream)
        return JointCounts(*sentences, *tokens, *characters)

    @cached_property
    def tokens(self) -> Blocks:
        """The blocks of tokens."""
        return Blocks(*sync_points(self.system.token_ends, self.gold.token_ends, self.runs))

    @cached_property
    def sentences(self) -> Blocks:
        """The blocks of sentences."""
        ours, theirs = self.system.sentence_offsets, self.gold.sentence_offsets
        return Blocks(*sync_points(ours, theirs, self.runs))

    @property
    def aligned(self) -> int:
        """How many characters of each side are aligned."""
        return len(self.gold.stream) if self.runs is None else self.runs.aligned

    @property
    def right_sentences(self) -> int:
        """The number of 1:1 blocks of sentences."""
        if self.runs is None:
            return shared_spans(self.system.sentence_offsets, self.gold.sentence_offsets)
        return int(np.count_nonzero(self.sentences.is_one_to_one))

    @property
    def right_tokens(self) -> int:
        """The number of 1:1 blocks of equal tokens, and what blocks that differ have in common."""
        if self.runs is None:
            return shared_spans(self.system.token_ends, self.gold.token_ends)
        simple, altered = self._within_runs
        # Two tokens of different lengths cannot be equal.
        (first, last), (begin, end) = (
            offsets_after(text.token_ends, altered[side::2])
            for side, text in enumerate((self.system, self.gold))
        )
        is_one = (altered[2:] - altered[:2] == 1).all(axis=0)
        likely = altered[:, ~(is_one & (last - first != end - begin))]
        return simple + sum(self._in_common(*block) for block in likely.T.tolist())

    @cached_property
    def _within_runs(self) -> tuple[int, IntArray]:
        if self.runs is None:
            return 0, np.empty((4, 0), dtype=np.int64)
        return within_runs(self.system.token_ends, self.gold.token_ends, self.runs)

    @cached_property
    def is_altered(self) -> BoolArray:
        """Which blocks of tokens do not lie within one run, so that characters may differ."""
        result = np.zeros(self.tokens.system.size - 1, dtype=np.bool_)
        begins = self._within_runs[1][:2].sum(axis=0)
        result[np.searchsorted(self.tokens.system + self.tokens.gold, begins)] = True
        return result

    def parts(self, points: IntArray) -> list[JointCounts]:
        """The counts between neighbouring points, which are numbers of sentence sync points."""
        ours, theirs = self.sentences.system[points], self.sentences.gold[points]
        tokens = (
            offsets_after(self.system.sentence_ends, ours),
            offsets_after(self.gold.sentence_ends, theirs),
        )
        between = np.searchsorted(self.tokens.system + self.tokens.gold, tokens[0] + tokens[1])
        right = self.tokens.is_one_to_one.astype(np.int64)
        for at in np.flatnonzero(self.is_altered).tolist():
            right[at] = self._in_common(*self._block(at))
        places = offsets_after(self.system.token_ends, tokens[0])
        edges = (
            _running(self.sentences.is_one_to_one)[points], ours, theirs,
            _running(right)[between], *tokens, self._aligned_before(places),
            places, offsets_after(self.gold.token_ends, tokens[1]),
        )  # fmt: skip
        return [JointCounts(*row) for row in np.diff(np.stack(edges)).T.tolist()]

    def _aligned_before(self, places: IntArray) -> IntArray:
        """How many characters before places of the system's stream are aligned."""
        if self.runs is None:
            return places
        runs = self.runs
        at = np.searchsorted(runs.a, places, side="right") - 1
        inside = np.where(at < 0, 0, np.clip(places - runs.a[at], 0, runs.length[at]))
        before: IntArray = _running(runs.length)[np.maximum(at, 0)] + inside
        return before

    def _block(self, number: int) -> list[int]:
        """Where a block begins, of the system's and of the gold's tokens, and where it ends."""
        edges = (side[number : number + 2] for side in (self.tokens.system, self.tokens.gold))
        return np.stack(tuple(edges), axis=1).ravel().tolist()

    def _in_common(self, first: int, other: int, stop: int, end: int) -> int:
        ours, theirs = self.system.tokens(first, stop), self.gold.tokens(other, end)
        if len(ours) <= 1 >= len(theirs):
            return int(ours == theirs)
        if len(ours) * len(theirs) > LARGEST:
            # Tokens that the other side lacks are in no common subsequence.
            shared = set(ours).intersection(theirs)
            ours, theirs = ([token for token in side if token in shared] for side in (ours, theirs))
        if len(ours) * len(theirs) <= LARGEST:
            from rapidfuzz.distance import LCSseq

            return int(LCSseq.similarity(ours, theirs))
        raise UsageError(
            f"{self.system.place(first)}: {number(stop - first, 'token')} cannot be aligned with "
            f"{number(end - other, 'token')} from {self.gold.place(other)} on, too many to compare "
            "one by one; check that both are the same text, or split them into documents"
        )

    def units(self, block: int) -> tuple[list[str], list[str]]:
        """The tokens of a block, the system's and the gold's."""
        first, other, stop, end = self._block(block)
        return self.system.tokens(first, stop), self.gold.tokens(other, end)


def _running(values: IntArray | BoolArray) -> IntArray:
    """The sums of the first none, one, two … values."""
    return np.append(0, np.cumsum(values))


def literal_matches(system: Text, gold: Text) -> tuple[int, int]:
    """Sentences and tokens that the paper's Algorithm 3, made to end, finds right.

    A block grows on the side that is shorter until the next pair of units is equal; tokens are
    aligned in the same way inside each block of sentences.
    """
    ours, theirs = _sentences(system), _sentences(gold)
    left, right = (["".join(tokens) for tokens in side] for side in (ours, theirs))
    sentences = tokens = 0
    for (i, to_i), (j, to_j), is_equal in _literal_blocks(left, right):
        sentences += is_equal
        mine = [token for sentence in ours[i:to_i] for token in sentence]
        yours = [token for sentence in theirs[j:to_j] for token in sentence]
        tokens += sum(equal for *_, equal in _literal_blocks(mine, yours))
    return sentences, tokens


def _sentences(text: Text) -> list[list[str]]:
    tokens = text.tokens(0, text.token_ends.size)
    return [tokens[a:b] for a, b in pairwise([0, *text.sentence_ends.tolist()])]


def _literal_blocks(
    left: list[str], right: list[str]
) -> Iterator[tuple[tuple[int, int], tuple[int, int], bool]]:
    i = j = 0
    while i < len(left) and j < len(right):
        is_equal, sizes = left[i] == right[j], [len(left[i]), len(right[j])]
        to_i, to_j = i + 1, j + 1
        # Grow the shorter side until the next pair is equal, or until there is nothing left.
        while not is_equal and left[to_i : to_i + 1] != right[to_j : to_j + 1]:
            if to_i < len(left) and (sizes[0] <= sizes[1] or to_j == len(right)):
                sizes[0] += len(left[to_i])
                to_i += 1
            else:
                sizes[1] += len(right[to_j])
                to_j += 1
        yield (i, to_i), (j, to_j), is_equal
        i, j = to_i, to_j


@dataclass(frozen=True, slots=True)
class TextMeasure(Measure):
    """A measure of aligned texts; `title` is that of its table, unless the task has one for it."""

    kind: ClassVar[str] = "aligned"
    is_optional: ClassVar[bool] = True
    title: ClassVar[str] = ""

    def count(self, texts: AlignedTexts) -> Counts:
        """Count two texts as a whole."""
        ends = texts.system.sentence_ends.size, texts.gold.sentence_ends.size
        return self.count_parts(texts, *(np.array([0, end]) for end in ends))[0]

    def count_parts(
        self, texts: AlignedTexts, system_ends: IntArray, gold_ends: IntArray
    ) -> Sequence[Counts]:
        """Count between neighbouring points, which are numbers of sentences on both sides."""
        raise NotImplementedError
