"""MeasureTable: the counts of one measure, a row for each key, unit and level that was counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import Array, stretched
from caesura.core.counts import Counts, of_numbers
from caesura.core.segmentation import BoolArray, IntArray

Numbers = Array
"""Whole numbers in as few bytes as they need, Python's own where 64 bits are too few; or floats."""
Weights = npt.NDArray[np.float64]
"""How often each unit counts, draws × units."""
SIZES = (np.int16, np.int32, np.int64)
SPARSE = 8
"""Rows are kept as they are if fewer than one key in as many units has one."""
LONG = 64
"""Longer runs of rows are added by numpy, run by run; shorter ones faster, all at once."""
SMALL = 1 << 17
"""Below it, the product of any three counts is exact as a float."""

Fields = tuple[Any, ...]
"""What rows have a number for: names of fields, or tuples where fields vary."""


def is_plain(kind: type[Counts]) -> bool:
    """Whether all counts of a kind have the same fields, each of them a number."""
    return kind.items is Counts.items


def fields_of(kind: type[Counts], names: Iterable[object]) -> Fields:
    """The different fields of counts: those that all have, then the others in their own order."""
    if is_plain(kind):
        return kind.__match_args__
    different: dict[Any, None] = dict.fromkeys(names)
    fixed: tuple[str, ...] = kind.__match_args__
    varying: list[Any] = [name for name in different if name not in fixed]
    return (*(name for name in fixed if name in different), *sorted(varying))


