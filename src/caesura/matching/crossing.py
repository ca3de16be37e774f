"""Crossing brackets: those that begin inside another and end outside it, or the reverse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray

PIECE = 1 << 16
"""The spans that are looked at together."""


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
        found: IntArray = np.where((depth > 0) & (at >= 0), self.by_depth.take(at, mode="clip"), -1)
        return found

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
