"""Equal runs: a monotone alignment of two streams of characters, near linear in their length.

The streams are walked side by side. Where they differ, what comes next in one is searched further
on in the other, and the next characters are aligned by edit distance, in a window that grows until
the streams go on together, or are at least alike; the way that passes over less is taken. Where
neither leads on, rare strings that both streams have once do. What lies between is left unaligned.

What one stream has and the other lacks can often be cut out in several places: of "the cat. the
dog." and "the dog." one may drop "the cat. " or "cat. the ". `slide` moves such a gap to where it
begins and ends at ends of sentences, or else of tokens, on both sides.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Literal

import numpy as np

from caesura.align.anchors import ANCHOR_CHARACTERS, CHUNK, character_anchors
from caesura.core.segmentation import IntArray
from caesura.core.text import Text, code_units

Run = tuple[int, int, int]
"""Where it begins in each stream, and its length."""
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

    @classmethod
    def from_rows(cls, rows: IntArray, size_a: int, size_b: int) -> Runs:
        """Runs in order, (3, runs): what is empty is left out, and those that touch are joined."""
        rows = rows[:, rows[2] > 0]
        if not rows.size:
            rows = np.zeros((3, 1), np.int64)
        ends = rows[:2] + rows[2]
        first = np.append(0, 1 + np.flatnonzero((rows[:2, 1:] != ends[:, :-1]).any(axis=0)))
        length = np.add.reduceat(rows[2], first)
        return cls(rows[0, first], rows[1, first], length, size_a, size_b)

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
        self, begins: IntArray, offsets: IntArray, side: Side, after: IntArray, shift: IntArray
    ) -> IntArray:
        """In a run, places in both streams are added up; elsewhere, one goes after the other.

        There are fewer runs than offsets, so the ends of runs are searched among the offsets.
        """
        edges = np.stack((begins, begins + self.length), axis=1).ravel().astype(offsets.dtype)
        places = np.searchsorted(offsets, edges, side="left" if side == "right" else "right")
        sizes = np.diff(
            places, prepend=0, append=offsets.size
        )  # offsets in gaps and runs, by turns
        streams, added = np.ones((2, sizes.size), np.int64)
        streams[1::2] = 2
        added[::2], added[1::2] = after, shift
        return offsets * np.repeat(streams, sizes) + np.repeat(added, sizes)

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
    rows = np.array(array("q", chain.from_iterable(_Walk(a, b).runs())), np.int64)
    return Runs.from_rows(rows.reshape(-1, 3).T, len(a), len(b))


class _Walk:
    """Walks two streams from their first difference to their last."""

    def __init__(self, a: str, b: str) -> None:
        self.a, self.b = a, b
        first = common_prefix(a, b)
        self.tail = common_suffix(a, b, len(a), len(b), min(len(a), len(b)) - first)
        self.ends = len(a) - self.tail, len(b) - self.tail
        self.anchors: IntArray | None = None  # (2, anchors) in a and b, once they are needed

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
                runs = self._onward(i, j)
                yield from runs
                if not runs:
                    break
                i, j = (start + runs[-1][2] for start in runs[-1][:2])
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
            sure = next(
                (at for at, block in enumerate(blocks) if block[2] >= ANCHOR_CHARACTERS), None
            )
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
        if self.anchors is None:
            stream_a, stream_b = code_units(self.a, self.b)
            spans = (i, self.ends[0]), (j, self.ends[1])
            self.anchors = np.ascontiguousarray(character_anchors(stream_a, stream_b, *spans).T)
        index = int(max(map(np.searchsorted, self.anchors, (i, j))))
        goal_i, goal_j = (
            self.anchors[:, index].tolist() if index < self.anchors.shape[1] else self.ends
        )
        back = common_suffix(self.a, self.b, goal_i, goal_j, min(goal_i - i, goal_j - j))
        start, begin = goal_i - back, goal_j - back
        is_near = start - i <= REACH and begin - j <= REACH
        blocks = self._blocks((i, j), (start, begin)) if is_near else []
        if (goal_i, goal_j) != self.ends:
            blocks.append((start, begin, back + ANCHOR_CHARACTERS))
        return blocks


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


def slide(runs: Runs, a: Text, b: Text) -> Runs:
    """Join gaps that can be one, then slide every gap that only one of the streams has."""
    runs = _with_fewer_gaps(runs, a.stream, b.stream)
    # With an empty run at each end, every gap lies between two runs: moving it to the right
    # lengthens the one before and shortens the one after.
    begins = [
        np.concatenate(([0], starts, [size]))
        for starts, size in ((runs.a, runs.size_a), (runs.b, runs.size_b))
    ]
    length = np.concatenate(([0], runs.length, [0]))  # (runs + 2,) as are where they begin
    ends = [starts[:-1] + length[:-1] for starts in begins]  # (gaps,) where they begin
    sizes = [starts[1:] - end for starts, end in zip(begins, ends, strict=True)]
    gaps = np.flatnonzero((sizes[0] > 0) != (sizes[1] > 0))
    lengths, shifts = length.tolist(), np.zeros(length.size, dtype=np.int64)
    for gap, *places in np.stack((gaps, *(values[gaps] for values in (*ends, *sizes)))).T.tolist():
        i, j, size, other_size = places
        room = lengths[gap], lengths[gap + 1]
        if size:
            shift = _best_shift((a, i), (b, j), size, room)
        else:
            shift = _best_shift((b, j), (a, i), other_size, room)
        lengths[gap] += shift
        lengths[gap + 1] -= shift
        shifts[gap + 1] = shift
    length = np.array(lengths)
    is_left = np.flatnonzero(length > 0) if length.any() else slice(0, 1)
    begin_a, begin_b = ((starts + shifts)[is_left] for starts in begins)
    return Runs(begin_a, begin_b, length[is_left], runs.size_a, runs.size_b)


def _best_shift(
    has: tuple[Text, int], lacks: tuple[Text, int], size: int, room: tuple[int, int]
) -> int:
    """How far to slide what one text has, from a place on, and the other lacks at a place.

    `room` is how many equal characters lie before and after it.
    """
    (text, start), (other, place) = has, lacks
    stream, stop = text.stream, start + size
    reach = (
        common_suffix(stream, stream, start, stop, room[0]),
        common_prefix(stream, stream, start, stop, room[1]),
    )
    if reach == (0, 0):
        return 0
    units = (text.sentence_offsets, other.sentence_offsets), (text.token_ends, other.token_ends)
    for ends, others in units:
        shifts = _near(ends, start, reach)
        for near, origin in ((ends, stop), (others, place)):
            if shifts.size:
                shifts = np.intersect1d(shifts, _near(near, origin, reach), assume_unique=True)
        if shifts.size:
            return int(shifts[np.argmin(np.abs(shifts))])
    return 0


def _near(ends: IntArray, origin: int, reach: tuple[int, int]) -> IntArray:
    """The ends of units within reach of a place, as shifts from it."""
    left, right = reach
    # A different integer width would copy all ends.
    edges = np.array([origin - left, origin + right + 1], dtype=ends.dtype)
    low, high = np.searchsorted(ends, edges)
    shifts = ends[low:high] - origin
    return np.append(shifts, -origin) if origin <= left else shifts


def _with_fewer_gaps(runs: Runs, a: str, b: str) -> Runs:
    """Where the run between two gaps of one stream fits beside another run, put it there."""
    rows: list[Run] = [(0, 0, 0)]
    for run in zip(runs.a.tolist(), runs.b.tolist(), runs.length.tolist(), strict=True):
        last = run
        while len(rows) > 1 and (pair := _without_between(rows[-2], rows[-1], last, a, b)):
            rows[-2:], last = pair[:1], pair[1]
        rows.append(last)
    return Runs.from_rows(np.array(rows, np.int64).T, runs.size_a, runs.size_b)


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
