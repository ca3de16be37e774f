"""Boundaries matched one to one, the nearest first.

Of all pairs that are near enough, the nearest one is matched, of those that are equally near the
first; then the nearest of what is left, and so on. There can be fewer matches than in the largest
matching: [0, 2] and [2, 4] have one at distance 0 and none after it, or two at distance 2.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray

ROUNDS = 24
"""How often all neighbours are looked at together, before those left are taken one by one."""
_FAR = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """The times of both sides in one order: by time, by side, by number.

    All neighbours are looked at together: a million boundaries a side take .2 s, with a queue from
    the start 18 s. The slow twin is `nearest_first` of tests/support/reference_times.py.
    """

    times: IntArray  # (times of both sides,) ascending
    side: IntArray  # 0 for a row, 1 for a column
    number: IntArray  # its number among the rows, or among the columns

    @classmethod
    def from_sides(cls, rows: IntArray, columns: IntArray) -> _Line:
        times = np.concatenate((rows, columns))
        side = np.repeat([0, 1], [rows.size, columns.size])
        number = np.concatenate((np.arange(rows.size), np.arange(columns.size)))
        return cls(times, side, number).some(np.lexsort((number, side, times)))

    def some(self, which: IntArray | BoolArray) -> _Line:
        return _Line(self.times[which], self.side[which], self.number[which])

    def within_reach(self, tolerance: int) -> _Line:
        """Those with a neighbour that is near enough; the others can never match."""
        near = np.diff(self.times) <= tolerance
        before, after = np.append(False, near), np.append(near, False)
        size = self.times.size
        return self.some((before | after)[:size])

    def nearest(self, tolerance: int) -> IntArray:
        """Which of them may match the next and are nearer to it than anything else to either.

        Nothing is decided where there is a choice: between pairs that are equally near, or between
        times of one side that are the same.
        """
        # (times - 1,) of each time and the next one
        apart, is_same = np.diff(self.times), np.diff(self.side) == 0
        before, after = self._others()
        nearer = (apart < before[:-1]) & (apart < after[1:])
        twice = is_same & (apart == 0)
        has_twin = np.append(False, twice) | np.append(twice, False)
        is_only = ~(has_twin[:-1] | has_twin[1:])
        return np.flatnonzero(~is_same & (apart <= tolerance) & nearer & is_only)

    def _others(self) -> tuple[IntArray, IntArray]:
        """How far the last one before each, and the first one after, of the other side is."""
        before, after = np.full(self.times.size, _FAR), np.full(self.times.size, _FAR)
        for side in (0, 1):
            theirs, ours = np.flatnonzero(self.side == side), np.flatnonzero(self.side != side)
            passed = np.searchsorted(theirs, ours)  # how many of theirs lie before each of ours
            has = passed > 0
            before[ours[has]] = self.times[ours[has]] - self.times[theirs[passed[has] - 1]]
            has = passed < theirs.size
            after[ours[has]] = self.times[theirs[passed[has]]] - self.times[ours[has]]
        return before, after


def nearest_first(rows: IntArray, columns: IntArray, tolerance: int) -> tuple[IntArray, IntArray]:
    """The numbers of the rows and of the columns that match, at most `tolerance` apart.

    Among pairs that are equally near, the first row comes first, then the first column.
    Only neighbours among all times can be the nearest pair, and two that are nearer to each other
    than to any other stay so: all such pairs are matched at once, until few are left.

    >>> [side.tolist() for side in nearest_first(np.array([0, 2]), np.array([2, 4]), 2)]
    [[1], [0]]
    """
    line = _Line.from_sides(rows, columns)
    found = [np.empty((0, 2), np.int64)]
    for _ in range(ROUNDS):
        line = line.within_reach(tolerance)
        at = line.nearest(tolerance)
        if not at.size:
            break
        pairs = np.stack((line.number[at], line.number[at + 1]), axis=1)
        turned = line.side[at] == 1
        pairs[turned] = pairs[turned, ::-1]
        found.append(pairs)
        left = np.ones(line.times.size, dtype=np.bool_)
        left[at] = left[at + 1] = False
        line = line.some(left)
    rest = _Queue.from_line(line, tolerance).pairs() if line.times.size else []
    every = np.concatenate((*found, np.array(rest, dtype=np.int64).reshape(-1, 2)))
    return every[:, 0], every[:, 1]


class _Queue:
    """Match what is left one by one, with a queue of neighbours, in O(n log n).

    It decides where pairs are equally near, and rounds without end: distances that grow from left
    to right allow one match a round. Those of one side that have the same time are one place, and
    the first is taken first.
    """

    def __init__(self, times: list[int], sides: list[int], tolerance: int) -> None:
        self.times, self.sides, self.tolerance = times, sides, tolerance
        self.numbers: list[list[int]] = [[] for _ in times]
        self.before = list(range(-1, len(times) - 1))
        self.after = list(range(1, len(times) + 1))
        self.queue: list[tuple[int, int, int, int, int]] = []

    @classmethod
    def from_line(cls, line: _Line, tolerance: int) -> _Queue:
        anew = (np.diff(line.times) != 0) | (np.diff(line.side) != 0)
        first = np.append(True, anew)
        found = cls(line.times[first].tolist(), line.side[first].tolist(), tolerance)
        places = np.cumsum(first) - 1
        for place, number in zip(places[::-1].tolist(), line.number[::-1].tolist(), strict=True):
            found.numbers[place].append(number)
        return found

    def pairs(self) -> list[tuple[int, int]]:
        """The matches, as numbers of rows and columns."""
        found = []
        for place in range(len(self.times) - 1):
            self._put(place, place + 1)
        while self.queue:
            _, row, column, left, right = heapq.heappop(self.queue)
            if self._now(left, right) != (row, column):
                continue
            found.append((row, column))
            left, right = self._taken(left, self.before), self._taken(right, self.after)
            self._renew(left, right)
        return found

    def _now(self, left: int, right: int) -> tuple[int, int] | None:
        """The row and the column that are next at two places, if both have one left."""
        if not self.numbers[left] or not self.numbers[right]:
            return None
        pair = (self.numbers[left][-1], self.numbers[right][-1])
        return pair[::-1] if self.sides[left] else pair

    def _put(self, left: int, right: int) -> None:
        """Put two neighbours into the queue if they may match."""
        if left < 0 or right >= len(self.times) or self.sides[left] == self.sides[right]:
            return
        apart, pair = self.times[right] - self.times[left], self._now(left, right)
        if apart <= self.tolerance and pair is not None:
            heapq.heappush(self.queue, (apart, *pair, left, right))

    def _taken(self, place: int, beyond: list[int]) -> int:
        """Take the first of a place; the place, or the one beyond it if it is empty now."""
        self.numbers[place].pop()
        return place if self.numbers[place] else beyond[place]

    def _renew(self, left: int, right: int) -> None:
        """Make two places neighbours, and put what has changed beside them into the queue."""
        if left >= 0:
            self.after[left] = right
            self._put(self.before[left], left)
        if right < len(self.times):
            self.before[right] = left
            self._put(right, self.after[right])
        self._put(left, right)
