"""Rows: an ordered sequence of rows, kept as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, overload

import numpy as np

from caesura.core.row import Row
from caesura.core.segmentation import IntArray
from caesura.core.sheet import RowLayout, Sheet, sheets_of

FAN = 64
"""The number of sheets that are joined at a time."""
PENDING = 1 << 13
"""The number of rows that are kept as they are before they are put into arrays."""


class Rows(Sequence[Row]):
    """Rows in the order of their documents, kept as arrays: one sheet for each layout."""

    def __init__(self, sheets: Iterable[Sheet] = ()) -> None:
        self._stacks: dict[RowLayout, SheetStack] = {}
        self._units = self._size = 0
        self._pending: list[Row] = []
        for sheet in sheets:
            self.add_sheet(sheet)

    @classmethod
    def from_rows(cls, rows: Iterable[Row]) -> Rows:
        """Take any rows; if they are `Rows`, the same ones."""
        if isinstance(rows, Rows):
            return rows
        found = cls()
        found.add(rows)
        return found

    def add(self, rows: Iterable[Row]) -> None:
        """Append the rows of one document or more."""
        if isinstance(rows, Rows):
            self._take(rows.sheets)
            return
        more, waiting = list(rows), self._pending
        if len(waiting) >= PENDING and more and more[0].document != waiting[-1].document:
            self._flush()
        self._pending += more

    def add_sheet(self, sheet: Sheet) -> None:
        """Append units whose places are those among themselves."""
        self._take([sheet])

    def _take(self, sheets: Sequence[Sheet]) -> None:
        self._flush()
        for sheet in sheets:
            stack = self._stacks.setdefault(sheet.layout, SheetStack())
            stack.add(sheet.moved(self._units))
        self._units += sum(map(len, sheets))
        self._size += sum(len(sheet) * len(sheet.layout) for sheet in sheets)

    def _flush(self) -> None:
        if self._pending:
            rows, self._pending = self._pending, []
            self._take(sheets_of(rows))

    @property
    def sheets(self) -> list[Sheet]:
        """One sheet for each layout, in the order in which they occur."""
        self._flush()
        return [stack.as_one() for stack in self._stacks.values()]

    def sorted(self, place: Mapping[str, int]) -> Rows:
        """The same in another order of documents; their rows stay in theirs."""
        sheets = self.sheets
        places = np.zeros(self._units, np.int64)
        for sheet in sheets:
            places[sheet.order] = [place[name] for name in sheet.documents]
        rank = np.empty_like(places)
        rank[np.argsort(places, kind="stable")] = np.arange(places.size)
        found = Rows()
        found._take([sheet.at(rank[sheet.order]) for sheet in sheets])
        return found

    def each(self, take: Callable[[Sheet], Iterator[Any]]) -> Iterator[Any]:
        """What a function yields for each unit of a sheet, in the order of all units."""
        sheets = self.sheets
        iterators = [take(sheet) for sheet in sheets]
        return (next(iterators[at]) for at in _places(sheets)[:, 0].tolist())

    def __iter__(self) -> Iterator[Row]:
        return chain.from_iterable(self.each(Sheet.each))

    def __len__(self) -> int:
        return self._size + len(self._pending)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return list(self)[index]
        number = range(len(self))[index]
        sheets = self.sheets
        places = _places(sheets)
        ends = np.cumsum(np.array([len(sheet.layout) for sheet in sheets])[places[:, 0]])
        unit = int(np.searchsorted(ends, number, side="right"))
        sheet: Sheet = sheets[places[unit, 0]]
        (rows,) = sheet.some(places[unit, 1:]).each()
        return rows[number - int(ends[unit])]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows | list | tuple) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Rows({len(self)} rows of {self._units} units)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.sheets,)


def _unpickled(sheets: list[Sheet]) -> Rows:
    rows = Rows()
    rows._take(sheets)
    return rows


def _places(sheets: Sequence[Sheet]) -> IntArray:
    """For each unit in order, the number of its sheet and its own number there."""
    found = np.zeros((sum(map(len, sheets)), 2), np.int64)
    for number, sheet in enumerate(sheets):
        found[sheet.order, 0] = number
        found[sheet.order, 1] = np.arange(len(sheet))
    return found


class SheetStack:
    """Sheets of one layout, joined now and then; each is copied a few times at most."""

    def __init__(self) -> None:
        self.levels: list[list[Sheet]] = [[]]

    def add(self, sheet: Sheet) -> None:
        """Put a sheet on top."""
        self.levels[0].append(sheet)
        level = 0
        while len(self.levels[level]) == FAN:
            if level + 1 == len(self.levels):
                self.levels.append([])
            self.levels[level + 1].append(Sheet.from_sheets(self.levels[level]))
            self.levels[level] = []
            level += 1

    def as_one(self) -> Sheet:
        """All as one."""
        every = [sheet for level in reversed(self.levels) for sheet in level]
        whole = Sheet.from_sheets(every)
        self.levels = [*([] for _ in self.levels[1:]), [whole]]
        return whole
