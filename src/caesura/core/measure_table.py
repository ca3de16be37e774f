"""MeasureTable: the counts of one measure, as an array of fields × rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import Array
from caesura.core.counts import Counts, of_numbers
from caesura.core.segmentation import BoolArray, IntArray

Numbers = Array
"""Whole numbers in as few bytes as they need, Python's own where 64 bits are too few; or floats."""
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
    """The rows of one measure: `values` are fields × rows, in the order of keys, then of units.

    `keys` are codes, ascending. `places` has the place of each row, the number of its key · units +
    its unit; it is None where every key has every unit. Where fields vary, as marks do, those that
    are 0 are not there. `levels`, if there are any, divide what a key has in a unit into several
    rows, as the scores of places do (`LevelTable`).
    """

    kind: type[Counts]
    fields: Fields
    keys: IntArray
    values: Numbers
    places: IntArray | None = None
    levels: IntArray | None = None

    @classmethod
    def from_arrays(cls, counts: Counts, codes: IntArray, units: int) -> MeasureTable:
        """Take counts whose fields are arrays of keys × units, or numbers, the same for all."""
        items, kind = counts.items(), type(counts)
        fields = fields_of(kind, items)
        values = np.zeros((len(fields), codes.size * units), np.int64)
        for row, name in zip(values, fields, strict=True):
            row[:] = np.ravel(items[name])
        return cls(kind, fields, codes, narrow(values)).sorted(units)

    @classmethod
    def from_counts(
        cls, counts: Sequence[Counts], codes: IntArray, unit: IntArray, units: int
    ) -> MeasureTable:
        """Take single counts, each with its key and unit; those of the same are added."""
        kind = type(counts[0])
        if is_plain(kind):
            fields: Fields = kind.__match_args__
            columns = [list(map(attrgetter(name), counts)) for name in fields]
        else:
            items = [each.items() for each in counts]
            fields = fields_of(kind, chain.from_iterable(items))
            columns = [[each.get(name, 0) for each in items] for name in fields]
        values = numbers(columns).reshape(len(fields), len(counts))
        return cls.from_numbers(kind, fields, values, codes, unit, units)

    @classmethod
    def from_numbers(
        cls, kind: type[Counts], fields: Fields, values: Numbers, codes: IntArray, unit: IntArray,
        units: int,
    ) -> MeasureTable:  # fmt: skip
        """Take fields × rows, with the key and unit of each row; those of the same are added."""
        keys, key = np.unique(codes, return_inverse=True)
        return cls(kind, fields, keys, values).placed(key * units + unit, units)

    @classmethod
    def from_parts(cls, parts: Sequence[tuple[MeasureTable, IntArray]], units: int) -> MeasureTable:
        """The rows of several tables among more units, with the numbers of each table's units."""
        first = parts[0][0]
        numbers = np.concatenate([own for _, own in parts])
        are_alike = all(
            own.places is None
            and own.fields == first.fields
            and np.array_equal(own.keys, first.keys)
            for own, _ in parts
        )
        if not are_alike or not np.array_equal(numbers, np.arange(units)):
            moved = [own.moved(numbers, units) for own, numbers in parts]
            return joined_tables(moved, units)
        shape = len(first.fields), first.keys.size
        values = [own.values.reshape(*shape, numbers.size) for own, numbers in parts]
        joined = np.concatenate(values, axis=2).reshape(shape[0], shape[1] * units)
        return replace(first, values=joined)

    def sorted(self, units: int) -> MeasureTable:
        """The table with its keys ascending, of a full one whose keys are in any order."""
        if (self.keys[:-1] < self.keys[1:]).all():
            return self
        order = np.argsort(self.keys)
        shape = len(self.fields), self.keys.size, units
        values = self.values.reshape(shape)[:, order].reshape(self.values.shape)
        return replace(self, keys=self.keys[order], values=values)

    def all_places(self) -> IntArray:
        """The place of each row."""
        return np.arange(self.values.shape[1]) if self.places is None else self.places

    def there(self, units: int) -> BoolArray:
        """Which keys have which units, keys × units."""
        found = np.zeros(self.keys.size * units, np.bool_)
        found[self.all_places()] = True
        return found.reshape(self.keys.size, units)

    def rows_by_key(self, units: int) -> IntArray:
        """The number of units that each key has."""
        if self.places is None:
            return np.full(self.keys.size, units)
        return np.bincount(self.places // units, minlength=self.keys.size)

    def placed(self, places: IntArray, units: int) -> MeasureTable:
        """The rows in the order of new places; those of the same place are added."""
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
            values = np.add.reduceat(values.astype(_for_sums(values)), first, axis=1)
            places = places[first]
            levels = None if levels is None else levels[first]
        is_full = levels is None and places.size == self.keys.size * units
        places_there = None if is_full else places
        return replace(self, values=narrow(values), places=places_there, levels=levels)

    def rows(self, which: BoolArray) -> MeasureTable:
        """The values of some rows; their places are to be given."""
        levels = None if self.levels is None else self.levels[which]
        return replace(self, values=self.values[:, which], levels=levels)

    def row_places(self) -> IntArray:
        """The place of each key and unit."""
        return self.all_places()

    def moved(self, numbers: IntArray, units: int) -> MeasureTable:
        """The table among more units, with the numbers that its own have there."""
        key, unit = np.divmod(self.all_places(), numbers.size)
        return replace(self, places=key * units + numbers[unit])

    def coded(self, codes: IntArray, units: int) -> MeasureTable:
        """The table with other codes of its keys, all of them different."""
        if self.places is None:
            return replace(self, keys=codes).sorted(units)
        keys = np.sort(codes)
        key, unit = np.divmod(self.places, units)
        rows = replace(self, keys=keys)
        return rows.placed(np.searchsorted(keys, codes)[key] * units + unit, units)

    def recoded(self, codes: IntArray, unit: IntArray, units: int) -> MeasureTable:
        """The table with another code of the key of each row, given the unit of each."""
        keys, at = np.unique(codes, return_inverse=True)
        return replace(self, keys=keys).placed(at * units + unit, units)

    def at(self, wanted: BoolArray, units: int) -> MeasureTable:
        """Some keys only, by a mask."""
        if wanted.all():
            return self
        key, unit = np.divmod(self.all_places(), units)
        kept = wanted[key]
        number = np.cumsum(wanted) - 1
        rows = replace(self.rows(kept), keys=self.keys[wanted])
        return rows.placed(number[key[kept]] * units + unit[kept], units)

    def swapped(self) -> MeasureTable:
        """The counts the other way round: what is scored against what."""
        items = dict(zip(self.fields, self.values, strict=True))
        turned: Any = self.kind.from_items(items)
        return replace(self, values=np.array([*turned.swapped().items().values()]))

    def take(self, units: IntArray, width: int) -> MeasureTable:
        """Some units only, by their numbers, ascending."""
        code = np.full(width, -1)
        code[units] = np.arange(units.size)
        return self.summed(code, units.size, width)

    def reordered(self, order: IntArray, width: int) -> MeasureTable:
        """The units in another order: the numbers that they have now."""
        code = np.empty(width, np.int64)
        code[order] = np.arange(width)
        return self.summed(code, width, width)

    def summed(self, code: IntArray, labels: int, width: int) -> MeasureTable:
        """Add the units with the same code, of `labels` different ones; -1 is left out."""
        if self.places is None and labels == 1 and not code.any():
            dense = self.values.reshape(len(self.fields), self.keys.size, width)
            return replace(self, values=narrow(dense.sum(axis=2, dtype=_for_sums(dense))))
        key, unit = np.divmod(self.all_places(), width)
        target = code[unit]
        kept = target >= 0
        rows = self if kept.all() else self.rows(kept)
        there, key = np.unique(key[kept], return_inverse=True)
        rows = replace(rows, keys=self.keys[there])
        return rows.placed(key * labels + target[kept], labels)

    def grid(self, width: int) -> Numbers:
        """The values as fields × keys × units, 0 where there is no row."""
        shape = len(self.fields), self.keys.size, width
        if self.places is None:
            return self.values.reshape(shape)
        values = np.zeros((shape[0], shape[1] * width), self.values.dtype)
        values[:, self.places] = self.values
        return values.reshape(shape)

    def dense(self, codes: IntArray, width: int) -> MeasureTable:
        """Some keys as fractions, which add as fast; in all units, 0 where nothing was counted.

        Where few units have a key, as of a hundred annotators, only the rows are kept.
        """
        number = self.find(codes)
        if self.places is not None and SPARSE * self.places.size < self.keys.size * width:
            code = np.full(self.keys.size, -1)
            code[number[number >= 0]] = np.flatnonzero(number >= 0)
            key, unit = np.divmod(self.places, width)
            kept = code[key] >= 0
            places, values = code[key] * width + unit, self.values.astype(np.float64)
            return replace(self, keys=codes, values=values[:, kept], places=places[kept])
        values = self.grid(width)[:, np.maximum(number, 0)] * (number >= 0)[:, None]
        return replace(self, keys=codes)._with(values.astype(np.float64))

    def weighted(self, weights: npt.NDArray[np.float64], width: int) -> MeasureTable:
        """The sums for each row of weights, draws × units; they are whole numbers, so exact."""
        if self.places is None:
            flat = self.values.reshape(len(self.fields) * self.keys.size, width)
            return self._with(np.ascontiguousarray((weights @ flat.T).T))
        key, unit = np.divmod(self.places, width)  # ascending by key
        first = np.flatnonzero(np.diff(key, prepend=-1))
        sums = np.zeros((len(self.fields), self.keys.size, len(weights)))
        drawn = np.ascontiguousarray(weights.T)[unit]  # rows × draws
        for own, values in zip(sums, self.values, strict=True):
            own[key[first]] = _sums_of_runs(drawn * values[:, None], first)
        return self._with(sums)

    def among(self, units: slice, width: int) -> MeasureTable:
        """Some units, with a value for each key and unit."""
        if self.places is None:
            dense = self.values.reshape(len(self.fields), self.keys.size, width)
            return self._with(dense[:, :, units])
        start, stop, _ = units.indices(width)
        key, unit = np.divmod(self.places, width)
        kept = (unit >= start) & (unit < stop)
        values = np.zeros((len(self.fields), self.keys.size, stop - start))
        values[:, key[kept], unit[kept] - start] = self.values[:, kept]
        return self._with(values)

    def exchanged(
        self, other: MeasureTable, flips: npt.NDArray[np.float64], width: int
    ) -> tuple[MeasureTable, MeasureTable]:
        """The sums of two tables with the same keys that exchange some units in each row."""
        shape = len(self.fields) * self.keys.size, width
        ours, theirs = (each.grid(width).reshape(shape) for each in (self, other))
        mine, yours = exchanged(ours, theirs, flips)
        return self._with(mine), other._with(yours)

    def without_each(self, units: slice, width: int) -> MeasureTable:
        """The sums of all units but one, for each of some units."""
        shape = len(self.fields), self.keys.size
        left_out = self.among(units, width).values.reshape(*shape, len(range(width)[units]))
        total = self.weighted(np.ones((1, width)), width).values
        return self._with(total.reshape(*shape, 1) - left_out)

    def _with(self, values: Numbers) -> MeasureTable:
        """The table with a value for each key and unit."""
        flat = values.reshape(len(self.fields), values.size // max(1, len(self.fields)))
        return replace(self, values=flat, places=None)

    def find(self, codes: IntArray) -> IntArray:
        """The numbers of keys; -1 where there is none."""
        if not self.keys.size:
            return np.full(codes.shape, -1)
        at = np.minimum(np.searchsorted(self.keys, codes), self.keys.size - 1)
        return np.where(self.keys[at] == codes, at, -1)

    def counts(self, codes: IntArray, width: int, units: slice) -> tuple[Any, BoolArray]:
        """Counts of arrays, in the shape of the codes × units; and which are there."""
        number = self.find(codes)
        known = (number >= 0)[..., None]
        if self.places is None:
            dense = self.values.reshape(len(self.fields), self.keys.size, width)
            values, there = dense[:, np.maximum(number, 0), units], known
        else:
            wanted = number[..., None] * width + np.arange(width)[units]
            row = np.minimum(np.searchsorted(self.places, wanted), self.places.size - 1)
            values, there = self.values[:, row], (self.places[row] == wanted) & known
        values = values if there.all() else values * there
        return self.kind.from_items(dict(zip(self.fields, map(wide, values), strict=True))), there

    def one(self, code: int) -> Counts | None:
        """The counts of one key in the only unit."""
        number = int(self.find(np.array([code]))[0])
        if number < 0:
            return None
        return of_numbers(self.kind, zip(self.fields, self.values[:, number].tolist(), strict=True))

    def each(self) -> Iterator[Counts]:
        """The counts of every row."""
        if is_plain(self.kind):
            return map(self.kind, *self.values.tolist())
        rows = self.values.T.tolist()
        return (of_numbers(self.kind, zip(self.fields, row, strict=True)) for row in rows)

    def by_unit(self, width: int) -> Iterator[list[tuple[int, Counts]]]:
        """The counts of each unit, with the numbers of their keys."""
        key, unit = np.divmod(self.all_places(), max(1, width))
        order = np.argsort(unit, kind="stable")
        ends = np.searchsorted(unit[order], np.arange(width), side="right").tolist()
        rows = replace(self, values=self.values[:, order])
        each = list(zip(key[order].tolist(), rows.each(), strict=True))
        start = 0
        for end in ends:
            yield each[start:end]
            start = end


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


def joined_tables(tables: Sequence[MeasureTable], units: int) -> MeasureTable:
    """The rows of several tables of the same units; those of the same key and unit are added."""
    first = tables[0]
    if len(tables) == 1:
        return first if first.places is None else first.placed(first.places, units)
    fields = fields_of(first.kind, chain.from_iterable(each.fields for each in tables))
    keys = np.concatenate([each.keys for each in tables])
    order = np.argsort(keys, kind="stable")
    values = np.concatenate([_with_fields(each, fields) for each in tables], axis=1)
    is_first = np.diff(keys[order], prepend=-1) > 0
    if is_first.all() and all(each.places is None for each in tables):
        return MeasureTable(first.kind, fields, keys, values).sorted(units)
    number = np.empty_like(order)  # of each key among the different ones
    number[order] = np.cumsum(is_first) - 1
    places, start = [], 0
    for each in tables:
        key, unit = np.divmod(each.all_places(), units)
        places.append(number[start + key] * units + unit)
        start += each.keys.size
    parts = [each.levels for each in tables if each.levels is not None]
    levels = np.concatenate(parts) if parts else None
    rows = replace(first, fields=fields, keys=keys[order][is_first], values=values, levels=levels)
    return rows.placed(np.concatenate(places), units)


def _with_fields(table: MeasureTable, fields: tuple[object, ...]) -> Numbers:
    """The values of more fields, 0 for those that a table does not have."""
    if table.fields == fields:
        return table.values
    number = {name: at for at, name in enumerate(fields)}
    values = np.zeros((len(fields), table.values.shape[1]), table.values.dtype)
    values[[number[name] for name in table.fields]] = table.values
    return values


def numbers(values: list[list[Any]]) -> Numbers:
    """An array of whole numbers; of objects where one does not fit into 64 bits."""
    found = np.array(values)
    if not found.size:
        return found.astype(np.int64)
    return found if found.dtype == np.int64 else np.array(values, dtype=object)


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


def _for_sums(values: Numbers) -> Any:
    """The type in which sums cannot overflow."""
    return object if values.dtype in (np.int64, object) else np.int64
