"""Slow, obvious twins of the measures of labelled units and of the adjusted Rand index."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import nan

from caesura.core.segmentation import OUTSIDE, Segmentation


def units(whole: Segmentation) -> list[tuple[int, int]]:
    """The first and last item of every labelled unit."""
    found, first = [], 0
    for number, last in enumerate(whole.boundaries.tolist()):
        if whole.marks is None or whole.marks[number] != OUTSIDE:
            found.append((first, last))
        first = last + 1
    return found


def matched(ours: list[object], theirs: list[object]) -> tuple[int, int, int]:
    """How many are right, wrong and missed."""
    right = sum(each in theirs for each in ours)
    return right, len(ours) - right, sum(each not in ours for each in theirs)


def starts(ours: Segmentation, theirs: Segmentation) -> tuple[int, int, int]:
    return matched([first for first, _ in units(ours)], [first for first, _ in units(theirs)])


def spans(ours: Segmentation, theirs: Segmentation) -> tuple[int, int, int]:
    return matched(units(ours), units(theirs))


def discourse(ours: Segmentation, theirs: Segmentation) -> tuple[int, int, int]:
    """Units that start together, and end together if either is a connective."""
    sides = [dict(zip(units(each), labels(each), strict=True)) for each in (ours, theirs)]
    right = sum(
        first == other and (last == end or "conn" not in (label, theirs_label))
        for (first, last), label in sides[0].items()
        for (other, end), theirs_label in sides[1].items()
    )
    return right, len(sides[0]) - right, len(sides[1]) - right


def script_spans(tags: str, *, keeps_last: bool) -> list[tuple[int, int]]:
    """Connectives among B, I and O as DISRPT's scripts read them: any I sets the next end.

    One that a file ends with is lost without an I, but for the version that keeps it.
    """
    found: list[tuple[int, int]] = []
    start = end = None
    for at, tag in enumerate(tags):
        if tag == "I":
            end = at
            continue
        if start is not None:
            found.append((start, start if end is None else end))
            start = end = None
        if tag == "B":
            start = at
    if start is not None and (end is not None or keeps_last):
        found.append((start, start if end is None else end))
    return found


def labels(whole: Segmentation) -> list[str]:
    """The label of every labelled unit."""
    if whole.marks is None:
        return [""] * whole.boundaries.size
    return [mark for mark in whole.marks.tolist() if mark != OUTSIDE]


def clusters(masses: list[int]) -> list[int]:
    """The number of the unit of every item."""
    return [number for number, size in enumerate(masses) for _ in range(size)]


def rand(ours: list[int], theirs: list[int]) -> tuple[int, int, int]:
    """Pairs of items in one cluster on both sides, on ours and on theirs."""
    pairs = list(combinations(range(len(ours)), 2))
    mine = {(i, j) for i, j in pairs if ours[i] == ours[j]}
    yours = {(i, j) for i, j in pairs if theirs[i] == theirs[j]}
    return len(mine & yours), len(mine), len(yours)


def adjusted_rand_index(ours: list[int], theirs: list[int]) -> float:
    """(index - expected) / (maximum - expected), 1 if both are the same."""
    if not ours:
        return nan
    both, mine, yours = rand(ours, theirs)
    every = len(ours) * (len(ours) - 1) // 2
    expected = Fraction(mine * yours, every) if every else Fraction(0)
    most = Fraction(mine + yours, 2)
    return 1.0 if most == expected else float((both - expected) / (most - expected))
