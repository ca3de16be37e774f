"""Times in files, as whole microseconds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caesura.core.byte_cells import Cells, FloatArray
from caesura.core.segmentation import (
    IntArray,
    Track,
)
from caesura.errors import FormatError

SECOND = 1_000_000
LATEST = 10**9
"""The latest second that is accepted as a time: about thirty years."""


def parse_times(cells: Sequence[str], source: str, lines: IntArray | None = None) -> IntArray:
    """Seconds as microseconds; an empty cell is UNKNOWN, anything else that is not a time an error.

    >>> parse_times(["1.5", "", "0.3333333"], "x").tolist()
    [1500000, -1, 333333]
    """
    values = _floats(cells)
    empty = np.array([not cell for cell in cells], dtype=np.bool_)
    wrong = np.flatnonzero(~empty & ~((values >= 0) & (values <= LATEST)))
    if wrong.size:
        at = int(wrong[0])
        line = None if lines is None else int(lines[at])
        problem = f"'{cells[at]}' is not a time"
        raise FormatError(source, problem, "write seconds, such as 12.34", line=line)
    micros = np.rint(np.where(empty, 0, values) * SECOND).astype(np.int64)
    return np.where(empty, Track.UNKNOWN, micros)


def _floats(cells: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    data = "\n".join(cell if cell and not cell.isspace() else "nan" for cell in cells).encode()
    split = Cells.split(data)
    if split.line.size == len(cells):
        return split.floats()
    values = np.full(len(cells), np.nan)
    alone = np.flatnonzero(np.bincount(split.line, minlength=len(cells)) == 1)
    values[alone] = split.some(np.flatnonzero(np.isin(split.line, alone))).floats()
    return values


def read_times(path: str, cells: Cells) -> FloatArray:
    """Cells as times; anything else, or a negative time, is an error."""
    times = cells.floats()
    wrong = np.flatnonzero(~((times >= 0) & (times <= LATEST)))
    if wrong.size:
        line = int(cells.line[wrong[0]]) + 1
        problem = f"'{cells.at(int(wrong[0]))}' is not a time"
        raise FormatError(path, problem, "write seconds, such as 12.34", line=line)
    return times


def seconds(microseconds: int) -> str:
    """A time as seconds, with the digits it needs and at least two.

    >>> seconds(1_500_000), seconds(12_345_678)
    ('1.50', '12.345678')
    """
    whole, rest = divmod(abs(microseconds), SECOND)
    digits = f"{rest:06d}".rstrip("0").ljust(2, "0")
    return f"{'-' if microseconds < 0 else ''}{whole}.{digits}"
