"""Slow twins of what is counted on a clock, on samples and on a grid, written for reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, log, sqrt

from support.reference_matching import largest, matches_within


def on_grid(points: list[int], extent: int, step: int, *, of_samples: bool) -> list[int]:
    """A 1 for each cell that holds a boundary, another for the end; neither edge is one."""
    first = 1 if of_samples else 0
    cells = [0] * (max(0, extent - first) // step + 1)
    for point in points:
        if 0 < point < extent:
            cells[(point - first) // step] = 1
    cells[-1] = 1
    return cells


def counting(points: list[int], extent: int, edges: str) -> list[int]:
    """The points that count."""
    inner = sorted({point for point in points if 0 < point < extent})
    return [0, *inner, extent] if edges == "keep" else inner


def grouped(references: Sequence[Sequence[int]], tolerance: int) -> list[list[int]]:
    """Groups of times: at most one of each reference, all at most `tolerance` after the first."""
    free = [sorted(set(times)) for times in references]
    groups = []
    while any(free):
        first = min(times[0] for times in free if times)
        heads = [times for times in free if times and times[0] <= first + tolerance]
        groups.append([times.pop(0) for times in heads])
    return groups


def place(group: list[int]) -> Fraction:
    """The exact mean of the times of a group."""
    return Fraction(sum(group), len(group))


def consensus(
    ours: list[int], references: Sequence[Sequence[int]], tolerance: int, least: int
) -> tuple[int, int, int]:
    """Matches with the places of groups of at least so many, and what is left on both sides."""
    groups = [each for each in grouped(references, tolerance) if len(each) >= least]
    tp = matches_within(ours, [place(each) for each in groups], tolerance)
    return tp, len(ours) - tp, len(groups) - tp


def either(ours: list[int], references: Sequence[Sequence[int]], tolerance: int) -> tuple[int, int]:
    """Candidates that no group takes, and groups of all references with no candidate near."""
    groups = grouped(references, tolerance)
    ranges = [range(min(each) - tolerance, max(each) + tolerance + 1) for each in groups]
    taken = largest([[at for at, own in enumerate(ranges) if one in own] for one in ours])
    missed = [
        group
        for group in groups
        if len(group) == len(references) and all(abs(a - place(group)) > tolerance for a in ours)
    ]
    return len(ours) - taken, len(missed)


def tcpd(annotations: list[list[int]], points: list[int], n: int, margin: int) -> list[float]:
    """Precision, recall and covering of change points, by their definitions."""

    def hits(wanted: set[int], placed: set[int]) -> int:
        free, found = set(placed), 0
        for point in sorted(wanted):
            near = sorted((abs(point - each), each) for each in free if abs(point - each) <= margin)
            if near:
                free.remove(near[0][1])
                found += 1
        return found

    def segments(starts: set[int]) -> list[set[int]]:
        edges = [*sorted(starts), n]
        return [set(range(*each)) for each in pairwise(edges)]

    ours = {0, *points}
    theirs = [{0, *each} for each in annotations]
    covers = [
        sum(len(one) * max(len(one & other) / len(one | other) for other in segments(ours))
            for one in segments(each)) / n
        for each in theirs
    ]  # fmt: skip
    recalls = [hits(each, ours) / len(each) for each in theirs]
    union = set().union(*theirs)
    return [hits(union, ours) / len(ours), sum(recalls) / len(theirs), sum(covers) / len(theirs)]


def _entropy(items: Sequence[object]) -> float:
    """In nats, of labels of items."""
    return sum(n / len(items) * log(len(items) / n) for n in Counter(items).values())


def _given(one: Sequence[int], other: Sequence[int]) -> float:
    """The entropy of one side within each label of the other, weighted by its items."""
    within = [[a for a, b in zip(one, other, strict=True) if b == name] for name in set(other)]
    return sum(_entropy(own) * len(own) for own in within) / len(one)


def conditional(theirs: Sequence[int], ours: Sequence[int], *, marginal: bool) -> list[float]:
    """The over- and under-segmentation of labels, normalised; and the harmonic mean of both."""
    scores = []
    for one, other in ((ours, theirs), (theirs, ours)):
        most = _entropy(one) if marginal else log(len(set(one)))
        scores.append(1 - _given(one, other) / most if most > 0 else 0.0)
    total = sum(scores)
    return [*scores, 2 * scores[0] * scores[1] / total if total else 0.0]


def mutual_information(theirs: Sequence[int], ours: Sequence[int]) -> list[float]:
    """Of labels of items: in nats, beyond chance, and normalised.

    Chance is the mean over all ways to deal out our labels to the items: a label of theirs with a
    items and one of ours with b meet in k of them in C(a, k)·C(n − a, b − k) of C(n, b) ways.
    """
    n, one, other = len(theirs), Counter(theirs), Counter(ours)
    mutual = _entropy(theirs) - _given(theirs, ours)
    chance = sum(
        k / n * log(n * k / (a * b)) * comb(a, k) * comb(n - a, b - k) / comb(n, b)
        for a in one.values()
        for b in other.values()
        for k in range(max(1, a + b - n), min(a, b) + 1)
    )
    alone = _entropy(theirs), _entropy(ours)
    normal = mutual / max(sqrt(alone[0] * alone[1]), 1e-10) if len(one) + len(other) > 2 else 1.0
    if len(one) == len(other) and len(one) in (1, n):
        return [mutual, 1.0, normal]
    return [mutual, (mutual - chance) / (max(alone) - chance), normal]
