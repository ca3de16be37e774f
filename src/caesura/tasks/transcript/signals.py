"""Points and labelled intervals that are given in Python, as documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caesura.core.arrays import Array
from caesura.core.format import AxisName
from caesura.core.segmentation import Document
from caesura.errors import FormatError, SegmentationError
from caesura.formats._shared.script_documents import to_document
from caesura.formats.signals import of_values

VALUE = "<string>"
Values = Sequence[Any] | Array


def times(
    points: Values,
    *,
    duration: float | str | None = None,
    n: int | None = None,
    labels: Sequence[str] | None = None,
) -> Document:
    """Points in seconds, of a recording of some duration; with `n`, samples of a series.

    A label holds until the next point.

    >>> times([120.5, 300.0], duration=600).axis
    'time'
    """
    if labels is None:
        return signal(points, *_length(duration, n))
    rows = list(zip(points, [None] * len(points), labels, strict=True))
    return signal(rows, *_length(duration, n))


def labels(
    intervals: Sequence[tuple[object, ...]],
    *,
    duration: float | str | None = None,
    n: int | None = None,
) -> Document:
    """Labelled intervals, each a start, an end and a label, in seconds; with `n`, in samples.

    >>> labels([(0, 12.5, "verse"), (12.5, 20, "chorus")]).track.speaker.names
    ('verse', 'chorus')
    """
    return signal(intervals, *_length(duration, n))


def _length(duration: float | str | None, n: int | None) -> tuple[AxisName, float | str | None]:
    return ("time", duration) if n is None else ("samples", n)


def signal(
    values: Values, axis: AxisName, length: float | str | None = None, source: str = VALUE
) -> Document:
    """Points, or tuples of a start, an end and a label, as a document."""
    try:
        return to_document(of_values(values, axis, length, source))
    except FormatError as problem:
        what, cure = problem.parts[1:]
        shown = "the value" if source == VALUE else source
        raise SegmentationError(f"{shown}: {what}; {cure}") from None
