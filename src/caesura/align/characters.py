"""Equal runs: a monotone alignment of two streams of characters, near linear in their length.

The streams are walked side by side. Where they differ, what comes next in one is searched further
on in the other, and the next characters are aligned by edit distance, in a window that grows until
the streams go on together, or are at least alike; the way that passes over less is taken. Where
neither leads on, rare strings that both streams have once do. What lies between is left unaligned.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from caesura.align.anchors import CHUNK, SURE, anchors
from caesura.core.segmentation import IntArray
from caesura.core.text import code_units

Run = tuple[int, int, int]
Side = Literal["left", "right"]

WINDOWS = (96, 512, 4096)
PROBES = ((32, 4096), (16, 512), (8, 64))
REACH = 8192
PIECE = 1024
UNITS = 1 << 16
"""The number of offsets that are looked at together."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Where equal runs begin in each stream, and how long they are, in ascending order.

    None is empty, except that streams with nothing in common have one empty run at their start.
    `has_tied` says that the streams turned could give other runs, which are as good.
    """

    a: IntArray
    b: IntArray
    length: IntArray
    size_a: int
    size_b: int
    has_tied: bool = False

    @property
    def aligned(self) -> int:
        """How many characters of each stream lie in a run."""
        return int(self.length.sum())

    def axis_a(self, offsets: IntArray, side: Side) -> IntArray:
        """Put offsets of stream a, in ascending order, on an axis that both streams share.

        Within a run, offsets of a and b at the same place get one number. The edge of a run
        belongs to it from the left where a unit ends, from the right where one begins. What a has
        between two runs comes before what b has.
        """
        after = np.append(0, self.b + self.length)
        return self._on_axis(self.a, offsets, side, after, self.b - self.a)

    def axis_b(self, offsets: IntArray, side: Side) -> IntArray:
        """Put offsets of stream b on the same axis."""
        after = np.append(self.a, self.size_a)
        return self._on_axis(self.b, offsets, side, after, self.a - self.b)

    def _on_axis(
        self, own: IntArray, offsets: IntArray, side: Side, after: IntArray, shift: IntArray
    ) -> IntArray:
        """What is in a run counts for both streams there, what is in none for its own."""
        streams = self._spread(own, offsets, side, np.ones_like(after), np.full_like(shift, 2))
        return offsets * streams + self._spread(own, offsets, side, after, shift)

    def from_b_to_a(self, offsets: IntArray) -> IntArray:
        """Where offsets of stream b, in ascending order, are in a; beyond its end if in no run.

        The end of a run belongs to it, its beginning does not.
        """
        nothing = np.empty(0, np.int64)
        return np.concatenate([nothing, *(places for _, places in self.pieces_on_a(offsets))])

    def pieces_on_a(self, offsets: IntArray) -> Iterator[tuple[int, IntArray]]:
        """The same piece by piece: how many offsets precede each, and where its own are in a."""
        nowhere = self.size_a + 1
        edges = np.stack((self.b, self.b + self.length), axis=1).ravel().astype(offsets.dtype)
        shift = np.full(edges.size + 1, nowhere)  # of offsets up to each edge, and after the last
        shift[1::2] = self.a - self.b
        stops = np.searchsorted(offsets, edges, side="right")
        stops = np.concatenate(([0], stops, [offsets.size]))  # how many offsets these are
        for start in range(0, offsets.size, UNITS):
            own = offsets[start : start + UNITS]
            stop = start + own.size
            first, last = np.searchsorted(stops, start, "right") - 1, np.searchsorted(stops, stop)
            edges = stops[first : last + 1].clip(start, stop)
            places = np.repeat(shift[first:last], np.diff(edges))
            places += own
            yield start, np.minimum(places, nowhere, out=places)

    def gaps(self) -> tuple[IntArray, IntArray]:
        """How many runs lie before each gap, and where it begins in b.

        A gap is what either stream has before, between or after runs.
        """
        is_gap = np.zeros(self.a.size + 1, dtype=np.bool_)
        for own, size in ((self.a, self.size_a), (self.b, self.size_b)):
            is_gap |= np.append(own, size) > np.append(0, own + self.length)
        before = np.flatnonzero(is_gap)
        return before, np.append(0, self.b + self.length)[before]

    def _spread(
        self, own: IntArray, offsets: IntArray, side: Side, outside: IntArray, inside: IntArray
    ) -> IntArray:
        """For each offset, in ascending order, the value of its run, or of the gap it lies in.

        There are fewer runs than offsets, so the ends of runs are searched.
        """
        edges = np.stack((own, own + self.length), axis=1).ravel().astype(offsets.dtype)
        places = np.searchsorted(offsets, edges, side="left" if side == "right" else "right")
        values = np.empty(outside.size + inside.size, dtype=np.int64)
        values[::2], values[1::2] = outside, inside
        return np.repeat(values, np.diff(places, prepend=0, append=offsets.size))


def equal_runs(a: str, b: str, *, is_turned: bool = False) -> Runs:
    """Align two streams; swapping or reversing them only swaps or reverses the result.

    Which characters they have makes no difference, only where they are equal.

    >>> runs = equal_runs("thecatsat", "thesat")
    >>> list(zip(runs.a.tolist(), runs.b.tolist(), runs.length.tolist()))
    [(0, 0, 3), (6, 3, 3)]
    """
    walk = _Walk(a, b, is_turned=is_turned)
    found = np.array(list(_joined(walk.runs())) or [(0, 0, 0)], dtype=np.int64)
    return Runs(found[:, 0], found[:, 1], found[:, 2], len(a), len(b), walk.has_tied)


class _Walk:
    """Walks two streams from their first difference to their last."""

    def __init__(self, a: str, b: str, *, is_turned: bool) -> None:
        self.a, self.b = a, b
        self.is_turned, self.has_tied = is_turned, False
        first = common_prefix(a, b)
        self.tail = common_suffix(a, b, len(a), len(b), min(len(a), len(b)) - first)
        self.ends = len(a) - self.tail, len(b) - self.tail
        self._anchors: list[tuple[int, int]] | None = None

    def runs(self) -> Iterator[Run]:
        """All runs in order; neighbours may touch."""
        i = j = 0
        end_a, end_b = self.ends
        while i < end_a and j < end_b:
            same = common_prefix(self.a, self.b, i, j, min(end_a - i, end_b - j))
            if same:
                yield i, j, same
                i, j = i + same, j + same
            if i < end_a and j < end_b:
                found = self._either_way(i, j)
                yield from found
                if not found:
                    break
                at, place, size = found[-1]
                i, j = at + size, place + size
        if self.tail:
            yield *self.ends, self.tail

    def _either_way(self, i: int, j: int) -> list[Run]:
        """The same runs whichever stream is the first, unless what is next is alike from both."""
        order = self._order(i, j)
        if order < 0 or (order == 0 and not self.is_turned):
            found = self._onward(i, j)
        else:
            self._exchange()
            found = [(at, place, size) for place, at, size in self._onward(j, i)]
            self._exchange()
        has_leapt = self._anchors is not None
        if order == 0 and (has_leapt or any(run[0] - i != run[1] - j for run in found)):
            self.has_tied = True
        return found

    def _order(self, i: int, j: int) -> int:
        """Whether a (below 0) or b is the first; 0 if they are alike as far as a window goes."""
        for width in WINDOWS:
            order = _order(*self._next(i, j, width))
            if order:
                return order
        return 0

    def _next(self, i: int, j: int, width: int) -> tuple[str, str]:
        """What comes next in each stream."""
        end_a, end_b = self.ends
        return self.a[i : min(i + width, end_a)], self.b[j : min(j + width, end_b)]

    def _exchange(self) -> None:
        self.a, self.b = self.b, self.a
        self.ends = self.ends[::-1]
        if self._anchors is not None:
            self._anchors = [(at, place) for place, at in self._anchors]

    def _onward(self, i: int, j: int) -> list[Run]:
        """The runs from a difference up to where the streams surely go on together."""
        if max(self.ends[0] - i, self.ends[1] - j) <= WINDOWS[-1]:
            return self._to_the_end(i, j, self._skip(i, j))
        for width in WINDOWS:
            blocks = _blocks(*self._next(i, j, width), i, j)
            sure = next((at for at, block in enumerate(blocks) if block[2] >= SURE), None)
            if sure is not None:
                found = blocks[: sure + 1]
                skipped = self._short_skip(i, j, _passed(found, i, j))
                return [skipped] if skipped else found
        skipped = self._skip(i, j)
        if skipped:
            return [skipped]
        if 2 * _aligned(blocks) >= WINDOWS[-1]:
            return [block for block in blocks if block[0] < i + WINDOWS[-1] // 2]
        return self._leap(i, j)

    def _to_the_end(self, i: int, j: int, skipped: Run | None) -> list[Run]:
        """All runs that are left, after the skip if no fewer characters are aligned with it."""
        plain = self._blocks((i, j), self.ends)
        if skipped is None:
            return plain
        begin = skipped[0] + skipped[2], skipped[1] + skipped[2]
        after = [skipped, *self._blocks(begin, self.ends)]
        return after if _aligned(after) >= _aligned(plain) else plain

    def _skip(self, i: int, j: int) -> Run | None:
        """The run after something that only one of the streams has, if that is all there is.

        What one stream has next is looked for in the other: more characters further ahead, fewer
        only near by.
        """
        a, b, (end_a, end_b) = self.a, self.b, self.ends
        for size, reach in PROBES:
            next_a, next_b = self._next(i, j, size)
            at_a = a.find(next_b, i, min(i + reach, end_a))
            at_b = b.find(next_a, j, min(j + reach, end_b))
            if at_a >= 0 and not 0 <= at_b - j < at_a - i:
                return at_a, j, len(next_b)
            if at_b >= 0:
                return i, at_b, len(next_a)
        return None

    def _short_skip(self, i: int, j: int, most: int) -> Run | None:
        """The run after such a skip, if it passes over no more characters than that.

        Where not even the few characters of the last probe are near, no skip is looked for.
        """
        next_a, next_b = self._next(i, j, PROBES[-1][0])
        reach = most + PROBES[-1][0]
        if self.a.find(next_b, i, i + reach) < 0 and self.b.find(next_a, j, j + reach) < 0:
            return None
        skipped = self._skip(i, j)
        return skipped if skipped and _passed([skipped], i, j) <= most else None

    def _blocks(self, begin: tuple[int, int], end: tuple[int, int]) -> list[Run]:
        """The equal blocks between two places of both streams."""
        return _blocks(self.a[begin[0] : end[0]], self.b[begin[1] : end[1]], *begin)

    def _leap(self, i: int, j: int) -> list[Run]:
        """Go to the next anchor; what lies before it is aligned if it is not too much."""
        goal_i, goal_j = self._next_anchor(i, j)
        most = min(goal_i - i, goal_j - j)
        back = common_suffix(self.a, self.b, goal_i, goal_j, most)
        goal_i, goal_j = goal_i - back, goal_j - back
        near = goal_i - i <= REACH and goal_j - j <= REACH
        blocks = self._blocks((i, j), (goal_i, goal_j)) if near else []
        if (goal_i + back, goal_j + back) != self.ends:
            blocks.append((goal_i, goal_j, back + SURE))
        return blocks

    def _next_anchor(self, i: int, j: int) -> tuple[int, int]:
        if self._anchors is None:
            one, other = code_units(self.a, self.b)
            self._anchors = anchors(one, other, (i, self.ends[0]), (j, self.ends[1]))
        for at in range(bisect_left(self._anchors, (i, j)), len(self._anchors)):
            if self._anchors[at][1] >= j:
                return self._anchors[at]
        return self.ends


def _order(a: str, b: str) -> int:
    """Compare where the characters of each first stand in the other; 0 if it is the same.

    Neither what the characters are matters nor who is called a.
    """
    if len(a) != len(b):
        return len(b) - len(a)
    for mine, yours in zip(a, b, strict=True):
        order = a.find(yours) - b.find(mine)
        if order:
            return order
    return 0


def _aligned(runs: list[Run]) -> int:
    return sum(run[2] for run in runs)


def _passed(runs: list[Run], i: int, j: int) -> int:
    """How many characters of both streams lie in no run before the last run begins."""
    return runs[-1][0] - i + runs[-1][1] - j - 2 * _aligned(runs[:-1])


def _blocks(a: str, b: str, i: int, j: int) -> list[Run]:
    """The equal blocks of two short pieces, by edit distance, where they begin at i and j."""
    blocks = levenshtein().opcodes(a, b).as_matching_blocks()
    return [(i + block.a, j + block.b, block.size) for block in blocks[:-1]]


@cache
def levenshtein() -> Any:
    """The edit distance, imported when it is first used."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein


