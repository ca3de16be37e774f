"""Trees for the page: label errors with their counts, and the first sentences that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import PurePath
from typing import Literal

from caesura.tasks.tree_errors import TreeError, TreeErrors, TreeSide

MOST_LABELS = 200
MOST_SENTENCES = 200
MOST_EXAMPLES = 50
"""The most sentences beyond the first ones, each with a label error that these do not have."""
LONGEST = 400
"""The most tokens of a side that are drawn."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelError:
    """A label of the system where gold has another, with how many times; `–` is none."""

    system: str
    gold: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TreesReading:
    """The trees of one system that differ: how many, their label errors, and some of them.

    `kinds` counts the kinds of label errors, of which `labels` are the most frequent; `long` counts
    the sentences that are too long to be drawn.
    """

    system: str
    sentences: int
    long: int
    kinds: int
    labels: tuple[LabelError, ...]
    cases: tuple[TreeError, ...]
    kind: Literal["trees"] = "trees"


@dataclass(slots=True)
class _Found:
    """What was found of one system, while it is being counted."""

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
        if not is_long:
            self.keep([_with_short_places(error)])

    def keep(self, cases: Iterable[TreeError]) -> None:
        """Keep the first sentences, and later ones with a label error that these do not have."""
        for case in filter(self._is_kept, cases):
            self.shown.update(case.labels)
            self.cases.append(case)

    def _is_kept(self, error: TreeError) -> bool:
        size = len(self.cases)
        is_new = not self.shown.issuperset(error.labels)
        return size < MOST_SENTENCES or (is_new and size < MOST_SENTENCES + MOST_EXAMPLES)

    def reading(self, system: str) -> TreesReading:
        """All of it."""
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


def trees_readings(found: Iterable[TreeErrors]) -> Iterator[TreesReading]:
    """For each system its label errors, the most frequent first, and the sentences that differ."""
    systems: dict[str, _Found] = {}
    for document in found:
        for system, errors in document.errors.items():
            own = systems.setdefault(system, _Found())
            for error in errors:
                own.add(error)
    for system, own in systems.items():
        yield own.reading(system)


def joined(one: TreesReading, other: TreesReading) -> TreesReading:
    """The trees of one system in two sets of documents."""
    both = _Found(one.sentences + other.sentences, one.long + other.long)
    for reading in (one, other):
        both.pairs.update({(each.system, each.gold): each.times for each in reading.labels})
        both.keep(reading.cases)
    found = both.reading(one.system)
    return replace(found, kinds=max(found.kinds, one.kinds, other.kinds))


def _with_short_places(error: TreeError) -> TreeError:
    """The same with names of files for paths, which say more about a computer than a tree."""
    system, gold = (
        replace(side, place=PurePath(side.place).name) for side in (error.system, error.gold)
    )
    return replace(error, system=system, gold=gold)


def require_trees(reading: TreesReading) -> None:
    """Raise a ValueError if a bracket does not lie over words, or anything else does not fit."""
    if not all(_is_sound(side) for case in reading.cases for side in (case.system, case.gold)):
        raise ValueError("it has brackets that do not lie over its words")


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


def _are_numbers(found: Sequence[int], size: int) -> bool:
    return all(0 <= each < size for each in found)
