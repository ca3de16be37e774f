"""Lattices: the pairs in narrow bands that are worth most, many stretches of rows side by side.

F(r, c) is the most that pairs of rows up to r with columns up to c are worth; it is kept for the
columns of each row's band and the one before them. Stretches of rows that no pair connects are
filled in step. Long ones are cut, and a part is filled once from each column it may begin with.
"""

from __future__ import annotations

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray

LENGTH = 512
"""Rows after which a long stretch is cut."""
NONE = -(1 << 40)
"""What no pair is worth."""
_NEVER = -(1 << 60)
LARGEST = 1 << 58
"""What all pairs together must be worth less than."""


def best_columns(low: IntArray, high: IntArray, gains: IntArray) -> IntArray:
    """For each row the column that it is paired with, or -1; rows and columns keep their order.

    `gains` has a row for each, with what its pairs from `low` on are worth, or NONE. Of pairs that
    are worth the same, those with the earliest columns are taken, and then with the earliest rows.
    """
    if not low.size:
        return low
    is_fresh = np.ones(low.size, dtype=np.bool_)
    is_fresh[1:] = low[1:] >= np.maximum.accumulate(high)[:-1]
    table = np.zeros((low.size, gains.shape[1] + 1), dtype=np.int64)
    starts = _starts(is_fresh)
    lengths = np.diff(starts, append=low.size)
    steps = np.diff(low, prepend=low[:1])
    rows = _Rows(steps, gains)
    rows.fill(starts, lengths, _entries(rows, starts, lengths, is_fresh), table)
    return _traced(low, steps, is_fresh, table)


def _starts(is_fresh: BoolArray) -> IntArray:
    """Where stretches begin, and the parts of long ones."""
    fresh = np.flatnonzero(is_fresh)
    nth = np.arange(is_fresh.size) - np.repeat(fresh, np.diff(fresh, append=is_fresh.size))
    return np.flatnonzero(nth % LENGTH == 0)


class _Rows:
    """How F of one row follows from that of the row before."""

    def __init__(self, steps: IntArray, gains: IntArray) -> None:
        self.steps, self.gains = steps, gains
        self.columns = np.arange(gains.shape[1] + 1)[:, None]

    def fill(
        self, starts: IntArray, lengths: IntArray, state: IntArray, table: IntArray | None = None
    ) -> IntArray:
        """F of the last rows of parts, from that of the rows before them; all go to the table."""
        order = np.argsort(-lengths, kind="stable")
        starts, lengths, state = starts[order], lengths[order], state[:, order]
        last = np.empty_like(state)
        for step in range(int(lengths.max(initial=0))):
            active = int(np.searchsorted(-lengths, -step))
            last[:, active : state.shape[1]] = state[:, active:]
            at = starts[:active] + step
            state = self._next(state[:, :active], at)
            if table is not None:
                table[at] = state.T
        last[:, : state.shape[1]] = state
        last[:, order] = last.copy()
        return last

    def _next(self, state: IntArray, at: IntArray) -> IntArray:
        """F of rows, from that of the rows before them."""
        top = self.columns.size - 1
        before = np.take_along_axis(state, np.minimum(self.columns + self.steps[at], top), axis=0)
        gains = self.gains[at].T + before[:-1]
        np.maximum(before[1:], gains, out=before[1:])
        return np.maximum.accumulate(before, axis=0, out=before)


def _entries(rows: _Rows, starts: IntArray, lengths: IntArray, is_fresh: BoolArray) -> IntArray:
    """F of the rows before parts: nothing before a stretch, else what the part before leaves."""
    size, count = rows.columns.size, starts.size
    entries = np.zeros((size, count), dtype=np.int64)
    later = np.flatnonzero(~is_fresh[starts])
    if not later.size:
        return entries
    state = np.full((size, size, later.size), _NEVER, dtype=np.int64)
    state[np.arange(size), np.arange(size)] = 0
    before = np.tile(later - 1, size)
    left = rows.fill(starts[before], lengths[before], state.reshape(size, -1))
    through = left.reshape(size, size, -1)
    for nth, part in enumerate(later.tolist()):
        entries[:, part] = (through[:, :, nth] + entries[:, part - 1]).max(axis=1)
    return entries


def _traced(low: IntArray, steps: IntArray, is_fresh: BoolArray, table: IntArray) -> IntArray:
    """The pairs of a filled table, from the last row back."""
    top = table.shape[1] - 1
    before = np.zeros_like(table)
    before[1:] = table[:-1]
    before[is_fresh] = 0
    column = np.zeros(table.shape, dtype=np.int64)
    column[:, 1:] = np.where(table[:, 1:] > table[:, :-1], np.arange(1, top + 1), 0)
    np.maximum.accumulate(column, axis=1, out=column)
    above = np.take_along_axis(before, np.minimum(column + steps[:, None], top), axis=1)
    is_pair = above < table
    following = np.minimum(column - is_pair + steps[:, None], top)
    following[is_fresh] = top
    states = np.frombuffer(_walk(following.astype(np.uint8).tobytes(), top + 1), dtype=np.uint8)
    at = np.arange(low.size), states
    return np.where(is_pair[at], low - 1 + column[at], -1)


def _walk(following: bytes, size: int) -> bytes:
    """The state of each row, from the last state of the last row back."""
    state = size - 1
    states = bytearray(len(following) // size)
    for row in range(len(states) - 1, -1, -1):
        states[row] = state
        state = following[row * size + state]
    return bytes(states)