def _joined(runs: Iterator[Run]) -> Iterator[Run]:
    """Join runs that touch on both sides."""
    last: Run | None = None
    for run in runs:
        if last and run[0] == last[0] + last[2] and run[1] == last[1] + last[2]:
            last = last[0], last[1], last[2] + run[2]
        else:
            if last:
                yield last
            last = run
    if last:
        yield last


def common_prefix(a: str, b: str, i: int = 0, j: int = 0, most: int | None = None) -> int:
    """How far two texts are equal from places in them on, at most `most` characters.

    They are compared in growing pieces.
    """
    length = min(len(a) - i, len(b) - j) if most is None else most
    done, size = 0, PIECE
    while done < length:
        stop = min(done + size, length)
        one, other = a[i + done : i + stop], b[j + done : j + stop]
        if one != other:
            units = code_units(one, other)
            return done + int((units[0] != units[1]).argmax())
        done, size = stop, min(4 * size, CHUNK)
    return length


def common_suffix(a: str, b: str, i: int, j: int, most: int) -> int:
    """How far two texts are equal back from places in them, at most `most` characters."""
    done, size = 0, PIECE
    while done < most:
        stop = min(done + size, most)
        one, other = a[i - stop : i - done], b[j - stop : j - done]
        if one != other:
            units = code_units(one[::-1], other[::-1])
            return done + int((units[0] != units[1]).argmax())
        done, size = stop, min(4 * size, CHUNK)
    return most
