"""The largest one-to-one matching, by trying to augment a path from each item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise


def largest(near: Sequence[Iterable[int]]) -> int:
    """How many items can have a goal of their own, each one of those that it is near."""
    holder: dict[int, int] = {}

    def finds(item: int, seen: set[int]) -> bool:
        for goal in near[item]:
            if goal not in seen:
                seen.add(goal)
                if goal not in holder or finds(holder[goal], seen):
                    holder[goal] = item
                    return True
        return False

    return sum(finds(item, set()) for item in range(len(near)))


def matches_by_rank(near: Sequence[Iterable[int]]) -> list[bool]:
    """Which items raise the largest matching of those up to them: all matchings of each prefix."""
    sizes = [largest(near[:number]) for number in range(len(near) + 1)]
    return [after > before for before, after in pairwise(sizes)]


def matches_within(a: Iterable[int], b: Iterable[int | Fraction], tolerance: int) -> int:
    """The largest matching of points at most `tolerance` apart."""
    goals = [*b]
    return largest([[at for at, j in enumerate(goals) if abs(i - j) <= tolerance] for i in a])
