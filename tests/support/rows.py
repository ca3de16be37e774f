"""Rows in tests: a slow twin of how they are written, and whole files at once."""

import json

from caesura.run.rows_file import RowsReader
from caesura.run.rows_writer import RowsWriter


def line_of(row):
    """One row as a line."""
    values = {
        "system": row.system,
        "document": row.document,
        "measure": row.measure,
        "reference": row.reference,
        "counts": row.counts.to_dict(),
    }
    for name in ("left_out", "scope", "stream"):
        if getattr(row, name) is not None:
            values[name] = getattr(row, name)
    values |= {"block": row.block} if row.block else {}
    return json.dumps(values, ensure_ascii=False) + "\n"


def table_of(lines, measures):
    """The table of some lines."""
    reader = RowsReader(measures)
    for line in lines:
        reader.add(line.encode("utf-8", "surrogatepass"))
    return reader.table()


def write_rows(path, header, table, readings=()):
    """A whole file of rows."""
    with RowsWriter.open(str(path), header) as writer:
        writer.add_table(table, dict(readings))
        writer.finish(header)
