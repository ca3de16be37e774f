"""Tables: what a result shows, before it is written in any format; and lists of errors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

from caesura.core.escapes import in_spreadsheet, printable
from caesura.core.json_values import JsonObject, typed
from caesura.core.score import Column, Scores, View
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.errors import number
from caesura.io.writing import replacing
from caesura.scores.catalog import catalog

Cell = str | int | float | None
MINUS = "−"
UNDEFINED = "–"
DAGGER = "†"
CEILING = "The human ceiling, leaving out one reference at a time"
HUMAN = "human average"
Record = Mapping[str, Cell]
Labelled = tuple[tuple[str, ...], Record]
"""The labels of a row, and its cells by key."""
OnPage = Literal["filled", "left out"]
"""What the page makes of a table: it fills it itself, or has something of its own instead."""
Readings = Iterable[JsonObject]
T = TypeVar("T")


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
        best = set()
        for at, column in enumerate(self.columns):
            sign = -1 if column.better == "low" else 1
            for group in filter(None, self.groups if column.better else ()):
                values = dict.fromkeys(group, -math.inf)
                for row in group:
                    cell = self.rows[row][at]
                    if isinstance(cell, int | float) and not math.isnan(cell):
                        values[row] = sign * float(cell)
                highest = max(values.values())
                if highest > min(values.values()):
                    best |= {(row, at) for row, value in values.items() if value == highest}
        return frozenset(best)


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
        return pointed(value)
    return f"{value:,}".replace("-", MINUS) if isinstance(value, int) else value


def pointed(value: float, digits: int = 3) -> str:
    """A number without the zero before its point, with a true minus.

    >>> pointed(-0.0213), pointed(0.0114)
    ('−.021', '.011')
    """
    if math.isnan(value):
        return UNDEFINED
    text = f"{abs(value):.{digits}f}"
    return (MINUS if value < 0 and float(text) else "") + text.removeprefix("0")


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
    """For each kind of group that is named or that the systems have, a row for each of them."""
    have = summary.systems[0].groups if summary.systems else ()
    measures: Any = catalog(*summary.task_kind).measures
    tables = []
    for kind in [name.removeprefix("by_") for name in have] if by is None else by:
        measure = next(each for each in measures if kind in getattr(each, "titles", ()))
        columns = [Column(s.label, s.key, s.better, s.help, s.is_count) for s in measure.of_group]
        groups = {system.name: system.groups[f"by_{kind}"] for system in summary.systems}
        rows: list[Labelled] = [
            ((name, system), own[name])
            for name in dict.fromkeys(name for own in groups.values() for name in own)
            for system, own in groups.items()
            if name in own
        ]
        labels = (kind, "system")
        tables.append(make_table(f"by-{kind}", measure.titles[kind], labels, columns, rows))
    return tables


def unit_columns(task: Task, group: str) -> list[Column]:
    """The columns of one kind of unit."""
    scores = catalog(task, None, ())
    entries = scores.shown("unit")
    return [each for each in scores.columns("unit") if entries[each.key].score.group == group]


def counted_columns(task: Task, group: str) -> list[Column]:
    """Those of them that are counts."""
    return [column for column in unit_columns(task, group) if column.is_count]


def shared_columns(task: Task, group: str, prefix: str) -> list[Column]:
    """The columns of one kind of unit, for a table whose rows are of several kinds."""
    return [
        replace(
            column,
            key=column.key.removeprefix(f"{prefix}_"),
            help=column.help.partition(": ")[2] or column.help,
        )
        for column in unit_columns(task, group)
    ]


@dataclass(frozen=True, slots=True)
class Found:
    """Errors as they are shown: tables of frequent ones, and passages."""

    tables: tuple[Table, ...] = ()
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Errors(Generic[T]):
    """How the errors of a task are found in readings, shown, and written to a file.

    `cells` are those of an error, one for each of the columns.
    """

    find: Callable[[Readings], Iterator[T]]
    show: Callable[[Iterable[T], int], Found]
    columns: tuple[str, ...]
    cells: Callable[[T], Iterable[object]]

    def write(self, path: str, errors: Iterable[T]) -> None:
        """Write errors to a file, one per line, below a header."""
        with replacing(path) as file:
            file.write("\t".join(self.columns) + "\n")
            for error in errors:
                cells = (in_spreadsheet(str(cell)) for cell in self.cells(error))
                file.write("\t".join(cells) + "\n")


def errors_by_system(readings: Readings, kept: type[Any], kind: str) -> Iterator[tuple[str, Any]]:
    """Every error that a run kept by system, with the name of the system."""
    for values in readings:
        if values["kind"] == kind:
            for system, errors in typed(kept, values).errors.items():
                yield from ((system, error) for error in errors)


def frequent(
    patterns: Counter[tuple[str, ...]],
    most: int,
    what: str,
    labels: Sequence[str],
    noun: str = "kind",
) -> Table:
    """The most frequent patterns of errors, with how many times."""
    common = sorted(patterns.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    rows: list[Labelled] = [(key, {"times": times}) for key, times in common]
    columns = [Column("times", "times", is_count=True)]
    title = f"{what}: the {len(rows)} most frequent of {number(len(patterns), noun)}"
    return make_table("errors", title, labels, columns, rows)


def passage(place: str, *sides: tuple[str, str]) -> str:
    """A place, and below it the texts of some sides with their names."""
    named = [(printable(name), text) for name, text in sides]
    width = max(len(name) for name, _ in named)
    lines = [f"  {name:<{width}}  {printable(text)}" for name, text in named]
    return "\n".join((printable(place), *lines)) + "\n"


def cut(text: str, most: int) -> str:
    """The beginning of a text; a dash if it is empty."""
    return (text if len(text) <= most else f"{text[:most]} …") or UNDEFINED
