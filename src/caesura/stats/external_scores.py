"""Scores from outside, such as human ratings, matched with the documents and systems of rows.

They are a CSV or TSV, whose header has `document`, `system` or both, and a column for each score,
or `measure` and `value`.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from io import StringIO
from typing import Literal

import numpy as np

from caesura.core.counts import NAN
from caesura.core.segmentation import IntArray
from caesura.errors import COMPARED, FormatError, number, option, reason
from caesura.io.files import decode, read_bytes, stem
from caesura.stats.draws import FloatArray

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


Missing = Literal["error", "skip"]
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Outside:
    """One score: systems × documents; one row or column where it has no systems or documents.

    `skipped` counts the lines of documents or systems that the rows lack.
    """

    name: str
    path: str
    values: FloatArray
    has_documents: bool
    has_systems: bool
    skipped: int = 0

    @property
    def noun(self) -> str:
        """What one point of a correlation is: a document or a system."""
        return "document" if self.has_documents else "system"

    @property
    def known(self) -> IntArray:
        """The documents that have a value, or the systems if it is a score of these."""
        return np.flatnonzero((~np.isnan(self.values)).any(axis=0 if self.has_documents else 1))

    def require(self, least: int) -> None:
        """Raise an error if there are too few to correlate."""
        if self.known.size < least:
            problem = f"'{self.name}' has values for {number(self.known.size, self.noun)}"
            raise FormatError(self.path, problem, f"a correlation needs at least {least}")

    @property
    def coverage(self) -> str:
        """A note on what is left out: documents without a value, lines of unknown documents."""
        every = self.values.shape[1 if self.has_documents else 0]
        missing = number(every - self.known.size, self.noun)
        told = [f"{missing} without a value"] if self.known.size < every else []
        told += [f"{number(self.skipped, 'line')} of others skipped"] if self.skipped else []
        return f"{self.name}: {', '.join(told)}." if told else ""


def outside_scores(
    paths: Iterable[str],
    documents: Sequence[str],
    systems: Sequence[str],
    missing: Missing = "error",
) -> list[Outside]:
    """The scores of all files, for these documents and systems."""
    found: dict[str, Outside] = {}
    for path in paths:
        for score in read_outside(path):
            if score.name in found:
                problem = f"'{score.name}' is also in {found[score.name].path}"
                raise FormatError(path, problem, "rename one of the columns", line=1)
            found[score.name] = _matched(score, documents, systems, missing)
    return list(found.values())


def _matched(
    score: OutsideScore, documents: Sequence[str], systems: Sequence[str], missing: Missing
) -> Outside:
    if score.has_systems and not systems:
        cure = "remove the column 'system'"
        raise FormatError(score.path, "the rows have no systems", cure, line=1)
    columns: Sequence[str | None] = documents if score.has_documents else (None,)
    rows: Sequence[str | None] = systems if score.has_systems else (None,)
    if missing == "error":
        _require_known(score, "document", columns, 0)
        _require_known(score, "system", rows, 1)
    row, column = ({name: at for at, name in enumerate(names)} for names in (rows, columns))
    values = np.full((len(rows), len(columns)), NAN)
    known = {place for place in score.values if place[0] in column and place[1] in row}
    for document, system in known:
        values[row[system], column[document]] = score.values[document, system]
    kinds, skipped = (score.has_documents, score.has_systems), len(score.values) - len(known)
    return Outside(score.name, score.path, _scaled(values), *kinds, skipped)


def _scaled(values: FloatArray) -> FloatArray:
    """Divide values by a power of 2, so that they have the scale of scores."""
    largest = np.nanmax(np.abs(values), initial=0.0)
    scaled: FloatArray = np.ldexp(values, -int(np.frexp(largest)[1]))
    return scaled


def _require_known(
    score: OutsideScore, kind: str, known: Sequence[str | None], at: Literal[0, 1]
) -> None:
    """Raise an error for names that the rows do not have: the first, and how many there are."""
    have = set(known)
    unknown: dict[str | None, int] = {}
    for place, line in score.lines.items():
        if place[at] not in have:
            unknown.setdefault(place[at], line)
    if not unknown:
        return
    first, line = next(iter(unknown.items()))
    others = f", nor {number(len(unknown) - 1, 'other')} of this file" if len(unknown) > 1 else ""
    problem = f"the rows have no {kind} '{first}'{others}"
    cure = f"{_hint(str(first), kind, [str(each) for each in known])}, or skip such lines with "
    raise FormatError(score.path, problem, cure + option("missing", "skip"), line=line)


def _hint(name: str, kind: str, known: Sequence[str]) -> str:
    """How to fix an unknown name; it may be that of the file of a document."""
    close = [stem(name)] if stem(name) in known else get_close_matches(name, known[:COMPARED], n=1)
    if close:
        return f"write '{close[0]}' if that is meant"
    shown = ", ".join(known[:SHOWN]) + " …" * (len(known) > SHOWN)
    return f"name a {kind} of the rows ({shown})"
