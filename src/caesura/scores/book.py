"""Books: the counts of every document, or of every stream, as one sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from caesura.core.counts import Counts
from caesura.core.row import Key, Portion
from caesura.core.rows import Rows
from caesura.core.segmentation import IntArray
from caesura.core.sheet import WHOLE, RowLayout, Sheet
from caesura.core.tally import Numbers, Tally

Label = Callable[[str, Portion], str | None]
Part = tuple[Sheet, list[str]]


@dataclass(frozen=True)
class Book:
    """One unit for each label, a document or a stream; `complete` are the keys that all have."""

    labels: tuple[str, ...]
    sheet: Sheet
    complete: frozenset[Key]

    @classmethod
    def from_rows(cls, rows: Rows, label: Label) -> Book:
        """Sum the units with the same label, None for those that are not wanted."""
        found = [_labelled(sheet, label) for sheet in rows.sheets]
        parts = sorted((part for part in found if part[1]), key=lambda part: part[0].order[0])
        if len(parts) == 1 and len(set(parts[0][1])) == len(parts[0][1]):
            sheet, names = parts[0]
            return cls(tuple(names), sheet, frozenset(sheet.layout.keys))
        return _merged(parts)

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def total(self) -> Sheet:
        """One unit: the sum of all."""
        tallies = {kind: tally.total() for kind, tally in self.sheet.tallies.items()}
        return Sheet([""], [WHOLE], self.sheet.layout, tallies, np.zeros(1, np.int64))

    @property
    def counts(self) -> Totals:
        """The counts of the sum by key."""
        return Totals(self.total)


@dataclass(frozen=True, slots=True)
class Totals(Mapping[Key, Counts]):
    """The counts of a sheet with one unit, made when they are asked for."""

    sheet: Sheet

    def __getitem__(self, key: Key) -> Counts:
        place = self.sheet.layout.place(key)
        if place is None:
            raise KeyError(key)
        return self.sheet.tallies[place[0]].at(place[1])

    def __iter__(self) -> Iterator[Key]:
        return iter(self.sheet.layout.keys)

    def __len__(self) -> int:
        return len(self.sheet.layout)


def by_document(document: str, portion: Portion) -> str | None:
    """The label of a whole document."""
    return document if portion.is_whole else None


def _labelled(sheet: Sheet, label: Label) -> Part:
    """The units of a sheet that have a label, with their labels."""
    if label is by_document and sheet.portions.count(WHOLE) == len(sheet):
        return sheet, sheet.documents
    names = list(map(label, sheet.documents, sheet.portions))
    kept = np.array([at for at, name in enumerate(names) if name is not None], np.int64)
    return sheet.some(kept), [name for name in names if name is not None]


def _merged(parts: Sequence[Part]) -> Book:
    """All parts on one sheet, with the keys of all; what is not there is 0."""
    orders = np.concatenate([np.zeros(0, np.int64), *(sheet.order for sheet, _ in parts)])
    names = [name for _, own in parts for name in own]
    labels = tuple(dict.fromkeys([names[at] for at in np.argsort(orders).tolist()]))
    code = {name: at for at, name in enumerate(labels)}
    coded = [(sheet, np.array([code[name] for name in own])) for sheet, own in parts]
    kinds: dict[Key, type[Counts]] = {}
    for sheet, _ in reversed(parts):
        kinds |= dict(zip(sheet.layout.keys, sheet.layout.kinds, strict=True))
    keys = dict.fromkeys(chain.from_iterable(sheet.layout.keys for sheet, _ in parts))
    layout = RowLayout(tuple(keys), tuple(kinds[key] for key in keys))
    n = len(labels)
    tallies = {kind: _summed(layout, kind, coded, n) for kind in layout.groups}
    sheet = Sheet(list(labels), [WHOLE] * n, layout, tallies, np.arange(n))
    return Book(labels, sheet, _complete(coded, n))


def _summed(
    layout: RowLayout, kind: type[Counts], parts: Sequence[tuple[Sheet, IntArray]], labels: int
) -> Tally:
    """The tally of one kind: the sums of the units with the same label."""
    tallies = [
        (sheet.tallies[kind], sheet, codes) for sheet, codes in parts if kind in sheet.tallies
    ]
    items = tuple(dict.fromkeys(chain.from_iterable(tally.items for tally, _, _ in tallies)))
    number = {item: at for at, item in enumerate(items)}
    numbers = {layout.keys[at]: own for own, at in enumerate(layout.groups[kind])}
    keys = len(numbers)
    is_large = any(tally.values.dtype in (np.int64, object) for tally, _, _ in tallies)
    values: Numbers = np.zeros((len(items), keys, labels), object if is_large else np.int64)
    for tally, sheet, codes in tallies:
        own = np.array([numbers[sheet.layout.keys[at]] for at in sheet.layout.groups[kind]])
        place = np.array([number[item] for item in tally.items], np.int64)
        at, sums = _by_code(codes, tally.values.astype(values.dtype))
        values[np.ix_(place, own, at)] += sums
    return Tally.from_values(kind, items, values)


def _by_code(codes: IntArray, values: Numbers) -> tuple[IntArray, Numbers]:
    """The different codes, and the sums of the units of each."""
    order = np.argsort(codes, kind="stable")
    first = np.flatnonzero(np.diff(codes[order], prepend=-1))
    sums: Any = np.add.reduceat(values[:, :, order], first, axis=2)
    return codes[order[first]], sums


def _complete(parts: Sequence[tuple[Sheet, IntArray]], labels: int) -> frozenset[Key]:
    there: dict[Key, set[int]] = {}
    for sheet, codes in parts:
        own = set(codes.tolist())
        for key in sheet.layout.keys:
            there.setdefault(key, set()).update(own)
    return frozenset(key for key, own in there.items() if len(own) == labels)
