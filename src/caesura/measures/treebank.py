"""Words, tags, lemmas and trees of CoNLL-U against a gold treebank, as UD's evaluation has them.

Zeman et al. (2018), CoNLL 2018 shared task. Words are aligned where they cover the same
characters; where either side has a multiword token, by the longest common subsequence of the
forms, in lower case. Here characters and sentences may differ: both sides are put on one axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np

from caesura.align.characters import Runs
from caesura.core.cells import same_strings
from caesura.core.counts import Counts, Matches, ratio
from caesura.core.score import Score, View
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.treebank import AnnotatedText, TreebankColumns, TreebankTable
from caesura.measures.base import Cut, Measure
from caesura.measures.regions import Words, region_pairs, same_tokens

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
        "fp": ("FP", "other words of the system", lambda counts: counts.of(name).fp),
        "fn": ("FN", "other words of the gold", lambda counts: counts.of(name).fn),
        "precision": ("P", f"{right} / words of the system", lambda c: c.of(name).precision),
        "recall": ("R", f"{right} / words of the gold", lambda c: c.of(name).recall),
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
        pairs = WordPairs(system.table, gold.table, ours, theirs)
        upos, xpos = pairs.agree("upos"), pairs.agree("xpos")
        feats = pairs.agree("feats", _universal)
        heads = pairs.heads_agree()
        right = {
            "words": np.ones(ours.size, dtype=np.bool_),
            "upos": upos,
            "xpos": xpos,
            "ufeats": feats,
            "alltags": upos & xpos & feats,
            "lemmas": pairs.agree("lemma") | pairs.gold_is_untold("lemma"),
            "uas": heads,
            "las": heads & pairs.agree("deprel", _without_subtype),
        }
        places = system.table.first_words[ours_at], gold.table.first_words[theirs_at]
        cut = np.searchsorted(theirs, places[1])
        sizes = np.diff(np.stack(places)).T.tolist()
        return [
            TreebankCounts(*size, *(int(np.count_nonzero(each[a:b])) for each in right.values()))
            for size, (a, b) in zip(sizes, pairwise(cut.tolist()), strict=True)
        ]


@dataclass(frozen=True)
class WordPairs:
    """Aligned words: their numbers in the system's table and in the gold one."""

    system: TreebankTable
    gold: TreebankTable
    ours: IntArray
    theirs: IntArray

    @cached_property
    def columns(self) -> tuple[TreebankColumns, TreebankColumns]:
        """The columns of the words, on both sides."""
        mine, yours = self.system.words[self.ours], self.gold.words[self.theirs]
        return self.system.columns.some(mine), self.gold.columns.some(yours)

    def agree(self, name: str, change: Callable[[bytes], bytes] | None = None) -> BoolArray:
        """Which pairs have the same value in a column, as it is or after a change of the value."""
        mine, yours = self.columns
        same = same_strings(mine.of(name), yours.of(name))
        if change is not None:
            known: dict[bytes, int] = {}
            other = np.flatnonzero(~same)
            sides = (self.system, self.ours), (self.gold, self.theirs)
            codes = [_codes(table, name, words[other], change, known) for table, words in sides]
            same[other] = codes[0] == codes[1]
        return same

    def gold_is_untold(self, name: str) -> BoolArray:
        """Which pairs have _ in the gold."""
        characters, starts, stops = self.columns[1].of(name)
        untold: BoolArray = (stops - starts == 1) & (characters[starts] == ord("_"))
        return untold

    def heads_agree(self) -> BoolArray:
        """Which pairs depend on aligned words, or both on the root."""
        to_gold = np.full(self.system.words.size, -3, dtype=np.int64)
        to_gold[self.ours] = self.theirs
        mine, yours = self.system.heads()[self.ours], self.gold.heads()[self.theirs]
        moved = np.where(mine >= 0, to_gold[np.maximum(mine, 0)], mine)
        same: BoolArray = (moved == yours) & (yours != TreebankTable.NO_HEAD)
        return same


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


def _universal(feats: bytes) -> bytes:
    kept = (feat for feat in feats.split(b"|") if feat.split(b"=", 1)[0] in UNIVERSAL_FEATURES)
    return b"|".join(sorted(kept))


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
        free = ~_within(i, [region.system for region in walked])
        free &= ~_within(j, [region.gold for region in walked])
        i, j = i[free], j[free]
    place = np.searchsorted(i, more_i)
    return np.insert(i, place, more_i), np.insert(j, place, more_j)


def _within(numbers: IntArray, spans: list[tuple[int, int]]) -> BoolArray:
    """Which numbers lie in one of some spans that ascend."""
    edges = np.array(spans, dtype=np.int64).reshape(-1, 2)
    at = np.searchsorted(edges[:, 0], numbers, side="right") - 1
    inside: BoolArray = (at >= 0) & (numbers < np.append(edges[:, 1], 0)[at])
    return inside