@dataclass(frozen=True, slots=True, eq=False)
class MeasureTable:
    """The rows of one measure: `values` are fields × rows, in the order of keys, units and levels.

    `keys` are codes, ascending. `places` has the place of each row, the number of its key · units +
    its unit; it is None where every key has every unit, which saves eight bytes a row. What was not
    counted has no row. Where fields vary, as marks do, those that are 0 are not there. `levels`, if
    there are any, divide what a key has in a unit into several rows, as the scores of places do.
    """

    kind: type[Counts]
    fields: Fields
    keys: IntArray
    units: int
    values: Numbers
    places: IntArray | None = None
    levels: IntArray | None = None

    # Make tables

    @classmethod
    def from_arrays(cls, counts: Any, codes: IntArray, units: int) -> MeasureTable:
        """Take counts whose fields are arrays of keys × units, or numbers, the same for all.

        Of counts by level, keys without any have no row.
        """
        kind = type(counts)
        if kind.has_levels:
            key, unit = np.divmod(counts.owner, max(1, units))
            values = np.array([getattr(counts, name) for name in kind.level_fields], np.int64)
            return cls.from_rows(
                kind, kind.level_fields, values, codes[key], unit, units, counts.levels
            )
        items = counts.items()
        fields = fields_of(kind, items)
        values = np.zeros((len(fields), codes.size * units), np.int64)
        for row, name in zip(values, fields, strict=True):
            row[:] = np.ravel(items[name])
        return cls(kind, fields, codes, units, narrow(values))._with_sorted_keys()

    @classmethod
    def from_counts(
        cls, counts: Sequence[Any], codes: IntArray, unit: IntArray, units: int
    ) -> MeasureTable:
        """Take single counts, each with its key and unit; those of the same are added."""
        kind = type(counts[0])
        if kind.has_levels:
            keys, key = np.unique(codes, return_inverse=True)
            values = np.array(
                [np.concatenate([getattr(one, name) for one in counts])
                 for name in kind.level_fields]
            )  # fmt: skip
            levels = np.concatenate([one.levels for one in counts])
            places = np.repeat(key * units + unit, [one.levels.size for one in counts])
            rows = cls(kind, kind.level_fields, keys, units, values, levels=levels)
            return rows.placed(places)
        if is_plain(kind):
            fields: Fields = kind.__match_args__
            columns = [list(map(attrgetter(name), counts)) for name in fields]
        else:
            items = [one.items() for one in counts]
            fields = fields_of(kind, chain.from_iterable(items))
            columns = [[one.get(name, 0) for one in items] for name in fields]
        values = numbers(columns).reshape(len(fields), len(counts))
        return cls.from_rows(kind, fields, values, codes, unit, units)

    @classmethod
    def from_rows(
        cls, kind: type[Counts], fields: Fields, values: Numbers, codes: IntArray, unit: IntArray,
        units: int, levels: IntArray | None = None,
    ) -> MeasureTable:  # fmt: skip
        """Take fields × rows, with the key and unit of each row; those of the same are added."""
        keys, key = np.unique(codes, return_inverse=True)
        return cls(kind, fields, keys, units, values, levels=levels).placed(key * units + unit)

    @classmethod
    def from_parts(cls, parts: Sequence[tuple[MeasureTable, IntArray]], units: int) -> MeasureTable:
        """The rows of several tables among more units, with the numbers of each table's units."""
        first = parts[0][0]
        numbers = np.concatenate([unit_numbers for _, unit_numbers in parts])
        are_alike = all(
            part.places is None
            and part.fields == first.fields
            and np.array_equal(part.keys, first.keys)
            for part, _ in parts
        )
        if not are_alike or not np.array_equal(numbers, np.arange(units)):
            return joined_tables([part.moved(unit_numbers, units) for part, unit_numbers in parts])
        shape = len(first.fields), first.keys.size
        values = [part.values.reshape(*shape, part.units) for part, _ in parts]
        joined = np.concatenate(values, axis=2).reshape(shape[0], shape[1] * units)
        return replace(first, units=units, values=joined)

    def _with_sorted_keys(self) -> MeasureTable:
        """The table with its keys ascending, of a full one whose keys are in any order."""
        if (self.keys[:-1] < self.keys[1:]).all():
            return self
        order = np.argsort(self.keys)
        shape = len(self.fields), self.keys.size, self.units
        values = self.values.reshape(shape)[:, order].reshape(self.values.shape)
        return replace(self, keys=self.keys[order], values=values)

    def placed(self, places: IntArray) -> MeasureTable:
        """The rows in the order of new places; those of the same place and level are added."""
        levels = self.levels
        if levels is None:
            order = np.argsort(places, kind="stable")
        else:
            order = np.lexsort((levels, places))
            levels = levels[order]
        places, values = places[order], self.values
        if not (order[:-1] < order[1:]).all():
            values = values[:, order]
        is_new = np.diff(places, prepend=-1) != 0
        if levels is not None:
            is_new[1:] |= levels[1:] != levels[:-1]
        first = np.flatnonzero(is_new)
        if first.size < places.size:
            without_overflow = object if values.dtype in (np.int64, object) else np.int64
            values = np.add.reduceat(values.astype(without_overflow), first, axis=1)
            places = places[first]
            levels = None if levels is None else levels[first]
        is_full = levels is None and places.size == self.keys.size * self.units
        return replace(
            self, values=narrow(values), places=None if is_full else places, levels=levels
        )

    # What they hold

    def all_places(self) -> IntArray:
        """The place of each row."""
        return np.arange(self.values.shape[1]) if self.places is None else self.places

    def key_places(self) -> IntArray:
        """The place of each key and unit that has rows."""
        return self.all_places() if self.levels is None else np.unique(self.all_places())

    def keys_and_units(self) -> tuple[IntArray, IntArray]:
        """The number of the key, and the unit, of each row."""
        key, unit = np.divmod(self.all_places(), max(1, self.units))
        return key, unit

    def is_counted(self) -> BoolArray:
        """Which keys have which units, keys × units."""
        counted = np.zeros(self.keys.size * self.units, np.bool_)
        counted[self.all_places()] = True
        return counted.reshape(self.keys.size, self.units)

    def units_by_key(self) -> IntArray:
        """The number of units that each key has."""
        if self.places is None:
            return np.full(self.keys.size, self.units)
        return np.bincount(self.key_places() // max(1, self.units), minlength=self.keys.size)

    def find(self, codes: IntArray) -> IntArray:
        """The numbers of keys; -1 where there is none."""
        if not self.keys.size:
            return np.full(codes.shape, -1)
        number = np.minimum(np.searchsorted(self.keys, codes), self.keys.size - 1)
        return np.where(self.keys[number] == codes, number, -1)

    def counts(self, codes: IntArray, units: slice) -> tuple[Any, BoolArray]:
        """Counts of arrays, in the shape of the codes × units; and which were counted."""
        number = self.find(codes)
        is_known = (number >= 0)[..., None]
        if self.places is None:
            dense = self.values.reshape(len(self.fields), self.keys.size, self.units)
            values, is_counted = dense[:, np.maximum(number, 0), units], is_known
        else:
            wanted = number[..., None] * self.units + np.arange(self.units)[units]
            if self.levels is not None:
                return self._levels_at(np.where(is_known, wanted, -1))
            row = np.minimum(np.searchsorted(self.places, wanted), self.places.size - 1)
            values, is_counted = self.values[:, row], (self.places[row] == wanted) & is_known
        values = values if is_counted.all() else values * is_counted
        items = dict(zip(self.fields, map(wide, values), strict=True))
        return self.kind.from_items(items), is_counted

    def _levels_at(self, wanted: IntArray) -> tuple[Any, BoolArray]:
        """The levels at some places, as counts in their shape; and which have any."""
        assert self.levels is not None
        first, last = (
            np.searchsorted(self.all_places(), wanted, side) for side in ("left", "right")
        )
        sizes = (last - first).ravel()
        rows = stretched(first.ravel(), sizes)
        owner = np.repeat(np.arange(sizes.size), sizes)
        values = self.values[:, rows]
        values = values if values.dtype == np.float64 else values.astype(np.int64)
        kind: Any = self.kind
        return kind.from_levels(self.levels[rows], values, owner, wanted.shape), last > first

    def one(self, code: int) -> Counts | None:
        """The counts of one key in the only unit."""
        number = self.find(np.array(code))
        if self.levels is not None:
            counts, is_counted = self._levels_at(number)
            return counts if is_counted else None
        if number < 0:
            return None
        values = self.values[:, int(number)].tolist()
        return of_numbers(self.kind, zip(self.fields, values, strict=True))

    def each(self) -> Iterator[Counts]:
        """The counts of every key and unit."""
        if self.levels is not None:
            return (self._levels_at(np.array(place))[0] for place in self.key_places().tolist())
        if is_plain(self.kind):
            return map(self.kind, *self.values.tolist())
        rows = self.values.T.tolist()
        return (of_numbers(self.kind, zip(self.fields, row, strict=True)) for row in rows)

    def by_unit(self) -> Iterator[list[tuple[int, Counts]]]:
        """The counts of each unit, with the numbers of their keys."""
        units: list[list[tuple[int, Counts]]] = [[] for _ in range(self.units)]
        for place, counts in zip(self.key_places().tolist(), self.each(), strict=True):
            key, unit = divmod(place, self.units)
            units[unit].append((key, counts))
        return iter(units)

    # Other keys and units

    def coded(self, codes: IntArray) -> MeasureTable:
        """The table with other codes of its keys, all of them different."""
        if self.places is None:
            return replace(self, keys=codes)._with_sorted_keys()
        keys = np.sort(codes)
        key, unit = self.keys_and_units()
        places = np.searchsorted(keys, codes)[key] * self.units + unit
        return replace(self, keys=keys).placed(places)

    def recoded(self, codes: IntArray, unit: IntArray) -> MeasureTable:
        """The table with another code of the key of each row, given the unit of each."""
        return self.from_rows(
            self.kind, self.fields, self.values, codes, unit, self.units, self.levels
        )

    def only(self, wanted: BoolArray) -> MeasureTable:
        """Some keys only, by a mask."""
        if wanted.all():
            return self
        key, unit = self.keys_and_units()
        kept, number = wanted[key], np.cumsum(wanted) - 1
        rows = replace(self._rows(kept), keys=self.keys[wanted])
        return rows.placed(number[key[kept]] * self.units + unit[kept])

    def swapped(self) -> MeasureTable:
        """The counts the other way round: what is scored against what."""
        items = dict(zip(self.fields, self.values, strict=True))
        turned: Any = self.kind.from_items(items)
        return replace(self, values=np.array([*turned.swapped().items().values()]))

    def moved(self, numbers: IntArray, units: int) -> MeasureTable:
        """The rows among more units, with the numbers that its own have there; not yet in order."""
        key, unit = self.keys_and_units()
        return replace(self, units=units, places=key * units + numbers[unit])

    def summed(self, label: IntArray, labels: int) -> MeasureTable:
        """Add the units with the same label, of `labels` different ones; -1 is left out."""
        if self.places is None and labels == 1 and not label.any():
            dense = self.values.reshape(len(self.fields), self.keys.size, self.units)
            without_overflow = object if dense.dtype in (np.int64, object) else np.int64
            return replace(self, units=1, values=narrow(dense.sum(axis=2, dtype=without_overflow)))
        key, unit = self.keys_and_units()
        target = label[unit]
        kept = target >= 0
        rows = self if kept.all() else self._rows(kept)
        has_rows, key = np.unique(key[kept], return_inverse=True)
        rows = replace(rows, keys=self.keys[has_rows], units=labels)
        return rows.placed(key * labels + target[kept])

    def _rows(self, which: BoolArray) -> MeasureTable:
        """The values of some rows; their places are to be given."""
        levels = None if self.levels is None else self.levels[which]
        return replace(self, values=self.values[:, which], levels=levels)

    # Resamples: draws take the place of units, and sums of whole numbers are exact as fractions

    def grid(self) -> Numbers:
        """The values as fields × keys × units, 0 where there is no row."""
        shape = len(self.fields), self.keys.size, self.units
        if self.places is None:
            return self.values.reshape(shape)
        values = np.zeros((shape[0], shape[1] * self.units), self.values.dtype)
        values[:, self.places] = self.values
        return values.reshape(shape)

    def dense(self, codes: IntArray) -> MeasureTable:
        """Some keys, ascending, as fractions, which add as fast; in all units, 0 if not counted.

        Where few units have a key, as of a hundred annotators, and where there are levels, only the
        rows are kept.
        """
        number = self.find(codes)
        is_sparse = (
            self.places is not None and SPARSE * self.places.size < self.keys.size * self.units
        )
        if is_sparse or self.levels is not None:
            code = np.full(self.keys.size, -1)
            code[number[number >= 0]] = np.flatnonzero(number >= 0)
            key, unit = self.keys_and_units()
            kept = code[key] >= 0
            rows, places = self._rows(kept), (code[key] * self.units + unit)[kept]
            values = rows.values if self.levels is not None else rows.values.astype(np.float64)
            return replace(rows, keys=codes, values=values, places=places)
        values = self.grid()[:, np.maximum(number, 0)] * (number >= 0)[:, None]
        return replace(self, keys=codes)._with(values.astype(np.float64))

    def weighted(self, weights: Weights) -> MeasureTable:
        """The sums for each row of weights, draws × units."""
        if self.levels is not None:
            return self._weighted_levels(self.levels, weights)
        if self.places is None:
            flat = self.values.reshape(len(self.fields) * self.keys.size, self.units)
            return self._with(np.ascontiguousarray((weights @ flat.T).T))
        key, unit = self.keys_and_units()  # ascending by key
        first = np.flatnonzero(np.diff(key, prepend=-1))
        sums = np.zeros((len(self.fields), self.keys.size, len(weights)))
        drawn = np.ascontiguousarray(weights.T)[unit]  # rows × draws
        for field_sums, values in zip(sums, self.values, strict=True):
            field_sums[key[first]] = _sums_of_runs(drawn * values[:, None], first)
        return self._with(sums)

    def _weighted_levels(self, levels: IntArray, weights: Weights) -> MeasureTable:
        """The sums of each level of each key, for each row of weights."""
        draws = len(weights)
        key, unit = self.keys_and_units()
        order = np.lexsort((levels, key))
        key, unit, levels = key[order], unit[order], levels[order]
        is_new = np.ones(key.size, np.bool_)  # whether a key has a level for the first time
        is_new[1:] = (key[1:] != key[:-1]) | (levels[1:] != levels[:-1])
        first = np.flatnonzero(is_new)
        sums = np.zeros((len(self.fields), draws, first.size))
        for field_sums, values in zip(sums, self.values[:, order], strict=True):
            if first.size:
                np.add.reduceat(weights[:, unit] * values, first, axis=1, out=field_sums)
        places = (key[first] * draws + np.arange(draws)[:, None]).ravel()
        rows = np.argsort(places, kind="stable")
        return replace(
            self,
            units=draws,
            values=sums.reshape(len(self.fields), places.size)[:, rows],
            places=places[rows],
            levels=np.tile(levels[first], draws)[rows],
        )

    def among(self, units: slice) -> MeasureTable:
        """Some units, with a value for each key and unit; or with the levels that there are."""
        if self.places is None:
            dense = self.values.reshape(len(self.fields), self.keys.size, self.units)
            return self._with(dense[:, :, units])
        start, stop, _ = units.indices(self.units)
        key, unit = self.keys_and_units()
        kept = (unit >= start) & (unit < stop)
        if self.levels is not None:
            places = key[kept] * (stop - start) + unit[kept] - start
            return replace(self._rows(kept), units=stop - start, places=places)
        values = np.zeros((len(self.fields), self.keys.size, stop - start))
        values[:, key[kept], unit[kept] - start] = self.values[:, kept]
        return self._with(values)

    def without_each(self, units: slice) -> MeasureTable:
        """The sums of all units but one, for each of some units."""
        left_out = np.arange(self.units)[units]
        if self.levels is not None:
            weights = np.ones((left_out.size, self.units))
            weights[np.arange(left_out.size), left_out] = 0
            return self.weighted(weights)
        shape = len(self.fields), self.keys.size
        total = self.weighted(np.ones((1, self.units))).values
        left = self.among(units).values.reshape(*shape, left_out.size)
        return self._with(total.reshape(*shape, 1) - left)

    def exchanged(self, other: MeasureTable, flips: Weights) -> tuple[MeasureTable, MeasureTable]:
        """The sums of two tables with the same keys that exchange some units in each row."""
        if self.levels is None or other.levels is None:
            shape = len(self.fields) * self.keys.size, self.units
            ours, theirs = (table.grid().reshape(shape) for table in (self, other))
            mine, yours = exchanged(ours, theirs, flips)
            return self._with(mine), other._with(yours)
        width = 2 * self.units  # the units of one, then those of the other
        (key, unit), (other_key, other_unit) = self.keys_and_units(), other.keys_and_units()
        other_unit = other_unit + self.units
        both = replace(
            self,
            units=width,
            values=np.concatenate([self.values, other.values], axis=1),
            places=np.concatenate([key * width + unit, other_key * width + other_unit]),
            levels=np.concatenate([self.levels, other.levels]),
        )
        kept = 1 - flips
        return both.weighted(np.hstack((kept, flips))), both.weighted(np.hstack((flips, kept)))

    def _with(self, values: Numbers) -> MeasureTable:
        """The table with a value for each key and unit; units are the last axis of the values."""
        flat = values.reshape(len(self.fields), values.size // max(1, len(self.fields)))
        return replace(self, units=values.shape[-1], values=flat, places=None)


def joined_tables(tables: Sequence[MeasureTable]) -> MeasureTable:
    """The rows of several tables of the same units; those of the same key and unit are added."""
    first = tables[0]
    if len(tables) == 1:
        return first if first.places is None else first.placed(first.places)
    fields = fields_of(first.kind, chain.from_iterable(table.fields for table in tables))
    keys = np.concatenate([table.keys for table in tables])
    order = np.argsort(keys, kind="stable")
    values = np.concatenate([_with_fields(table, fields) for table in tables], axis=1)
    is_first = np.diff(keys[order], prepend=-1) > 0
    if is_first.all() and all(table.places is None for table in tables):
        return replace(first, fields=fields, keys=keys, values=values)._with_sorted_keys()
    number = np.empty_like(order)  # of each key among the different ones
    number[order] = np.cumsum(is_first) - 1
    places, start = [], 0
    for table in tables:
        key, unit = table.keys_and_units()
        places.append(number[start + key] * table.units + unit)
        start += table.keys.size
    parts = [table.levels for table in tables if table.levels is not None]
    levels = np.concatenate(parts) if parts else None
    rows = replace(first, fields=fields, keys=keys[order][is_first], values=values, levels=levels)
    return rows.placed(np.concatenate(places))


def _with_fields(table: MeasureTable, fields: Fields) -> Numbers:
    """The values of more fields, 0 for those that a table does not have."""
    if table.fields == fields:
        return table.values
    number = {name: index for index, name in enumerate(fields)}
    values = np.zeros((len(fields), table.values.shape[1]), table.values.dtype)
    values[[number[name] for name in table.fields]] = table.values
    return values


def exchanged(one: Numbers, other: Numbers, flips: Numbers) -> tuple[Numbers, Numbers]:
    """The sums over units of two arrays, rows × units, that exchange some in each row of flips.

    One has its own sum and what it gets, minus what it gives; so the other has the reverse.
    """
    shift = np.ascontiguousarray((flips @ (other - one).T).T)
    return one.sum(axis=1, keepdims=True) + shift, other.sum(axis=1, keepdims=True) - shift


def _sums_of_runs(values: Numbers, first: IntArray) -> Numbers:
    """Sums of runs of rows, given the first of each: the first rows, the second ones, and so on."""
    sizes = np.diff(first, append=len(values))
    if sizes.max(initial=0) > LONG:
        return np.add.reduceat(values, first, axis=0)
    sums = values[first]
    for rank in range(1, sizes.max(initial=0)):
        runs = np.flatnonzero(sizes > rank)
        sums[runs] += values[first[runs] + rank]
    return sums


def numbers(values: list[list[Any]]) -> Numbers:
    """An array of whole numbers; of objects where one does not fit into 64 bits."""
    array = np.array(values)
    if not array.size:
        return array.astype(np.int64)
    return array if array.dtype == np.int64 else np.array(values, dtype=object)


def wide(values: Numbers) -> Numbers:
    """Numbers with which one can calculate: 64 bits, or Python's own where products are large."""
    if values.dtype == np.float64:
        return values
    if values.dtype == np.int16 or not values.size or int(np.abs(values).max()) < SMALL:
        return values.astype(np.int64)
    return values.astype(object)


def narrow(values: Numbers) -> Numbers:
    """The numbers in as few bytes as they need."""
    if not values.size:
        return values.astype(np.int16)
    low, high = values.min(), values.max()
    for size in SIZES:
        if np.iinfo(size).min <= low and high <= np.iinfo(size).max:
            return values.astype(size)
    return values.astype(object)
