"""Columns: documents as rows of a table, in Parquet or JSON lines.

The column `document` names them. The data of a system or reference is in the column of its name,
else in `text`, else in `boundaries`: a text, or a list of the places after which a unit ends, which
count from 0 on the axis of the list in `words`, or of as many words as `length` says. A list in
`scores`, or one of fractions, has a number for each word: how likely a unit ends after it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, SourceError, shortened
from caesura.io.cwd import local
from caesura.io.packed import opened, read_range, sound
from caesura.io.paths import LINES, PARQUET, Member, Stamp, is_url, open_url, stamp, target

LONGEST = 10**12
MOST = 1 << 28
"""The bytes of row groups that are kept, of at least two; versions of a document are columns."""
_GROUPS: dict[tuple[Any, ...], Any] = {}
NAME, TEXT, BOUNDARIES, WORDS, LENGTH = "document", "text", "boundaries", "words", "length"
SCORES = "scores"


@dataclass(frozen=True, slots=True)
class BoundaryCell:
    """The boundaries of one document, or scores; and its words or their number."""

    boundaries: IntArray
    words: str | None
    length: int
    scores: npt.NDArray[np.float64] | None = None


def is_table(path: str) -> bool:
    """Whether a file is a table of documents."""
    if _is_parquet(path):
        return True
    if not target(path).lower().endswith(LINES):
        return False
    with opened(path) as file:
        return NAME in _fields(file.readline().removeprefix(b"\xef\xbb\xbf"))


def _is_parquet(path: str) -> bool:
    return target(path).lower().endswith(PARQUET)


def documents(path: str, name: str) -> list[Member]:
    """The documents of a table, as the system or reference has them."""
    with _sound(path, path):
        rows = list(_of_parquet(path, name) if _is_parquet(path) else _of_lines(path, name))
    if not rows:
        raise FormatError(path, "no rows", "write one for each document")
    return rows


def _of_parquet(path: str, name: str) -> Iterator[Member]:
    table = _parquet(path, stamp(path))
    column = _column(path, name, table.names)
    if NAME not in table.names:
        raise FormatError(path, f"no column '{NAME}'", "name the documents in that column")
    groups = range(len(table.starts) - 1)
    total = sum(table.file.metadata.row_group(group).total_byte_size for group in groups)
    size = total // max(1, table.starts[-1]) + 1  # bytes of a row, on average
    for group in groups:
        names = table.file.read_row_group(group, columns=[NAME]).column(0).to_pylist()
        for row, document in enumerate(names, table.starts[group]):
            yield Member(path, _document(document, f"{path}: row {row + 1}"), row, size, column)


def _of_lines(path: str, name: str) -> Iterator[Member]:
    """The lines, each of which has columns of its own."""
    at = 0
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                fields = _fields(line.removeprefix(b"\xef\xbb\xbf"))
                if NAME not in fields:
                    problem = f'no object with "{NAME}"'
                    raise FormatError(path, problem, "write one for each document", line=number)
                document = _document(fields[NAME], f"{path}:{number}")
                yield Member(path, document, at, len(line), name)
            at += len(line)


def _document(name: object, place: str) -> str:
    """The name of a document, which may be a number."""
    if isinstance(name, str | int | float) and not isinstance(name, bool):
        return _characters(str(name), place)
    problem = f"'{NAME}' is neither a string nor a number"
    raise FormatError(place, problem, "name the document")


def _characters(text: str, place: str) -> str:
    """Return a text of characters; raise an error for half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        code = ord(text[problem.start])
        what = f"a lone surrogate (\\u{code:04x}), which is not a character"
        raise FormatError(place, what, "write the table again from the text") from None
    return text


def _fields(line: bytes) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _column(path: str, name: str, names: list[str]) -> str:
    """The column to read."""
    chosen = next((each for each in (name, TEXT, BOUNDARIES, SCORES) if each in names), None)
    if chosen is None:
        problem = f"no column '{name}', '{TEXT}', '{BOUNDARIES}' or '{SCORES}'"
        raise FormatError(path, problem, f"it has {', '.join(names)}: name the source after one")
    if set(chosen) & set("/!@"):
        raise FormatError(path, f"a column '{chosen}'", "remove / ! and @ from the name")
    return chosen


def read_cell(member: Member) -> str | BoundaryCell:
    """The text or the boundaries of one document of a table."""
    with _sound(str(member), member.file):
        return _from_parquet(member) if _is_parquet(member.file) else _from_line(member)


def _sound(place: str, path: str) -> AbstractContextManager[None]:
    what = "not a valid Parquet file" if _is_parquet(path) else "not a valid table"
    return sound(place, what, "write it again")


def _from_line(member: Member) -> str | BoundaryCell:
    with opened(member.file) as file:
        fields = _fields(read_range(file, member).removeprefix(b"\xef\xbb\xbf"))
    column = _column(str(member), member.column, list(fields))
    value = fields[column]
    if isinstance(value, str):
        return _characters(value, str(member))
    has_fractions = isinstance(value, list) and any(isinstance(each, float) for each in value)
    is_scored = column == SCORES or (column != BOUNDARIES and has_fractions)
    return _cell(member, value, fields, is_scored=is_scored)


