"""Columns and tables as the page draws them: how numbers are written comes with the data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from caesura.core.score import Better, Column
from caesura.output.tables import Cell, Table

Place = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageColumn:
    """A heading, its key, its name where headings repeat, its definition, and its format.

    `scale` is how long a whole bar is, at least: 1, or 100 for scores from 0 to 100.
    """

    key: str
    title: str
    label: str
    better: Better
    help: str
    format: Literal["text", "count", "rate"]
    scale: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A table of the systems that the page fills itself, for all documents or for one."""

    id: str
    title: str
    columns: tuple[PageColumn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTable:
    """A table with its values; `best` and `daggers` are cells, by row and column."""

    id: str
    title: str
    columns: tuple[PageColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    best: tuple[Place, ...]
    daggers: tuple[Place, ...]
    is_folded: bool


def page_columns(table: Table) -> tuple[PageColumn, ...]:
    """All columns of a table, those of labels included."""
    return tuple(
        page_column(column, [row[at] for row in table.rows])
        for at, column in enumerate(table.columns)
    )


def page_column(column: Column, cells: Iterable[Cell]) -> PageColumn:
    """A column and how its cells are written."""
    is_text = not column.key or any(isinstance(cell, str) for cell in cells)
    return PageColumn(
        key=column.key,
        title=column.title,
        label=column.title,
        better=column.better,
        help=column.help,
        format="text" if is_text else "count" if column.is_count else "rate",
        scale=column.scale,
    )


def score_columns(table: Table) -> tuple[PageColumn, ...]:
    """The columns of scores of a table."""
    return tuple(column for column in page_columns(table) if column.key)


def section(table: Table) -> Section:
    """A table that the page fills itself."""
    return Section(id=table.id, title=table.title, columns=score_columns(table))


def page_table(table: Table, *, is_folded: bool) -> PageTable:
    """The table itself."""
    cells = [(row, at) for row in range(len(table.rows)) for at in range(len(table.columns))]
    return PageTable(
        id=table.id,
        title=table.title,
        columns=page_columns(table),
        rows=table.rows,
        best=tuple(cell for cell in cells if table.is_best(*cell)),
        daggers=tuple(sorted(table.daggers)),
        is_folded=is_folded,
    )


def told_apart(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Sections whose columns have different labels: `Sentences: F1` where `F1` is not alone."""
    every = tuple(sections)
    titles = [column.title for each in every for column in each.columns]

    def labelled(own: Section, column: PageColumn) -> PageColumn:
        is_alone = titles.count(column.title) == 1
        return column if is_alone else replace(column, label=f"{own.title}: {column.title}")

    return tuple(
        replace(own, columns=tuple(labelled(own, column) for column in own.columns))
        for own in every
    )
