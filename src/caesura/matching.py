"""Algorithms that match points, sets and sequences, with no opinion about scores.

One-to-one matchings are of the largest sum, of the most items, and of the nearest first; the
longest common subsequence is matched in order.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import isqrt

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray

FREE = -1
ROUNDS = 24
"""How often all neighbours are matched together, before those left are matched one by one."""
CACHED = 4096
"""The words whose places in a list are kept."""
_FAR = np.iinfo(np.int64).max


def best_assignment(values: IntArray, then: IntArray) -> IntArray:
    """The column of each row of the largest sum of `values`; of equal sums, the largest of `then`.

    Both are tables of whole numbers from 0 on, of one shape; a row without a column has `FREE`.
    The slow twin is `best_pairs` of tests/support/reference_speakers.py.

    >>> best_assignment(np.array([[3, 5], [3, 5], [0, 1]]), np.eye(3, 2, dtype=np.int64)).tolist()
    [0, 1, -1]
    """
    rows, columns = values.shape
    size = max(rows, columns)
    padding = (0, size - rows), (0, size - columns)
    square, second = np.pad(values, padding), np.pad(then, padding)
    column, is_best = _assigned(square)
    if int(is_best.sum()) > size:
        least = -(size + 1) * (int(second.max(initial=0)) + 1)  # less than any sum of the others
        column, _ = _assigned(np.where(is_best, second, least))
    return np.where(column < columns, column, FREE)[:rows]


def _assigned(values: IntArray) -> tuple[IntArray, BoolArray]:
    """The column of each row of a square table, and all cells of which best assignments consist.

    The Hungarian method (Kuhn 1955), with prices of rows and columns: no value exceeds the sum of
    its prices, and those that equal it are the cells of the best assignments.
    """
    size = len(values)
    of_row, of_column = values.max(axis=1, initial=0), np.zeros(size, np.int64)  # the prices
    owner = np.full(size, FREE)  # (columns,) the row that each is assigned to
    for row in range(size):
        slack = np.full(size, _FAR)  # (columns,) how much the prices of a path to each exceed it
        before = np.full(size, FREE)  # (columns,) the column before it on that path
        is_done = np.zeros(size, np.bool_)
        column, last = FREE, row
        while True:
            loss = of_row[last] + of_column - values[last]
            nearer = ~is_done & (loss < slack)
            slack[nearer], before[nearer] = loss[nearer], column
            column = int(np.where(is_done, _FAR, slack).argmin())
            step = slack[column]
            of_row[[row, *owner[is_done]]] -= step
            of_column[is_done] += step
            slack[~is_done] -= step
            if owner[column] == FREE:
                break
            is_done[column], last = True, owner[column]
        while column != FREE:
            owner[column] = owner[before[column]] if before[column] != FREE else row
            column = int(before[column])
    return np.argsort(owner), of_row[:, None] + of_column == values


def most_matched(wishes: Sequence[Sequence[int]], goals: int) -> tuple[BoolArray, BoolArray]:
    """Which items and which goals a largest one-to-one matching has; earlier items are preferred.

    `wishes` are the goals that each item may be matched with. Items are offered one by one, and
    matched if that raises the size of the largest matching of those so far, for which others may
    move to other goals. The slow twin is `matches_by_rank` of tests/support/reference_matching.py.

    >>> [side.tolist() for side in most_matched([[0], [0, 2], [2]], 3)]
    [[True, True, False], [True, False, True]]
    """
    holder = [FREE] * goals  # (goals,) the item that each is matched with
    is_closed = [False] * goals  # from which no free goal can be reached; they stay so
    is_matched = np.zeros(len(wishes), np.bool_)
    for item in range(len(wishes)):
        came_from: dict[int, int] = {}  # the goal that the holder of the one before has to give up
        queue, free = [(item, FREE)], FREE
        for taker, given_up in queue:
            for goal in wishes[taker]:
                if is_closed[goal] or goal in came_from:
                    continue
                came_from[goal] = given_up
                if holder[goal] == FREE:
                    free = goal
                    break
                queue.append((holder[goal], goal))
            if free != FREE:
                break
        if free == FREE:
            for goal in came_from:
                is_closed[goal] = True
            continue
        is_matched[item] = True
        while (before := came_from[free]) != FREE:
            holder[free], free = holder[before], before
        holder[free] = item
    return is_matched, np.array(holder, np.int64) != FREE


def nearest_first(rows: IntArray, columns: IntArray, tolerance: int) -> tuple[IntArray, IntArray]:
    """The numbers of the rows and of the columns that match, at most `tolerance` apart.

    The nearest pair of all is matched, then the nearest of what is left, and so on; among pairs
    that are equally near, the first row comes first, then the first column. There can be fewer
    matches than in the largest matching: [0, 2] and [2, 4] have one at distance 0 and none after
    it, or two at distance 2.

    Only neighbours among all times can be the nearest pair, and two that are nearer to each other
    than to any other stay so: all such pairs are matched at once, until few are left. A million
    boundaries a side take .2 s, one by one from the start 18 s. The slow twin is `nearest_first` of
    tests/support/reference_times.py.

    >>> [side.tolist() for side in nearest_first(np.array([0, 2]), np.array([2, 4]), 2)]
    [[1], [0]]
    """
    times = np.concatenate((rows, columns))
    side = np.repeat([0, 1], [rows.size, columns.size])
    number = np.concatenate((np.arange(rows.size), np.arange(columns.size)))
    # (3, times of both sides) time, 0 for a row or 1 for a column, and its number; in this order
    line = np.stack((times, side, number))[:, np.lexsort((number, side, times))]
    pairs = [np.empty((0, 2), np.int64)]
    for _ in range(ROUNDS):
        near = np.diff(line[0]) <= tolerance
        has_near = np.append(False, near) | np.append(near, False)
        line = line[:, has_near[: line.shape[1]]]  # the others can never match
        first = _nearest_to_each_other(line[0], line[1], tolerance)
        if not first.size:
            break
        matches = np.stack((line[2, first], line[2, first + 1]), axis=1)
        is_turned = line[1, first] == 1
        matches[is_turned] = matches[is_turned, ::-1]
        pairs.append(matches)
        line = np.delete(line, np.concatenate((first, first + 1)), axis=1)
    if line.size:
        pairs.append(np.array(_one_by_one(line, tolerance), np.int64).reshape(-1, 2))
    row, column = np.concatenate(pairs).T
    return row, column


def _nearest_to_each_other(times: IntArray, side: IntArray, tolerance: int) -> IntArray:
    """Which times may match the next one and are nearer to it than anything else to either.

    Nothing is decided where there is a choice: between pairs that are equally near, or between
    times of one side that are the same.
    """
    # (times,) how far the last one before, and the first one after, of the other side is
    before, after = np.full((2, times.size), _FAR)
    for this in (0, 1):
        theirs, ours = np.flatnonzero(side == this), np.flatnonzero(side != this)
        passed = np.searchsorted(theirs, ours)  # how many of theirs lie before each of ours
        has = passed > 0
        before[ours[has]] = times[ours[has]] - times[theirs[passed[has] - 1]]
        has = passed < theirs.size
        after[ours[has]] = times[theirs[passed[has]]] - times[ours[has]]
    apart, is_same = np.diff(times), np.diff(side) == 0  # (times - 1,) of each and the next one
    is_nearer = (apart < before[:-1]) & (apart < after[1:])
    is_twice = is_same & (apart == 0)
    has_twin = np.append(False, is_twice) | np.append(is_twice, False)
    is_only = ~(has_twin[:-1] | has_twin[1:])
    return np.flatnonzero(~is_same & (apart <= tolerance) & is_nearer & is_only)


def _one_by_one(line: IntArray, tolerance: int) -> list[tuple[int, int]]:
    """Match what is left one by one, with a queue of neighbours, in O(n log n).

    This decides where pairs are equally near, and ends rounds without end: distances that grow from
    left to right allow one match a round. Those of one side that have the same time are one place,
    and the first of them is matched first.
    """
    is_new = np.append(True, (np.diff(line[:2]) != 0).any(axis=0))
    first = np.flatnonzero(is_new)  # (places,) in order
    moments, sides = line[:2, first].tolist()
    waiting = [numbers[::-1].tolist() for numbers in np.split(line[2], first[1:])]
    before, after = list(range(-1, first.size - 1)), list(range(1, first.size + 1))
    queue: list[tuple[int, int, int, int, int]] = []

    def pair(left: int, right: int) -> tuple[int, int] | None:
        """The row and the column that are next at two places, if both have one left."""
        if not waiting[left] or not waiting[right]:
            return None
        row, column = (right, left) if sides[left] else (left, right)
        return waiting[row][-1], waiting[column][-1]

    def put(left: int, right: int) -> None:
        """Put two neighbours into the queue if they may match."""
        if left < 0 or right >= first.size or sides[left] == sides[right]:
            return
        apart, match = moments[right] - moments[left], pair(left, right)
        if apart <= tolerance and match is not None:
            heapq.heappush(queue, (apart, *match, left, right))

    for place in range(first.size - 1):
        put(place, place + 1)
    matches = []
    while queue:
        _, row, column, left, right = heapq.heappop(queue)
        if pair(left, right) != (row, column):
            continue
        matches.append((row, column))
        waiting[left].pop()
        waiting[right].pop()
        left = left if waiting[left] else before[left]
        right = right if waiting[right] else after[right]
        if left >= 0:
            after[left] = right
            put(before[left], left)
        if right < first.size:
            before[right] = left
            put(right, after[right])
        put(left, right)
    return matches


def common(gold: Sequence[str], system: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The longest common subsequence; of equal ways the one that leaves gold words first.

    >>> list(common(["a", "b", "c"], ["b", "x", "a"]))
    [(1, 0)]
    """
    if gold == system:
        yield from ((at, at) for at in range(len(gold)))
        return
    if set(gold).isdisjoint(system):
        return
    j, size = 0, len(system)
    for i, (row, after) in enumerate(pairwise(_lengths(gold, system))):
        while j < size and gold[i] != system[j]:
            rest = (1 << size - j) - 1
            if (row & rest).bit_count() == (after & rest).bit_count():
                break
            j += 1
        if j == size:
            return
        if gold[i] == system[j]:
            yield i, j
            j += 1


