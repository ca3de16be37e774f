"""Tallies: the counts of one kind as one array of items × keys × units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from caesura.core.counts import Counts
from caesura.core.segmentation import IntArray

Numbers = npt.NDArray[Any]
"""Whole numbers, in as few bytes as they need; objects where 64 bits are too few."""
SIZES = (np.int16, np.int32, np.int64)
SMALL = 1 << 17
"""Below it, the product of any three counts is exact as a float."""


def is_plain(kind: type[Counts]) -> bool:
    """Whether all counts of the kind have the same fields, each of them a number."""
    return kind.items is Counts.items


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The counts of one kind: items × keys × units.

    Where the items differ from document to document, as marks do, `shapes` holds the different
    lists of items (their numbers) and `shape` which of them it is for each key and unit.
    """

    kind: type[Counts]
    items: tuple[Any, ...]
    values: Numbers
    shapes: tuple[tuple[int, ...], ...] = ()
    shape: Numbers | None = None

    @classmethod
    def from_counts(cls, kind: type[Counts], counts: Sequence[Counts], keys: int) -> Tally:
        """Take the counts of one unit after another, in each of them those of all keys."""
        if is_plain(kind):
            items: tuple[Any, ...] = kind.__match_args__
            take = attrgetter(*items) if len(items) > 1 else lambda each: (getattr(each, *items),)
            return cls(kind, items, _turned(_numbers(list(map(take, counts))), keys))
        flat = [each.items() for each in counts]
        numbered = {item: at for at, item in enumerate(dict.fromkeys(chain.from_iterable(flat)))}
        known: dict[tuple[Any, ...], int] = {}
        shape = np.array([known.setdefault(tuple(each), len(known)) for each in flat], np.int64)
        shapes = tuple(tuple(numbered[item] for item in each) for each in known)
        values = _numbers([[each.get(item, 0) for item in numbered] for each in flat])
        return cls(kind, tuple(numbered), _turned(values, keys), shapes, _turned(shape, keys)[0])

    @classmethod
    def from_arrays(cls, counts: Counts, keys: int, units: int) -> Tally:
        """Take counts whose fields are arrays of keys × units; a field may be a plain number.

        Where the items differ from document to document, those that are 0 are not there.
        """
        kind, items = type(counts), counts.items()
        values = np.zeros((len(items), keys, units), np.int64)
        for at, value in enumerate(items.values()):
            values[at] = value
        return cls.from_values(kind, tuple(items), values)

    @classmethod
    def from_values(cls, kind: type[Counts], items: tuple[Any, ...], values: Numbers) -> Tally:
        """Take items × keys × units."""
        if is_plain(kind):
            return cls(kind, items, narrow(values))
        fixed = np.array([item in kind.__match_args__ for item in items], np.bool_)
        there = (values != 0) | fixed[:, None, None]
        items_there = there.reshape(len(items), values.shape[1] * values.shape[2]).T
        found, shape = np.unique(items_there, axis=0, return_inverse=True)
        shapes = tuple(tuple(np.flatnonzero(each).tolist()) for each in found)
        return cls(kind, items, narrow(values), shapes, narrow(shape.reshape(values.shape[1:])))

    @classmethod
    def from_tallies(
        cls, tallies: Sequence[Tally], *, by: Literal["keys", "units"] = "units"
    ) -> Tally:
        """The units, or the keys, of one after those of another."""
        axis = 2 if by == "units" else 1
        first = tallies[0]
        values = [each.values for each in tallies]
        if first.shape is None:
            return cls(first.kind, first.items, np.concatenate(values, axis))
        items = tuple(dict.fromkeys(chain.from_iterable(each.items for each in tallies)))
        renumbered = [each._with_items(items) for each in tallies]
        known: dict[tuple[int, ...], int] = {}
        shape = []
        for each in renumbered:
            codes = [known.setdefault(one, len(known)) for one in each.shapes]
            shape.append(np.array(codes, np.int64)[each.shape])
        values = [each.values for each in renumbered]
        return cls(
            first.kind,
            items,
            np.concatenate(values, axis),
            tuple(known),
            narrow(np.concatenate(shape, axis - 1)),
        )

    def _with_items(self, items: tuple[Any, ...]) -> Tally:
        """The same with more items, in another order."""
        if items == self.items:
            return self
        numbered = {item: at for at, item in enumerate(items)}
        places = [numbered[item] for item in self.items]
        values = np.zeros((len(items), *self.values.shape[1:]), self.values.dtype)
        values[places] = self.values
        shapes = tuple(tuple(places[at] for at in each) for each in self.shapes)
        return Tally(self.kind, items, values, shapes, self.shape)

    def some(self, units: Any) -> Tally:
        """Some units only: a mask, their numbers or a slice."""
        shape = None if self.shape is None else self.shape[:, units]
        return Tally(self.kind, self.items, self.values[:, :, units], self.shapes, shape)

    def each(self) -> Iterator[Counts]:
        """The counts of one unit after another, in each of them those of all keys."""
        items, keys, units = self.values.shape
        flat = self.values.transpose(0, 2, 1).reshape(items, keys * units)
        if self.shape is None:
            return map(self.kind, *flat.tolist())
        return map(self._counts, self.shape.T.ravel().tolist(), flat.T.tolist())

    def _counts(self, shape: int, values: list[int]) -> Counts:
        items = self.items
        return self.kind.from_items({items[at]: values[at] for at in self.shapes[shape]})

    def at(self, key: int, unit: int = 0) -> Counts:
        """The counts of one key and unit."""
        values = self.values[:, key, unit].tolist()
        shape = self.shape
        return self.kind(*values) if shape is None else self._counts(int(shape[key, unit]), values)

    def items_of(self, key: int) -> tuple[Any, ...]:
        """The items that some unit of a key has."""
        if self.shape is None:
            return self.items
        shapes = np.unique(self.shape[key]).tolist()
        there = sorted({at for each in shapes for at in self.shapes[each]})
        return tuple(self.items[at] for at in there)

    def arrays(self, keys: Any) -> Counts:
        """Some keys as counts whose fields are arrays of keys × units."""
        return self.kind.from_items(
            {item: wide(self.values[at, keys]) for at, item in enumerate(self.items)}
        )

    def total(self) -> Tally:
        """The same with one unit, the sum of all; where items differ, those that are not 0."""
        if self.values.shape[2] == 1:
            return self
        is_large = self.values.dtype in (np.int64, object)
        sums = self.values.sum(axis=2, keepdims=True, dtype=object if is_large else np.int64)
        return Tally.from_values(self.kind, self.items, sums)


