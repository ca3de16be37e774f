"""Words, tags, lemmas and trees of CoNLL-U against a gold treebank, as UD's evaluation has them.

Zeman et al. (2018), CoNLL 2018 shared task. Words are aligned where they cover the same
characters; where either side has a multiword token, by the longest common subsequence of the
forms, in lower case. Here characters and sentences may differ: both sides are put on one axis.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.counts import Counts, Matches, ratio
from caesura.formats import Annotated
from caesura.formats.conllu import Table
from caesura.measures.base import Options
from caesura.runs import Runs, Side
from caesura.segmentation import BoolArray, IntArray

UNIVERSAL_FEATURES = frozenset(
    b"PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree "
    b"VerbForm Mood Tense Aspect Voice Evident Polarity Person Polite".split()
)
SCORES = ("words", "upos", "xpos", "ufeats", "alltags", "lemmas", "uas", "las")


@dataclass(frozen=True, slots=True)
class TreebankCounts(Counts):
    """Words on both sides, those aligned, and of these the ones with the right tag, head …"""

    system: int
    gold: int
    words: int
    upos: int
    xpos: int
    ufeats: int
    alltags: int
    lemmas: int
    uas: int
    las: int

    def of(self, name: str) -> Matches:
        """What is right, too much and missing, of one kind."""
        right = getattr(self, name)
        return Matches(right, self.system - right, self.gold - right)

    def accuracy(self, name: str) -> float:
        """The share of aligned words that are right in one respect."""
        return ratio(getattr(self, name), self.words)

    def scores(self) -> dict[str, float]:
        """F1 of each kind."""
        return {f"{name}_f1": self.of(name).f1 for name in SCORES}


@dataclass(frozen=True, slots=True)
class Treebank(Options):
    """Words, UPOS, XPOS, features, lemmas, UAS and LAS over aligned words."""

    name: ClassVar[str] = "treebank"
    kind: ClassVar[str] = "treebank"
    counts: ClassVar[type[Counts]] = TreebankCounts

    def count(self, system: Annotated, gold: Annotated, runs: Runs | None) -> TreebankCounts:
        """Count one treebank against the gold one, given the equal runs of their characters."""
        every = np.array([0, system.table.sentences]), np.array([0, gold.table.sentences])
        return self.count_parts(system, gold, runs, *every)[0]

    def count_parts(
        self,
        system: Annotated,
        gold: Annotated,
        runs: Runs | None,
        ours_at: IntArray,
        theirs_at: IntArray,
    ) -> list[TreebankCounts]:
        """Count between neighbouring points, which are numbers of sentences on both sides."""
        ours, theirs = aligned_words(system, gold, runs)
        pairs = Pairs(system.table, gold.table, ours, theirs)
        upos, xpos = pairs.agree("upos"), pairs.agree("xpos")
        feats = pairs.agree("feats", _universal)
        heads = pairs.heads_agree()
        right = {
            "words": np.ones(ours.size, dtype=np.bool_),
            "upos": upos,
            "xpos": xpos,
            "ufeats": feats,
            "alltags": upos & xpos & feats,
            "lemmas": pairs.agree("lemma") | pairs.gold_is("lemma", b"_"),
            "uas": heads,
            "las": heads & pairs.agree("deprel", _without_subtype),
        }
        places = system.table.first_words[ours_at], gold.table.first_words[theirs_at]
        cut = np.searchsorted(theirs, places[1])
        sums = [np.append(0, np.cumsum(where))[cut] for where in right.values()]
        return [TreebankCounts(*row) for row in np.diff(np.stack([*places, *sums])).T.tolist()]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Aligned words: their numbers in the system's table and in the gold one."""

    system: Table
    gold: Table
    ours: IntArray
    theirs: IntArray

    def agree(self, column: str, change: Callable[[bytes], bytes] = bytes) -> BoolArray:
        """Which pairs have the same value in a column, after a change of the value."""
        known: dict[bytes, int] = {}
        mine = self._codes(self.system, self.ours, column, change, known)
        yours = self._codes(self.gold, self.theirs, column, change, known)
        same: BoolArray = mine == yours
        return same

    def gold_is(self, column: str, value: bytes) -> BoolArray:
        """Which pairs have a certain value in the gold."""
        known = {value: 0}
        found: BoolArray = self._codes(self.gold, self.theirs, column, bytes, known) == 0
        return found

    def heads_agree(self) -> BoolArray:
        """Which pairs depend on aligned words, or both on the root."""
        to_gold = np.full(self.system.words.size, -3, dtype=np.int64)
        to_gold[self.ours] = self.theirs
        mine, yours = self.system.heads()[self.ours], self.gold.heads()[self.theirs]
        moved = np.where(mine >= 0, to_gold[np.maximum(mine, 0)], mine)
        same: BoolArray = (moved == yours) & (yours != Table.NO_HEAD)
        return same

    @staticmethod
    def _codes(
        table: Table,
        words: IntArray,
        column: str,
        change: Callable[[bytes], bytes],
        known: dict[bytes, int],
    ) -> IntArray:
        values, which = table.values(column, table.words[words])
        codes = [known.setdefault(change(value), len(known)) for value in values]
        return np.array(codes, dtype=np.int64)[which]


