"""Words, tags, lemmas and trees of CoNLL-U against a gold treebank, as in UD's evaluation.

Zeman et al. (2018), CoNLL 2018 shared task. Words are aligned where they cover the same
characters; where either side has a multiword token, by the longest common subsequence of the
forms, in lower case. Here characters and sentences may differ: both sides are put on one axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np

from caesura.align.characters import Runs
from caesura.core.cells import Strings, parts, same_strings
from caesura.core.counts import Counts, Matches, ratio
from caesura.core.score import Score, View
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.treebank import AnnotatedText, TreebankColumns, TreebankTable
from caesura.measures.base import Cut, Measure
from caesura.measures.regions import Words, region_pairs, same_tokens, within

UNIVERSAL_FEATURES = frozenset(
    b"PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree "
    b"VerbForm Mood Tense Aspect Voice Evident Polarity Person Polite".split()
)
METRICS = {
    "words": "Words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
}
KNOWN = 1 << 14
_NOWHERE = -3
COMPARED: dict[str, tuple[View, ...]] = {
    "upos": ("compare",),
    "uas": ("compare",),
    "las": ("compare", "correlate"),
}


def _scores(name: str, label: str) -> Iterator[Score]:
    """The scores of one metric: counts, precision, recall, F1 and accuracy of aligned words."""
    right = f"words with the right {label}" if name != "words" else "aligned words"
    taken: dict[str, tuple[str, str, Callable[[TreebankCounts], float]]] = {
        "tp": ("TP", f"{right}", lambda counts: counts.of(name).tp),
        "fp": ("FP", "other system words", lambda counts: counts.of(name).fp),
        "fn": ("FN", "other gold words", lambda counts: counts.of(name).fn),
        "precision": ("P", f"{right} / system words", lambda c: c.of(name).precision),
        "recall": ("R", f"{right} / gold words", lambda c: c.of(name).recall),
        "f1": ("F1", "harmonic mean of P and R", lambda counts: counts.of(name).f1),
        "aligned_accuracy": (
            "aligned accuracy", f"{right} / aligned words", lambda c: c.accuracy(name)
        ),
    }  # fmt: skip
    for short, (heading, formula, take) in taken.items():
        is_count = short in ("tp", "fp", "fn")
        views: tuple[View, ...] = () if is_count else ("unit",)
        if short == "f1":
            views += COMPARED.get(name, ())
        yield Score(
            f"{name}_{short}",
            f"{label} {heading}",
            f"{heading} of {label}: {formula}.",
            None if is_count else "high",
            views,
            take,
            heading=heading,
            group=f"treebank.{name}",
            short=short,
            is_count=is_count,
        )


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
        return Matches.from_totals(right, self.system, self.gold)

    def accuracy(self, name: str) -> float:
        """The share of aligned words that are right in one respect."""
        return ratio(getattr(self, name), self.words)


@dataclass(frozen=True, slots=True)
class Treebank(Measure):
    """Words, UPOS, XPOS, features, lemmas, UAS and LAS over aligned words."""

    name: ClassVar[str] = "treebank"
    kind: ClassVar[str] = "treebank"
    counts: ClassVar[type[Counts]] = TreebankCounts
    cut: ClassVar[Cut] = "sync"
    is_optional: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = tuple(
        score for name, label in METRICS.items() for score in _scores(name, label)
    )

    def count(
        self, system: AnnotatedText, gold: AnnotatedText, runs: Runs | None
    ) -> TreebankCounts:
        """Count one treebank against the gold one, given the equal runs of their characters."""
        every = np.array([0, system.table.sentences]), np.array([0, gold.table.sentences])
        return self.count_parts(system, gold, runs, *every)[0]

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
        right = WordPairs(system.table, gold.table, ours, theirs).right()
        places = system.table.first_words[ours_at], gold.table.first_words[theirs_at]
        cut = np.searchsorted(theirs, places[1])
        sizes = np.diff(np.stack(places)).T.tolist()
        return [
            TreebankCounts(*size, *(int(np.count_nonzero(each[a:b])) for each in right.values()))
            for size, (a, b) in zip(sizes, pairwise(cut.tolist()), strict=True)
        ]


@dataclass(frozen=True, slots=True)
class WordPairs:
    """Aligned words: their numbers in the system's table and in the gold one."""

    system: TreebankTable
    gold: TreebankTable
    ours: IntArray
    theirs: IntArray

    def right(self) -> dict[str, BoolArray]:
        """For each metric, which pairs are right.

        The columns from lemma to features stand side by side and are mostly right: they are
        compared together, and one by one only where they differ; relations where heads agree.
        """
        other = np.flatnonzero(~self.agree("lemma", "feats"))
        rest = self.some(other)
        mine, yours = rest.columns()
        lemmas, upos, xpos, feats = (
            same_strings(mine.of(name), yours.of(name))
            for name in ("lemma", "upos", "xpos", "feats")
        )
        lemmas |= _is_untold(yours.of("lemma"))
        rest.agree_as(feats, "feats", _universal)
        heads = self.heads_agree()
        attached = np.flatnonzero(heads)
        pairs = self.some(attached)
        relations = pairs.agree("deprel", "deprel")
        pairs.agree_as(relations, "deprel", _without_subtype)
        every = np.ones(self.ours.size, dtype=np.bool_)
        return {
            "words": every,
            "upos": _with(every, other, upos),
            "xpos": _with(every, other, xpos),
            "ufeats": _with(every, other, feats),
            "alltags": _with(every, other, upos & xpos & feats),
            "lemmas": _with(every, other, lemmas),
            "uas": heads,
            "las": _with(heads, attached, relations),
        }

    def some(self, which: IntArray | slice) -> WordPairs:
        """Some of the pairs."""
        return WordPairs(self.system, self.gold, self.ours[which], self.theirs[which])

    def columns(self) -> tuple[TreebankColumns, TreebankColumns]:
        """The columns of the words, on both sides."""
        mine, yours = self.system.words[self.ours], self.gold.words[self.theirs]
        return self.system.columns.some(mine), self.gold.columns.some(yours)

    def agree(self, first: str, last: str) -> BoolArray:
        """Which pairs have the same values in all columns from one to another."""
        same = np.empty(self.ours.size, dtype=np.bool_)
        for part in parts(same.size):
            mine, yours = self.some(part).columns()
            same[part] = same_strings(mine.of(first, last), yours.of(first, last))
        return same

    def agree_as(self, same: BoolArray, name: str, change: Callable[[bytes], bytes]) -> None:
        """Fill in which pairs that differ have the same value in a column after a change of it."""
        other, known = np.flatnonzero(~same), dict[bytes, int]()
        sides = (self.system, self.ours), (self.gold, self.theirs)
        codes = [_codes(table, name, words[other], change, known) for table, words in sides]
        same[other] = codes[0] == codes[1]

    def heads_agree(self) -> BoolArray:
        """Which pairs depend on aligned words, or both on the root."""
        # At the end of the array are what no head and the root, -2 and -1, correspond to.
        to_gold = np.full(self.system.words.size + 2, _NOWHERE, dtype=np.int64)
        to_gold[self.ours], to_gold[-1] = self.theirs, TreebankTable.ROOT
        mine, yours = self.system.heads()[self.ours], self.gold.heads()[self.theirs]
        same: BoolArray = to_gold[mine] == yours
        return same


