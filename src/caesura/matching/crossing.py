"""Crossing brackets: those that begin inside another and end outside it, or the reverse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class Nest:
    """Brackets that are nested, in the order in which they open: spans of tokens.

    Brackets of one depth do not overlap, so the one around a token is found by binary search among
    those of its depth. A walk with a stack takes 1 s for the brackets of a million words, this .14.
    The slow twin is `crosses` of tests/support/reference_trees.py.
    """

    first: IntArray  # (brackets,) the token that each begins with
    last: IntArray  # (brackets,) the token after its last
    order: IntArray  # (tokens + 1,) the place of each edge on the axis; several may be at one
    keys: IntArray  # (brackets,) depth · edges + first token, ascending
    by_depth: IntArray  # (brackets,) the bracket of each key

    @classmethod
    def from_spans(cls, first: IntArray, last: IntArray, order: IntArray) -> Nest:
        """Take brackets over tokens, in the order in which they open."""
        ended = np.cumsum(np.bincount(last, minlength=order.size))
        # how many brackets each is in, with itself
        depth = np.arange(1, first.size + 1) - ended[first]
        keys = depth * np.int64(order.size) + first
        by_depth = np.argsort(keys, kind="stable")
        return cls(first, last, order, keys[by_depth], by_depth)

    def crossed_by(self, starts: IntArray, stops: IntArray) -> BoolArray:
        """Which spans of the axis cross one of the brackets.

        A span is crossed by the innermost bracket around its start if that ends before its end;
        or by the innermost around its end if that begins after its start.
        """
        around_start, around_stop = self._innermost(starts), self._innermost(stops)
        far = np.iinfo(np.int64).max
        ends = np.append(self.order[self.last], far)[around_start]
        begins = np.append(self.order[self.first], -1)[around_stop]
        crossed: BoolArray = (ends < stops) | (begins > starts)
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
        size = self.order.size
        # (edges + 1,) how many brackets begin, and how many end, before each edge
        begun = np.append(0, np.cumsum(np.bincount(self.first, minlength=size)))
        ended = np.append(0, np.cumsum(np.bincount(self.last, minlength=size)))
        # Between edges, around one edge, or around several that are at one place.
        at = np.clip(low, 0, size - 1)
        depth: IntArray = np.where(low == high, begun[low] - ended[low], begun[low] - ended[at + 1])
        several = np.flatnonzero(high - low > 1)
        if several.size:
            inner = begun[:-1] - ended[1:]
            edges = np.stack((low[several], high[several]), axis=1).ravel()
            least = np.minimum.reduceat(np.append(inner, 0), edges)[::2]
            depth[several] = least
        depth[(low == 0) | (low >= size)] = 0
        return depth