def wide(values: Numbers) -> Numbers:
    """Numbers with which one can calculate: 64 bits, or Python's own where products are large."""
    if values.dtype == np.int16 or not values.size or int(np.abs(values).max()) < SMALL:
        return values.astype(np.int64)
    return values.astype(object)


def narrow(values: IntArray) -> Numbers:
    """The same numbers in as few bytes as they need."""
    is_odd = values.dtype == object and not all(isinstance(each, int) for each in values.flat)
    if is_odd or not values.size:
        return values
    low, high = values.min(), values.max()
    for size in SIZES:
        if np.iinfo(size).min <= low and high <= np.iinfo(size).max:
            return values.astype(size)
    return values


def _numbers(values: list[Any]) -> Numbers:
    """An array of whole numbers; of objects where one does not fit into 64 bits."""
    found = np.array(values)
    if not found.size:
        return found.astype(np.int64)
    return found if found.dtype == np.int64 else np.array(values, dtype=object)


def _turned(values: Numbers, keys: int) -> Numbers:
    """Rows of items, for one unit after another, as items × keys × units."""
    width = 1 if values.ndim == 1 else values.shape[1]
    by_unit = values.reshape(len(values) // keys, keys, width)
    return narrow(np.ascontiguousarray(by_unit.transpose(2, 1, 0)))
