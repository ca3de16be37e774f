"""Tables of labelled intervals: CSV or TSV whose heading names the columns."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from caesura.errors import FormatError
from caesura.formats._shared.signal_values import LABELS_CURE, Piece

NAMES = {
    "start": ("start", "begin", "onset", "time", "start_time", "timestamp"),
    "end": ("end", "offset", "stop", "end_time"),
    "label": ("label", "event_label", "name", "title", "class", "event"),
    "file": ("file", "filename", "document", "series", "recording", "audio"),
}
"""The columns, and the names that they may have."""


def pieces(body: str, source: str) -> Iterator[Piece]:
    """The intervals of a table, one of each line."""
    lines = body.split("\n")
    above = next(at for at, line in enumerate(lines) if line.strip())
    mark = max(",;\t", key=lines[above].count)
    rows = csv.reader(lines[above:], delimiter=mark)
    heading = [cell.strip().casefold() for cell in next(rows)]
    column = {
        name: next((heading.index(each) for each in names if each in heading), -1)
        for name, names in NAMES.items()
    }
    if column["start"] < 0:
        raise FormatError(source, "no column start or time", LABELS_CURE, line=above + 1)
    for row in rows:
        line = above + rows.line_num
        if not any(cell.strip() for cell in row):
            continue
        cells = {name: row[at].strip() if 0 <= at < len(row) else "" for name, at in column.items()}
        yield Piece(cells["start"], cells["end"], cells["label"], line, cells["file"])
