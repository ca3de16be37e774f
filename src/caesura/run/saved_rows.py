"""Saved rows: JSON lines, or Parquet where the name of the file says so."""

from __future__ import annotations

from collections.abc import Iterable

from caesura.core.json_values import JsonObject
from caesura.core.table import CountTable
from caesura.core.task import Known
from caesura.run.rows_file import Header, RowsFile, read_rows, write_rows


def is_parquet(path: str) -> bool:
    """Whether rows are a table in Parquet."""
    return path.lower().endswith(".parquet")


def save(path: str, header: Header, table: CountTable, readings: Iterable[JsonObject] = ()) -> None:
    """Save rows in the format that the path names."""
    if is_parquet(path):
        from caesura.run.parquet_rows import write_parquet

        write_parquet(path, header, table, readings)
    else:
        write_rows(path, header, table, readings)


def load(path: str, known: Known) -> RowsFile:
    """Read what `save` saved."""
    if is_parquet(path):
        from caesura.run.parquet_rows import read_parquet

        return read_parquet(path, known)
    return read_rows(path, known)
