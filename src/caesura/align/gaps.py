"""Gaps between equal runs, moved to where units end.

What one stream has and the other lacks can often be cut out in several places: of "the cat. the
dog." and "the dog." one may drop "the cat. " or "cat. the ". The gap is slid to where it begins
and ends at ends of sentences, or else of tokens, on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from caesura.align.characters import Run, Runs, common_prefix, common_suffix
from caesura.core.segmentation import IntArray
from caesura.core.text import Text


@dataclass(frozen=True, slots=True)
class Side:
    """A stream and where its sentences and its tokens end."""

    stream: str
    ends: tuple[IntArray, IntArray]

    @classmethod
    def from_text(cls, text: Text) -> Side:
        """What sliding needs of a text."""
        return cls(text.stream, (text.sentence_offsets, text.token_ends))


@dataclass(frozen=True, slots=True)
class Gap:
    """What one side has from `start` to `start + size` and the other lacks at `at`.

    `room` is how many equal characters lie before and after it.
    """

    has: Side
    lacks: Side
    start: int
    at: int
    size: int
    room: tuple[int, int]

    def best_shift(self) -> int:
        """How far to slide it."""
        reach = self._reach()
        if reach == (0, 0):
            return 0
        for ends, others in zip(self.has.ends, self.lacks.ends, strict=True):
            begins = _near(ends, self.start, reach)
            stops = _near(ends, self.start + self.size, reach) if begins.size else begins
            found = np.intersect1d(begins, stops, assume_unique=True)
            if found.size:
                found = np.intersect1d(found, _near(others, self.at, reach), assume_unique=True)
            if found.size:
                return int(found[np.argmin(np.abs(found))])
        return 0

    def _reach(self) -> tuple[int, int]:
        """How far it can go left and right while the rest stays equal."""
        stream, start, stop = self.has.stream, self.start, self.start + self.size
        left, right = self.room
        before = common_suffix(stream, stream, start, stop, left)
        return before, common_prefix(stream, stream, start, stop, right)


def _near(ends: IntArray, origin: int, reach: tuple[int, int]) -> IntArray:
    """The ends of units within reach of a place, as shifts from it."""
    left, right = reach
    # A different integer width would copy all ends.
    edges = np.array([origin - left, origin + right + 1], dtype=ends.dtype)
    low, high = np.searchsorted(ends, edges)
    found = ends[low:high] - origin
    return np.append(found, -origin) if origin <= left else found


def slide(runs: Runs, a: Text, b: Text) -> Runs:
    """Join gaps that can be one, then slide every gap that only one of the streams has."""
    runs = _joined(runs, a.stream, b.stream)
    # With an empty run at each end, every gap lies between two runs: moving it to the right
    # lengthens the one before and shortens the one after.
    begins = [
        np.concatenate(([0], own, [size]))
        for own, size in ((runs.a, runs.size_a), (runs.b, runs.size_b))
    ]
    length = np.concatenate(([0], runs.length, [0]))
    ends = [own[:-1] + length[:-1] for own in begins]
    sizes = [own[1:] - end for own, end in zip(begins, ends, strict=True)]
    gaps = np.flatnonzero((sizes[0] > 0) != (sizes[1] > 0))
    places = np.stack((gaps, sizes[1][gaps] > 0, *(each[gaps] for each in (*ends, *sizes))), axis=1)
    sides, moved = (Side.from_text(a), Side.from_text(b)), length.tolist()
    shifts = np.zeros(length.size, dtype=np.int64)
    for gap, has, *where in places.tolist():
        room = moved[gap], moved[gap + 1]
        place = where[has], where[1 - has], where[2 + has]
        shift = Gap(sides[has], sides[1 - has], *place, room).best_shift()
        if shift:
            moved[gap] += shift
            moved[gap + 1] -= shift
            shifts[gap + 1] = shift
    length = np.array(moved)
    kept = np.flatnonzero(length > 0) if length.any() else slice(0, 1)
    begin_a, begin_b = ((own + shifts)[kept] for own in begins)
    return Runs(begin_a, begin_b, length[kept], runs.size_a, runs.size_b)


def _joined(runs: Runs, a: str, b: str) -> Runs:
    """Where the run between two gaps of one stream fits beside another run, put it there."""
    kept: list[Run] = [(0, 0, 0)]
    for run in zip(runs.a.tolist(), runs.b.tolist(), runs.length.tolist(), strict=True):
        last = run
        while len(kept) > 1 and (pair := _without_between(kept[-2], kept[-1], last, a, b)):
            kept[-2:], last = pair[:1], pair[1]
        kept.append(last)
    found = np.array([run for run in kept if run[2]] or kept[:1], dtype=np.int64)
    return Runs(found[:, 0], found[:, 1], found[:, 2], runs.size_a, runs.size_b)


def _without_between(
    before: Run, between: Run, after: Run, a: str, b: str
) -> tuple[Run, Run] | None:
    """Two runs in place of three, if the one between can join the next or the one before."""
    size = between[2]
    for side, stream in ((1, b), (0, a)):
        other = 1 - side
        if before[other] + before[2] != between[other] or between[other] + size != after[other]:
            continue
        text = stream[between[side] : between[side] + size]
        if stream.startswith(text, after[side] - size):
            return before, (after[0] - size, after[1] - size, after[2] + size)
        if stream.startswith(text, before[side] + before[2]):
            return (before[0], before[1], before[2] + size), after
    return None
