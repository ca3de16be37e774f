"""Signals: points and labelled intervals without words, in seconds, samples or frames.

`times` has `TIME [LABEL]` lines (SALAMI, chapters), `labels` has `START END [LABEL]` lines
(mir_eval, Audacity), with the name of a file before or after them (sed_eval, DCASE), or a label on
each line (MS-TCN). The name of a file alone says that nothing happens there. Both read JSON, CSV
with a heading, and WebVTT chapters, too.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np

from caesura.core.arrays import Array
from caesura.core.format import AxisName
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, option
from caesura.formats._shared.clock_times import seconds
from caesura.formats._shared.script import UNKNOWN, Script
from caesura.formats._shared.signal_values import LABELS_CURE, TIME, Piece, Place, Scale
from caesura.io.files import line_feeds

NOWHERE, NONE = Place(), np.zeros(0, np.int64)
END = "end"
"""The label of the end of a recording, as SALAMI has it."""
TIMES_CURE = "write a time in seconds (12.5, 1:02.5) and, if you like, a label on each line"
_POINT = re.compile(rf"\s*(?:[-–—•*]\s+)?[\[(]?({TIME})[\])]?(?:$|[\s,:–—-]+(.*))")
_SPAN = re.compile(rf"\s*({TIME})[\s,]+({TIME})(?:$|[\s,]+(.*))")
_NAMED = re.compile(rf"\s*([^\t]*\S)\t+(?:[^\t]+\t+)?({TIME})\s+({TIME})(?:$|\s+(.*))")
_SPACED = re.compile(rf"\s*(\S+)\s+(?:\S+\s+)?({TIME})\s+({TIME})(?:$|\s+(.*))")
_FILE = re.compile(r"(.*?)\t+([^\t]+\.(?:wav|flac|mp3|ogg|m4a|mp4))\s*", re.IGNORECASE)
_ALONE = re.compile(r"\s*(\S.*\.(?:wav|flac|mp3|ogg|m4a|mp4))\s*", re.IGNORECASE)
_NUMBER = re.compile(TIME)
_JSON = re.compile(
    r'\s*(?:\[\s*(?:[-\d\]]|\[\s*[-\d]|\{\s*"(?:start|begin|onset|time)")'
    r'|\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:\[\s*[-\[\]\d]|\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[-\[\d]))'
)
_WORDED = re.compile(r'"(?:text|word|words|segments|items|segmentation_type)"\s*:')
HEADING = re.compile(
    r'"?(?:file|filename|document|series|start|begin|onset|time|end|offset|label|event_label|title)'
    r'"?[ \t]*[,;\t]',
    re.IGNORECASE,
)
COLUMNS = {
    "start": ("start", "begin", "onset", "time", "start_time", "timestamp"),
    "end": ("end", "offset", "stop", "end_time"),
    "label": ("label", "event_label", "name", "title", "class", "event"),
    "file": ("file", "filename", "document", "series", "recording", "audio"),
}
"""The columns of a table of intervals, and the names that they may have."""


def form_of(head: str, axis: AxisName) -> str:
    """The format of a text without words on an axis other than words; empty if there is none."""
    if _JSON.match(head) and not _WORDED.search(head):
        return "times"
    lines = [line for line in head.split("\n")[:20] if _is_said(line)]
    lines = lines[: max(1, len(lines) - 1)]
    if not lines:
        return "times"
    if HEADING.match(lines[0].strip()):
        return "labels"
    if all(any(each.fullmatch(line) for each in (_SPAN, _NAMED, _ALONE)) for line in lines):
        return "labels"
    if all(_POINT.fullmatch(line) for line in lines):
        return "times"
    return "labels" if axis == "samples" and _are_frames(lines) else ""


def parse_times(
    text: str, source: str = "<times>", axis: AxisName = "time", rate: int = 0
) -> list[Script]:
    """Read points; a label holds until the next one."""
    scale, body = _scale(axis, rate, source), line_feeds(text).removeprefix("\ufeff")
    quick = _quick(body, scale)
    if quick is not None:
        return [_script(scale, "times", (quick, np.full(quick.size, UNKNOWN)), None)]
    return _structured(body, scale, "times") or _of_pieces(_points(body, source), scale, "times")


def parse_labels(
    text: str, source: str = "<labels>", axis: AxisName = "time", rate: int = 0
) -> list[Script]:
    """Read labelled intervals."""
    scale, body = _scale(axis, rate, source), line_feeds(text).removeprefix("\ufeff")
    if _are_frames([line for line in body.split("\n", 20)[:20] if line.strip()]):
        return [_frames(body, scale)]
    return _structured(body, scale, "labels") or _of_pieces(_spans(body, source), scale, "labels")


def _are_frames(lines: Sequence[str]) -> bool:
    """Whether lines hold one label each, and no number."""
    return (
        bool(lines)
        and not any(map(_ALONE.fullmatch, lines))
        and not any(re.search(r"[\s\[{,;]", each.strip()) for each in lines)
        and not (any(_NUMBER.fullmatch(each.strip()) for each in lines))
    )


def _frames(body: str, scale: Scale) -> Script:
    """A label for each frame, on a line each: an interval for each run of equal ones."""
    if scale.axis == "time" and not scale.rate:
        cure = (
            f"give {option('rate', '…')}, the frames in a second, or compare samples, with "
            f"{option('axis', 'samples')}"
        )
        raise FormatError(scale.source, "frames without their rate", cure)
    lines = body.rstrip().split("\n")
    runs = [(label, len(list(own))) for label, own in groupby(line.strip() for line in lines)]
    edges = np.cumsum([0, *(size for _, size in runs)])
    at = scale.frames(edges)
    labels, place = [label for label, _ in runs], Place(extent=int(at[-1]))
    return _script(scale, "labels", (at[:-1], at[1:]), labels, lines=edges[:-1] + 1, place=place)


def _scale(axis: AxisName, rate: int, source: str) -> Scale:
    """What numbers are; where boundaries are compared by words, an error says so later."""
    return Scale("time" if axis == "words" else axis, rate, source)


def of_values(
    values: Sequence[object] | Array,
    axis: AxisName,
    length: float | str | None,
    source: str,
) -> Script:
    """Points, or tuples of a start, an end and a label, that are given in memory."""
    from caesura.formats._shared.signal_json import series_of

    scale = Scale(axis, 0, source)
    extent = 0 if length is None else scale.at(length, None, "a length")
    if length is not None and not extent:
        raise FormatError(source, "a length of 0", "say how long it is")
    rows = values.tolist() if isinstance(values, np.ndarray) else [*values]
    is_flat = not rows or not isinstance(rows[0], tuple | list)
    rows = rows if is_flat else [[*each] if isinstance(each, tuple) else each for each in rows]
    one = series_of(rows, Place(extent=extent), scale, "")
    form = "times" if is_flat or (one.arrays[1] == UNKNOWN).all() else "labels"
    return _script(scale, form, one.arrays, one.labels, place=one.place, sign=one.is_unsorted)


def write_times(scripts: Sequence[Script]) -> Iterator[str]:
    """Write when units begin, with their labels."""
    for script in scripts:
        for on, _, label in _written(script):
            yield f"{on}\t{label}\n" if label else f"{on}\n"


def write_labels(scripts: Sequence[Script]) -> Iterator[str]:
    """Write when units begin and end, with their labels."""
    for script in scripts:
        for on, off, label in _written(script):
            yield f"{on}\t{off}\t{label}\n" if label else f"{on}\t{off}\n"


def _written(script: Script) -> Iterator[tuple[str, str, str]]:
    """The start, the end and the label of each piece that has times."""
    start, end = script.start, script.end
    if start is None or end is None or (start == UNKNOWN).any():
        raise FormatError(script.source, "no times to write", "choose another format")
    shown = str if script.axis == "samples" else seconds
    labels = script.texts if any(script.texts) else script.speakers or [""] * len(script)
    for on, off, label in zip(start.tolist(), end.tolist(), labels, strict=True):
        last = script.extent or on if off == UNKNOWN else off
        yield shown(on), shown(last), " ".join(label.split())


def _is_said(line: str) -> bool:
    """Whether a line says something: no comment, and no line of Audacity about frequencies."""
    return bool(line.strip()) and line.lstrip()[0] not in "#;\\"


def _quick(body: str, scale: Scale) -> IntArray | None:
    """A number on each line, as an array: .3 s for a million; None if anything else is there."""
    try:
        values = np.array(body.split("\n"), dtype=object)
        floats = values[values != ""].astype(np.float64)
    except ValueError:
        return None
    is_sound = floats.size and (np.diff(floats) >= 0).all() and floats[0] >= 0
    return scale.every(floats) if is_sound else None


def _structured(body: str, scale: Scale, form: str) -> list[Script]:
    """The scripts of JSON, of CSV with a heading, and of WebVTT; none of anything else."""
    start = body.lstrip()
    if start[:1] in ("[", "{"):
        from caesura.formats._shared.signal_json import series

        return [
            _script(scale, form, one.arrays, one.labels, place=one.place, sign=one.is_unsorted)
            for one in series(body, scale)
        ]  # fmt: skip
    if start.startswith("WEBVTT"):
        from caesura.formats.subtitles import parse_vtt

        (cues,) = parse_vtt(body, scale.source)
        assert cues.start is not None
        assert cues.end is not None
        sides = cues.start, cues.end
        return [_script(scale, form, sides, list(cues.texts), lines=cues.lines)]
    if HEADING.match(start):
        return _of_pieces(_table_pieces(body, scale.source), scale, form)
    return []


def _lines(body: str) -> Iterator[tuple[int, str]]:
    return ((at, line) for at, line in enumerate(body.split("\n"), 1) if _is_said(line))


def _points(body: str, source: str) -> Iterator[Piece]:
    for at, line in _lines(body):
        found = _POINT.fullmatch(line.rstrip())
        if found is None:
            problem = f"'{line.strip()[:40]}' does not begin with a time"
            raise FormatError(source, problem, TIMES_CURE, line=at)
        yield Piece(found[1], "", (found[2] or "").strip(), at)


def _spans(body: str, source: str) -> Iterator[Piece]:
    for at, line in _lines(body):
        plain = line.strip()
        found = _SPAN.fullmatch(plain)
        if found:
            label, file = (found[3] or "").strip(), ""
            behind = _FILE.fullmatch(label)
            label, file = (behind[1].strip(), behind[2]) if behind else (label, file)
            yield Piece(found[1], found[2], label, at, file)
            continue
        found = _NAMED.fullmatch(plain) or _SPACED.fullmatch(plain)
        alone = None if found else _ALONE.fullmatch(plain)
        if alone:
            yield Piece("", "", "", at, alone[1])
            continue
        if found is None:
            problem = f"'{line.strip()[:40]}' has no start and end"
            raise FormatError(source, problem, LABELS_CURE, line=at)
        yield Piece(found[2], found[3], (found[4] or "").strip(), at, found[1])


def _of_pieces(pieces: Iterable[Piece], scale: Scale, form: str) -> list[Script]:
    """A script for each file that lines name; one without a name if they name none."""
    by_file: dict[str, list[Piece]] = {}
    for piece in pieces:
        by_file.setdefault(piece.file, []).append(piece)
    if not by_file:
        return [_script(scale, form, (NONE, NONE), None)]
    return [_of_file(own, scale, form, name) for name, own in by_file.items()]


def _of_file(pieces: Sequence[Piece], scale: Scale, form: str, name: str) -> Script:
    """The script of a file; a line that only names it says that nothing happens there."""
    extent = 0
    pieces = [each for each in pieces if each.start or each.end or each.label]
    if pieces and pieces[-1].label.casefold() == END and not pieces[-1].end:
        extent = scale.at(pieces[-1].start, pieces[-1].line)
        pieces = pieces[:-1]
    starts = np.array([scale.at(each.start, each.line) for each in pieces], np.int64)
    ends = np.array(
        [scale.at(each.end, each.line) if each.end else UNKNOWN for each in pieces], np.int64
    )
    lines = np.array([each.line for each in pieces], np.int64)
    scale.require_sound(starts, ends, lines)
    labels = [each.label for each in pieces]
    order = np.argsort(starts, kind="stable")
    is_unsorted = bool((np.diff(starts) < 0).any())
    if is_unsorted:
        starts, ends, lines = starts[order], ends[order], lines[order]
        labels = [labels[at] for at in order.tolist()]
    place = Place(name, "", extent)
    given = None if is_unsorted else lines
    return _script(scale, form, (starts, ends), labels, lines=given, place=place, sign=is_unsorted)


def _script(
    scale: Scale,
    form: str,
    sides: tuple[IntArray, IntArray],
    labels: Sequence[str] | None,
    *,
    lines: IntArray | None = None,
    place: Place = NOWHERE,
    sign: bool = False,
) -> Script:
    """A signal, in order; what has no end lasts until the next beginning."""
    (starts, ends), extent = sides, place.extent
    following = np.append(starts[1:], extent or UNKNOWN)
    label = "/".join(filter(None, (place.version, place.name)))
    return Script(
        texts=[""] * starts.size,
        start=starts,
        end=np.where(ends == UNKNOWN, following[: ends.size], ends),
        speakers=labels if labels and any(labels) else None,
        lines=lines,
        form=form,
        source=f"{scale.source}::{label}" if label else scale.source,
        recording=place.name,
        version=place.version,
        signs={"unsorted": 1} if sign else {},
        has_words=False,
        axis=scale.axis,
        extent=extent,
    )


def _table_pieces(body: str, source: str) -> Iterator[Piece]:
    """The intervals of a CSV or TSV table whose heading names the columns, one of each line."""
    lines = body.split("\n")
    above = next(at for at, line in enumerate(lines) if line.strip())
    mark = max(",;\t", key=lines[above].count)
    rows = csv.reader(lines[above:], delimiter=mark)
    heading = [cell.strip().casefold() for cell in next(rows)]
    column = {
        name: next((heading.index(each) for each in names if each in heading), -1)
        for name, names in COLUMNS.items()
    }
    if column["start"] < 0:
        raise FormatError(source, "no column start or time", LABELS_CURE, line=above + 1)
    for row in rows:
        line = above + rows.line_num
        if not any(cell.strip() for cell in row):
            continue
        cells = {name: row[at].strip() if 0 <= at < len(row) else "" for name, at in column.items()}
        yield Piece(cells["start"], cells["end"], cells["label"], line, cells["file"])
