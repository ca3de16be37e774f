"""Brackets of two trees: which can be paired one to one, and which cross the other side's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray

LARGEST = 1 << 62
PIECE = 1 << 16
"""The brackets that are looked at together."""


@dataclass(frozen=True, slots=True)
class Partners:
    """Which keys of either side have a partner on the other; of equal keys, the first ones."""

    ours: BoolArray
    theirs: BoolArray


def combined(*columns: IntArray) -> IntArray:
    """One key for each row of columns of numbers that are not negative, equal for equal rows.

    Numbers are put beside each other in 64 bits; where they need more, they are ranked first.
    """
    keys = columns[0].astype(np.int64)
    for column in columns[1:]:
        width = int(column.max(initial=0)) + 1
        if int(keys.max(initial=0)) >= LARGEST // width:
            keys = np.unique(keys, return_inverse=True)[1]
        keys *= width
        keys += column
    return keys


def paired(ours: IntArray, theirs: IntArray) -> Partners:
    """Pair equal keys one to one.

    All keys are sorted together, so that equal ones are neighbours, ours before theirs. A loop
    with a counter for each key takes 1.4 s for a million keys a side, this .09 s. The slow twin is
    `matched` of tests/support/reference_trees.py.

    >>> partners = paired(np.array([3, 1, 3, 3]), np.array([3, 2, 3]))
    >>> partners.ours.tolist(), partners.theirs.tolist()
    ([True, False, True, False], [True, False, True])
    """
    both = np.concatenate((ours, theirs))
    order = np.argsort(both, kind="stable")
    keys, is_theirs = both[order], order >= ours.size  # (keys of both sides,) in order
    first = np.flatnonzero(np.concatenate((np.ones(min(1, keys.size)), np.diff(keys))))
    sizes = np.diff(first, append=keys.size)  # (distinct keys,) how often each occurs
    wanted = np.add.reduceat(is_theirs, first, dtype=np.int64) if first.size else sizes
    placed = sizes - wanted
    fewest = np.minimum(wanted, placed)
    # Which of the equal keys of its side each key is, from 0; as many as are fewest have partners.
    rank = np.arange(keys.size) - np.repeat(first, sizes)
    rank[is_theirs] -= np.repeat(placed, sizes)[is_theirs]
    has_partner = np.empty(keys.size, np.bool_)
    has_partner[order] = rank < np.repeat(fewest, sizes)
    return Partners(has_partner[: ours.size], has_partner[ours.size :])


def paired_rows(ours: Sequence[IntArray], theirs: Sequence[IntArray]) -> Partners:
    """Pair equal rows of columns one to one; the first column of both sides ascends.

    Rows are taken piece by piece: a million a side take 16 MB beside them instead of 190.

    >>> ours, theirs = [np.array([1, 3]), np.array([5, 6])], [np.array([3]), np.array([6])]
    >>> partners = paired_rows(ours, theirs)
    >>> partners.ours.tolist(), partners.theirs.tolist()
    ([False, True], [True])
    """
    partners = Partners(np.zeros(ours[0].size, np.bool_), np.zeros(theirs[0].size, np.bool_))
    for mine, yours in pieces(ours[0], theirs[0]):
        columns = zip((each[mine] for each in ours), (each[yours] for each in theirs), strict=True)
        keys = combined(*map(np.concatenate, columns))
        size = mine.stop - mine.start
        piece = paired(keys[:size], keys[size:])
        partners.ours[mine], partners.theirs[yours] = piece.ours, piece.theirs
    return partners


def pieces(*columns: IntArray) -> Iterator[tuple[slice, ...]]:
    """Ranges of ascending columns, so that equal numbers of all of them are in the same piece."""
    cuts = columns[-1][PIECE::PIECE]
    # A different integer width would copy the whole column.
    stops = [np.searchsorted(each, cuts.astype(each.dtype)).tolist() for each in columns]
    edges = ([0, *stop, each.size] for stop, each in zip(stops, columns, strict=True))
    return zip(*([slice(*pair) for pair in pairwise(own)] for own in edges), strict=True)


@dataclass(frozen=True, slots=True)
class Nest:
    """Brackets that are nested, in the order in which they open: spans of tokens.

    Brackets of one depth do not overlap, so the one around a token is found by binary search among
    those of its depth. A walk with a stack takes 1 s for the brackets of a million words, this .14.
    The slow twin is `crosses` of tests/support/reference_trees.py.
    """

    begins: IntArray  # (brackets + 1,) the place on the axis at which each begins; -1 for none
    ends: IntArray  # (brackets + 1,) the place at which each ends; beyond all others for none
    order: IntArray  # (tokens + 1,) the place of each edge on the axis; several may be at one
    keys: IntArray  # (brackets,) depth · edges + first token, ascending
    by_depth: IntArray  # (brackets,) the bracket of each key
    begun: IntArray  # (tokens + 2,) how many brackets begin before each edge
    ended: IntArray  # (tokens + 2,) how many end before it

    @classmethod
    def from_spans(cls, first: IntArray, last: IntArray, order: IntArray) -> Nest:
        """Take brackets over tokens, in the order in which they open."""
        kind: Any = np.int32 if first.size < 2**31 else np.int64
        begun, ended = (
            np.append(kind(0), np.cumsum(np.bincount(each, minlength=order.size), dtype=kind))
            for each in (first, last)
        )
        # how many brackets each is in, with itself
        depth = np.arange(1, first.size + 1) - ended[1:][first]
        keys = depth * np.int64(order.size) + first
        by_depth = np.argsort(keys, kind="stable")
        begins = np.append(order[first], np.array(-1, order.dtype))
        ends = np.append(order[last], np.array(np.iinfo(order.dtype).max, order.dtype))
        return cls(begins, ends, order, keys[by_depth], by_depth, begun, ended)

    def crossed_by(self, starts: IntArray, stops: IntArray) -> BoolArray:
        """Which spans of the axis cross one of the brackets, looked at piece by piece.

        A span is crossed by the innermost bracket around its start if that ends before its end;
        or by the innermost around its end if that begins after its start.
        """
        crossed = np.empty(starts.size, np.bool_)
        for at in range(0, starts.size, PIECE):
            start, stop = starts[at : at + PIECE], stops[at : at + PIECE]
            is_cut = self.ends[self._innermost(start)] < stop
            crossed[at : at + PIECE] = is_cut | (self.begins[self._innermost(stop)] > start)
        return crossed

    def _innermost(self, places: IntArray) -> IntArray:
        """The innermost bracket that begins before and ends after each place; -1 if there is none.

        At an edge of tokens, it is the innermost that both neighbours are in; else that of the
        token.
        """
        low = np.searchsorted(self.order, places, side="left")
        high = np.searchsorted(self.order, places, side="right")
        token = np.maximum(low - 1, 0)
        depth = self._depth_around(low, high)
        key = depth * np.int64(self.order.size) + token
        at = np.searchsorted(self.keys, key, side="right") - 1
        bracket = self.by_depth.take(at, mode="clip")
        return np.where((depth > 0) & (at >= 0), bracket, -1)

    def _depth_around(self, low: IntArray, high: IntArray) -> IntArray:
        """How many brackets begin before the edges from `low` to `high` and end after them."""
        size, begun, ended = self.order.size, self.begun, self.ended
        # Between edges, around one edge, or around several that are at one place.
        at = np.clip(low, 0, size - 1)
        depth: IntArray = np.where(low == high, begun[low] - ended[low], begun[low] - ended[at + 1])
        several = np.flatnonzero(high - low > 1)
        if several.size:
            edges = np.stack((low[several], high[several]), axis=1).ravel()
            start, stop = int(edges.min()), int(edges.max())
            inner = np.append(begun[start:stop] - ended[start + 1 : stop + 1], 0)
            depth[several] = np.minimum.reduceat(inner, edges - start)[::2]
        depth[(low == 0) | (low >= size)] = 0
        return depth
