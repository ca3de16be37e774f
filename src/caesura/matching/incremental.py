"""A matching that grows: items are offered one after another, and kept if that matches more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray

FREE = -1


def matched_by_rank(first: IntArray, beyond: IntArray, goals: int) -> BoolArray:
    """Which items raise the size of the largest one-to-one matching of those up to them.

    Each item may be matched with the goals from `first` up to `beyond`. Goals from which no free
    one can be reached stay so (`is_closed`): what was matched is never given up. The slow twin is
    `matches_by_rank` of tests/support/reference_ranking.py.

    >>> matched_by_rank(np.array([0, 0, 0]), np.array([1, 2, 2]), 2).tolist()
    [True, True, False]
    """
    ranges = list(map(range, first.tolist(), beyond.tolist()))
    return matched(ranges, goals)[0]


def matched(wishes: Sequence[Sequence[int]], goals: int) -> tuple[BoolArray, BoolArray]:
    """Which items and which goals a largest one-to-one matching has; earlier items are preferred.

    >>> [each.tolist() for each in matched([[0], [0, 2], [2]], 3)]
    [[True, True, False], [True, False, True]]
    """
    holder, is_closed = [FREE] * goals, [False] * goals
    grows = [_is_matched(item, wishes, holder, is_closed) for item in range(len(wishes))]
    return np.array(grows, np.bool_), np.array(holder, np.int64) != FREE


def _is_matched(
    item: int, wishes: Sequence[Sequence[int]], holder: list[int], is_closed: list[bool]
) -> bool:
    """Match an item, and others anew if need be, by a search over goals that are taken."""
    came_from: dict[int, int] = {}  # the goal that the holder of the one before has to give up
    queue = [(item, FREE)]
    for taker, own in queue:
        for goal in wishes[taker]:
            if is_closed[goal] or goal in came_from:
                continue
            came_from[goal] = own
            if holder[goal] == FREE:
                _shift(goal, item, came_from, holder)
                return True
            queue.append((holder[goal], goal))
    for goal in came_from:
        is_closed[goal] = True
    return False


def _shift(goal: int, item: int, came_from: dict[int, int], holder: list[int]) -> None:
    """Give a free goal to the holder of the one before it, and so on; the item gets the first."""
    while (before := came_from[goal]) != FREE:
        holder[goal] = holder[before]
        goal = before
    holder[goal] = item