def _lengths(gold: Sequence[str], system: Sequence[str]) -> Iterator[int]:
    """A row for each gold word, and one after all: how long the common subsequence from there is.

    From the system's word j on, it has as many words as the last `len(system) - j` bits of the row
    have ones: a length rises by 0 or 1 from column to column, so the row of the word before takes a
    few operations on numbers (Hyyrö 2004, Bit-parallel LCS-length computation revisited). Memory
    grows like the length of both lists: only some rows are kept; those between are made again.
    """
    full, step = (1 << len(system)) - 1, isqrt(len(gold)) + 1
    places: dict[str, list[int]] = defaultdict(list)
    for bit, word in enumerate(reversed(system)):
        places[word].append(bit)

    @lru_cache(CACHED)
    def bits(word: str) -> int:
        """Where the system has a word, from its end."""
        return sum(1 << bit for bit in places.get(word, ()))

    def row_before(row: int, word: str) -> int:
        flat = full ^ row
        met = flat & bits(word)
        return full ^ (((flat + met) | (flat - met)) & full)

    row, kept = 0, {len(gold): 0}
    for i in reversed(range(len(gold))):
        row = row_before(row, gold[i])
        if i % step == 0:
            kept[i] = row
    for first in range(0, len(gold), step):
        words = gold[first : first + step]
        rows = [*accumulate(reversed(words), row_before, initial=kept[first + len(words)])]
        yield from reversed(rows[1:])
    yield 0
