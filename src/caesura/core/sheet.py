"""Sheets: the rows of many documents with the same layout, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from operator import attrgetter, itemgetter
from typing import Any, Self

import numpy as np

from caesura.core.counts import Counts
from caesura.core.row import Key, Portion, Row
from caesura.core.segmentation import IntArray
from caesura.core.tally import Tally

WHOLE = Portion()
AT_ONCE = 1 << 16
"""About how many rows are made at a time."""
_key = attrgetter("system", "measure", "reference", "left_out")
_place = attrgetter("document", "variant", "scope", "stream", "block")


@dataclass(frozen=True)
class RowLayout:
    """The rows of a unit: in order, what they refer to and the kinds of their counts."""

    keys: tuple[Key, ...]
    kinds: tuple[type[Counts], ...]

    def __len__(self) -> int:
        return len(self.keys)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Pickle what it is, not what follows from it."""
        return type(self), (self.keys, self.kinds)

    @cached_property
    def _hash(self) -> int:
        return hash((self.keys, self.kinds))

    @cached_property
    def groups(self) -> dict[type[Counts], list[int]]:
        """The numbers of the rows with counts of each kind."""
        found: dict[type[Counts], list[int]] = {}
        for at, kind in enumerate(self.kinds):
            found.setdefault(kind, []).append(at)
        return found

    @cached_property
    def numbers(self) -> list[int]:
        """For each row, its number among those of its kind."""
        counted = {kind: count() for kind in self.groups}
        return [next(counted[kind]) for kind in self.kinds]

    @cached_property
    def measures(self) -> dict[str, list[int]]:
        """The numbers of the rows of each measure."""
        found: dict[str, list[int]] = {}
        for at, key in enumerate(self.keys):
            found.setdefault(key.measure, []).append(at)
        return found

    def place(self, key: Key) -> tuple[type[Counts], int] | None:
        """The kind of the counts of a key, and its number among those of the kind."""
        if key.measure not in self._places:
            rows = self.measures.get(key.measure, ())
            self._places[key.measure] = {self.keys[at]: at for at in rows}
        at = self._places[key.measure].get(key)
        return None if at is None else (self.kinds[at], self.numbers[at])

    @cached_property
    def _places(self) -> dict[str, dict[Key, int]]:
        """The numbers of the rows by key, of the measures that were asked for."""
        return {}


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """Units with the same layout, and their counts by kind.

    A unit is a document, or a portion of one. `order` holds the places of the units among all of
    the rows.
    """

    documents: list[str]
    portions: list[Portion]
    layout: RowLayout
    tallies: Mapping[type[Counts], Tally]
    order: IntArray

    @classmethod
    def from_counts(cls, documents: Sequence[str], counts: Mapping[Key, Any]) -> Sheet:
        """Take the counts of whole documents by key, in the order of the rows.

        Each is a `Counts` whose fields are arrays, or a list of `Counts`, one for each document.
        """
        keys, n = tuple(counts), len(documents)
        kinds = [
            type(each[0]) if isinstance(each, list) else type(each) for each in counts.values()
        ]
        layout, every = RowLayout(keys, tuple(kinds)), list(counts.values())
        tallies = {
            kind: Tally.from_tallies([_tally(every[at], n) for at in group], by="keys")
            for kind, group in layout.groups.items()
        }
        return cls(list(documents), [WHOLE] * n, layout, tallies, np.arange(n))

    @classmethod
    def from_tallies(
        cls, documents: Sequence[str], keys: Sequence[Key], counts: Mapping[str, Counts]
    ) -> Sheet:
        """Take counts by measure whose fields are arrays of the measure's keys × documents.

        `keys` are those of all measures, in the order of the rows.
        """
        n = len(documents)
        kinds = {measure: type(each) for measure, each in counts.items()}
        layout = RowLayout(tuple(keys), tuple(kinds[key.measure] for key in keys))
        size = {kind: len(group) for kind, group in layout.groups.items()}
        tallies = {
            type(each): Tally.from_arrays(each, size[type(each)], n) for each in counts.values()
        }
        return cls(list(documents), [WHOLE] * n, layout, tallies, np.arange(n))

    @classmethod
    def from_sheets(cls, sheets: Sequence[Sheet]) -> Sheet:
        """The units of one after those of another, all with the same layout."""
        if len(sheets) == 1:
            return sheets[0]
        layout = sheets[0].layout
        return cls(
            [name for sheet in sheets for name in sheet.documents],
            [each for sheet in sheets for each in sheet.portions],
            layout,
            {
                kind: Tally.from_tallies([each.tallies[kind] for each in sheets])
                for kind in layout.groups
            },
            np.concatenate([sheet.order for sheet in sheets]),
        )

    def __len__(self) -> int:
        """The number of units."""
        return len(self.documents)

    def moved(self, by: int) -> Sheet:
        """The same, with other units before it."""
        order = self.order + by
        return Sheet(self.documents, self.portions, self.layout, self.tallies, order)

    def at(self, order: IntArray) -> Sheet:
        """The same units in other places."""
        units = np.argsort(order)
        found = self.some(units)
        return Sheet(found.documents, found.portions, self.layout, found.tallies, order[units])

    def some(self, units: Any) -> Sheet:
        """Some units only: their numbers, or a slice."""
        numbers = range(len(self))[units] if isinstance(units, slice) else units
        return Sheet(
            [self.documents[at] for at in numbers],
            [self.portions[at] for at in numbers],
            self.layout,
            {kind: tally.some(units) for kind, tally in self.tallies.items()},
            self.order[units],
        )

    def parts(self) -> Iterator[Sheet]:
        """The same in parts that are not too large."""
        step = max(1, AT_ONCE // max(1, len(self.layout)))
        for start in range(0, len(self), step):
            yield self if step >= len(self) else self.some(slice(start, start + step))

    def each(self) -> Iterator[list[Row]]:
        """The rows of each unit."""
        for part in self.parts():
            counted = {kind: tally.each() for kind, tally in part.tallies.items()}
            keys = zip(self.layout.keys, self.layout.kinds, strict=True)
            columns = [(key, counted[kind]) for key, kind in keys]
            for document, portion in zip(part.documents, part.portions, strict=True):
                yield [
                    Row(key[0], document, key[1], key[2], next(counts), key[3], *portion)
                    for key, counts in columns
                ]


def _tally(counts: Any, units: int) -> Tally:
    """The counts of one key."""
    if isinstance(counts, list):
        return Tally.from_counts(type(counts[0]), counts, 1)
    return Tally.from_arrays(counts, 1, units)


def sheets_of(rows: Iterable[Row]) -> list[Sheet]:
    """Rows as sheets, in the order in which their layouts occur."""
    groups: dict[tuple[Any, Any], list[tuple[int, list[Row]]]] = {}
    for number, unit in enumerate(units_of(rows)):
        layout = tuple(map(_key, unit)), tuple([type(row.counts) for row in unit])
        groups.setdefault(layout, []).append((number, unit))
    return [_sheet(*layout, group) for layout, group in groups.items()]


def units_of(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Neighbouring rows of the same portion of a document, with keys that differ."""
    unit: list[Row] = []
    before: Any = None
    seen: set[Any] = set()
    for row in rows:
        place, key = _place(row), _key(row)
        if place != before or key in seen:
            if unit:
                yield unit
            unit, before, seen = [], place, set()
        unit.append(row)
        seen.add(key)
    if unit:
        yield unit


def _sheet(keys: Any, kinds: Any, group: list[tuple[int, list[Row]]]) -> Sheet:
    layout = RowLayout(tuple([Key(*key) for key in keys]), kinds)
    firsts = [unit[0] for _, unit in group]
    tallies = {}
    for kind, wanted in layout.groups.items():
        take = itemgetter(*wanted) if len(wanted) > 1 else lambda unit, at=wanted[0]: (unit[at],)
        counts = [row.counts for _, unit in group for row in take(unit)]
        tallies[kind] = Tally.from_counts(kind, counts, len(wanted))
    return Sheet(
        [row.document for row in firsts],
        [_portion(*_place(row)[1:]) for row in firsts],
        layout,
        tallies,
        np.array([number for number, _ in group], np.int64),
    )


def _portion(*fields: Any) -> Portion:
    portion = Portion(*fields)
    return WHOLE if portion == WHOLE else portion
