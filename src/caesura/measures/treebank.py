"""Words, tags, lemmas and trees of CoNLL-U against a gold treebank, as in UD's evaluation.

Zeman et al. (2018), CoNLL 2018 shared task. Words are aligned where they cover the same
characters; where either side has a multiword token, by the longest common subsequence of the
forms, in lower case. Here characters and sentences may differ: both sides are put on one axis.

UD's script walks both sides in the order of their starts. Of two words that do not cover the same
characters the one that begins first is passed, the gold one if both begin together. As soon as one
side comes to a multiword token, all that it overlaps is one region, and what the other side has not
passed yet falls into it. Its words are aligned by the longest common subsequence of the forms.

Nearly all multiword tokens cover whole tokens of the other side, and both sides come to them at
once. Those regions are found for all at once, and only the rest is walked.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from caesura.align.characters import Runs, Side
from caesura.core.arrays import stretched
from caesura.core.byte_cells import StringNumbers, Strings, gathered, parts, same_strings
from caesura.core.counts import NAN, Counts, Matches, ratio
from caesura.core.measure import Measure
from caesura.core.score import Score, View
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.treebank_table import AnnotatedText, TreebankColumns, TreebankTable
from caesura.matching import common

UNIVERSAL_FEATURES = frozenset(
    b"PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree "
    b"VerbForm Mood Tense Aspect Voice Evident Polarity Person Polite".split()
)
CONTENT = frozenset(
    b"nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod "
    b"appos nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum "
    b"root dep".split()
)
FUNCTIONAL = frozenset(b"aux cop mark det clf case cc".split())
METRICS = {
    "words": "Words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
}
OF_CONTENT = ("clas", "mlas", "blex")
"""The metrics of content words alone."""
COLUMNS = {
    "upos": ("upos",),
    "xpos": ("xpos",),
    "ufeats": ("feats",),
    "alltags": ("upos", "xpos", "feats"),
    "lemmas": ("lemma",),
    "mlas": ("upos", "feats"),
    "blex": ("lemma",),
}
"""The columns, other than those of the tree, on which metrics rest."""
COUNTED, SIDES = ("tp", "fp", "fn"), ("system", "gold")
Tables = tuple[TreebankTable, TreebankTable]
"""The system's and the gold's."""
Pair = tuple[IntArray, IntArray]
KNOWN = 1 << 14
_NOWHERE = -3
COMPARED: dict[str, tuple[View, ...]] = {
    "upos": ("compare",),
    "uas": ("compare",),
    "las": ("compare", "correlate"),
    "mlas": ("compare",),
    "blex": ("compare",),
}


def _scores(name: str, label: str) -> Iterator[Score]:
    """The scores of one metric: counts, precision, recall, F1 and accuracy of aligned words."""
    words = "content words" if name in OF_CONTENT else "words"
    right = f"{words} with the right {label}" if name != "words" else "aligned words"
    formulas = {
        "tp": ("TP", right),
        "fp": ("FP", f"other system {words}"),
        "fn": ("FN", f"other gold {words}"),
        "precision": ("P", f"{right} / system {words}"),
        "recall": ("R", f"{right} / gold {words}"),
        "f1": ("F1", "harmonic mean of P and R"),
        "aligned_accuracy": ("aligned accuracy", f"{right} / aligned {words}"),
    }
    for short, (heading, formula) in formulas.items():
        is_count = short in COUNTED
        views: tuple[View, ...] = () if is_count else ("unit",)
        if short == "f1":
            views += COMPARED.get(name, ())
        yield Score(
            f"{name}_{short}",
            f"{label} {heading}",
            f"{heading} of {label}: {formula}.",
            None if is_count else "high",
            views,
            partial(_value, name, short),
            heading=heading,
            group=f"treebank.{name}",
            short=short,
            is_count=is_count,
        )


def _value(name: str, short: str, counts: TreebankCounts) -> Any:
    """A count or a rate of a metric; counts may be arrays.

    A rate is undefined where one side alone lacks a column that it rests on. Where both lack it, as
    in languages without features, they agree.
    """
    is_accuracy, is_unknown = short == "aligned_accuracy", np.False_
    value: Any = counts.accuracy(name) if is_accuracy else getattr(counts.of(name), short)
    for column in () if short in COUNTED else COLUMNS.get(name, ()):
        is_unknown = is_unknown | np.not_equal(
            *(counts.holds(f"empty_{column}", side) for side in SIDES)
        )
    if not np.any(is_unknown):
        return value
    rates = np.where(is_unknown, NAN, value)
    return rates if rates.ndim else rates.item()


@dataclass(frozen=True, slots=True)
class TreebankCounts(Counts):
    """Words on both sides, those aligned, and of these the ones with the right tag, head …

    The same of content words. Then, for each side, the words of documents in which a column is `_`
    for every word, or all words depend on the first: all or none. Earlier rows have 0.
    """

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
    content_system: int
    content_gold: int
    content: int
    clas: int
    mlas: int
    blex: int
    empty_lemma_system: int = 0
    empty_lemma_gold: int = 0
    empty_upos_system: int = 0
    empty_upos_gold: int = 0
    empty_xpos_system: int = 0
    empty_xpos_gold: int = 0
    empty_feats_system: int = 0
    empty_feats_gold: int = 0
    flat_system: int = 0
    flat_gold: int = 0

    def of(self, name: str) -> Matches:
        """What is right, too much and missing, of one kind."""
        right = getattr(self, name)
        if name in OF_CONTENT:
            return Matches.from_totals(right, self.content_system, self.content_gold)
        return Matches.from_totals(right, self.system, self.gold)

    def accuracy(self, name: str) -> float:
        """The share of aligned words, or content words, that are right in one respect."""
        return ratio(getattr(self, name), self.content if name in OF_CONTENT else self.words)

    def holds(self, name: str, side: str) -> Any:
        """Whether all words of a side have an empty column, or a flat tree."""
        words = getattr(self, side)
        return (getattr(self, f"{name}_{side}") == words) & (words > 0)


@dataclass(frozen=True, slots=True)
class Treebank(Measure):
    """Words, UPOS, XPOS, features, lemmas, UAS, LAS, CLAS, MLAS and BLEX over aligned words."""

    name: ClassVar[str] = "treebank"
    kind: ClassVar[str] = "treebank"
    counts: ClassVar[type[Counts]] = TreebankCounts
    is_optional: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = tuple(
        score for name, label in METRICS.items() for score in _scores(name, label)
    )

    def count(
        self, system: AnnotatedText, gold: AnnotatedText, runs: Runs | None
    ) -> TreebankCounts:
        """Count one treebank against the gold one, given the equal runs of their characters."""
        ends = np.array([0, system.table.sentences]), np.array([0, gold.table.sentences])
        return self.count_parts(system, gold, runs, *ends)[0]

    def count_parts(
        self,
        system: AnnotatedText,
        gold: AnnotatedText,
        runs: Runs | None,
        ours_at: IntArray,
        theirs_at: IntArray,
    ) -> list[TreebankCounts]:
        """Count between neighbouring points, which are numbers of sentences on both sides."""
        ours, theirs = aligned_words(system, gold, runs)
        tables = system.table, gold.table
        relations = _relations(tables)
        right = _tags_agree(tables, ours, theirs)
        right |= _trees_agree(relations, ours, theirs, right)
        edges = system.table.first_words[ours_at], gold.table.first_words[theirs_at]
        cut = np.searchsorted(theirs, edges[1])
        sums = {name: _sums(which, cut) for name, which in right.items()}
        for side, table, relation, ends in zip(SIDES, tables, relations, edges, strict=True):
            words = np.diff(ends)
            sums |= {side: words, f"content_{side}": _sums(relation.is_content, ends)}
            flat = np.repeat(table.first_words[:-1], np.diff(table.first_words))
            flat[table.first_words[:-1]] = table.ROOT  # all words depend on the first
            sums[f"flat_{side}"] = words * np.array_equal(relation.heads, flat)
            for column in ("lemma", "upos", "xpos", "feats"):
                lines = (table.columns.some(table.words[part]) for part in parts(table.words.size))
                is_empty = all(_is_untold(each.of(column)).all() for each in lines)
                sums[f"empty_{column}_{side}"] = words * is_empty
        columns = (sums[name].tolist() for name in TreebankCounts.__match_args__)
        return list(map(TreebankCounts, *columns))


@dataclass(frozen=True, slots=True)
class Words:
    """The tokens of a side: where they begin and end on the shared axis, and their words.

    `first_word` is the first word of each token, and at the end how many words there are.
    """

    table: TreebankTable
    token_starts: IntArray
    token_ends: IntArray
    is_multiword: BoolArray
    first_word: IntArray

    @classmethod
    def from_treebank(
        cls, side: AnnotatedText, axis: Callable[[IntArray, Side], IntArray] | None
    ) -> Words:
        """The words of a treebank, put on an axis unless that is their own."""
        table, stops = side.table, side.text.token_ends
        starts = np.zeros_like(stops)
        starts[1:] = stops[:-1]
        if axis is not None:
            stops = stops.astype(np.int64)
            starts, stops = axis(starts.astype(np.int64), "right"), axis(stops, "left")
        is_multiword = np.zeros(table.tokens.size, dtype=np.bool_)
        is_multiword[np.searchsorted(table.tokens, table.ranges.lines)] = True
        first_word = np.append(table.tokens, table.line.size)
        first_word[1:] -= np.cumsum(is_multiword)
        return cls(table, starts, stops, is_multiword, first_word)

    def spread(self, values: IntArray) -> IntArray:
        """The values of tokens, for each word that of its token."""
        if values.size == self.table.words.size:
            return values
        return np.repeat(values, np.diff(self.first_word))


def aligned_words(system: AnnotatedText, gold: AnnotatedText, runs: Runs | None) -> Pair:
    """The numbers of words that are aligned, on both sides, in order."""
    axes = (None, None) if runs is None else (runs.axis_a, runs.axis_b)
    ours, theirs = (Words.from_treebank(*side) for side in zip((system, gold), axes, strict=True))
    same = _same_tokens(ours, theirs)
    blocks = _met_blocks(ours, theirs, same)
    walked = list(_walked(ours, theirs, same, blocks))
    i, j = ours.first_word[same[0]], theirs.first_word[same[1]]
    more_i, more_j = _block_pairs(ours, theirs, blocks)
    if walked:
        start, stop, begin, end, low, gold_low = np.array(walked, dtype=np.int64).T
        is_free = ~(_within(i, np.stack((start, stop))) | _within(j, np.stack((begin, end))))
        i, j = i[is_free], j[is_free]
        region_i, region_j = _by_forms(ours, theirs, (low, stop), (gold_low, end))
        more_i, more_j = np.append(more_i, region_i), np.append(more_j, region_j)
    order = np.argsort(more_i)
    more_i, more_j = more_i[order], more_j[order]
    place = np.searchsorted(i, more_i)
    return np.insert(i, place, more_i), np.insert(j, place, more_j)


def _same_tokens(ours: Words, theirs: Words) -> Pair:
    """The numbers of tokens that are no multiword tokens and cover the same characters."""
    size = max(int(side.token_starts.max(initial=0)) for side in (ours, theirs)) + 1
    at = np.full(size, -1, dtype=np.int32)  # the gold token that begins at each character
    single = np.flatnonzero(~theirs.is_multiword)
    at[theirs.token_starts[single]] = single
    other = at[ours.token_starts]
    i = np.flatnonzero((other >= 0) & ~ours.is_multiword)
    same = ours.token_ends[i] == theirs.token_ends[other[i]]
    return i[same], other[i[same]]


def _met_blocks(ours: Words, theirs: Words, same: Pair) -> tuple[Pair, Pair]:
    """Tokens of both sides that begin and end together, and of which one is a multiword token.

    The first and the last token of each block, of the system and of the gold; only those to which
    the walk comes on both sides at once. It does where what lies before is a pair of equal tokens,
    another block, or nothing.
    """
    own, begin, end = _covered(ours, theirs)
    other, first, last = _covered(theirs, ours)
    # (4, blocks) the first and the last token of ours and of theirs, in order, each block once
    blocks = np.stack((
        np.append(own, first), np.append(own, last),
        np.append(begin, other), np.append(end, other),
    ))  # fmt: skip
    blocks = blocks[:, np.unique(blocks[0], return_index=True)[1]]
    first, last, begin, end = blocks
    after_equal = _among(first - 1, same[0]) & _among(begin - 1, same[1])
    after_block = np.append(False, (last[:-1] == first[1:] - 1) & (end[:-1] == begin[1:] - 1))
    is_met = after_equal | after_block[: first.size] | ((first == 0) & (begin == 0))
    return (first[is_met], last[is_met]), (begin[is_met], end[is_met])


def _among(numbers: IntArray, among: IntArray) -> BoolArray:
    """Which of some numbers are among others, of which there are more, in order."""
    at = np.searchsorted(among, numbers)
    found: BoolArray = np.append(among, -2)[at] == numbers
    return found


def _covered(own: Words, other: Words) -> tuple[IntArray, IntArray, IntArray]:
    """Multiword tokens that cover whole tokens of the other side, the first and the last."""
    token = np.flatnonzero(own.is_multiword)
    begins, ends = own.token_starts[token], own.token_ends[token]
    first = np.searchsorted(other.token_starts, begins)
    last = np.searchsorted(other.token_ends, ends)
    is_there = np.append(other.token_starts, -1)[first] == begins
    is_there &= np.append(other.token_ends, -1)[last] == ends
    return token[is_there], first[is_there], last[is_there]


def _block_pairs(ours: Words, theirs: Words, blocks: tuple[Pair, Pair]) -> Pair:
    """Words of blocks: one by one where all forms are equal, else by the forms.

    Forms of all blocks are compared at once, without making strings of them; the few blocks that
    differ are aligned one by one. The peer that proves it is UD's script, in
    tests/measures/test_treebank.py.
    """
    # (blocks,) the first word of each block and the first after it, on both sides
    (start, stop), (begin, end) = (
        (side.first_word[first], side.first_word[last + 1])
        for side, (first, last) in zip((ours, theirs), blocks, strict=True)
    )
    alike = np.flatnonzero(stop - start == end - begin)
    size = (stop - start)[alike]
    # (words of blocks that are alike,) the pairs, block by block
    i, j = stretched(start[alike], size), stretched(begin[alike], size)
    equal = _same_forms(ours.table, theirs.table, i, j)
    first = np.cumsum(size) - size
    is_equal = np.logical_and.reduceat(equal, first) if size.size else equal
    known = np.repeat(is_equal, size)
    left = np.delete(np.arange(start.size), alike[is_equal])
    rest = _by_forms(ours, theirs, (start[left], stop[left]), (begin[left], end[left]))
    return np.append(i[known], rest[0]), np.append(j[known], rest[1])


def _same_forms(
    system: TreebankTable, gold: TreebankTable, ours: IntArray, theirs: IntArray
) -> BoolArray:
    """Which words are spelled alike beyond doubt: blanks may count on one side only."""
    mine, yours = (
        table.columns.some(table.words[words]).of("form")
        for table, words in ((system, ours), (gold, theirs))
    )
    same = same_strings(mine, yours)
    doubtful = np.flatnonzero(same & (system.in_range[ours] != gold.in_range[theirs]))
    characters, starts, stops = mine[0], mine[1][doubtful], mine[2][doubtful]
    letters = gathered(characters, starts, stops - starts)
    is_odd = (letters <= ord(" ")) | (letters >= 0x80)
    first = np.cumsum(stops - starts) - (stops - starts)
    same[doubtful] = ~np.logical_or.reduceat(is_odd, first) if first.size else True
    return same


def _by_forms(ours: Words, theirs: Words, mine: Pair, yours: Pair) -> Pair:
    """The words that the longest common subsequence of the forms aligns, between some edges."""
    lists = []
    for side, (first, stop) in ((ours, mine), (theirs, yours)):
        forms = side.table.forms(stretched(first, stop - first))
        ends = np.append(0, np.cumsum(stop - first)).tolist()
        lists.append([forms[low:high] for low, high in pairwise(ends)])
    starts = zip(mine[0].tolist(), yours[0].tolist(), strict=True)
    pairs = [
        (a + j, b + i)
        for (a, b), system, gold in zip(starts, *lists, strict=True)
        for i, j in common(gold, system)
    ]
    i, j = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return i, j


@dataclass(frozen=True, slots=True)
class Steps:
    """The words of a side as the walk sees them: when each is passed, and where it has to stop.

    The last stop is past the end.
    """

    starts: IntArray
    ends: IntArray
    in_range: BoolArray
    times: IntArray
    stops: list[int]

    @classmethod
    def from_words(cls, words: Words, times: IntArray, blocks: Pair) -> Steps:
        """What the walk needs, given when tokens are passed: those of a block that is met together.

        Words of multiword tokens in no such block are stops.
        """
        sizes = blocks[1] - blocks[0] + 1
        times[stretched(blocks[0], sizes)] = np.repeat(times[blocks[0]] // 2 * 2, sizes)
        stops = words.table.ranges.words
        edges = words.first_word[blocks[0]], words.first_word[blocks[1] + 1]
        is_free = ~_within(stops, np.stack(edges))
        starts, ends, passed = map(words.spread, (words.token_starts, words.token_ends, times))
        free_stops = [*stops[is_free].tolist(), starts.size]
        return cls(starts, ends, words.table.in_range, passed, free_stops)

    @property
    def size(self) -> int:
        """How many words there are."""
        return self.starts.size

    def is_beyond(self, at: int, end: int) -> bool:
        """Whether a word lies beyond a region; one outside multiword tokens if it sticks out."""
        if at >= self.size:
            return True
        if self.in_range[at]:
            return bool(self.starts[at] >= end)
        return bool(self.ends[at] > end)


def _walked(
    ours: Words, theirs: Words, same: Pair, met: tuple[Pair, Pair]
) -> Iterator[tuple[int, int, int, int, int, int]]:
    """The regions around multiword tokens that are in no block that is met.

    The first word of each and the first after it, on our side, then on theirs; and from which words
    on they are aligned.
    """
    if _inside(ours, met[0]) + _inside(theirs, met[1]) == sum(
        int(side.table.ranges.sizes.sum()) for side in (ours, theirs)
    ):
        return
    # In order of the starts, gold first, equal words together.
    mine, yours = (2 * side.token_starts.astype(np.int64) for side in (ours, theirs))
    mine += 1
    mine[same[0]] -= 1
    sides = Steps.from_words(ours, mine, met[0]), Steps.from_words(theirs, yours, met[1])
    at = [0, 0]
    while at[0] < sides[0].size and at[1] < sides[1].size:
        nexts = [bisect_left(side.stops, here) for side, here in zip(sides, at, strict=True)]
        goals = [side.stops[index] for side, index in zip(sides, nexts, strict=True)]
        moments = [
            -1 if goal == here else math.inf if goal == side.size else int(side.times[goal - 1])
            for goal, here, side in zip(goals, at, sides, strict=True)
        ]
        now = min(moments)
        at = [
            max(here, int(np.searchsorted(side.times[:goal], now, side="right")))
            for here, goal, side in zip(at, goals, sides, strict=True)
        ]
        if now == math.inf or at[0] >= sides[0].size or at[1] >= sides[1].size:
            return
        low, stops = _region(*sides, *at)
        yield at[0], stops[0], at[1], stops[1], *low
        at = [*stops]


def _within(numbers: IntArray, spans: IntArray) -> BoolArray:
    """Which of some numbers, in order, lie in spans, a column for each with its first and stop."""
    first, stop = np.searchsorted(numbers, spans)
    result = np.zeros(numbers.size, dtype=np.bool_)
    result[stretched(first, stop - first)] = True
    return result


def _inside(words: Words, blocks: Pair) -> int:
    """How many words of multiword tokens lie in blocks."""
    edges = words.first_word[blocks[0]], words.first_word[blocks[1] + 1]
    before = np.searchsorted(words.table.ranges.words, np.stack(edges))
    return int(np.diff(before, axis=0).sum())


def _region(
    ours: Steps, theirs: Steps, si: int, gi: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    """From which words on a region is aligned, and where it ends, from where both sides are."""
    if theirs.in_range[gi]:
        end = int(theirs.ends[gi])
        si += bool(not ours.in_range[si] and ours.starts[si] < theirs.starts[gi])
    else:
        end = int(ours.ends[si])
        gi += bool(not theirs.in_range[gi] and theirs.starts[gi] < ours.starts[si])
    low = si, gi
    while not (theirs.is_beyond(gi, end) and ours.is_beyond(si, end)):
        gold_next = gi < theirs.size and (si >= ours.size or theirs.starts[gi] <= ours.starts[si])
        side, at = (theirs, gi) if gold_next else (ours, si)
        if side.in_range[at]:
            end = max(end, int(side.ends[at]))
        gi, si = gi + gold_next, si + (not gold_next)
    return low, (si, gi)


def _sums(which: BoolArray, edges: IntArray) -> IntArray:
    """How many are true between neighbouring edges."""
    counted = [np.count_nonzero(which[a:b]) for a, b in pairwise(edges.tolist())]
    return np.array(counted, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """The heads of a side's words and their relations without subtypes, as numbers of both sides.

    `functional_children` says how many functional words depend on each word.
    """

    heads: IntArray
    labels: IntArray
    is_content: BoolArray
    is_functional: BoolArray
    functional_children: IntArray


def _relations(tables: Tables) -> list[Relations]:
    """The relations of both sides: first those of content words, then functional ones, others."""
    known = {label: code for code, label in enumerate((*CONTENT, *FUNCTIONAL))}
    numbers = StringNumbers(lambda value: known.setdefault(value.split(b":")[0], len(known)))
    sides = []
    for table in tables:
        heads, labels = table.heads(), numbers.of(table.of_words("deprel"))
        is_content = labels < len(CONTENT)
        is_functional = ~is_content & (labels < len(CONTENT) + len(FUNCTIONAL))
        children = _dependents(heads, np.flatnonzero(is_functional))
        sides.append(Relations(heads, labels, is_content, is_functional, children))
    return sides


def _dependents(heads: IntArray, words: IntArray) -> IntArray:
    """How many of some words depend on each word."""
    heads_of_words = heads[words]
    return np.bincount(heads_of_words[heads_of_words >= 0], minlength=heads.size)


def _tags_agree(tables: Tables, ours: IntArray, theirs: IntArray) -> dict[str, BoolArray]:
    """Which pairs of aligned words have the same tags, features and lemmas.

    The columns from lemma to features stand side by side and are mostly right: they are
    compared together, and one by one only where they differ.
    """
    system, gold = tables
    mine, starts, stops = system.of_words("lemma", "feats")
    yours, begins, ends = gold.of_words("lemma", "feats")
    same = np.empty(ours.size, dtype=np.bool_)
    for part in parts(same.size):
        one, other = ours[part], theirs[part]
        same[part] = same_strings(
            (mine, starts[one], stops[one]), (yours, begins[other], ends[other])
        )
    rest = np.flatnonzero(~same)
    left = system.columns.some(system.words[ours[rest]])
    right = gold.columns.some(gold.words[theirs[rest]])
    agree: dict[str, BoolArray | bool] = {
        "words": True,
        "upos": _same_values(left, right, "upos", bytes),
        "xpos": _same_values(left, right, "xpos", bytes),
        "ufeats": _same_values(left, right, "feats", _universal),
        "lemmas": same_strings(left.of("lemma"), right.of("lemma")) | _is_untold(right.of("lemma")),
    }
    agree["alltags"] = agree["upos"] & agree["xpos"] & agree["ufeats"]
    all_agree = {name: np.ones(ours.size, np.bool_) for name in agree}
    for name, which in agree.items():
        all_agree[name][rest] = which
    return all_agree


def _trees_agree(
    relations: Sequence[Relations], ours: IntArray, theirs: IntArray, tags: Mapping[str, BoolArray]
) -> dict[str, BoolArray]:
    """Which pairs of aligned words have the same heads and relations, and are content words.

    For MLAS, all functional children of both have to be aligned with one another, with the same
    relations, tags and features.
    """
    mine, yours = relations
    # (words of the system + 2,) the gold words with which they are aligned; at the end stands what
    # no head and the root, -2 and -1, correspond to
    to_gold = np.full(mine.heads.size + 2, _NOWHERE, dtype=np.int64)
    to_gold[ours], to_gold[-1] = theirs, TreebankTable.ROOT
    uas: BoolArray = to_gold[mine.heads[ours]] == yours.heads[theirs]
    las = uas.copy()
    las[uas] = mine.labels[ours[uas]] == yours.labels[theirs[uas]]
    content = yours.is_content[theirs]
    clas = las & content
    morphology = tags["upos"] & tags["ufeats"]
    mlas = clas & morphology
    right = theirs[las & morphology]
    shared = _dependents(yours.heads, right[yours.is_functional[right]])[theirs[mlas]]
    same = mine.functional_children[ours[mlas]] == shared
    mlas[mlas] = same & (yours.functional_children[theirs[mlas]] == shared)
    return {
        "uas": uas, "las": las, "content": content,
        "clas": clas, "mlas": mlas, "blex": clas & tags["lemmas"],
    }  # fmt: skip


def _same_values(
    mine: TreebankColumns, yours: TreebankColumns, name: str, change: Callable[[bytes], bytes]
) -> BoolArray:
    """Which lines have the same value in a column of few distinct values, after a change of it."""
    known: dict[bytes, int] = {}
    numbers = StringNumbers(lambda value: known.setdefault(change(value), len(known)))
    same: BoolArray = numbers.of(mine.of(name)) == numbers.of(yours.of(name))
    return same


def _is_untold(strings: Strings) -> BoolArray:
    """Which strings are _."""
    characters, starts, stops = strings
    untold: BoolArray = (stops - starts == 1) & (characters[starts] == ord("_"))
    return untold


@lru_cache(KNOWN)
def _universal(feats: bytes) -> bytes:
    universal = (feat for feat in feats.split(b"|") if feat.split(b"=", 1)[0] in UNIVERSAL_FEATURES)
    return b"|".join(sorted(universal))
