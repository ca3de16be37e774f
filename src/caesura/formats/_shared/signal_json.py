"""JSON of signals: points, pairs or objects; of one recording, of several, of several annotators.

`[120.5, 300]`, `[[0, 12.5], …]`, `[{"start": 0, "end": 12.5, "label": "verse"}, …]`; such a list by
series, `{SERIES: […]}`, or by series and annotator, `{SERIES: {ANNOTATOR: […]}}`; a series may have
a length, `{SERIES: {"n": 500, "annotations": {ANNOTATOR: […]}}}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from caesura.core.segmentation import IntArray
from caesura.errors import FormatError
from caesura.formats._shared.json_text import loaded
from caesura.formats._shared.script import UNKNOWN
from caesura.formats._shared.signal_values import Place, Scale
from caesura.io.files import line_number

CURE = "write [12.5, 300], [[0, 12.5], …] or {SERIES: {ANNOTATOR: [12.5, 300]}, …}"
STARTS, ENDS = ("start", "begin", "onset", "time"), ("end", "offset")
LABEL_NAMES = ("label", "event_label", "name", "title")
LENGTHS = ("n", "n_obs", "duration", "length", "frames")
INSIDE = ("annotations", "points", "intervals", "scenes")


@dataclass(frozen=True, slots=True)
class Series:
    """The points or intervals of one series, in order."""

    place: Place
    arrays: tuple[IntArray, IntArray]
    labels: list[str] | None
    is_unsorted: bool


def series(text: str, scale: Scale) -> Iterator[Series]:
    """Every series of every annotator."""
    data = loaded(text, scale.source, CURE)
    assert isinstance(data, dict | list)
    extent, inside = _unwrapped(data, scale, text, "")
    if inside is not data or isinstance(data, list):
        yield from _versions(inside, Place("", "", extent), scale, text)
        return
    for name, own in data.items():
        extent, values = _unwrapped(own, scale, text, name)
        yield from _versions(values, Place(name, "", extent), scale, text)


def _versions(values: object, place: Place, scale: Scale, text: str) -> Iterator[Series]:
    """A series as each annotator has it, or as it is."""
    if not isinstance(values, Mapping):
        yield series_of(values, place, scale, text)
        return
    for version, own in values.items():
        yield series_of(own, place._replace(version=version), scale, text)


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


def series_of(values: object, place: Place, scale: Scale, text: str) -> Series:
    """The points or intervals of a list; `text` is the file in which an error finds their line."""
    where = "/".join(filter(None, place[:2]))
    if not isinstance(values, list):
        problem = f"'{where}' is not a list of points or intervals"
        raise FormatError(scale.source, problem, CURE, line=_line(text, *filter(None, place[:2])))
    start, end, labels = _points(values, scale) or _rows(values, scale, text, where)
    wrong = np.flatnonzero((end != UNKNOWN) & (end < start))
    if wrong.size:
        line = _line(text, values[int(wrong[0])])
        raise FormatError(scale.source, "an end before its start", "swap the two", line=line)
    order = np.argsort(start, kind="stable")
    named = [labels[at] for at in order.tolist()] if any(labels) else None
    is_unsorted = bool((np.diff(start) < 0).any())
    sides = start[order], end[order]
    return Series(place, sides, named, is_unsorted)


Columns = tuple[IntArray, IntArray, Sequence[str]]
"""Starts, ends and labels."""


def _points(values: Sequence[object], scale: Scale) -> Columns | None:
    """Plain numbers, all at once; None if there is anything else, or a wrong one."""
    if not {*map(type, values)} <= {int, float}:
        return None
    try:
        numbers = np.array(values, np.float64)
    except OverflowError:  # an integer beyond all floats
        return None
    starts = scale.every(numbers) if (numbers >= 0).all() else None
    return None if starts is None else (starts, np.full(starts.size, UNKNOWN), ())


def _rows(values: Sequence[object], scale: Scale, text: str, where: str) -> Columns:
    """Points, pairs and objects one by one; a wrong one is an error with its line."""
    rows = []
    for each in values:
        try:
            rows.append(_row(each, scale, where))
        except FormatError as problem:
            raise FormatError(*problem.parts, line=_line(text, each)) from None
    starts, ends, labels = zip(*rows, strict=True) if rows else ((), (), ())
    return np.array(starts, np.int64), np.array(ends, np.int64), labels


def _row(value: object, scale: Scale, where: str) -> tuple[int, int, str]:
    """One point, pair or object: its start, its end and its label."""
    parts: Sequence[object] = value if isinstance(value, list) else [value]
    if isinstance(value, Mapping):
        parts = [
            next((value[name] for name in names if value.get(name) is not None), None)
            for names in (STARTS, ENDS, LABEL_NAMES)
        ]
    if not 1 <= len(parts) <= 3:
        raise FormatError(scale.source, f"'{where}': {value} is no interval", CURE)
    start, end, label = (*parts, None, None)[:3]
    last = UNKNOWN if end is None else scale.at(end)
    return scale.at(start), last, str(label or "")


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
