"""Class files: the discovered intervals, cluster by cluster.

Blocks of `Class ID`, then `FILE ON OFF` lines, then a blank line. The last blank line may be
missing, blanks may be tabs or several.
"""

from __future__ import annotations

import numpy as np

from caesura.core.byte_cells import Cells
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.timed_intervals import Clusters
from caesura.errors import FormatError, number
from caesura.formats._shared.clock_times import read_times
from caesura.io.files import read_utf8
from caesura.tasks.terms.interval_lines import require_forward


def read_clusters(path: str, *, encoding: str | None = None) -> Clusters:
    """Read a class file."""
    return parse_clusters(read_utf8(path, encoding), path)


def parse_clusters(data: bytes, path: str = "<classes>") -> Clusters:
    """Read classes from UTF-8 bytes."""
    cells = Cells.split(data)
    first = np.flatnonzero(np.diff(cells.line, prepend=-1))
    if not first.size:
        raise FormatError(path, "no classes", "write `Class 1`, then FILE ON OFF lines")
    is_head = _is_head(cells, first)
    counts = np.diff(first, append=cells.line.size)
    _check_lines(path, cells, first, counts, is_head)
    rows = first[~is_head]
    cluster = (np.cumsum(is_head) - 1)[~is_head]
    _check_heads(path, cells, first[is_head], counts[is_head])
    on, off = (read_times(path, cells.some(rows + at)) for at in (1, 2))
    require_forward(path, on, off, cells.line[rows])
    files, file = cells.some(rows).distinct() if rows.size else ([], rows)
    names = [name.decode() for name in files]
    return Clusters(path, names, cluster, file, on, off, cells.line[rows] + 1)


def _is_head(cells: Cells, first: IntArray) -> BoolArray:
    """Which lines begin with the word `Class`."""
    characters = np.frombuffer(cells.data, np.uint8)
    places = np.minimum(cells.starts[first][:, None] + np.arange(5), characters.size - 1)
    begins = (characters[places] == np.frombuffer(b"Class", np.uint8)).all(axis=1)
    is_head: BoolArray = begins & (cells.stops[first] - cells.starts[first] == 5)
    return is_head


def _check_lines(
    path: str, cells: Cells, first: IntArray, counts: IntArray, is_head: BoolArray
) -> None:
    wrong = np.flatnonzero(~is_head & (counts != 3))
    if wrong.size:
        line = int(cells.line[first[wrong[0]]]) + 1
        raise FormatError(
            path, number(int(counts[wrong[0]]), "column"), "write FILE ON OFF", line=line
        )
    if not is_head[0]:
        line = int(cells.line[first[0]]) + 1
        raise FormatError(path, "an interval before any class", "start with `Class 1`", line=line)


def _check_heads(path: str, cells: Cells, heads: IntArray, counts: IntArray) -> None:
    """Every class has an id, and no two have the same."""
    bare = np.flatnonzero(counts < 2)
    if bare.size:
        line = int(cells.line[heads[bare[0]]]) + 1
        raise FormatError(path, "a class without an id", "write `Class 1`", line=line)
    values, which = cells.some(heads + 1).distinct()
    order = np.argsort(which, kind="stable")
    again = order[1:][np.diff(which[order]) == 0]
    if again.size:
        at = int(again.min())
        problem = f"a second class '{values[which[at]].decode()}'"
        line = int(cells.line[heads[at]]) + 1
        raise FormatError(path, problem, "give each class its own id", line=line)
