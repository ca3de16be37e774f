"""Errors as they are listed: written to a file, and the first or most frequent shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from caesura.core.escapes import in_spreadsheet, printable
from caesura.core.json_values import JsonObject, typed
from caesura.errors import number
from caesura.io.writing import replacing
from caesura.output.tables import UNDEFINED, Column, Labelled, Table, make_table

T = TypeVar("T")
Readings = Iterable[JsonObject]
TIMES = (Column("times", "times", is_count=True),)


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
    title = f"{what}: the {len(rows)} most frequent of {number(len(patterns), noun)}"
    return make_table("errors", title, labels, TIMES, rows)


def passage(place: str, *sides: tuple[str, str]) -> str:
    """A place, and below it the texts of some sides with their names."""
    named = [(printable(name), text) for name, text in sides]
    width = max(len(name) for name, _ in named)
    lines = [f"  {name:<{width}}  {printable(text)}" for name, text in named]
    return "\n".join((printable(place), *lines)) + "\n"


def cut(text: str, most: int) -> str:
    """The beginning of a text; a dash if it is empty."""
    return (text if len(text) <= most else f"{text[:most]} …") or UNDEFINED
