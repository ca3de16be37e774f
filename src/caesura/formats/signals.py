"""Signals: points and labelled intervals without words, in seconds, samples or frames.

`times` has `TIME [LABEL]` lines (SALAMI, chapters), `labels` has `START END [LABEL]` lines
(mir_eval, Audacity), with the name of a file before or after them (sed_eval, DCASE), or a label on
each line (MS-TCN). The name of a file alone says that nothing happens there. Both read CSV with a
heading, WebVTT chapters and JSON, too: `[120.5, 300]`, `[[0, 12.5], …]`, `[{"start": 0, "end":
12.5, "label": "verse"}, …]`; such a list by series, `{SERIES: […]}`, or by series and annotator,
`{SERIES: {ANNOTATOR: […]}}`; a series may have a length, `{SERIES: {"n": 500, "annotations":
{ANNOTATOR: […]}}}`.

`scenes` are the shots of a video, each with its first and its last frame: `FIRST LAST` lines, as
shot detectors write them; JSON by video, `{VIDEO: [[0, 58], [59, 138]]}`; or JSON lines,
`{"video": NAME, "frames": 1229, "scenes": [[0, 58], …]}`.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import Array
from caesura.core.format import AxisName, Codec
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, option
from caesura.formats.script import LATEST, SECOND, UNKNOWN, Script, seconds
from caesura.io.files import json_value, line_feeds, line_number

TIME = r"[-+]?(?:\d+:){0,2}(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?s?|[-+]?(?:nan|inf)"
"""How a time is written: 12.5, 1:02.5, 1:00:02; what is no number is an error later."""
DAYS = 1_000_000
"""The seconds from which on whole numbers are taken for samples."""
LABELS_CURE = "write START END LABEL in seconds on each line, such as 0.0 12.5 verse"
_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d+(?:\.\d*)?)")


class Piece(NamedTuple):
    """An interval as it is written, or a point, which has no end; and its line."""

    start: str
    end: str
    label: str
    line: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """What the numbers of a file are: seconds or, with a rate, frames, or samples; its format."""

    axis: AxisName
    rate: int
    source: str
    form: str = ""

    def at(self, value: object, line: int | None = None, what: str = "a time") -> int:
        """A number as microseconds or samples; an error if it is none.

        >>> Scale("time", 0, "x").at("1:02.5"), Scale("time", 100, "x").at(250)
        (62500000, 2500000)
        """
        number = _number(value)
        if not (0 <= number <= LATEST * (self.rate or 1)):
            problem = f"'{value}' is not {what if self.axis == 'time' else 'a sample'}"
            cure = "write seconds from 0 on, such as 12.34 or 1:02.5"
            if self.axis == "samples":
                cure = "write whole numbers from 0 on"
            raise FormatError(self.source, problem, cure, line=line)
        if self.axis == "samples" and number % 1:
            cure = f"give whole numbers, or compare times, with {option('axis', 'time')}"
            raise FormatError(self.source, f"'{value}' is not a sample", cure, line=line)
        if self.axis == "samples":
            return int(number)
        return int(_micros(np.array(number * SECOND / (self.rate or 1))))

    def every(self, values: npt.NDArray[np.float64]) -> IntArray | None:
        """Many numbers; None if one of them is wrong, so that it can be named."""
        if not ((values >= 0) & (values <= LATEST * (self.rate or 1))).all():
            return None
        if self.axis == "samples":
            return None if (values % 1).any() else values.astype(np.int64)
        return _micros(values * SECOND / (self.rate or 1))

    def require_sound(self, starts: IntArray, ends: IntArray, lines: IntArray) -> None:
        """Raise an error for an interval that ends before it begins, or for times in samples.

        Whole seconds of many days are samples that are read as seconds.
        """
        may_be = self.axis != "samples" and not self.rate and ends.max(initial=0) >= DAYS * SECOND
        if may_be and not (starts % SECOND).any() and not (ends[ends != UNKNOWN] % SECOND).any():
            cure = f"give {option('rate', '…')}, such as 10000000 for HTK"
            raise FormatError(self.source, "times that look like samples", cure, line=int(lines[0]))
        wrong = np.flatnonzero((ends != UNKNOWN) & (ends < starts))
        if wrong.size:
            at = int(wrong[0])
            cure, line = "swap the two", int(lines[at])
            raise FormatError(self.source, "an end before its start", cure, line=line)


def _micros(exact: npt.NDArray[np.float64]) -> IntArray:
    """The nearest whole microseconds, but 14 or 16 instead of a 15 that was not exact.

    So who rounds them further, to 10 µs as mir_eval does, gets what rounding once would give.
    """
    near = np.rint(exact)
    rest = exact - near
    near += np.where((near % 10 == 5) & (np.abs(rest) > 1e-3), np.sign(rest), 0)
    return near.astype(np.int64)


def _number(value: object) -> float:
    """A number, or nan for what is none."""
    if isinstance(value, bool) or value is None:
        return math.nan
    clock = _CLOCK.fullmatch(str(value).strip())
    if clock:
        return float(clock[1] or 0) * 3600 + float(clock[2]) * 60 + float(clock[3])
    try:
        return float(str(value).strip().removesuffix("s"))
    except ValueError:
        return math.nan


END = "end"
"""The label of the end of a recording, as SALAMI has it."""
TIMES_CURE = "write a time in seconds (12.5, 1:02.5) and, if you like, a label on each line"
_POINT = re.compile(rf"\s*(?:[-–—•*]\s+)?[\[(]?({TIME})[\])]?(?:$|[\s,:–—-]+(.*))")
_SPAN = re.compile(rf"\s*({TIME})[\s,]+({TIME})(?:$|[\s,]+(.*))")
_NAMED = re.compile(rf"\s*([^\t]*\S)\t+(?:[^\t]+\t+)?({TIME})\s+({TIME})(?:$|\s+(.*))")
_SPACED = re.compile(rf"\s*(\S+)\s+(?:\S+\s+)?({TIME})\s+({TIME})(?:$|\s+(.*))")
_FILE = re.compile(r"(.*?)\t+([^\t]+\.(?:wav|flac|mp3|ogg|m4a|mp4))\s*", re.IGNORECASE)
_ALONE = re.compile(r"\s*(\S.*\.(?:wav|flac|mp3|ogg|m4a|mp4))\s*", re.IGNORECASE)
_NUMBER, _LABEL = re.compile(TIME), re.compile(r"[^\s\[{,;]+")
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
    scale, body = _scale(axis, rate, source, "times"), line_feeds(text).removeprefix("\ufeff")
    quick = _quick(body, scale)
    if quick is not None:
        return [_script(scale, (quick, np.full(quick.size, UNKNOWN)))]
    return _structured(body, scale) or _of_pieces(_points(body, source), scale)


def parse_labels(
    text: str, source: str = "<labels>", axis: AxisName = "time", rate: int = 0
) -> list[Script]:
    """Read labelled intervals."""
    scale, body = _scale(axis, rate, source, "labels"), line_feeds(text).removeprefix("\ufeff")
    if _are_frames([line for line in body.split("\n", 20)[:20] if line.strip()]):
        return [_frames(body, scale)]
    return _structured(body, scale) or _of_pieces(_spans(body, source), scale)


def _are_frames(lines: Sequence[str]) -> bool:
    """Whether lines hold one label each, and no number."""
    labels = [line.strip() for line in lines]
    if not labels or not all(map(_LABEL.fullmatch, labels)):
        return False
    return not any(_NUMBER.fullmatch(label) or _ALONE.fullmatch(label) for label in labels)


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
    lines_of, labels = edges[:-1] + 1, [label for label, _ in runs]
    if scale.axis != "samples":
        edges = np.rint(edges * (SECOND / scale.rate)).astype(np.int64)
    return _script(scale, (edges[:-1], edges[1:]), labels, lines=lines_of, extent=int(edges[-1]))


def _scale(axis: AxisName, rate: int, source: str, form: str) -> Scale:
    """What numbers are; where boundaries are compared by words, an error says so later."""
    return Scale("time" if axis == "words" else axis, rate, source, form)


def of_values(
    values: Sequence[object] | Array, axis: AxisName, length: float | str | None, source: str
) -> Script:
    """Points, or tuples of a start, an end and a label, that are given in memory."""
    scale = Scale(axis, 0, source)
    extent = 0 if length is None else scale.at(length, None, "a length")
    if length is not None and not extent:
        raise FormatError(source, "a length of 0", "say how long it is")
    rows = values.tolist() if isinstance(values, np.ndarray) else [*values]
    is_flat = not rows or not isinstance(rows[0], tuple | list)
    rows = rows if is_flat else [[*each] if isinstance(each, tuple) else each for each in rows]
    start, end, labels = _columns(rows, scale, "")
    form = "times" if is_flat or (end == UNKNOWN).all() else "labels"
    return replace(_script(scale, (start, end), labels, extent=extent), form=form)


def write_times(scripts: Sequence[Script]) -> Iterator[str]:
    """Write when units begin, with their labels."""
    for on, _, label in chain.from_iterable(map(_written, scripts)):
        yield f"{on}\t{label}\n" if label else f"{on}\n"


def write_labels(scripts: Sequence[Script]) -> Iterator[str]:
    """Write when units begin and end, with their labels."""
    for on, off, label in chain.from_iterable(map(_written, scripts)):
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
    is_sorted = floats.size and (np.diff(floats) >= 0).all()
    return scale.every(floats) if is_sorted else None


def _structured(body: str, scale: Scale) -> list[Script]:
    """The scripts of JSON, of CSV with a heading, and of WebVTT; none of anything else."""
    start = body.lstrip()
    if start[:1] in ("[", "{"):
        return list(_series(body, scale))
    if start.startswith("WEBVTT"):
        from caesura.formats.subtitles import parse_vtt

        (cues,) = parse_vtt(body, scale.source)
        assert cues.start is not None
        assert cues.end is not None
        return [_script(scale, (cues.start, cues.end), list(cues.texts), lines=cues.lines)]
    if HEADING.match(start):
        return _of_pieces(_table_pieces(body, scale.source), scale)
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
        if span := _SPAN.fullmatch(plain):
            label = (span[3] or "").strip()
            behind = _FILE.fullmatch(label)
            label, file = (behind[1].strip(), behind[2]) if behind else (label, "")
            yield Piece(span[1], span[2], label, at, file)
        elif named := _NAMED.fullmatch(plain) or _SPACED.fullmatch(plain):
            yield Piece(named[2], named[3], (named[4] or "").strip(), at, named[1])
        elif alone := _ALONE.fullmatch(plain):
            yield Piece("", "", "", at, alone[1])
        else:
            problem = f"'{plain[:40]}' has no start and end"
            raise FormatError(source, problem, LABELS_CURE, line=at)


def _of_pieces(pieces: Iterable[Piece], scale: Scale) -> list[Script]:
    """A script for each file that lines name; one without a name if they name none."""
    by_file: dict[str, list[Piece]] = {}
    for piece in pieces:
        by_file.setdefault(piece.file, []).append(piece)
    files = by_file or {"": []}
    return [_of_file(own, scale, name) for name, own in files.items()]


def _of_file(pieces: Sequence[Piece], scale: Scale, name: str) -> Script:
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
    return _script(scale, (starts, ends), labels, lines=lines, name=name, extent=extent)


def _script(
    scale: Scale,
    sides: tuple[IntArray, IntArray],
    labels: Sequence[str] = (),
    *,
    lines: IntArray | None = None,
    name: str = "",
    version: str = "",
    extent: int = 0,
) -> Script:
    """A signal, in order; what has no end lasts until the next beginning."""
    starts, ends = sides
    is_unsorted = bool((np.diff(starts) < 0).any())
    if is_unsorted:
        order, lines = np.argsort(starts, kind="stable"), None
        starts, ends = starts[order], ends[order]
        labels = [labels[at] for at in order.tolist()] if labels else ()
    following = np.append(starts[1:], extent or UNKNOWN)
    label = "/".join(filter(None, (version, name)))
    return Script(
        texts=[""] * starts.size,
        start=starts,
        end=np.where(ends == UNKNOWN, following[: ends.size], ends),
        speakers=labels if any(labels) else None,
        lines=lines,
        form=scale.form,
        source=f"{scale.source}::{label}" if label else scale.source,
        recording=name,
        version=version,
        signs={"unsorted": 1} if is_unsorted else {},
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


CURE = "write [12.5, 300], [[0, 12.5], …] or {SERIES: {ANNOTATOR: [12.5, 300]}, …}"
STARTS, ENDS = ("start", "begin", "onset", "time"), ("end", "offset")
LABEL_NAMES = ("label", "event_label", "name", "title")
LENGTHS = ("n", "n_obs", "duration", "length", "frames")
INSIDE = ("annotations", "points", "intervals", "scenes")


def _series(text: str, scale: Scale) -> Iterator[Script]:
    """Every series of every annotator."""
    data = json_value(text, scale.source, CURE)
    assert isinstance(data, dict | list)
    named: Mapping[str, object] = {"": data}
    if isinstance(data, dict) and _unwrapped(data, scale, text, "")[1] is data:
        named = data
    for name, series in named.items():
        extent, inside = _unwrapped(series, scale, text, name)
        for version, values in (inside if isinstance(inside, Mapping) else {"": inside}).items():
            start, end, labels = _columns(values, scale, text, *filter(None, (name, version)))
            yield _script(scale, (start, end), labels, name=name, version=version, extent=extent)


def _unwrapped(own: object, scale: Scale, text: str, name: str) -> tuple[int, object]:
    """The length of a series, 0 if it has none, and what it holds."""
    if not isinstance(own, Mapping):
        return 0, own
    key = next((each for each in INSIDE if each in own), None)
    if key is None:
        return 0, own
    length = next((own[each] for each in LENGTHS if own.get(each) is not None), None)
    if length is None:
        return 0, own[key]
    extent = scale.at(length, _line(text, name, length), "a length")
    if not extent:
        raise FormatError(scale.source, f"'{name}' has the length 0", "give its length")
    return extent, own[key]


Columns = tuple[IntArray, IntArray, Sequence[str]]
"""Starts, ends and labels."""


def _columns(values: object, scale: Scale, text: str, *names: str) -> Columns:
    """The points or intervals of a list; `text` is the file in which an error finds their line."""
    where = "/".join(names)
    if not isinstance(values, list):
        problem = f"'{where}' is not a list of points or intervals"
        raise FormatError(scale.source, problem, CURE, line=_line(text, *names))
    start, end, labels = _json_points(values, scale) or _rows(values, scale, text, where)
    wrong = np.flatnonzero((end != UNKNOWN) & (end < start))
    if wrong.size:
        line = _line(text, values[int(wrong[0])])
        raise FormatError(scale.source, "an end before its start", "swap the two", line=line)
    return start, end, labels


def _json_points(values: Sequence[object], scale: Scale) -> Columns | None:
    """Plain numbers, all at once; None if there is anything else, or a wrong one."""
    if not {*map(type, values)} <= {int, float}:
        return None
    try:
        numbers = np.array(values, np.float64)
    except OverflowError:  # an integer beyond all floats
        return None
    starts = scale.every(numbers)
    return None if starts is None else (starts, np.full(starts.size, UNKNOWN), ())


def _rows(values: Sequence[object], scale: Scale, text: str, where: str) -> Columns:
    """Points, pairs and objects one by one; a wrong one is an error with its line."""
    rows = []
    for value in values:
        parts: Sequence[object] = value if isinstance(value, list) else [value]
        if isinstance(value, Mapping):
            parts = [
                next((value[name] for name in names if value.get(name) is not None), None)
                for names in (STARTS, ENDS, LABEL_NAMES)
            ]
        if not 1 <= len(parts) <= 3:
            problem = f"'{where}': {value} is no interval"
            raise FormatError(scale.source, problem, CURE, line=_line(text, value))
        start, end, label = (*parts, None, None)[:3]
        try:
            last = UNKNOWN if end is None else scale.at(end)
            rows.append((scale.at(start), last, str(label or "")))
        except FormatError as error:
            raise FormatError(*error.parts, line=_line(text, value)) from None
    starts, ends, labels = zip(*rows, strict=True) if rows else ((), (), ())
    return np.array(starts, np.int64), np.array(ends, np.int64), labels


def _line(text: str, *values: object) -> int | None:
    """The line of values that follow each other, where they are written as usual."""
    at = 0
    for value in values:
        inner = list(value.values()) if isinstance(value, Mapping) else value
        first = next(iter(inner), "") if isinstance(inner, list) else value
        found = re.compile(rf"(?<![\w.]){re.escape(json.dumps(first))}(?![\w.])").search(text, at)
        if found is None:
            return None
        at = found.end()
    return line_number(text, at)


SCENES_CURE = (
    'write FIRST LAST on each line, or {"video": NAME, "frames": N, "scenes": [[0, 58], …]}'
)
VIDEOS = ("video", "name", "file", "series")
_VIDEO = re.compile(rf'[ \t]*\{{\s*"(?:{"|".join(VIDEOS)}|frames|scenes)"\s*:.*\}}[ \t]*(?:\n|$)')
"""A line that holds a whole video."""


def parse_scenes(text: str, source: str = "<scenes>") -> list[Script]:
    """Read the shots of every video; a shot ends after its last frame."""
    body = line_feeds(text).removeprefix("\ufeff").strip("\n")
    if _VIDEO.match(body):
        lines = [(at, line) for at, line in enumerate(body.split("\n"), 1) if line.strip()]
        scripts = [script for at, line in lines for script in _video(line, source, at)]
    else:
        scripts = parse_labels(body, source, "samples")
    for at, script in enumerate(scripts):
        assert script.end is not None
        end = np.where(script.end == UNKNOWN, UNKNOWN, script.end + 1)
        scripts[at] = replace(script, end=end, form="scenes")
    return scripts


def _video(line: str, source: str, at: int) -> list[Script]:
    """The video of a line of JSON, as each annotator has it."""
    try:
        video = json_value(line, source, SCENES_CURE)
        if isinstance(video, dict) and "scenes" in video:
            name = next((str(video[each]) for each in VIDEOS if each in video), "")
            return parse_labels(json.dumps({name: video} if name else video), source, "samples")
    except FormatError as problem:
        raise FormatError(*problem.parts, line=at) from None
    raise FormatError(source, "no scenes", SCENES_CURE, line=at)


CODECS = {
    "times": Codec(parse_times, write_times),
    "labels": Codec(parse_labels, write_labels),
    "scenes": Codec(parse_scenes),
}
