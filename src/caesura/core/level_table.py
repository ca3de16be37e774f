"""LevelTable: the counts of a measure for each of many levels, such as the scores of places.

A key has a row in a unit for each level that occurs there, so that memory is that of the places.
Whole numbers add as in any table; what a resample has is added up draw by draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.batch import ranges
from caesura.core.counts import Counts
from caesura.core.measure_table import MeasureTable, Numbers
from caesura.core.segmentation import BoolArray, IntArray

Weights = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LevelTable(MeasureTable):
    """Rows in the order of keys, of units, and of levels; `places` has that of each row."""

    @classmethod
    def from_arrays(cls, counts: Any, codes: IntArray, units: int) -> MeasureTable:
        """Take the levels of all keys × units, of those that have any."""
        keys, number = np.unique(codes, return_inverse=True)
        key, unit = np.divmod(counts.owner, units)
        names = counts.level_fields
        values = np.array([getattr(counts, name) for name in names], np.int64)
        rows = cls(type(counts), names, keys, values, levels=counts.levels)
        table = rows.placed(number[key] * units + unit, units)
        has = table.rows_by_key(units) > 0
        return table if has.all() else table.at(has, units)

    @classmethod
    def from_counts(
        cls, counts: Sequence[Any], codes: IntArray, unit: IntArray, units: int
    ) -> MeasureTable:
        """Take single counts, each with its key and unit."""
        keys, key = np.unique(codes, return_inverse=True)
        sizes = [each.levels.size for each in counts]
        names = counts[0].level_fields
        values = np.array(
            [np.concatenate([getattr(each, name) for each in counts]) for name in names]
        )
        levels = np.concatenate([each.levels for each in counts])
        rows = cls(type(counts[0]), names, keys, values, levels=levels)
        return rows.placed(np.repeat(key * units + unit, sizes), units)

    @property
    def _levels(self) -> IntArray:
        assert self.levels is not None
        return self.levels

    def row_places(self) -> IntArray:
        """The place of each key and unit."""
        return np.unique(self.all_places())

    def rows_by_key(self, units: int) -> IntArray:
        """The number of units that each key has."""
        return np.bincount(self.row_places() // units, minlength=self.keys.size)

    def dense(self, codes: IntArray, width: int) -> MeasureTable:
        """Some keys, ascending, also those that have no rows."""
        known = np.isin(self.keys, codes)
        some = self.at(known, width)
        key, unit = np.divmod(some.all_places(), width)
        return replace(
            some, keys=codes, places=np.searchsorted(codes, some.keys)[key] * width + unit
        )

    def weighted(self, weights: Weights, width: int) -> MeasureTable:
        """The sums for each row of weights, draws × units."""
        draws = len(weights)
        key, unit = np.divmod(self.all_places(), width)
        order = np.lexsort((self._levels, key))
        key, unit, levels = key[order], unit[order], self._levels[order]
        is_new = np.ones(key.size, np.bool_)  # whether a key has a level for the first time
        is_new[1:] = (key[1:] != key[:-1]) | (levels[1:] != levels[:-1])
        first = np.flatnonzero(is_new)
        sums = np.zeros((len(self.fields), draws, first.size))  # of each level of each key
        for each, values in zip(sums, self.values[:, order], strict=True):
            if first.size:
                np.add.reduceat(weights[:, unit] * values, first, axis=1, out=each)
        places = key[first] * draws + np.arange(draws)[:, None]
        rows = np.argsort(places.ravel(), kind="stable")
        return replace(
            self,
            values=sums.reshape(len(self.fields), places.size)[:, rows],
            places=places.ravel()[rows],
            levels=np.tile(levels[first], draws)[rows],
        )

    def exchanged(
        self, other: MeasureTable, flips: Weights, width: int
    ) -> tuple[MeasureTable, MeasureTable]:
        """The sums of two tables with the same keys that exchange some units in each row."""
        tables = (self, other)
        parts = [np.divmod(each.all_places(), width) for each in tables]
        places = [key * 2 * width + at * width + unit for at, (key, unit) in enumerate(parts)]
        both = replace(
            self,
            values=np.concatenate([each.values for each in tables], axis=1),
            places=np.concatenate(places),
            levels=np.concatenate([each.levels for each in tables if each.levels is not None]),
        )
        kept = 1 - flips
        mine, yours = np.hstack((kept, flips)), np.hstack((flips, kept))
        return both.weighted(mine, 2 * width), both.weighted(yours, 2 * width)

    def among(self, units: slice, width: int) -> MeasureTable:
        """Some units."""
        start, stop, _ = units.indices(width)
        key, unit = np.divmod(self.all_places(), width)
        kept = (unit >= start) & (unit < stop)
        places = key[kept] * (stop - start) + unit[kept] - start
        return replace(self.rows(kept), places=places)

    def without_each(self, units: slice, width: int) -> MeasureTable:
        """The sums of all units but one, for each of some units."""
        left_out = np.arange(width)[units]
        weights = np.ones((left_out.size, width))
        weights[np.arange(left_out.size), left_out] = 0
        return self.weighted(weights, width)

    def counts(self, codes: IntArray, width: int, units: slice) -> tuple[Any, BoolArray]:
        """The levels in the shape of the codes × units; and which have any."""
        number = self.find(codes)
        wanted = number[..., None] * width + np.arange(width)[units]
        return self._at(np.where((number >= 0)[..., None], wanted, -1))

    def _at(self, wanted: IntArray) -> tuple[Any, BoolArray]:
        """The levels at some places, in their shape; and which have any."""
        first, last = (
            np.searchsorted(self.all_places(), wanted, side) for side in ("left", "right")
        )
        sizes = (last - first).ravel()
        rows = ranges(first.ravel(), sizes)
        owner = np.repeat(np.arange(sizes.size), sizes)
        made: Any = self.kind
        counts = made.from_levels(
            self._levels[rows], _wide(self.values[:, rows]), owner, wanted.shape
        )
        return counts, last > first

    def one(self, code: int) -> Counts | None:
        """The counts of one key in the only unit."""
        counts, there = self._at(self.find(np.array(code)))
        return counts if there else None

    def each(self) -> Iterator[Counts]:
        """The counts of every key and unit."""
        return (self._at(np.array(place))[0] for place in self.row_places().tolist())

    def by_unit(self, width: int) -> Iterator[list[tuple[int, Counts]]]:
        """The counts of each unit, with the numbers of their keys."""
        units: list[list[tuple[int, Counts]]] = [[] for _ in range(width)]
        for place, counts in zip(self.row_places().tolist(), self.each(), strict=True):
            units[place % width].append((place // width, counts))
        return iter(units)


def _wide(values: Numbers) -> Numbers:
    return values if values.dtype == np.float64 else values.astype(np.int64)