def _universal(feats: bytes) -> bytes:
    kept = (feat for feat in feats.split(b"|") if feat.split(b"=", 1)[0] in UNIVERSAL_FEATURES)
    return b"|".join(sorted(kept))


def _without_subtype(deprel: bytes) -> bytes:
    return deprel.split(b":")[0]


def aligned_words(
    system: Annotated, gold: Annotated, runs: Runs | None
) -> tuple[IntArray, IntArray]:
    """The numbers of words that are aligned, on both sides, in order."""
    whole = Runs.whole(len(gold.text.stream)) if runs is None else runs
    ours = Words(system.table, *_spans(system, whole.axis_a))
    theirs = Words(gold.table, *_spans(gold, whole.axis_b))
    i, j = _same_spans(ours, theirs)
    regions = list(_regions(ours, theirs, i))
    free = ~_within(i, [region.system for region in regions])
    free &= ~_within(j, [region.gold for region in regions])
    found = [pair for region in regions for pair in region.pairs(system.table, gold.table)]
    extra = np.array(found, dtype=np.int64).reshape(-1, 2)
    both = np.concatenate((np.column_stack((i[free], j[free])), extra))
    both = both[np.argsort(both[:, 0])]
    return both[:, 0], both[:, 1]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a side: where their tokens begin and end on the shared axis."""

    table: Table
    starts: IntArray
    ends: IntArray

    def next_in_range(self, at: int, in_range: list[int]) -> int:
        """The first word of a multiword token from a place on; past the end if there is none."""
        later = bisect_left(in_range, at)
        return in_range[later] if later < len(in_range) else self.starts.size


@dataclass(frozen=True, slots=True)
class Region:
    """Words around multiword tokens, which are aligned by their forms; `low` may be skipped."""

    system: tuple[int, int]
    gold: tuple[int, int]
    low: tuple[int, int]

    def pairs(self, system: Table, gold: Table) -> Iterator[tuple[int, int]]:
        """The words that the longest common subsequence of the forms aligns."""
        mine = system.forms(self.low[0], self.system[1])
        yours = gold.forms(self.low[1], self.gold[1])
        for i, j in _common(yours, mine):
            yield self.low[0] + j, self.low[1] + i


def _within(numbers: IntArray, spans: list[tuple[int, int]]) -> BoolArray:
    """Which numbers lie in one of some spans that ascend."""
    edges = np.array(spans, dtype=np.int64).reshape(-1, 2)
    at = np.searchsorted(edges[:, 0], numbers, side="right") - 1
    inside: BoolArray = (at >= 0) & (numbers < np.append(edges[:, 1], 0)[at])
    return inside


def _regions(ours: Words, theirs: Words, equal: IntArray) -> Iterator[Region]:
    """Where UD's script stops to align by forms: it walks both sides in the order of their starts.

    Of two words that do not cover the same characters the one that begins first is passed, the
    gold one if both begin together. As soon as one side comes to a multiword token, all that it
    overlaps is one region, and what the other side has not passed yet falls into it.
    """
    times = _times(ours, theirs, equal)
    ranges = [np.flatnonzero(words.table.in_range).tolist() for words in (ours, theirs)]
    at = [0, 0]
    while at[0] < ours.starts.size and at[1] < theirs.starts.size:
        goals = [
            words.next_in_range(here, found)
            for words, here, found in zip((ours, theirs), at, ranges, strict=True)
        ]
        sizes = ours.starts.size, theirs.starts.size
        if goals == list(sizes):
            return
        moments = [
            -1 if goal == here else math.inf if goal == size else int(time[goal - 1])
            for goal, here, size, time in zip(goals, at, sizes, times, strict=True)
        ]
        now = min(moments)
        at = [
            max(here, int(np.searchsorted(time[:goal], now, side="right")))
            for here, time, goal in zip(at, times, goals, strict=True)
        ]
        if at[0] >= sizes[0] or at[1] >= sizes[1]:
            return
        region = _region(ours, theirs, at[0], at[1])
        at = [region.system[1], region.gold[1]]
        yield region


def _times(ours: Words, theirs: Words, equal: IntArray) -> tuple[IntArray, IntArray]:
    """When each word is passed: in order of the starts, gold first, equal words together."""
    mine, yours = 2 * ours.starts + 1, 2 * theirs.starts
    mine[equal] -= 1
    return mine, yours


def _region(ours: Words, theirs: Words, si: int, gi: int) -> Region:
    """The words of one region, from where both sides are."""
    begin_s, begin_g = si, gi
    ours_multi, theirs_multi = ours.table.in_range, theirs.table.in_range
    if theirs_multi[gi]:
        end = int(theirs.ends[gi])
        si += bool(not ours_multi[si] and ours.starts[si] < theirs.starts[gi])
    else:
        end = int(ours.ends[si])
        gi += bool(not theirs_multi[gi] and theirs.starts[gi] < ours.starts[si])
    low = si, gi
    while not (_is_beyond(theirs, gi, end) and _is_beyond(ours, si, end)):
        gold_next = gi < theirs.starts.size and (
            si >= ours.starts.size or theirs.starts[gi] <= ours.starts[si]
        )
        words, at = (theirs, gi) if gold_next else (ours, si)
        if words.table.in_range[at]:
            end = max(end, int(words.ends[at]))
        gi, si = gi + gold_next, si + (not gold_next)
    return Region((begin_s, si), (begin_g, gi), low)


def _is_beyond(words: Words, at: int, end: int) -> bool:
    """Whether a word lies beyond a region; one outside multiword tokens does if it sticks out."""
    if at >= words.starts.size:
        return True
    if words.table.in_range[at]:
        return bool(words.starts[at] >= end)
    return bool(words.ends[at] > end)


def _spans(
    side: Annotated, axis: Callable[[IntArray, Side], IntArray]
) -> tuple[IntArray, IntArray]:
    """For each word, where its token begins and ends on the shared axis."""
    table, ends = side.table, side.text.token_ends
    starts, stops = axis(np.append(0, ends[:-1]), "right"), axis(ends, "left")
    # Of the lines of tokens, the one at or before each word's line is its token.
    token = np.searchsorted(table.tokens, table.words, side="right") - 1
    return starts[token], stops[token]


def _same_spans(ours: Words, theirs: Words) -> tuple[IntArray, IntArray]:
    """Words outside multiword tokens that cover the same characters."""
    mine, yours = (np.flatnonzero(~words.table.in_range) for words in (ours, theirs))
    _, i, j = np.intersect1d(
        ours.starts[mine], theirs.starts[yours], assume_unique=True, return_indices=True
    )
    same = ours.ends[mine[i]] == theirs.ends[yours[j]]
    return mine[i[same]], yours[j[same]]


def _common(gold: list[str], system: list[str]) -> Iterator[tuple[int, int]]:
    """The longest common subsequence; of equal ways the one that leaves gold words first."""
    if gold == system:
        yield from ((at, at) for at in range(len(gold)))
        return
    best = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for i in reversed(range(len(gold))):
        for j in reversed(range(len(system))):
            found = best[i + 1][j + 1] + 1 if gold[i] == system[j] else 0
            best[i][j] = max(found, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(gold) and j < len(system):
        if gold[i] == system[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
