"""Tables: what a result shows, before it is written in any format. One module for each task."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from caesura.core.score import Column, Scores, View
from caesura.core.summary import Summary
from caesura.scores.catalog import catalog

Cell = str | int | float | None
MINUS = "−"
UNDEFINED = "–"
DAGGER = "†"
CEILING = "The human ceiling, leaving out one reference at a time"
HUMAN = "human average"
Labelled = tuple[tuple[str, ...], Mapping[str, Cell]]


OnPage = Literal["filled", "left out"]
"""What the page makes of a table: it fills it itself, or has something of its own instead."""


@dataclass(frozen=True)
class Table:
    """An id, a title, columns and rows; the rows of a group compete for the best of each column.

    A column without key holds labels. `daggers` are the cells (row and column) of what differs
    from a baseline.
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    groups: tuple[tuple[int, ...], ...] = ()
    daggers: frozenset[tuple[int, int]] = frozenset()
    on_page: OnPage | None = None

    def in_groups(self, size: int) -> Table:
        """The same with groups of `size` rows that compete."""
        starts = range(0, len(self.rows) // size * size, size) if size else ()
        return replace(self, groups=tuple(tuple(range(at, at + size)) for at in starts))

    def without(self, keys: Collection[str]) -> Table:
        """The table without the columns of some keys."""
        kept = [at for at, column in enumerate(self.columns) if column.key not in keys]
        return replace(
            self,
            columns=tuple(self.columns[at] for at in kept),
            rows=tuple(tuple(row[at] for at in kept) for row in self.rows),
            daggers=frozenset((row, kept.index(at)) for row, at in self.daggers if at in kept),
        )

    def text(self, row: int, column: int) -> str:
        """A cell as shown."""
        return shown(self.rows[row][column]) + (DAGGER if (row, column) in self.daggers else "")

    def is_best(self, row: int, column: int) -> bool:
        """Whether a value is the best of its column, where there is anything to compare."""
        return (row, column) in self._best

    @cached_property
    def _best(self) -> frozenset[tuple[int, int]]:
        found = set()
        for at, column in enumerate(self.columns):
            for group in filter(None, self.groups if column.better else ()):
                cells = [self.rows[row][at] for row in group]
                sign = 1 if column.better == "high" else -1
                values = [
                    sign * float(each)
                    if isinstance(each, int | float) and not math.isnan(each)
                    else -math.inf
                    for each in cells
                ]
                best = max(values, default=math.nan)
                if best > min(values, default=math.nan):
                    placed = zip(group, values, strict=True)
                    found |= {(row, at) for row, value in placed if value == best}
        return frozenset(found)


Record = Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Records:
    """Records that are made when they are asked for: only CSV and data frames need them."""

    make: Callable[[], Iterable[Record]]

    def __iter__(self) -> Iterator[Record]:
        return iter(self.make())


def system_rows(summary: Summary) -> list[Labelled]:
    """The scores of each system on all documents."""
    return [((system.name,), system.micro) for system in summary.systems]


def document_rows(summary: Summary) -> list[Labelled]:
    """The scores of each document and system."""
    return [((document, name), scores) for document, name, scores in summary.by_document()]


def document_records(summary: Summary) -> Records:
    """The scores of each system, on all documents and on each."""
    return Records(
        lambda: (
            {"system": system.name, "document": document, **scores}
            for system in summary.systems
            for document, scores in [("(micro)", system.micro), *system.by_document.items()]
        )
    )


@dataclass(frozen=True, slots=True)
class Page:
    """Tables that are shown together, with passages of text, notes and a signature."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    signature: str = ""
    records: Iterable[Record] = field(default=(), repr=False)
    passages: tuple[str, ...] = ()


def shown(value: Cell) -> str:
    """A cell as shown: three digits, no leading zero, a dash where undefined.

    >>> [shown(x) for x in (0.54094, -0.0222, 1.0, 2.5898, float("nan"), 1602)]
    ['.541', '−.022', '1.000', '2.590', '–', '1,602']
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return UNDEFINED
    if isinstance(value, float):
        digits = f"{abs(value):.3f}"
        sign = MINUS if value < 0 and float(digits) else ""
        return sign + digits.removeprefix("0")
    return f"{value:,}".replace("-", MINUS) if isinstance(value, int) else value


def make_table(
    id: str,
    title: str,
    labels: Sequence[str],
    columns: Sequence[Column],
    rows: Sequence[Labelled],
) -> Table:
    """Make a table of labelled scores."""
    return Table(
        id,
        title,
        (*(Column(label, "") for label in labels), *columns),
        tuple((*names, *(scores[column.key] for column in columns)) for names, scores in rows),
    )


__all__ = [
    "Cell",
    "Column",
    "Labelled",
    "OnPage",
    "Page",
    "Records",
    "Table",
    "document_records",
    "document_rows",
    "make_table",
    "shown",
    "system_rows",
]


def columns(summary: Summary, view: View) -> list[Column]:
    """The columns of a view, with the options that were used."""
    return catalog(*summary.task_kind).columns(view, summary.options, len(summary.references))


def ceiling_rows(summary: Summary) -> list[tuple[str, Scores]]:
    """Systems, annotators and the human average, with their scores."""
    ceiling = summary.ceiling
    if ceiling is None:
        return []
    people = [(f"{name} (person)", scores) for name, scores in ceiling.annotators.items()]
    return [*ceiling.systems.items(), *people, (HUMAN, ceiling.human)]


def group_tables(summary: Summary, by: Iterable[str] | None = None) -> list[Table]:
    """A table for each kind of group that is named, or that the systems have."""
    have = summary.systems[0].groups if summary.systems else ()
    kinds = [name.removeprefix("by_") for name in have] if by is None else by
    return [_group_table(summary, kind) for kind in kinds]


def _group_table(summary: Summary, kind: str) -> Table:
    """One row for each group and system that has it."""
    measures: Any = catalog(*summary.task_kind).measures
    measure = next(each for each in measures if kind in getattr(each, "titles", ()))
    columns = [Column(s.label, s.key, s.better, s.help, s.is_count) for s in measure.of_group]
    groups = {each.name: each.groups[f"by_{kind}"] for each in summary.systems}
    names = dict.fromkeys(name for own in groups.values() for name in own)
    rows: list[Labelled] = [
        ((name, system), own[name])
        for name in names
        for system, own in groups.items()
        if name in own
    ]
    return make_table(f"by-{kind}", measure.titles[kind], (kind, "system"), columns, rows)
