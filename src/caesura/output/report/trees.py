"""The view of trees: label errors with their counts, and sentences that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import PurePath
from typing import Literal

from caesura.output.report.views import SystemReading

MOST_LABELS = 200
MOST_SENTENCES = 200
MOST_EXAMPLES = 50
"""The most sentences beyond the first ones, each with a label error that these do not have."""
LONGEST = 400
"""The most tokens of a side that are drawn."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSide:
    """The trees of one side of a block of sentences: tokens, tags and brackets over them.

    `label`, `first` and `last` are those of brackets in the order in which they open, in tokens of
    this side; `wrong` are the numbers of those that the other side does not have, `tags_wrong` the
    tokens whose tag is not that of the other side; `ends` are where sentences end. `points` are the
    edges of all tokens on the axis of both sides, -1 for an edge that the other side cannot have.
    """

    place: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    ends: tuple[int, ...]
    label: tuple[str, ...]
    first: tuple[int, ...]
    last: tuple[int, ...]
    wrong: tuple[int, ...]
    tags_wrong: tuple[int, ...]
    points: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeError:
    """A block of sentences whose brackets differ; `labels` pairs the system's and the gold's.

    A pair is of two brackets with the same edges, or of one and of none.
    """

    document: str
    system: TreeSide
    gold: TreeSide
    labels: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelError:
    """A label of the system where gold has another, with how many times; `–` is none."""

    system: str
    gold: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TreesReading(SystemReading):
    """The trees of one system that differ: how many, their label errors, and some of them.

    `kinds` counts the kinds of label errors, of which `labels` are the most frequent; `long` counts
    the sentences that are too long to be drawn.
    """

    sentences: int
    long: int
    kinds: int
    labels: tuple[LabelError, ...]
    cases: tuple[TreeError, ...]
    kind: Literal["trees"] = "trees"

    def joined(self, other: TreesReading) -> TreesReading:
        """Return the trees of the system in the documents of both."""
        both = GatheredTrees(self.sentences + other.sentences, self.long + other.long)
        for reading in (self, other):
            both.pairs.update({(each.system, each.gold): each.times for each in reading.labels})
            both.keep(reading.cases)
        result = both.reading(self.system)
        return replace(result, kinds=max(result.kinds, self.kinds, other.kinds))

    def require_sound(self) -> None:
        """Raise a ValueError if brackets do not lie over words, or sizes do not fit."""
        if not all(_is_sound(side) for case in self.cases for side in (case.system, case.gold)):
            raise ValueError("it has brackets that do not lie over its words")


@dataclass(slots=True)
class GatheredTrees:
    """The trees of one system that differ, while they are being counted."""

    sentences: int = 0
    long: int = 0
    pairs: Counter[Pair] = field(default_factory=Counter)
    shown: set[Pair] = field(default_factory=set)
    cases: list[TreeError] = field(default_factory=list)

    def add(self, error: TreeError) -> None:
        """Count a sentence, and keep it unless it is too long."""
        self.sentences += 1
        self.pairs.update(error.labels)
        is_long = max(len(side.words) for side in (error.system, error.gold)) > LONGEST
        self.long += is_long
        if not is_long:  # with names of files: a path says more about a computer than about a tree
            system, gold = (
                replace(side, place=PurePath(side.place).name)
                for side in (error.system, error.gold)
            )
            self.keep([replace(error, system=system, gold=gold)])

    def keep(self, cases: Iterable[TreeError]) -> None:
        """Keep the first sentences, and later ones with a label error that these do not have."""
        for case in cases:
            size, is_new = len(self.cases), not self.shown.issuperset(case.labels)
            if size < MOST_SENTENCES or (is_new and size < MOST_SENTENCES + MOST_EXAMPLES):
                self.shown.update(case.labels)
                self.cases.append(case)

    def reading(self, system: str) -> TreesReading:
        """The label errors, the most frequent first, and the sentences that were kept."""
        common = sorted(self.pairs.items(), key=lambda pair: (-pair[1], pair[0]))
        labels = [LabelError(system=a, gold=b, times=n) for (a, b), n in common[:MOST_LABELS]]
        return TreesReading(
            system=system,
            sentences=self.sentences,
            long=self.long,
            kinds=len(self.pairs),
            labels=tuple(labels),
            cases=tuple(self.cases),
        )


def _is_sound(side: TreeSide) -> bool:
    size = len(side.words)
    spans = list(zip(side.first, side.last, strict=False))
    return (
        len(side.tags) == size
        and len(side.label) == len(side.first) == len(side.last)
        and all(0 <= first < last <= size for first, last in spans)
        and all(a <= b for a, b in pairwise(side.first))
        and _are_numbers(side.wrong, len(spans))
        and _are_numbers(side.tags_wrong, size)
        and _are_numbers(side.ends, size + 1)
        and len(side.points) in (0, size + 1)
    )


def _are_numbers(values: Sequence[int], size: int) -> bool:
    return all(0 <= value < size for value in values)
