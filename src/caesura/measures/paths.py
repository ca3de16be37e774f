"""Paths: pairs of two sides, in order on both, that are worth most in all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import IntArray

_Chain: TypeAlias = "tuple[int, int, _Chain] | None"
_Path: TypeAlias = "tuple[int, int, _Chain]"
Floats = npt.NDArray[np.float64]
Worth: TypeAlias = Callable[[IntArray | slice, IntArray], Floats]
CHUNK = 1 << 14
WIDE = 8
"""Bands wider than this are left to the search for the best path."""
_CLEARLY = 1 + 1e-9


def bands(
    low: IntArray, high: IntArray, start: IntArray, end: IntArray
) -> tuple[IntArray, IntArray]:
    """Which of some spans each of others can meet: from the first to before the last."""
    return (
        np.searchsorted(np.maximum.accumulate(end), np.minimum.accumulate(low[::-1])[::-1]),
        np.searchsorted(
            np.minimum.accumulate(start[::-1])[::-1], np.maximum.accumulate(high), side="right"
        ),
    )


class BandPairs(NamedTuple):
    """The pairs that bands allow, row by row: `offsets` says where each row begins."""

    low: IntArray
    high: IntArray
    offsets: IntArray
    left: IntArray
    right: IntArray

    @classmethod
    def from_bands(cls, low: IntArray, high: IntArray) -> BandPairs:
        """All pairs of each row with those from `low` to before `high`."""
        sizes = np.maximum(high - low, 0)
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        left = np.repeat(np.arange(low.size), sizes)
        right = np.arange(offsets[-1]) - offsets[left] + low[left]
        return cls(low, high, offsets, left, right)


def best_path(
    pairs: BandPairs, gains: Sequence[int | None], missed: Sequence[int], added: Sequence[int]
) -> list[tuple[int, int]]:
    """The pairs, in order on both sides, that are worth most; what is left alone has a price.

    A path is the last candidate used, what it is worth and its pairs, newest first. Of paths that
    are worth the same, the one with the earliest candidates is taken, as md-eval does.
    """
    paths: list[_Path] = [(-1, 0, None)]
    bands = zip(pairs.low.tolist(), pairs.high.tolist(), pairs.offsets.tolist(), strict=False)
    for row, (low, high, offset) in enumerate(bands):
        paths = _live(paths, low)
        (last, most, chain), older, price = paths[0], 1, missed[row]
        longer: list[_Path] = [(last, most + price, chain)]
        for at in range(low, high):
            path = paths[older] if older < len(paths) and paths[older][0] == at else None
            stays = None if path is None else (at, path[1] + price, path[2])
            gain = gains[offset + at - low]
            worth = None if gain is None else most + gain - added[at]
            if worth is not None and (stays is None or worth > stays[1]):
                stays = (at, worth, (row, at, chain))
            if stays is not None:
                longer.append(stays)
            if path is not None:
                older += 1
                if path[1] > most:
                    _, most, chain = path
        paths = longer
    return _unwound(_best(paths)[2])


def _best(paths: list[_Path]) -> _Path:
    return max(paths, key=itemgetter(1))


def _live(paths: list[_Path], low: int) -> list[_Path]:
    """The paths that can still matter: of those that end before `low`, only the best."""
    if len(paths) == 1 or paths[1][0] >= low:
        return paths
    behind = sum(1 for path in paths if path[0] < low)
    return [_best(paths[:behind]), *paths[behind:]]


def _unwound(chain: _Chain) -> list[tuple[int, int]]:
    found = []
    while chain is not None:
        row, at, chain = chain
        found.append((row, at))
    return found[::-1]


def certain_pairs(low: IntArray, high: IntArray, worth: Worth) -> tuple[IntArray, IntArray]:
    """Rows and columns of pairs that every best path has, where nothing has a price.

    Such a pair is worth more than what it can exclude: at most one pair of its row and one of its
    column, on opposite sides, if no pair lies across it. No band may be empty.
    """
    bands = _Bands(low, high, worth)
    parts = [bands.certain(start) for start in range(0, low.size, CHUNK)]
    rows, columns = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(columns)


class _Bands(NamedTuple):
    """The columns of each row, and what its pairs with them are worth."""

    low: IntArray
    high: IntArray
    worth: Worth

    def certain(self, start: int) -> tuple[IntArray, IntArray]:
        """Rows and columns of the certain pairs of a chunk of rows."""
        columns, most, left, right = self._best_of_rows(slice(start, start + CHUNK))
        stop = start + columns.size
        before = self.high[start - 1 : stop - 1] if start else np.append(0, self.high[: stop - 1])
        after = np.append(self.low[start + 1 : stop + 1], self.high[-1])[: columns.size]
        is_free = (most > 0) & (before <= columns + 1) & (after >= columns)
        above = self._best_of_columns(
            np.flatnonzero(is_free & (before > columns)), columns, start, -1
        )
        below = self._best_of_columns(
            np.flatnonzero(is_free & (after <= columns)), columns, start, 1
        )
        sure = is_free & (most > np.maximum(above + right, below + left) * _CLEARLY)
        at = np.flatnonzero(sure)
        return at + start, columns[at]

    def _best_of_rows(self, rows: slice) -> tuple[IntArray, Floats, Floats, Floats]:
        """The best column of each row, what it is worth, and the most on both sides of it."""
        low, widths = self.low[rows], self.high[rows] - self.low[rows]
        columns, most = low.copy(), self.worth(rows, low)
        left, right = np.zeros_like(most), np.zeros_like(most)
        for step in range(1, min(WIDE, int(widths.max()))):
            some = np.flatnonzero(widths > step)
            at = low[some] + step
            found, known = self.worth(some + rows.start, at), most[some]
            is_better = found > known
            columns[some[is_better]] = at[is_better]
            left[some[is_better]] = known[is_better]
            right[some] = np.where(is_better, 0, np.maximum(right[some], found))
            most[some] = np.maximum(known, found)
        most[widths > WIDE] = 0
        return columns, most, left, right

    def _best_of_columns(self, some: IntArray, columns: IntArray, start: int, step: int) -> Floats:
        """The most that some columns are worth in the rows before (`step` -1) or after (1)."""
        most = np.zeros(columns.size)
        for distance in range(1, WIDE):
            at = some + (start + distance * step)
            there = (at >= 0) & (at < self.low.size)
            at, some = at[there], some[there]
            meets = (self.low[at] <= columns[some]) & (columns[some] < self.high[at])
            at, some = at[meets], some[meets]
            if not some.size:
                return most
            most[some] = np.maximum(most[some], self.worth(at, columns[some]))
        most[some] = np.inf
        return most


def narrowed(
    low: IntArray, high: IntArray, rows: IntArray, columns: IntArray
) -> tuple[IntArray, IntArray]:
    """The bands that pairs leave to the other rows; their own are empty."""
    floor, ceiling = np.zeros_like(low), np.full_like(high, np.iinfo(high.dtype).max)
    floor[rows], ceiling[rows] = columns + 1, columns
    floor = np.maximum(low, np.maximum.accumulate(floor))
    ceiling = np.minimum(high, np.minimum.accumulate(ceiling[::-1])[::-1])
    return floor, ceiling
