"""Tables: what a summary shows, before it is written in any format. One module for each task."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Cell = str | int | float | None
Better = Literal["high", "low"] | None
MINUS = "−"
UNDEFINED = "–"
DAGGER = "†"


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, the score beneath it, and whether more or less of it is better."""

    title: str
    key: str
    better: Better = None


@dataclass(frozen=True, slots=True)
class Table:
    """A title, columns and rows; the rows of a group compete for the best of each column.

    `daggers` are the cells (row and column) of what differs from a baseline.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    groups: tuple[tuple[int, ...], ...] = ()
    daggers: frozenset[tuple[int, int]] = frozenset()

    def text(self, row: int, column: int) -> str:
        """A cell as people read it."""
        return shown(self.rows[row][column]) + (DAGGER if (row, column) in self.daggers else "")

    def is_best(self, row: int, column: int) -> bool:
        """Whether a value is the best of its column, where there is anything to compare."""
        better = self.columns[column].better
        group = next((group for group in self.groups if row in group), ())
        if better is None or len(group) < 2:
            return False
        rivals = [_comparable(self.rows[rival][column], better) for rival in group]
        value = _comparable(self.rows[row][column], better)
        return value > -math.inf and value == max(rivals) and min(rivals) < value


@dataclass(frozen=True, slots=True)
class Page:
    """Tables that are shown together, with passages of text, notes and a signature."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    signature: str = ""
    records: tuple[dict[str, Cell], ...] = field(default=(), repr=False)
    passages: tuple[str, ...] = ()


def shown(value: Cell) -> str:
    """A cell as people read it: three digits, no leading zero, a dash where undefined.

    >>> [shown(x) for x in (0.54094, -0.0222, 1.0, 2.5898, float("nan"), 1602)]
    ['.541', '−.022', '1.000', '2.590', '–', '1,602']
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return UNDEFINED
    if isinstance(value, float):
        digits = f"{abs(value):.3f}"
        sign = MINUS if value < 0 and float(digits) else ""
        return sign + digits.removeprefix("0")
    return f"{value:,}" if isinstance(value, int) else value


Labelled = tuple[tuple[str, ...], dict[str, Any]]


def make_table(
    title: str,
    labels: Sequence[str],
    columns: Sequence[Column],
    rows: Sequence[Labelled],
    group: int = 0,
) -> Table:
    """Make a table of labelled scores, of which every so many rows compete."""
    whole = len(rows) // group * group if group else 0
    return Table(
        title,
        (*(Column(label, "") for label in labels), *columns),
        tuple((*names, *(scores[column.key] for column in columns)) for names, scores in rows),
        tuple(tuple(range(start, start + group)) for start in range(0, whole, group or 1)),
    )


def _comparable(value: Cell, better: Better) -> float:
    if not isinstance(value, int | float) or math.isnan(value):
        return -math.inf
    return float(value) if better == "high" else -float(value)
