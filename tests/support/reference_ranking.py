"""Slow twins of scores of places: every threshold anew, every matching by trial."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from support.reference_matching import matches_within

Score = float | None


def at_threshold(
    scores: Sequence[Score], wanted: Sequence[int], threshold: float, tolerance: int = 0
) -> tuple[int, int]:
    """Right places and all places where the score is at least the threshold."""
    placed = [at for at, score in enumerate(scores) if score is not None and score >= threshold]
    goals = [at for at, is_wanted in enumerate(wanted) if is_wanted]
    return matches_within(placed, goals, tolerance), len(placed)


def thresholds(scores: Sequence[Score]) -> list[float]:
    """The distinct scores from the highest."""
    return sorted({score for score in scores if score is not None}, reverse=True)


def _curve(
    scores: Sequence[Score], wanted: Sequence[int], tolerance: int
) -> Iterator[tuple[float, int, int]]:
    for each in thresholds(scores):
        yield each, *at_threshold(scores, wanted, each, tolerance)


def average_precision(scores: Sequence[Score], wanted: Sequence[int], tolerance: int = 0) -> float:
    """Σ (R_i - R_{i-1}) P_i, as an exact fraction."""
    if not sum(wanted):
        return math.nan
    total, before = Fraction(0), 0
    for _, right, placed in _curve(scores, wanted, tolerance):
        total += Fraction(right - before, sum(wanted)) * Fraction(right, placed)
        before = right
    return float(total)


def best(scores: Sequence[Score], wanted: Sequence[int]) -> tuple[float, float]:
    """The best F1 and the highest threshold that has it."""
    found = [
        (Fraction(2 * right, placed + sum(wanted)), each)
        for each, right, placed in _curve(scores, wanted, 0)
    ]
    f1, threshold = max(found, default=(math.nan, math.nan))
    return float(f1), threshold


def best_of_several(
    scores: Sequence[Score], references: Sequence[Sequence[int]]
) -> tuple[float, float]:
    """The best mean F1 over references, and the highest threshold that has it."""
    means = []
    for each in thresholds(scores):
        own = [at_threshold(scores, wanted, each) for wanted in references]
        sizes = zip(own, map(sum, references), strict=True)
        f1 = [2 * right / (placed + wanted) for (right, placed), wanted in sizes]
        means.append((math.fsum(f1) / len(f1), each))
    return max(means)


def ece(scores: Sequence[float], wanted: Sequence[int]) -> float:
    """Σ |Σ s - right| / places over 15 bins."""
    bins: dict[int, float] = {}
    for score, is_wanted in zip(scores, wanted, strict=True):
        at = min(math.floor(15 * score), 14)
        bins[at] = bins.get(at, 0.0) + score - is_wanted
    return math.fsum(map(abs, bins.values())) / len(scores)


def brier(scores: Sequence[float], wanted: Sequence[int]) -> float:
    """The mean of (s - y)²."""
    squares = ((score - is_wanted) ** 2 for score, is_wanted in zip(scores, wanted, strict=True))
    return math.fsum(squares) / len(scores)
