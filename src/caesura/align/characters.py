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
from caesura.core.text import Text, code_units

Run = tuple[int, int, int]
Side = Literal["left", "right"]

WINDOWS = (96, 512, 4096)
PROBES = ((32, 4096), (16, 512), (8, 64))
REACH = 8192
PIECE = 8
UNITS = 1 << 16
"""The number of offsets or characters that are looked at together."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Where equal runs begin in each stream, and how long they are, in ascending order.

    None is empty, except that streams with nothing in common have one empty run at their start.
    """

    a: IntArray
    b: IntArray
    length: IntArray
    size_a: int
    size_b: int

    @property
    def aligned(self) -> int:
        """How many characters of each stream lie in a run."""
        return int(self.length.sum())

    @property
    def exchanged(self) -> Runs:
        """The same with stream b as the first."""
        return Runs(self.b, self.a, self.length, self.size_b, self.size_a)

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


def precedes(a: Text, b: Text) -> bool:
    """Whether a is aligned as the first of two texts, so that exchanging them changes no count.

    The first is the shorter stream, else the text with fewer sentences or tokens, else the one
    whose sentence or token ends first where these differ. Else characters are compared by where
    they first occur in the other stream, so that renaming them changes nothing. If that is equal,
    too, one stream at i equals the other at j wherever it does at j and i: no order matters.
    """
    sizes, others = (
        (len(text.stream), text.sentence_ends.size, text.token_ends.size) for text in (a, b)
    )
    if sizes != others:
        return sizes < others
    for ours, theirs in ((a.sentence_ends, b.sentence_ends), (a.token_ends, b.token_ends)):
        differs = ours != theirs
        if differs.any():
            return bool((ours < theirs)[differs.argmax()])
    find_a, find_b = cache(a.stream.find), cache(b.stream.find)
    for at in range(common_prefix(a.stream, b.stream), len(a.stream), UNITS):
        parts = (text.stream[at : at + UNITS] for text in (a, b))
        # The different pairs of characters, in the order in which they first occur.
        for one, other in dict.fromkeys(zip(*parts, strict=True)):
            if find_b(one) != find_a(other):
                return find_b(one) < find_a(other)
    return True


def equal_runs(a: str, b: str) -> Runs:
    """Align two streams.

    Which characters they have makes no difference, only where they are equal. If no more than the
    largest window lies between what is equal at the start and at the end, edits are the fewest.

    >>> runs = equal_runs("thecatsat", "thesat")
    >>> list(zip(runs.a.tolist(), runs.b.tolist(), runs.length.tolist()))
    [(0, 0, 3), (6, 3, 3)]
    """
    runs = np.array(list(_joined(_Walk(a, b).runs())) or [(0, 0, 0)], dtype=np.int64)
    return Runs(runs[:, 0], runs[:, 1], runs[:, 2], len(a), len(b))


class _Walk:
    """Walks two streams from their first difference to their last."""

    def __init__(self, a: str, b: str) -> None:
        self.a, self.b = a, b
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
                found = self._onward(i, j)
                yield from found
                if not found:
                    break
                at, place, size = found[-1]
                i, j = at + size, place + size
        if self.tail:
            yield *self.ends, self.tail

    def _next(self, i: int, j: int, width: int) -> tuple[str, str]:
        """What comes next in each stream."""
        end_a, end_b = self.ends
        return self.a[i : min(i + width, end_a)], self.b[j : min(j + width, end_b)]

    def _onward(self, i: int, j: int) -> list[Run]:
        """The runs from a difference up to where the streams surely go on together."""
        if max(self.ends[0] - i, self.ends[1] - j) <= WINDOWS[-1]:
            return self._to_the_end(i, j)
        for width in WINDOWS:
            blocks = _blocks(*self._next(i, j, width), i, j)
            sure = next((at for at, block in enumerate(blocks) if block[2] >= SURE), None)
            if sure is not None:
                *before, next_run = blocks[: sure + 1]
                skipped = self._short_skip(i, j, _passed([*before, next_run], i, j))
                if skipped:
                    return [skipped]
                if min(next_run[0] - i, next_run[1] - j) > 1:
                    before = self._blocks((i, j), next_run[:2])
                return [*before, next_run]
        skipped = self._skip(i, j)
        if skipped:
            return [skipped]
        if 2 * _aligned(blocks) >= WINDOWS[-1]:
            return [block for block in blocks if block[0] < i + WINDOWS[-1] // 2]
        return self._leap(i, j)

    def _to_the_end(self, i: int, j: int) -> list[Run]:
        """All runs that are left, after the skip if it leads to no more edits."""
        distance, a, b = levenshtein().distance, self.a[i : self.ends[0]], self.b[j : self.ends[1]]
        skipped = self._skip(i, j)
        if skipped:
            at, place = skipped[0] + skipped[2] - i, skipped[1] + skipped[2] - j
            edits = _passed([skipped], i, j) + distance(a[at:], b[place:])
            if edits <= distance(a, b):
                return [skipped, *_most_equal(a[at:], b[place:], i + at, j + place)]
        return _most_equal(a, b, i, j)

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
        return _most_equal(self.a[begin[0] : end[0]], self.b[begin[1] : end[1]], *begin)

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


def _aligned(runs: list[Run]) -> int:
    return sum(run[2] for run in runs)


def _passed(runs: list[Run], i: int, j: int) -> int:
    """How many characters of both streams lie in no run before the last run begins."""
    return runs[-1][0] - i + runs[-1][1] - j - 2 * _aligned(runs[:-1])


def _most_equal(a: str, b: str, i: int, j: int) -> list[Run]:
    """The equal blocks with more characters, of those found with either piece as the first.

    Both have the fewest edits.
    """
    forth, back = _blocks(a, b, i, j), _blocks(b, a, j, i)
    if _aligned(forth) >= _aligned(back):
        return forth
    return [(at, place, size) for place, at, size in back]


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

    They are compared in pieces that grow while they are equal, and then shrink.
    """
    length = min(len(a) - i, len(b) - j) if most is None else most
    done, size = 0, PIECE
    while done < length and size:
        size = min(size, length - done)
        stop = done + size
        if a[i + done : i + stop] == b[j + done : j + stop]:
            done, size = stop, min(2 * size, CHUNK)
        else:
            length, size = stop - 1, size // 2
    return done


def common_suffix(a: str, b: str, i: int, j: int, most: int) -> int:
    """How far two texts are equal back from places in them, at most `most` characters."""
    done, size = 0, PIECE
    while done < most and size:
        size = min(size, most - done)
        stop = done + size
        if a[i - stop : i - done] == b[j - stop : j - done]:
            done, size = stop, min(2 * size, CHUNK)
        else:
            most, size = stop - 1, size // 2
    return done
