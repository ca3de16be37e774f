"""CountTable: the counts of every unit, by measure and key; they add, and scores are made of them.

A unit is a document or a portion of one. For each measure there are rows (key, unit, fields), in
the order of keys, then of units: where every key has every unit they are an array of fields × keys
× units, and no place of a row needs to be stored. What was not counted has no row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.counts import Counts
from caesura.core.measure_table import MeasureTable, Weights, joined_tables
from caesura.core.row import SOURCE, WHOLE, Portion, Row
from caesura.core.segmentation import IntArray
from caesura.errors import UsageError

BITS = 21
"""How many bits of a key's code stand for a name."""
PENDING = 1 << 13
"""How many rows are kept as they are before they are put into arrays."""
LOW = (1 << BITS) - 1
NOBODY = 0
"""The number of no name."""
Label = Callable[[str, Portion], str | None]
"""What a unit is added to, given its document and portion; None if it is left out."""
Part = tuple[IntArray, Sequence[tuple[str, Counts]]]
"""Codes of keys, and the counts of measures, whose fields are arrays of keys × units."""
_place = attrgetter("document", "scope", "stream", "block")
_key = attrgetter("system", "reference", "left_out")


class Key(NamedTuple):
    """Who is counted and against whom; None is nobody, or all references but `left_out`."""

    system: str | None
    reference: str | None = None
    left_out: str | None = None


@dataclass(frozen=True)
class Names:
    """The names of systems and references; a key is a code of the numbers of its names."""

    each: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.each) >= LOW:
            raise UsageError(f"{len(self.each):,} versions are too many; score some of them")

    @cached_property
    def number(self) -> dict[str | None, int]:
        """The number of each name."""
        return {None: NOBODY, **{name: at for at, name in enumerate(self.each, 1)}}

    def numbers(self, names: Iterable[str | None]) -> IntArray:
        """The numbers of some names; for one that is unknown, a number that none has."""
        number = self.number
        return np.array([number.get(name, len(number)) for name in names], np.int64)

    def codes(self, keys: Iterable[Key]) -> IntArray:
        """The codes of some keys."""
        return coded(*self.numbers(chain.from_iterable(keys)).reshape(-1, 3).T)

    def grid(
        self, ours: Sequence[str | None], theirs: Sequence[str | None] = (None,), out: Any = None
    ) -> IntArray:
        """The codes of ours × theirs; `out` is left out, one name or one for each of theirs."""
        left_out = self.numbers(out if isinstance(out, list | tuple) else [out])
        return coded(self.numbers(ours)[:, None], self.numbers(theirs)[None], left_out[None])

    def keys(self, codes: IntArray) -> list[Key]:
        """The keys of some codes."""
        names = (None, *self.each)
        columns = ([names[at] for at in part.tolist()] for part in decoded(codes))
        return list(map(Key, *columns))


def coded(system: Numeric, reference: Numeric, left_out: Numeric) -> IntArray:
    """The codes of keys, given the numbers of their names."""
    codes: IntArray = system << 2 * BITS | reference << BITS | left_out
    return codes