def _is_untold(strings: Strings) -> BoolArray:
    """Which strings are _."""
    characters, starts, stops = strings
    untold: BoolArray = (stops - starts == 1) & (characters[starts] == ord("_"))
    return untold


def _with(known: BoolArray, which: IntArray, values: BoolArray) -> BoolArray:
    """A copy with some other values."""
    result = known.copy()
    result[which] = values
    return result


def _codes(
    table: TreebankTable,
    name: str,
    words: IntArray,
    change: Callable[[bytes], bytes],
    known: dict[bytes, int],
) -> IntArray:
    """Numbers for changed values, the same for those that are equal."""
    values, which = table.values(name, table.words[words])
    codes = [known.setdefault(change(value), len(known)) for value in values]
    return np.array(codes, dtype=np.int64)[which]


@lru_cache(KNOWN)
def _universal(feats: bytes) -> bytes:
    kept = (feat for feat in feats.split(b"|") if feat.split(b"=", 1)[0] in UNIVERSAL_FEATURES)
    return b"|".join(sorted(kept))


@lru_cache(KNOWN)
def _without_subtype(deprel: bytes) -> bytes:
    return deprel.split(b":")[0]


def aligned_words(
    system: AnnotatedText, gold: AnnotatedText, runs: Runs | None
) -> tuple[IntArray, IntArray]:
    """The numbers of words that are aligned, on both sides, in order."""
    axes = (None, None) if runs is None else (runs.axis_a, runs.axis_b)
    ours, theirs = (Words.from_treebank(*side) for side in zip((system, gold), axes, strict=True))
    same = same_tokens(ours, theirs)
    (more_i, more_j), walked = region_pairs(ours, theirs, same)
    i, j = ours.first_word[same[0]], theirs.first_word[same[1]]
    if walked:
        mine, yours = np.array([(*region.system, *region.gold) for region in walked]).T.reshape(
            2, 2, -1
        )
        free = ~(within(i, mine) | within(j, yours))
        i, j = i[free], j[free]
    if not more_i.size:
        return i, j
    place = np.searchsorted(i, more_i)
    return np.insert(i, place, more_i), np.insert(j, place, more_j)
