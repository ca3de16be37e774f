"""Quotation marks that one side deletes and the other keeps, as evalb puts them back.

A quotation mark may be tagged as such, and deleted, on one side only. Where a line has more words
on one side, evalb looks for marks at the same place with different tags, and puts back those that
were deleted. This follows its `fix_quote` step by step, with lines as plain lists.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from caesura.measures.breakdown import BreakdownCounts
from caesura.tasks.trees.measures import LENGTH_NAMES, length_group
from caesura.tasks.trees.parameters import EvalbParameters

Bracket = tuple[str, int, int]
QUOTATION_MARKS = ("'", '"', "/")


@dataclass(slots=True)
class Quote:
    """A quotation mark: its tag, how many words were kept before it, the brackets that are open.

    `opened` is how many brackets had been opened before it.
    """

    tag: str
    word: str
    at: int
    open: list[int]
    opened: int


@dataclass(slots=True)
class TreeLine:
    """A line of a side: the words that are kept, with tags, all brackets, and quotation marks."""

    tags: list[str]
    words: list[str]
    labels: list[str]
    starts: list[int]
    ends: list[int]
    quotes: list[Quote]

    def put_back(self, number: int) -> None:
        """Put a quotation mark that was deleted back among the words."""
        quote = self.quotes[number]
        self.tags.insert(quote.at, quote.tag)
        self.words.insert(quote.at, quote.word)
        for at in range(quote.opened, len(self.labels)):
            self.starts[at] += 1
            self.ends[at] += 1
        for at in quote.open:
            self.ends[at] += 1
        for later in self.quotes[number:]:
            later.at += 1

    def counted(self, parameters: EvalbParameters) -> list[tuple[str, int, int]]:
        """The brackets that count."""
        every = zip(self.labels, self.starts, self.ends, strict=True)
        return [each for each in every if each[1] != each[2] and not parameters.deletes(each[0])]


@dataclass(frozen=True, slots=True)
class QuotedLine:
    """What is counted in a line of which quotation marks were put back."""

    figures: tuple[int, int, int, int, int, int, int]
    breakdown: BreakdownCounts


def is_quote(tag: str, word: str, parameters: EvalbParameters) -> bool:
    """Whether a leaf is a quotation mark that may be tagged wrongly."""
    return tag in parameters.quotes and word in QUOTATION_MARKS


def with_quotes(system: TreeLine, gold: TreeLine, parameters: EvalbParameters) -> QuotedLine | None:
    """Count a line after its quotation marks were put back; None if the words still differ."""
    _put_back(system, gold, parameters)
    words = list(zip(system.words, gold.words, strict=False))
    is_same = all(parameters.same_words(*pair) for pair in words)
    if len(system.words) != len(gold.words) or not is_same:
        return None
    ours, theirs = system.counted(parameters), gold.counted(parameters)
    right, wrong = _matched(ours, theirs, parameters, is_labelled=parameters.is_labelled)
    tags = zip(system.tags, gold.tags, strict=True)
    figures = (
        len(right),
        len(theirs),
        len(ours),
        _crossing(ours, theirs),
        len(words),
        sum(parameters.same_labels(*pair) for pair in tags),
        len(_matched(ours, theirs, parameters, is_labelled=False)[0]),
    )
    labels = [label for label, *_ in right]
    sides = labels, labels + wrong, [label for label, *_ in theirs]
    return QuotedLine(figures, _breakdown(sides, len(words)))


def _breakdown(sides: tuple[list[str], list[str], list[str]], words: int) -> BreakdownCounts:
    """The brackets of a line by label and by length, given labels of matches and of both sides."""
    found: list[Any] = [("length", LENGTH_NAMES[length_group(words)], *map(len, sides))]
    counted = [Counter(side) for side in sides]
    found += [("label", label, *(own[label] for own in counted)) for label in set().union(*counted)]
    return BreakdownCounts(tuple(found))


def _put_back(system: TreeLine, gold: TreeLine, parameters: EvalbParameters) -> None:
    """Put back marks at one place that only one side deleted."""
    delete = parameters.delete
    for i, ours in enumerate(system.quotes):
        place = ours.at
        for j, theirs in enumerate(gold.quotes):
            if theirs.at != place or theirs.tag == ours.tag:
                continue
            if theirs.tag in delete and ours.tag not in delete:
                gold.put_back(j)
            elif ours.tag in delete and theirs.tag not in delete:
                system.put_back(i)


def _matched(
    ours: list[Bracket], theirs: list[Bracket], parameters: EvalbParameters, *, is_labelled: bool
) -> tuple[list[Bracket], list[str]]:
    """The gold brackets that match the first of the system that is left, and labels without one."""
    left: dict[tuple[int, int], list[str]] = {}
    for label, *span in ours:
        left.setdefault((span[0], span[1]), []).append(label)
    found = []
    for bracket in theirs:
        others = left.get(bracket[1:], [])
        for at, label in enumerate(others):
            if not is_labelled or parameters.same_labels(bracket[0], label):
                found.append(bracket)
                del others[at]
                break
    return found, [label for others in left.values() for label in others]


def _crossing(ours: list[Bracket], theirs: list[Bracket]) -> int:
    """How many of the system's brackets cross one of the gold's."""
    begin, stop = np.array([each[1:] for each in theirs]).reshape(-1, 2).T
    return sum(
        bool(
            np.any(
                ((begin < start) & (start < stop) & (stop < end))
                | ((start < begin) & (begin < end) & (end < stop))
            )
        )
        for _, start, end in ours
    )
