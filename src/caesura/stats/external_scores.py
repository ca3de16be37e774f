"""Scores from outside, such as human ratings, matched with the documents and systems of rows.

They are a CSV or TSV, whose header has `document`, `system` or both, and a column for each score,
or `measure` and `value`.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from io import StringIO
from typing import Literal

import numpy as np

from caesura.core.counts import NAN
from caesura.core.segmentation import IntArray
from caesura.errors import COMPARED, FormatError, number, option, reason
from caesura.io.files import decode, read_bytes, stem
from caesura.stats.resampling import FloatArray

DOCUMENT, SYSTEM, MEASURE, VALUE = "document", "system", "measure", "value"
SEPARATORS = ("\t", ";", ",")
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none"})
CURE = "begin with a header: document, system or both, and the names of the scores"
Place = tuple[str | None, str | None]
Missing = Literal["error", "skip"]
SHOWN = 3


@dataclass(frozen=True, slots=True)
class OutsideScore:
    """One score by document and system; where the file has no such column, None stands for it."""

    name: str
    path: str
    values: dict[Place, float]
    lines: dict[Place, int]
    has_documents: bool
    has_systems: bool


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
    separator, names, rows = _table(text, path)
    measures = [name for name in names if name not in (DOCUMENT, SYSTEM)]
    is_long = {MEASURE, VALUE} == set(measures)
    labels = (DOCUMENT, SYSTEM, MEASURE) if is_long else (DOCUMENT, SYSTEM)
    has = DOCUMENT in names, SYSTEM in names
    scores: dict[str, OutsideScore] = {}
    for line, row in rows:
        unnamed = next((label for label in labels if row.get(label) == ""), None)
        if unnamed is not None:
            raise FormatError(path, f"no {unnamed}", "name it", line=line)
        place = row.get(DOCUMENT), row.get(SYSTEM)
        cells = {row[MEASURE]: row[VALUE]} if is_long else {name: row[name] for name in measures}
        for name, cell in cells.items():
            value = _value(cell, name, separator, path, line)
            score = scores.setdefault(name, OutsideScore(name, path, {}, {}, *has))
            if place in score.lines:
                whose = " of ".join(f"'{each}'" for each in place if each is not None)
                problem = f"'{name}' for {whose} is also on line {score.lines[place]}"
                raise FormatError(path, problem, "give one value, such as a mean", line=line)
            score.lines[place], score.values[place] = line, value
    if not scores:
        raise FormatError(path, "a header without values", "add a line for each document", line=1)
    return tuple(scores.values())


def _table(text: str, path: str) -> tuple[str, list[str], list[tuple[int, dict[str, str]]]]:
    """What separates the cells, the names of the columns, and each line's cells by these names."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = next((each for each in SEPARATORS if _is_header(first, each)), "")
    if not separator:
        problem = "no column 'document' or 'system'" if first else "empty"
        raise FormatError(path, problem, CURE, line=1)
    (line, header), *rows = _lines(text, path, separator)
    columns = [_folded(name) for name in header]
    names = [name for name in columns if name]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FormatError(path, f"two columns '{twice}'", "rename one", line=line)
    if not set(names) - {DOCUMENT, SYSTEM}:
        raise FormatError(path, "no column of scores", CURE, line=line)
    table = []
    for line, cells in rows:
        if len(cells) < len(columns) or any(cells[len(columns) :]):
            problem = f"{number(len(cells), 'cell')} where the header has {len(columns)}"
            raise FormatError(path, problem, "write one for each column", line=line)
        named = zip(columns, cells, strict=False)  # a column without a name does not count
        table.append((line, {name: cell for name, cell in named if name}))
    return separator, names, table


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


def _value(cell: str, name: str, separator: str, path: str, line: int) -> float:
    """A number; a comma is a decimal point where semicolons separate the cells."""
    if cell.casefold() in MISSING:
        return NAN
    written = cell.replace(",", ".") if separator == ";" and "." not in cell else cell
    try:
        value = float(written.replace("_", "?"))
    except ValueError:
        value = math.inf
    if math.isfinite(value):
        return value
    is_comma = cell.replace(",", "").lstrip("+-").isdecimal()
    cure = "write a decimal point" if is_comma else "leave it empty, or remove the column"
    raise FormatError(path, f"'{cell}' for '{name}' is not a number", cure, line=line)


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
    # divided by a power of 2, so that they have the scale of scores
    largest = np.nanmax(np.abs(values), initial=0.0)
    scaled: FloatArray = np.ldexp(values, -int(np.frexp(largest)[1]))
    kinds, skipped = (score.has_documents, score.has_systems), len(score.values) - len(known)
    return Outside(score.name, score.path, scaled, *kinds, skipped)


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
    names, name = [str(each) for each in known], str(first)
    # it may be the name of the file of a document
    close = [stem(name)] if stem(name) in names else get_close_matches(name, names[:COMPARED], n=1)
    shown = ", ".join(names[:SHOWN]) + " …" * (len(names) > SHOWN)
    hint = f"write '{close[0]}' if that is meant" if close else ""
    hint = hint or f"name a {kind} of the rows ({shown})"
    skip = option("missing", "skip")
    raise FormatError(score.path, problem, f"{hint}, or skip such lines with {skip}", line=line)
