"""Timed labels: gold phones and words, as `file on off label`, CTM or Praat TextGrids.

Times are kept as the numbers that were written. A file's intervals are sorted by time, equal ones
kept once; intervals that overlap, end before they begin, or have an invalid time are errors.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np

from caesura.core.byte_cells import Cells, FloatArray
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.timed_intervals import Intervals
from caesura.errors import FormatError, SourceError, number
from caesura.formats._shared.clock_times import read_times
from caesura.formats.textgrid import TextGridTier, parse_tiers
from caesura.io.cwd import exists, is_dir, local
from caesura.io.files import COMPRESSED, read_text, read_utf8, stem


def read_intervals(path: str, *, tier: str, encoding: str | None = None) -> Intervals:
    """Read intervals from a file, or from a folder of TextGrids, of which `tier` is taken."""
    if is_dir(local(path)) or _kind(path) == ".textgrid":
        return _read_textgrids(path, tier, encoding)
    return parse_intervals(read_utf8(path, encoding), path)


def parse_intervals(data: bytes, source: str = "<intervals>") -> Intervals:
    """Read intervals from UTF-8 bytes: CTM if the source ends in .ctm, else four columns."""
    cells = Cells.split(data)
    if not cells.line.size:
        raise FormatError(source, "no intervals", "write FILE ON OFF LABEL on each line")
    parse = _from_ctm if _kind(source) == ".ctm" else _from_columns
    return parse(source, cells, np.bincount(cells.line))


def _kind(path: str) -> str:
    """The suffix of the format, without that of the compression."""
    name = PurePosixPath(path.lower())
    return name.with_suffix("").suffix if name.suffix in COMPRESSED else name.suffix


def _from_columns(path: str, cells: Cells, counts: IntArray) -> Intervals:
    _require_cells(path, cells, (counts == 4) | (counts == 0), "FILE ON OFF LABEL")
    return _from_lines(path, cells, np.flatnonzero(np.diff(cells.line, prepend=-1)))


def _from_lines(path: str, cells: Cells, first: IntArray) -> Intervals:
    on, off = (read_times(path, cells.some(first + at)) for at in (1, 2))
    return _intervals(path, cells.some(first), cells.some(first + 3), on, off)


def _from_ctm(path: str, cells: Cells, counts: IntArray) -> Intervals:
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
    return _intervals(path, cells.some(first), cells.some(first + 4), on, off)


def _require_cells(path: str, cells: Cells, fits: BoolArray, form: str) -> None:
    if not fits.all():
        line = int(np.flatnonzero(~fits)[0])
        found = int(np.count_nonzero(cells.line == line))
        raise FormatError(path, number(found, "column"), f"write {form}", line=line + 1)


def _intervals(
    path: str, file_cells: Cells, label_cells: Cells, on: FloatArray, off: FloatArray
) -> Intervals:
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
            "gold intervals of a recording must not overlap",
            line=int(line[at + 1]) + 1,
        )
    names = [[value.decode() for value in values] for values in (files, labels)]
    return Intervals(names[0], names[1], file, on, off, label)


def require_forward(path: str, on: FloatArray, off: FloatArray, line: IntArray) -> None:
    """Raise an error for the first interval that does not end after it begins."""
    wrong = np.flatnonzero(off <= on)
    if wrong.size:
        at = int(wrong[0])
        raise FormatError(
            path,
            f"an interval that begins at {_seconds(on[at])} and ends at {_seconds(off[at])}",
            "an interval must end after it begins",
            line=int(line[at]) + 1,
        )


def _seconds(time: float) -> str:
    return repr(float(time)).removesuffix(".0")


def _read_textgrids(path: str, tier: str, encoding: str | None) -> Intervals:
    """Every TextGrid of a folder, or one; the recording is named as the file."""
    place = Path(local(path))
    grids = [Path(path)]
    if is_dir(place):
        names = [each.name for each in place.iterdir() if _kind(each.name) == ".textgrid"]
        grids = sorted(Path(path, name) for name in names)
    elif not exists(place):
        raise SourceError(path, "no such file or directory", "check the path")
    if not grids:
        raise SourceError(path, "no TextGrids in this folder", "file names must end in .TextGrid")
    lines = [line for grid in grids for line in _textgrid_lines(grid, tier, encoding)]
    cells = Cells.split("\n".join(lines).encode())
    if not cells.line.size:
        raise FormatError(path, "no intervals", f"fill the tier '{tier}'")
    return _from_columns(path, cells, np.bincount(cells.line))


def _textgrid_lines(grid: Path, tier: str, encoding: str | None) -> list[str]:
    """The intervals of a tier as FILE ON OFF LABEL lines; errors name the TextGrid."""
    path = str(grid)
    found = _tier(parse_tiers(read_text(path, encoding), path), tier, path)
    name = "_".join(stem(path).split())
    full = [at for at, label in enumerate(found.labels) if label.strip()]
    lines = [
        f"{name} {found.on[at].item()!r} {found.off[at].item()!r} "
        f"{'_'.join(found.labels[at].split())}"
        for at in full
    ]
    cells = Cells.split("\n".join(lines).encode())
    if full:
        where = replace(cells, line=found.lines[full][cells.line] - 1)
        _from_lines(path, where, np.flatnonzero(np.diff(cells.line, prepend=-1)))
    return lines


def _tier(tiers: list[TextGridTier], name: str, path: str) -> TextGridTier:
    """The interval tier of a name."""
    found = next((tier for tier in tiers if tier.name == name), None)
    if found is None:
        names = ", ".join(f"'{tier.name}'" for tier in tiers)
        raise FormatError(path, f"no tier '{name}' among {names}", "add or rename the tier")
    if found.is_points:
        cure = "make it an interval tier"
        raise FormatError(path, f"the tier '{name}' is a point tier", cure, line=found.line)
    return found
