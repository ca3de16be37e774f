"""Phones or words in time: `FILE ON OFF LABEL` lines, or TIMIT's `ON OFF LABEL` for one recording.

Times are seconds if one of them has a decimal point. If none has, they are samples where the rate
says how many of them a second has; without it, four columns have seconds, and three are an error.
"""

from __future__ import annotations

import numpy as np

from caesura.core.format import Codec
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, option
from caesura.formats.nist import CellTable, by_recording
from caesura.formats.script import SECOND, Script, read_times
from caesura.formats.tiers import Layer, require_apart
from caesura.io.files import line_feeds

_POINTS = np.frombuffer(b".eE", np.uint8)
FORM = "FILE ON OFF LABEL, or ON OFF LABEL"


def parse(text: str, source: str = "<phn>", rate: int = 0) -> list[Script]:
    """Read the recordings of a file; `rate` is the number of samples in a second."""
    table = CellTable.from_text(line_feeds(text))
    if not len(table):
        raise FormatError(source, "no intervals", f"write {FORM} on each line")
    width = int(table.width[0])
    table.require((table.width == width) & ((width == 3) | (width == 4)), FORM, source)
    start, end = _spans(table, width - 3, source, rate)
    script = Script(
        texts=table.column(width - 1),
        start=start,
        end=end,
        ends=np.ones(len(table), dtype=np.bool_),
        lines=table.lines,
        form="phn",
        source=source,
        is_tier=True,
    )
    files = table.column(0) if width == 4 else [""] * len(table)
    scripts = by_recording(script, files)
    for each in scripts:
        assert each.start is not None
        assert each.end is not None
        assert each.lines is not None
        layer = Layer("", "", list(each.texts), each.start, each.end, each.lines)
        require_apart(layer, each.recording or "of the file", source)
    return scripts


def _spans(table: CellTable, at: int, source: str, rate: int) -> tuple[IntArray, IntArray]:
    """When intervals begin and end, from two columns of seconds or of samples."""
    if _has_points(table, at) or (at and not rate):
        return table.micros(at, source), table.micros(at + 1, source)
    if not rate:
        problem = "times in samples, without their rate"
        rates = [option("rate", rate) for rate in (16000, 1)]
        cure = f"give {rates[0]} for TIMIT, or {rates[1]} if they are seconds"
        raise FormatError(source, problem, cure, line=int(table.lines[0]))
    return _samples(table, at, source, rate), _samples(table, at + 1, source, rate)


def _has_points(table: CellTable, at: int) -> bool:
    """Whether a time has a decimal point, or an exponent."""
    is_point = np.isin(np.frombuffer(table.cells.data, np.uint8), _POINTS)
    before = np.append(0, np.cumsum(is_point, dtype=np.int32))  # points before each character
    cells = table.cells.some(np.concatenate((table.first + at, table.first + at + 1)))
    return bool((before[cells.stops] > before[cells.starts]).any())


def _samples(table: CellTable, at: int, source: str, rate: int) -> IntArray:
    """A column of samples as microseconds, rounded."""
    samples = read_times(source, table.cells.some(table.first + at)).astype(np.int64)
    whole, rest = np.divmod(samples, rate)
    return np.asarray(whole * SECOND + (2 * rest * SECOND + rate) // (2 * rate))


CODECS = {"phn": Codec(parse)}