def _cell(
    member: Member, values: object, fields: Mapping[str, Any], *, is_scored: bool
) -> BoundaryCell:
    """The boundaries or scores of one document; `fields` has its words, or their number."""
    words = fields.get(WORDS)
    joined = None if words is None else _joined(member, words)
    length = fields.get(LENGTH, len(words or ()))
    return (_scored if is_scored else _units)(member, values, joined, length)


def _scored(member: Member, values: object, words: str | None, length: object) -> BoundaryCell:
    """The scores of one document, of which null is none."""
    try:
        scores = np.array(values, np.float64)
        is_flat = scores.ndim == 1 and scores.size > 0
    except (TypeError, ValueError):
        scores, is_flat = np.empty(0), False
    if not is_flat:
        raise FormatError(str(member), "scores that are no list of numbers", "write one per word")
    if length not in (None, 0, scores.size):
        problem = f"{scores.size:,} scores for {length:,} words"
        raise FormatError(str(member), problem, "write one score for each word")
    return BoundaryCell(np.empty(0, np.int64), words, scores.size, scores)


def _joined(member: Member, words: object) -> str:
    """The words as one text."""
    if isinstance(words, list) and all(isinstance(word, str) for word in words):
        return _characters(" ".join(words), str(member))
    raise FormatError(str(member), f"'{WORDS}' is not a list of words", "write a list of strings")


def _units(member: Member, boundaries: object, words: str | None, length: object) -> BoundaryCell:
    try:
        array = np.asarray(boundaries if boundaries is not None else [])
        is_whole = np.issubdtype(array.dtype, np.integer) and array.ndim == 1
    except ValueError:
        array, is_whole = np.empty(1), False
    if array.size and not is_whole:
        problem = f"'{member.column}' holds neither a text nor whole numbers"
        raise FormatError(str(member), problem, "write a text, or a list of positions")
    if not isinstance(length, int) or isinstance(length, bool) or length <= 0:
        cure = f"add a column '{WORDS}', or '{LENGTH}'"
        raise FormatError(str(member), "boundaries without words", cure)
    if length > LONGEST:
        cure = f"a document has at most {LONGEST:,} words"
        raise FormatError(str(member), f"'{LENGTH}' is {shortened(str(length))}", cure)
    if array.size and array.max() > np.iinfo(np.int64).max:  # of unsigned integers
        raise FormatError(str(member), f"a boundary at {array.max()}", "write positions of words")
    return BoundaryCell(array.astype(np.int64, copy=False), words, length)


def _from_parquet(member: Member) -> str | BoundaryCell:
    when = stamp(member.file)
    file = _parquet(member.file, when)
    if member.at >= file.starts[-1]:
        raise FormatError("the table", "fewer rows than before", "write it again")
    group = bisect_right(file.starts, member.at) - 1
    row = member.at - file.starts[group]
    beside = [name for name in (WORDS, LENGTH) if name in file.names]
    table = _group(member.file, when, group, (member.column, *beside))
    cell = table.column(member.column)[row]
    if not hasattr(cell, "values"):
        return cell.as_py() if isinstance(cell.as_py(), str) else _units(member, [""], None, 1)
    places = cell.values
    # Whole numbers without nulls are shared with Arrow, not copied.
    array = None if places is None else places.to_numpy(zero_copy_only=places.null_count == 0)
    is_scored = (
        array is not None
        and member.column != BOUNDARIES
        and (member.column == SCORES or array.dtype.kind == "f")
    )
    fields = {name: table.column(name)[row].as_py() for name in beside}
    return _cell(member, array, fields, is_scored=is_scored)


def _group(path: str, when: Stamp, group: int, columns: tuple[str, ...]) -> Any:
    """A row group, read once for all its documents; others are kept as long as there is room."""
    key = path, when, group, columns
    table = _GROUPS.pop(key, None)
    if table is None:
        table = (
            _parquet(path, when).file.read_row_group(group, columns=list(columns)).combine_chunks()
        )
        while len(_GROUPS) > 1 and sum(t.nbytes for t in (table, *_GROUPS.values())) > MOST:
            del _GROUPS[next(iter(_GROUPS))]
    _GROUPS[key] = table  # the last one used is the last one in the dict
    return table


@dataclass(frozen=True, slots=True)
class _Parquet:
    """A file in Parquet, with what is asked of it for every document."""

    file: Any
    names: list[str]
    starts: list[int]
    """The first row of each row group, and the number of all rows."""


@lru_cache(maxsize=4)
def _parquet(path: str, _: Stamp) -> _Parquet:
    try:
        from pyarrow import parquet
    except ImportError:
        raise SourceError(
            path, "reading Parquet needs the package pyarrow", "pip install 'caesura-eval[columns]'"
        ) from None
    file = parquet.ParquetFile(open_url(path) if is_url(path) else local(path))
    groups = range(file.num_row_groups)
    rows = (file.metadata.row_group(at).num_rows for at in groups)
    return _Parquet(file, file.schema_arrow.names, [*accumulate(rows, initial=0)])
