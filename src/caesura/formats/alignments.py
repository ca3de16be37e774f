"""Timed labels: gold phones and words, as `file on off label`, CTM or Praat TextGrids.

Times are kept as the numbers that were written. A file's intervals are sorted by time, equal ones
kept once; intervals that overlap, end before they begin, or have no number for a time are errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np

from caesura.errors import FormatError, SourceError, number
from caesura.files import DECOMPRESSORS, read_utf8
from caesura.formats.cells import Cells, FloatArray
from caesura.segmentation import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class Alignment:
    """Labelled intervals of many recordings, sorted by recording and time."""

    files: list[str]
    labels: list[str]
    file: IntArray
    on: FloatArray
    off: FloatArray
    label: IntArray

    def __len__(self) -> int:
        return self.file.size

    def without(self, label: str) -> Alignment:
        """The same without one label."""
        if label not in self.labels:
            return self
        kept = np.flatnonzero(self.label != self.labels.index(label))
        file, labels = self.file[kept], self.label[kept]
        return Alignment(self.files, self.labels, file, self.on[kept], self.off[kept], labels)


def read_alignment(path: str, *, tier: str, encoding: str | None = None) -> Alignment:
    """Read an alignment from a file, or from a folder of TextGrids, of which `tier` is taken."""
    place = Path(path)
    if place.is_dir() or _kind(path) == ".textgrid":
        return _read_textgrids(path, tier)
    return parse_alignment(read_utf8(path, encoding), path)


def parse_alignment(data: bytes, source: str = "<alignment>") -> Alignment:
    """Read an alignment from UTF-8 bytes: CTM if the source ends in .ctm, else four columns."""
    cells = Cells.split(data)
    if not cells.line.size:
        raise FormatError(source, "no intervals", "write FILE ON OFF LABEL on each line")
    parse = _from_ctm if _kind(source) == ".ctm" else _from_columns
    return parse(source, cells, np.bincount(cells.line))


def _kind(path: str) -> str:
    """What the suffix tells, that of the compression apart."""
    name = PurePosixPath(path.lower())
    return name.with_suffix("").suffix if name.suffix in DECOMPRESSORS else name.suffix


def _from_columns(path: str, cells: Cells, counts: IntArray) -> Alignment:
    _require_cells(path, cells, (counts == 4) | (counts == 0), "FILE ON OFF LABEL")
    first = np.flatnonzero(np.diff(cells.line, prepend=-1))
    on, off = (read_times(path, cells.some(first + at)) for at in (1, 2))
    return _alignment(path, cells.some(first), cells.some(first + 3), on, off)


def _from_ctm(path: str, cells: Cells, counts: IntArray) -> Alignment:
    """CTM has FILE CHANNEL START DURATION LABEL, and maybe a confidence; `;;` begins a comment."""
    first = np.flatnonzero(np.diff(cells.line, prepend=-1))
    said = [at for at in first.tolist() if not cells.at(at).startswith(";;")]
    if not said:
        raise FormatError(path, "no intervals", "write FILE CHANNEL START DURATION LABEL")
    first = np.array(said, dtype=np.int64)
    lines = cells.line[first]
    fits = np.ones(counts.size, dtype=np.bool_)
    fits[lines] = (counts[lines] == 5) | (counts[lines] == 6)
    _require_cells(path, cells, fits, "FILE CHANNEL START DURATION LABEL")
    on, duration = (read_times(path, cells.some(first + at)) for at in (2, 3))
    off = np.round(on + duration, 9)
    return _alignment(path, cells.some(first), cells.some(first + 4), on, off)


def _require_cells(path: str, cells: Cells, fits: BoolArray, form: str) -> None:
    if not fits.all():
        line = int(np.flatnonzero(~fits)[0])
        found = int(np.count_nonzero(cells.line == line))
        raise FormatError(path, number(found, "column"), f"write {form}", line=line + 1)


def read_times(path: str, cells: Cells) -> FloatArray:
    """Cells as times; what is none, or negative, is an error."""
    times = cells.floats()
    wrong = np.flatnonzero(~np.isfinite(times) | (times < 0))
    if wrong.size:
        line = int(cells.line[wrong[0]]) + 1
        problem = f"'{cells.at(int(wrong[0]))}' is no time"
        raise FormatError(path, problem, "write seconds, such as 12.34", line=line)
    return times


def _alignment(
    path: str, file_cells: Cells, label_cells: Cells, on: FloatArray, off: FloatArray
) -> Alignment:
    require_forward(path, on, off, file_cells.line)
    files, file = file_cells.distinct()
    labels, label = label_cells.distinct()
    order = np.argsort(file.astype(np.uint16) if len(files) < 1 << 16 else file, kind="stable")
    if np.any((np.diff(file[order]) == 0) & (np.diff(on[order]) <= 0)):
        order = np.lexsort((label, off, on, file))
    file, on, off, label = file[order], on[order], off[order], label[order]
    again = (np.diff(file) == 0) & (np.diff(on) == 0) & (np.diff(off) == 0) & (np.diff(label) == 0)
    kept = np.flatnonzero(np.concatenate(([True], ~again)))
    line = file_cells.line[order][kept]
    file, on, off, label = file[kept], on[kept], off[kept], label[kept]
    clash = np.flatnonzero((np.diff(file) == 0) & (on[1:] < off[:-1]))
    if clash.size:
        at = int(clash[0])
        raise FormatError(
            path,
            f"the interval {_seconds(on[at + 1])}–{_seconds(off[at + 1])} overlaps "
            f"{_seconds(on[at])}–{_seconds(off[at])} on line {line[at] + 1}",
            "gold intervals of a recording follow each other",
            line=int(line[at + 1]) + 1,
        )
    names = [[value.decode() for value in values] for values in (files, labels)]
    return Alignment(names[0], names[1], file, on, off, label)


def require_forward(path: str, on: FloatArray, off: FloatArray, line: IntArray) -> None:
    """Raise an error for the first interval that does not end after it begins."""
    wrong = np.flatnonzero(off <= on)
    if wrong.size:
        at = int(wrong[0])
        raise FormatError(
            path,
            f"an interval that begins at {_seconds(on[at])} and ends at {_seconds(off[at])}",
            "an interval has to end after it begins",
            line=int(line[at]) + 1,
        )


def _seconds(time: float) -> str:
    return repr(float(time)).removesuffix(".0")


def _read_textgrids(path: str, tier: str) -> Alignment:
    """Every TextGrid of a folder, or one; the recording is named as the file."""
    place = Path(path)
    grids = [place]
    if place.is_dir():
        grids = sorted(each for each in place.iterdir() if _kind(each.name) == ".textgrid")
    elif not place.exists():
        raise SourceError(path, "no such file or directory", "check the path")
    if not grids:
        raise SourceError(path, "no TextGrids in this folder", "they end in .TextGrid")
    lines = [line for grid in grids for line in _textgrid_lines(grid, tier)]
    cells = Cells.split("\n".join(lines).encode())
    if not cells.line.size:
        raise FormatError(path, "no intervals", f"fill the tier '{tier}'")
    return _from_columns(path, cells, np.bincount(cells.line))


def _textgrid_lines(grid: Path, tier: str) -> list[str]:
    """The intervals of a tier as FILE ON OFF LABEL lines."""
    try:
        from praatio import textgrid
        from praatio.utilities.errors import PraatioException
    except ImportError:
        raise SourceError(
            str(grid),
            "reading TextGrids needs the package praatio",
            "pip install 'caesura[formats]'",
        ) from None
    try:
        entries = (
            textgrid.openTextgrid(str(grid), includeEmptyIntervals=False).getTier(tier).entries
        )
        parts = [(each.start, each.end, "_".join(each.label.split())) for each in entries]
    except (PraatioException, LookupError, ValueError, AttributeError) as problem:
        reason = " ".join(str(problem).split())
        raise FormatError(
            str(grid), f"no tier '{tier}' can be read ({reason})", "add or rename the tier"
        ) from None
    name = "_".join(grid.stem.split())
    return [f"{name} {start!r} {end!r} {label}" for start, end, label in parts]