def decoded(codes: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The numbers of the names of keys: the system, the reference, and who is left out."""
    return codes >> 2 * BITS, codes >> BITS & LOW, codes & LOW


@dataclass(frozen=True, eq=False)
class CountTable:
    """Counts by measure; `documents` and `portions` say what each unit is."""

    names: Names = field(default_factory=Names)
    documents: list[str] = field(default_factory=list)
    portions: list[Portion] = field(default_factory=list)
    measures: Mapping[str, MeasureTable] = field(default_factory=dict)

    @classmethod
    def from_counts(
        cls,
        names: Names,
        documents: Sequence[str],
        parts: Iterable[Part],
        portions: Sequence[Portion] | None = None,
    ) -> CountTable:
        """Take counts of all units; those of a measure may come in several parts."""
        units = len(documents)
        tables: dict[str, list[MeasureTable]] = {}
        for codes, columns in parts:
            for measure, counts in columns if codes.size else ():
                made = MeasureTable.from_arrays(counts, codes, units)
                tables.setdefault(measure, []).append(made)
        measures = {name: joined_tables(own) for name, own in tables.items()}
        return cls(names, list(documents), list(portions or [WHOLE] * units), measures)

    @classmethod
    def from_rows(cls, rows: CountTable | Iterable[Row]) -> CountTable:
        """Take rows; those with the same key and unit are added. A table is taken as it is."""
        if isinstance(rows, CountTable):
            return rows
        units: dict[Any, int] = {}
        keys: dict[Any, int] = {}
        found: dict[str, tuple[list[int], list[int], list[Counts]]] = {}
        for row in rows:
            if row.measure not in found:
                found[row.measure] = [], [], []
            unit, key, counts = found[row.measure]
            unit.append(units.setdefault(_place(row), len(units)))
            key.append(keys.setdefault(_key(row), len(keys)))
            counts.append(row.counts)
        every = chain.from_iterable(keys)
        names = Names(tuple(dict.fromkeys(name for name in every if name is not None)))
        codes = names.codes(keys)
        measures = {
            name: MeasureTable.from_counts(counts, codes[key], np.array(unit), len(units))
            for name, (unit, key, counts) in found.items()
        }
        portions = [portion_of(*rest) for _, *rest in units]
        return cls(names, [place[0] for place in units], portions, measures)

    @classmethod
    def from_tables(cls, tables: Sequence[CountTable]) -> CountTable:
        """The units of all tables in order; those of the same document and portion are one."""
        if len(tables) < 2:
            return tables[0] if tables else cls()
        names = Names(tuple(dict.fromkeys(chain.from_iterable(each.names.each for each in tables))))
        documents, portions, places = _united(tables)
        parts: dict[str, list[tuple[MeasureTable, IntArray]]] = {}
        for table, numbers in zip(tables, places, strict=True):
            for name, own in table._renamed(names).measures.items():
                parts.setdefault(name, []).append((own, numbers))
        units = len(documents)
        measures = {name: MeasureTable.from_parts(own, units) for name, own in parts.items()}
        return cls(names, documents, portions, measures)

    def with_names(self, first: Iterable[str]) -> CountTable:
        """The table with some names before the others, by which its keys are ordered."""
        return self._renamed(Names(tuple(dict.fromkeys((*first, *self.names.each)))))

    def _renamed(self, names: Names) -> CountTable:
        """The table with the numbers of other names."""
        if names.each[: len(self.names.each)] == self.names.each:
            return replace(self, names=names)
        number = names.numbers((None, *self.names.each))
        measures = {
            name: own.coded(coded(*(number[part] for part in decoded(own.keys))))
            for name, own in self.measures.items()
        }
        return replace(self, names=names, measures=measures)

    def _each(self, make: Callable[..., MeasureTable], *how: object) -> dict[str, MeasureTable]:
        """What a method makes of each measure, without those of which nothing is left."""
        every = {name: make(own, *how) for name, own in self.measures.items()}
        return {name: own for name, own in every.items() if own.keys.size}

    def __len__(self) -> int:
        """The number of units."""
        return len(self.documents)

    def __eq__(self, other: object) -> bool:
        """Whether the same is counted of the same units, in any order."""
        return isinstance(other, CountTable) and self._by_place() == other._by_place()

    __hash__ = None  # type: ignore[assignment]

    def _by_place(self) -> dict[Any, Counts]:
        return {(row.measure, _key(row), _place(row)): row.counts for row in self.rows()}

    @property
    def is_whole(self) -> bool:
        """Whether the units are whole documents, each of them once."""
        is_one = len(set(self.documents)) == len(self)
        return is_one and self.portions.count(WHOLE) == len(self)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Those who are scored, or read: the names that are the system of a key."""
        known = set[str | None]().union(*map(self.systems_of, self.measures))
        return tuple(name for name in self.names.each if name in known)

    def take(self, units: Collection[int]) -> CountTable:
        """Some units only, by their numbers."""
        return self._in_order(np.array(sorted(units), np.int64))

    def ordered(self, place: Mapping[str, int]) -> CountTable:
        """The units in another order of documents; those of a document stay in theirs."""
        places = [place[name] for name in self.documents]
        order = np.argsort(places, kind="stable")
        return self if (order[:-1] < order[1:]).all() else self._in_order(order)

    def _in_order(self, units: IntArray) -> CountTable:
        """The units of some numbers, in this order."""
        place = np.full(len(self), -1)
        place[units] = np.arange(units.size)
        documents = [self.documents[unit] for unit in units.tolist()]
        portions = [self.portions[unit] for unit in units.tolist()]
        measures = self._each(MeasureTable.summed, place, units.size)
        return CountTable(self.names, documents, portions, measures)

    def only(self, systems: Collection[str | None]) -> CountTable:
        """The keys of some systems only."""
        wanted = self.names.numbers(systems)
        which = {n: np.isin(decoded(own.keys)[0], wanted) for n, own in self.measures.items()}
        measures = {n: own.only(which[n]) for n, own in self.measures.items() if which[n].any()}
        return replace(self, measures=measures)

    def renamed(self, old: str, new: str) -> CountTable:
        """The table with another name for a system."""
        return replace(
            self, names=Names(tuple(new if name == old else name for name in self.names.each))
        )

    def named(self, names: Sequence[Sequence[str]]) -> CountTable:
        """The table with other names in each unit, in the order of its own."""
        every = Names(tuple(dict.fromkeys(chain.from_iterable(names))))
        numbers = every.numbers(chain.from_iterable(names)).reshape(len(self), -1)
        number = np.insert(numbers.T, 0, NOBODY, axis=0)
        return replace(self.renumbered(number), names=every)

    def renumbered(self, number: IntArray) -> CountTable:
        """The table with other numbers of names, given for each number and unit."""
        measures = {}
        for name, own in self.measures.items():
            key, unit = own.keys_and_units()
            codes = coded(*(number[part[key], unit] for part in decoded(own.keys)))
            measures[name] = own.recoded(codes, unit)
        return replace(self, measures=measures)

    def with_portions(self, **fields: Any) -> CountTable:
        """The table with some fields of every portion changed."""
        return replace(self, portions=[each._replace(**fields) for each in self.portions])

    def sum(self, by: Label) -> CountTable:
        """Add the units with the same label, which become the documents of the table."""
        labels = list(map(by, self.documents, self.portions))
        kept = dict.fromkeys(label for label in labels if label is not None)
        number = {label: at for at, label in enumerate(kept)}
        code = [-1 if each is None else number[each] for each in labels]
        return self.added(np.array(code, np.int64), list(kept))

    def added(self, code: IntArray, documents: list[str]) -> CountTable:
        """Add the units with the same code, the number of one of the documents; -1 is left out."""
        portions = [WHOLE] * len(documents)
        measures = self.measures
        if not np.array_equal(code, np.arange(len(documents))):
            measures = self._each(MeasureTable.summed, code, len(documents))
        return CountTable(self.names, documents, portions, measures)

    def by_document(self) -> CountTable:
        """One unit for each whole document."""
        return self if self.is_whole else self.sum(of_document)

    @cached_property
    def total(self) -> CountTable:
        """One unit: the sum of all."""
        return self if len(self) == 1 else self.added(np.zeros(len(self), np.int64), [""])

    def weighted(self, weights: Weights) -> CountTable:
        """One unit for each row of weights: all units, so often each, added; of dense counts."""
        return self._drawn(self._each(MeasureTable.weighted, weights), len(weights))

    def among(self, units: slice) -> CountTable:
        """Some units; of dense counts."""
        return self._part(units, MeasureTable.among)

    def without_each(self, units: slice = slice(None)) -> CountTable:
        """One unit for each of some: the sum of all others; of dense counts."""
        return self._part(units, MeasureTable.without_each)

    def _part(self, units: slice, make: Callable[..., MeasureTable]) -> CountTable:
        """What a function makes of some units of each measure."""
        return self._drawn(self._each(make, units), len(range(len(self))[units]))

    def exchanged(self, other: CountTable, flips: Weights) -> tuple[CountTable, CountTable]:
        """Two tables with the same keys, that exchange some units in each row of flips (1 or 0)."""
        pairs = {name: (own, other.measures[name]) for name, own in self.measures.items()}
        both = {name: one.exchanged(two, flips) for name, (one, two) in pairs.items()}
        mine, yours = ({name: each[side] for name, each in both.items()} for side in (0, 1))
        return self._drawn(mine, len(flips)), other._drawn(yours, len(flips))

    def _drawn(self, measures: Mapping[str, MeasureTable], draws: int) -> CountTable:
        return CountTable(self.names, [""] * draws, [WHOLE] * draws, measures)

    def counts(self, measure: str, codes: IntArray, units: slice = slice(None)) -> tuple[Any, Any]:
        """Counts of arrays, in the shape of the codes × units; and which of them are there."""
        return self.measures[measure].counts(codes, units)

    def one(self, measure: str, key: Key) -> Any:
        """The counts of a key in the only unit; None if there are none."""
        own = self.measures.get(measure)
        return own and own.one(int(self.names.codes([key])[0]))

    def counted(self, measure: Any, key: Key) -> Any:
        """The counts of a measure for a key in the only unit; zero if there are none."""
        found = self.one(measure.name, key)
        return measure.counts.zero() if found is None else found

    def systems_of(self, measure: str) -> set[str | None]:
        """The systems that have counts of a measure."""
        own = self.measures.get(measure)
        return {key.system for key in self.names.keys(own.keys)} if own else set()

    def in_order(self) -> list[tuple[str, MeasureTable]]:
        """The measures by name, with what was read first: the same order whoever counted what."""
        return sorted(self.measures.items(), key=lambda each: (each[0] != SOURCE, each[0]))

    def rows(self) -> Iterator[Row]:
        """Every row, unit by unit, in each measure by measure and key by key."""
        each = [self._rows(name, own) for name, own in self.in_order()]
        for rows in zip(*each, strict=True) if each else ():
            yield from chain.from_iterable(rows)

    def _rows(self, measure: str, own: MeasureTable) -> Iterator[list[Row]]:
        """The rows of one measure, a list for each unit."""
        keys = self.names.keys(own.keys)
        units = zip(self.documents, self.portions, own.by_unit(), strict=True)
        for document, portion, counted in units:
            yield [
                Row(keys[at].system, document, measure, keys[at].reference, counts,
                    keys[at].left_out, *portion)
                for at, counts in counted
            ]  # fmt: skip


def _united(
    tables: Sequence[CountTable],
) -> tuple[list[str], list[Portion], list[IntArray]]:
    """The units of all tables, and for each table the numbers of its units among them."""
    first = tables[0]
    if all(
        each.documents == first.documents and each.portions == first.portions for each in tables
    ):
        return first.documents, first.portions, [np.arange(len(first))] * len(tables)
    documents = list(chain.from_iterable(each.documents for each in tables))
    portions = list(chain.from_iterable(each.portions for each in tables))
    ends = np.cumsum([len(each) for each in tables])
    numbers = np.arange(len(documents))
    if portions.count(WHOLE) < len(portions) or len(set(documents)) < len(documents):
        units: dict[tuple[str, Portion], int] = {}
        every = zip(documents, portions, strict=True)
        numbers = np.array([units.setdefault(unit, len(units)) for unit in every], np.int64)
        documents, portions = ([unit[side] for unit in units] for side in (0, 1))  # type: ignore[assignment]
    return documents, portions, np.split(numbers, ends[:-1])


class TableBuilder:
    """Collects rows and tables, and makes one table of them."""

    def __init__(self) -> None:
        self._tables: list[CountTable] = []
        self._rows: list[Row] = []

    def add(self, counted: Counted) -> None:
        """Add what was counted."""
        if isinstance(counted, CountTable):
            self._flush()
            self._tables.append(counted)
        else:
            self._rows += counted
            if len(self._rows) >= PENDING:
                self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._tables.append(CountTable.from_rows(self._rows))
            self._rows = []

    def table(self) -> CountTable:
        """All of it."""
        self._flush()
        self._tables = [CountTable.from_tables(self._tables)]
        return self._tables[0]


Counted = CountTable | Sequence[Row]
"""What was counted of some documents: a table, or the rows of which one is made."""


def portion_of(*fields: Any, **named: Any) -> Portion:
    """A portion; the whole is always the same object, so that it is found at once."""
    portion = Portion(*fields, **named)
    return WHOLE if portion == WHOLE else portion


def of_document(document: str, portion: Portion) -> str | None:
    """The label of a whole document."""
    return document if portion.is_whole else None
