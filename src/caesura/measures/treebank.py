"""Words, tags, lemmas and trees of CoNLL-U against a gold treebank, as in UD's evaluation.

Zeman et al. (2018), CoNLL 2018 shared task. Words are aligned where they cover the same
characters; where either side has a multiword token, by the longest common subsequence of the
forms, in lower case. Here characters and sentences may differ: both sides are put on one axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from caesura.align.characters import Runs
from caesura.core.byte_cells import StringNumbers, Strings, parts, same_strings
from caesura.core.counts import NAN, Counts, Matches, ratio
from caesura.core.measure import Measure
from caesura.core.score import Score, View
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.treebank_table import AnnotatedText, TreebankColumns, TreebankTable
from caesura.measures.treebank_words import aligned_words

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
    relations: Sequence[Relations],
    ours: IntArray,
    theirs: IntArray,
    tags: Mapping[str, BoolArray],
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
