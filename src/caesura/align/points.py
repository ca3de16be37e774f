"""Sync points: places at which units of two texts begin, or end, together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from caesura.align.characters import Runs
from caesura.core.arrays import isin_sorted, sorted_distinct, steps
from caesura.core.segmentation import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class Points:
    """Places in one of two texts on an axis that both share.

    A place in a run, or at its edge, is the same `point` as that of the other text; others have
    none (-1). The edges of what only one text has are one point. `order` is an even number for a
    point, and an odd one for a place between two: these cannot be ordered among each other.
    """

    point: IntArray
    order: IntArray

    @classmethod
    def from_offsets(cls, offsets: IntArray, runs: Runs | None, *, is_a: bool) -> Points:
        """The points of offsets in stream a or in stream b; the ends of both are points.

        The axis has what both share, and one place more for each gap in which both have something.
        The slow twin is `Points` of tests/support/reference_trees.py.
        """
        size = int(offsets.max(initial=0)) if runs is None else runs.size_a + runs.size_b
        kind: Any = np.int32 if size < 2**30 else np.int64
        if runs is None:
            return cls(offsets, 2 * offsets.astype(kind))
        # (runs + 2,) where runs begin, in order, with an empty one before and after all
        begins_a, begins_b = (
            np.concatenate(([0], own, [size])).astype(kind)
            for own, size in ((runs.a, runs.size_a), (runs.b, runs.size_b))
        )
        length = np.concatenate(([0], runs.length, [0])).astype(kind)
        gap_a, gap_b = (np.diff(own) - length[:-1] for own in (begins_a, begins_b))
        is_double = (gap_a > 0) & (gap_b > 0)  # (runs + 1,) gaps after runs
        # (runs + 2,) where runs begin
        axis = np.append(kind(0), np.cumsum(length[:-1] + is_double, dtype=kind))
        begins = begins_a if is_a else begins_b
        at = np.searchsorted(begins, offsets, side="right") - 1  # (offsets,) the run of each
        inside = offsets - begins[at]
        is_shared = inside <= length[at]
        order = 2 * (axis[at] + np.minimum(inside, length[at]))
        order += ~is_shared & np.append(is_double, False)[at]
        return cls(np.where(is_shared, order // 2, kind(-1)), order)


def sync_points(ends_a: IntArray, ends_b: IntArray, runs: Runs | None) -> tuple[IntArray, IntArray]:
    """All points, as numbers of units of a and of b before them, from the start of both on.

    The slow twin is `sync_points` of tests/support/reference_text.py.
    """
    # Points never cross, so the sum of both numbers identifies and orders them: `before` has the
    # number of units of a under each sum, -1 where there is no point.
    before = np.full(ends_a.size + ends_b.size + 1, -1, dtype=np.int64)
    before[0], before[-1] = 0, ends_a.size
    i, j = _ended(ends_a, ends_b, runs)
    before[i + j] = i
    if runs is not None:
        i, j, is_point = _begun(ends_a, ends_b, runs)
        before[(i + j)[is_point]] = i[is_point]
    points = np.flatnonzero(before >= 0)
    return before[points], points - before[points]


def shared_spans(ends_a: IntArray, ends_b: IntArray) -> int:
    """How many units of one stream begin and end at the same places on both sides.

    Two sorted arrays are merged in linear time. What is shared stands there twice.
    """
    both = np.concatenate((np.zeros(2, ends_a.dtype), ends_a, ends_b))
    both.sort(kind="stable")
    is_shared = both[1:] == both[:-1]
    return int(np.count_nonzero(is_shared[2:] & is_shared[:-2]))


def within_runs(ends_a: IntArray, ends_b: IntArray, runs: Runs) -> tuple[int, IntArray]:
    """How many units that lie within one run are the same on both sides, and the other blocks.

    Those have a gap between runs in them, so that their characters may differ. A column for each
    holds how many units of a and of b lie before it, and how many up to its end. Only these few
    are looked at one by one, by the caller: texts have millions of units, which are compared piece
    by piece. The slow twin is `blocks` of tests/support/reference_text.py.
    """
    # The unit of b in which a run begins is within none, unless it begins with the run.
    first = units_before(ends_b, runs.b)
    cut = first[(offsets_after(ends_b, first) < runs.b) & (first < ends_b.size)]
    before, begins = runs.gaps()
    gaps = units_before(ends_b, begins)  # (gaps,) how many units of b precede each
    right, near = 0, [np.empty(0, np.int64)]
    for start, on_a in runs.pieces_on_a(ends_b):
        # A unit within a run is right if one of a ends at the same place and is as long.
        there = _sizes_at(on_a, ends_a, runs.size_a)
        stop = start + on_a.size
        is_right = there == steps(ends_b[start:stop], ends_b[start - 1] if start else 0)
        low, high = np.searchsorted(cut, (start, stop))
        is_right[cut[low:high] - start] = False
        right += int(np.count_nonzero(is_right))
        # Of the units that end together, those around a gap, and the first and the last.
        shared = np.flatnonzero(there) + start + 1
        low, high = np.searchsorted(gaps, (start, stop + 1))
        after = np.searchsorted(shared, gaps[low:high], side="right")
        which = np.concatenate(([0], after - 1, after, [shared.size - 1]))
        if shared.size:
            near.append(shared[sorted_distinct(which.clip(0, shared.size - 1))])
    # The last point before each gap and the first after it, whichever is nearer: one at the end of
    # units, or one at the beginning of a run.
    ended = _around_ends((ends_a, ends_b), runs, np.concatenate(near), gaps)
    begun = _around_begins(ends_a, ends_b, runs, before)
    blocks = np.concatenate((np.maximum(ended[0], begun[0]), np.minimum(ended[1], begun[1])))
    is_new = np.diff(blocks[:2].sum(axis=0), prepend=-1) > 0
    return right, blocks[:, is_new]


def _sizes_at(places: IntArray, ends: IntArray, size: int) -> IntArray:
    """The size of the unit that ends at each place, 0 for none; places beyond `size` are nowhere.

    The others ascend.
    """
    inside = places[places <= size]
    if not inside.size:
        return np.zeros_like(places)
    low, high = int(inside[0]), int(inside[-1])
    # A different integer width would copy all ends.
    first, last = np.searchsorted(ends, np.array([low, high + 1], ends.dtype)).tolist()
    own = ends[first:last]
    sizes = np.zeros(high - low + 2, ends.dtype)  # at each place from `low` on, and nowhere
    sizes[own - low] = steps(own, ends[first - 1] if first else 0)
    return sizes[np.minimum(places - low, sizes.size - 1)]


def _around_ends(
    ends: tuple[IntArray, IntArray], runs: Runs, shared: IntArray, before: IntArray
) -> list[IntArray]:
    """The last points before and the first after some numbers of units of b, at ends of units.

    `shared` are numbers of units of b at the end of which a unit of a ends.
    """
    ends_a, ends_b = ends
    at = np.searchsorted(shared, before, side="right")
    around = []
    for number in (at, at + 1):
        is_end = number > shared.size
        j = np.where(is_end, ends_b.size, offsets_after(shared, np.minimum(number, shared.size)))
        on_a = np.where(j > 0, runs.from_b_to_a(offsets_after(ends_b, j)), 0)
        i = np.where(is_end, ends_a.size, units_before(ends_a, on_a))
        around.append(np.stack((i, j)))
    return around


def _around_begins(
    ends_a: IntArray, ends_b: IntArray, runs: Runs, before: IntArray
) -> list[IntArray]:
    """The last points before and the first after some numbers of runs, at beginnings of runs."""
    i, j, is_point = _begun(ends_a, ends_b, runs)
    which = np.flatnonzero(is_point)
    sides = (i, ends_a.size), (j, ends_b.size)
    points = np.stack([np.concatenate(([0], own[which], [size])) for own, size in sides])
    at = np.searchsorted(which, before)
    return [points[:, at], points[:, at + 1]]


def _ended(ends_a: IntArray, ends_b: IntArray, runs: Runs | None) -> tuple[IntArray, IntArray]:
    """The numbers of units at the ends of which both are at one place, after its characters."""
    if runs is None:
        both, too = isin_sorted(ends_a, ends_b), isin_sorted(ends_b, ends_a)
        return np.flatnonzero(both) + 1, np.flatnonzero(too) + 1
    on_a = runs.from_b_to_a(ends_b)
    inside = np.flatnonzero(on_a <= runs.size_a)
    on_a = on_a[inside]
    return np.flatnonzero(isin_sorted(ends_a, on_a)) + 1, inside[isin_sorted(on_a, ends_a)] + 1


def _begun(ends_a: IntArray, ends_b: IntArray, runs: Runs) -> tuple[IntArray, IntArray, BoolArray]:
    """How many units of each end before runs begin, and where units of both begin with them."""
    i, j = units_before(ends_a, runs.a), units_before(ends_b, runs.b)
    return i, j, (offsets_after(ends_a, i) == runs.a) & (offsets_after(ends_b, j) == runs.b)


def units_before(ends: IntArray, offsets: IntArray) -> IntArray:
    """How many units end at or before each offset."""
    # A different integer width would copy all ends.
    return np.searchsorted(ends, offsets.astype(ends.dtype), side="right")


def offsets_after(ends: IntArray, numbers: IntArray) -> IntArray:
    """The offset in the stream after a number of units."""
    if not ends.size:
        return np.zeros_like(numbers)
    return np.where(numbers > 0, ends[numbers - 1], 0)
