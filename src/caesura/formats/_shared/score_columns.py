"""Scores from outside: a CSV or TSV of documents, systems and numbers, such as human ratings.

The header has `document`, `system` or both, and a column for each score, or `measure` and `value`.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO

from caesura.core.counts import NAN
from caesura.errors import FormatError, number, reason
from caesura.io.files import decode, read_bytes

DOCUMENT, SYSTEM, MEASURE, VALUE = "document", "system", "measure", "value"
SEPARATORS = ("\t", ";", ",")
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none"})
CURE = "begin with a header: document, system or both, and the names of the scores"
Place = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class OutsideScore:
    """One score by document and system; where the file has no such column, None stands for it."""

    name: str
    path: str
    values: Mapping[Place, float]
    lines: Mapping[Place, int]
    has_documents: bool
    has_systems: bool


@dataclass(frozen=True, slots=True)
class _Table:
    """The cells of a file by name of column, line by line."""

    path: str
    separator: str
    names: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]

    @property
    def scores(self) -> list[str]:
        """The columns that hold scores."""
        return [name for name in self.names if name not in (DOCUMENT, SYSTEM)]

    @property
    def is_long(self) -> bool:
        """Whether each line has the name of a score and its value."""
        return {MEASURE, VALUE} == set(self.scores)

    def cells(self) -> Iterator[tuple[int, str, Place, float]]:
        """Every score: its line, its name, whose it is, and the value."""
        for line, row in self.rows:
            place = self._name(line, row, DOCUMENT), self._name(line, row, SYSTEM)
            if self.is_long:
                name = self._name(line, row, MEASURE) or ""
                yield line, name, place, self._value(line, name, row[VALUE])
                continue
            for name in self.scores:
                yield line, name, place, self._value(line, name, row[name])

    def _name(self, line: int, row: Mapping[str, str], column: str) -> str | None:
        if column in row and not row[column]:
            raise FormatError(self.path, f"no {column}", "name it", line=line)
        return row.get(column)

    def _value(self, line: int, name: str, cell: str) -> float:
        """A number; a comma is a decimal point where semicolons separate the cells."""
        if cell.casefold() in MISSING:
            return NAN
        written = cell.replace(",", ".") if self.separator == ";" and "." not in cell else cell
        try:
            value = float(written.replace("_", "?"))
        except ValueError:
            value = math.inf
        if math.isfinite(value):
            return value
        is_comma = cell.replace(",", "").lstrip("+-").isdecimal()
        cure = "write a decimal point" if is_comma else "leave it empty, or remove the column"
        raise FormatError(self.path, f"'{cell}' for '{name}' is not a number", cure, line=line)


def read_outside(path: str) -> tuple[OutsideScore, ...]:
    """Every score of a file."""
    data = read_bytes(path)
    try:
        text = decode(data, path)
    except FormatError as problem:
        place, what, _ = problem.parts
        raise FormatError(place, what, "save the file as UTF-8", line=problem.line) from None
    return parse_outside(text, path)


def parse_outside(text: str, path: str) -> tuple[OutsideScore, ...]:
    r"""Every score of a text.

    >>> (rouge,) = parse_outside("document;rouge\na;0,5\nb;\n", "rouge.csv")
    >>> rouge.name, rouge.values
    ('rouge', {('a', None): 0.5, ('b', None): nan})
    """
    table = _table(text, path)
    values: dict[str, dict[Place, float]] = {}
    lines: dict[str, dict[Place, int]] = {}
    for line, name, place, value in table.cells():
        known = lines.setdefault(name, {})
        if place in known:
            whose = " of ".join(f"'{each}'" for each in place if each is not None)
            problem = f"'{name}' for {whose} is also on line {known[place]}"
            raise FormatError(path, problem, "give one value, such as a mean", line=line)
        known[place] = line
        values.setdefault(name, {})[place] = value
    if not values:
        raise FormatError(path, "a header without values", "add a line for each document", line=1)
    has = DOCUMENT in table.names, SYSTEM in table.names
    return tuple(OutsideScore(name, path, values[name], lines[name], *has) for name in values)


def _table(text: str, path: str) -> _Table:
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = next((each for each in SEPARATORS if _is_header(first, each)), "")
    if not separator:
        problem = "no column 'document' or 'system'" if first else "empty"
        raise FormatError(path, problem, CURE, line=1)
    (line, header), *rows = _lines(text, path, separator)
    names = [_folded(name) for name in header]
    named = [name for name in names if name]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise FormatError(path, f"two columns '{twice}'", "rename one", line=line)
    if not set(named) - {DOCUMENT, SYSTEM}:
        raise FormatError(path, "no column of scores", CURE, line=line)
    cells = tuple((at, _row(path, at, row, names)) for at, row in rows)
    return _Table(path, separator, tuple(named), cells)


def _is_header(line: str, separator: str) -> bool:
    try:
        cells = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return False
    return not {DOCUMENT, SYSTEM}.isdisjoint(map(_folded, cells))


def _folded(name: str) -> str:
    """The name of a column; those that are known may be written in any case."""
    name = name.strip()
    return name.lower() if name.lower() in (DOCUMENT, SYSTEM, MEASURE, VALUE) else name


def _lines(text: str, path: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that has any, with its number."""
    reader = csv.reader(
        StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=True
    )
    start = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield start, [cell.strip() for cell in cells]
            start = reader.line_num + 1
    except csv.Error as problem:
        raise FormatError(path, reason(problem), "close all quotes", line=start) from None


def _row(path: str, line: int, cells: list[str], names: list[str]) -> dict[str, str]:
    """The cells by the names of their columns; a column without a name does not count."""
    if len(cells) < len(names) or any(cells[len(names) :]):
        problem = f"{number(len(cells), 'cell')} where the header has {len(names)}"
        raise FormatError(path, problem, "write one for each column", line=line)
    return {name: cell for name, cell in zip(names, cells, strict=False) if name}
