"""Columns: documents as rows of a table, in Parquet or JSON lines.

The column `document` names them. The data of a system or reference is in the column of its name,
else in `text`, else in `boundaries`: a text, or a list of the places after which a unit ends, which
count from 0 on the axis of the list in `words`, or of as many words as `length` says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, SourceError
from caesura.io.archives import Member, Stamp, opened, read_range, stamp

PARQUET = ".parquet"
LINES = (".jsonl", ".ndjson")
NAME, TEXT, BOUNDARIES, WORDS, LENGTH = "document", "text", "boundaries", "words", "length"


@dataclass(frozen=True, slots=True)
class BoundaryCell:
    """The boundaries of one document, and its words or their number."""

    boundaries: IntArray
    words: str | None
    length: int


def is_table(path: str) -> bool:
    """Whether a file is a table of documents."""
    if path.lower().endswith(PARQUET):
        return True
    if not path.lower().endswith(LINES):
        return False
    with opened(path) as file:
        return NAME in _fields(file.readline().removeprefix(b"\xef\xbb\xbf"))


def documents(path: str, name: str) -> list[Member]:
    """The documents of a table, as the system or reference `name` has them."""
    found = list(_of_parquet(path, name) if path.lower().endswith(PARQUET) else _of_lines(path))
    if not found:
        raise FormatError(path, "no rows", "write one for each document")
    return found if found[0].column else [_named(member, name) for member in found]


def _named(member: Member, name: str) -> Member:
    """The member with the column that holds it; each line of JSON has columns of its own."""
    return Member(member.file, member.name, member.at, member.size, name)


def _of_parquet(path: str, name: str) -> Iterator[Member]:
    table = _parquet(path, stamp(path))
    column = _column(path, name, table.schema_arrow.names)
    if NAME not in table.schema_arrow.names:
        raise FormatError(path, f"no column '{NAME}'", "name the documents in that column")
    rows = max(1, table.metadata.num_rows)
    sizes = (table.metadata.row_group(at).total_byte_size for at in range(table.num_row_groups))
    size = sum(sizes) // rows + 1
    row = 0
    for batch in table.iter_batches(columns=[NAME]):
        for document in batch.column(0).to_pylist():
            yield Member(path, str(document), row, size, column)
            row += 1


def _of_lines(path: str) -> Iterator[Member]:
    at = 0
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                fields = _fields(line.removeprefix(b"\xef\xbb\xbf"))
                if NAME not in fields:
                    problem = f'no object with "{NAME}"'
                    raise FormatError(path, problem, "write one for each document", line=number)
                yield Member(path, str(fields[NAME]), at, len(line))
            at += len(line)


def _fields(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _column(path: str, name: str, names: list[str]) -> str:
    """The column to read."""
    chosen = next((each for each in (name, TEXT, BOUNDARIES) if each in names), None)
    if chosen is None:
        problem = f"no column '{name}', '{TEXT}' or '{BOUNDARIES}'"
        raise FormatError(path, problem, f"it has {', '.join(names)}: name the source after one")
    if set(chosen) & set("/!@"):
        raise FormatError(path, f"a column '{chosen}'", "remove / ! and @ from the name")
    return chosen


def read_cell(member: Member) -> str | BoundaryCell:
    """The text or the boundaries of one document of a table."""
    if member.file.lower().endswith(PARQUET):
        return _from_parquet(member)
    with opened(member.file) as file:
        fields = _fields(read_range(file, member).removeprefix(b"\xef\xbb\xbf"))
    value = fields[_column(str(member), member.column, list(fields))]
    if isinstance(value, str):
        return value
    words = fields.get(WORDS)
    joined = " ".join(words) if isinstance(words, list) else None
    return _units(member, value, joined, fields.get(LENGTH, len(words or ())))


def _units(member: Member, boundaries: Any, words: str | None, length: Any) -> BoundaryCell:
    array = np.asarray(boundaries if boundaries is not None else [])
    if array.size and (array.ndim != 1 or not np.issubdtype(array.dtype, np.integer)):
        problem = f"'{member.column}' holds neither a text nor whole numbers"
        raise FormatError(str(member), problem, "write a text, or a list of positions")
    if not isinstance(length, int) or length <= 0:
        cure = f"add a column '{WORDS}', or '{LENGTH}'"
        raise FormatError(str(member), "boundaries without words", cure)
    return BoundaryCell(array.astype(np.int64, copy=False), words, length)


def _from_parquet(member: Member) -> str | BoundaryCell:
    file = _parquet(member.file, stamp(member.file))
    group, row = _place(file, member.at)
    wanted = tuple(
        name for name in (member.column, WORDS, LENGTH) if name in file.schema_arrow.names
    )
    table = _group(member.file, stamp(member.file), group, wanted)
    cell = table.column(member.column)[row]
    if not hasattr(cell, "values"):
        return cell.as_py() if isinstance(cell.as_py(), str) else _units(member, [""], None, 1)
    places = cell.values
    joined, number = _words(table, row)
    length = table.column(LENGTH)[row].as_py() if LENGTH in wanted else number
    # Whole numbers without nulls are shared with Arrow, not copied.
    array = None if places is None else places.to_numpy(zero_copy_only=places.null_count == 0)
    return _units(member, array, joined, length)


def _words(table: Any, row: int) -> tuple[str | None, int]:
    if WORDS not in table.column_names:
        return None, 0
    words = table.column(WORDS)[row].values
    return (None, 0) if words is None else (" ".join(words.to_pylist()), len(words))


def _place(file: Any, row: int) -> tuple[int, int]:
    """The row group that holds a row, and its index there."""
    for group in range(file.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        if row < rows:
            return group, row
        row -= rows
    raise FormatError("table", "fewer rows than before", "write it again")


@lru_cache(maxsize=2)
def _group(path: str, when: Stamp, group: int, columns: tuple[str, ...]) -> Any:
    """A row group, read once for all its documents."""
    return _parquet(path, when).read_row_group(group, columns=list(columns)).combine_chunks()


@lru_cache(maxsize=4)
def _parquet(path: str, _: Stamp) -> Any:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise SourceError(
            path, "reading Parquet needs the package pyarrow", "pip install 'caesura[columns]'"
        ) from None
    from caesura.io.folder import local
    from caesura.io.urls import is_url, open_url

    try:
        return parquet.ParquetFile(open_url(path) if is_url(path) else local(path))
    except (ArrowException, OSError) as problem:
        reason = str(problem).splitlines()[0]
        raise FormatError(path, f"not a valid Parquet file ({reason})", "write it again") from None
