"""Values of Python as documents: words with boundaries, scores of places, points and intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import Array, is_binary
from caesura.core.format import AxisName, Units
from caesura.core.line_breaks import BREAKS
from caesura.core.marks import MARKS
from caesura.core.place_scores import HALF, place_scores
from caesura.core.segmentation import Document, Segmentation
from caesura.errors import FormatError, SegmentationError
from caesura.formats.plain import parse
from caesura.formats.script import to_document
from caesura.formats.signals import of_values
from caesura.formats.transcripts import Tokens, in_tokens, read
from caesura.run.values import (
    GIVE,
    MANY,
    Analyzed,
    flat,
    is_path,
    items,
    refuse_path,
    text_of,
)

Boundaries = Document | Segmentation | str | PathLike[str] | Iterable[object] | Analyzed
"""What has boundaries: see `as_document`."""
Values = Sequence[Any] | Array
"""Points, or tuples of a start, an end and a label."""
VALUE = "<string>"


def as_document(
    value: Boundaries,
    *,
    input: str = "auto",
    units: Units = "auto",
    marks: str = MARKS,
    tokens: Tokens = "auto",
    source: str = VALUE,
) -> Document:
    """Convert a value to a segmentation.

    A text is read as a file would be, with the same options; a list of sentences, which are texts
    or lists of tokens, holds one unit each. A list of numbers says for each word, by 0 or 1,
    whether a unit ends after it. `masses([2, 3])` takes lengths of units and
    `positions([1, 4], length=7)` the words after which a unit ends. With `units="breaks"`, texts
    have `<eol>` and `<eob>`. `source` names the value in errors.

    >>> as_document("so // it rained").segmentation == as_document([1, 0, 0]).segmentation
    True
    >>> as_document([["so"], ["it", "rained"]]).segmentation.masses.tolist()
    [1, 2]
    """
    if isinstance(value, Document):
        return value
    if isinstance(value, Segmentation):
        return Document(value, source=source)
    form = BREAKS if units == BREAKS and input == "auto" else input
    if isinstance(value, str):
        refuse_path(value, _shown(source), " or caesura.read('{}')")
        return _parsed(value, form, marks, tokens, source)
    if isinstance(value, PathLike):
        return read(value, input=input, units=units, marks=marks, tokens=tokens)
    shown = _shown(source)
    units_given = items(value, shown)
    if isinstance(units_given, np.ndarray) or not units_given:
        return Document(_binary(np.asarray(units_given), shown), source=source)
    texts = [text_of(unit, at, shown) for at, unit in enumerate(flat(units_given))]
    if all(map(is_path, texts)):
        raise SegmentationError(f"{shown}: these look like paths; {MANY}")
    lines = "".join(f"{' '.join(text.split())}\n" for text in texts)
    if form != BREAKS:
        form, lines = "lines", lines.removesuffix("\n")
    return _parsed(lines, form, marks, tokens, source)


def _parsed(text: str, form: str, marks: str, tokens: Tokens, source: str) -> Document:
    if not text.strip():
        raise SegmentationError(f"{_shown(source)}: no words; {GIVE}")
    apart, signs = in_tokens(text, tokens)
    document = parse(apart, form, marks=marks, source=source)
    return replace(document, signs={**document.signs, **signs}) if signs else document


def probabilities(
    values: npt.ArrayLike, words: str | Iterable[str] | None = None, *, logits: bool = False
) -> Document:
    """Take a score for each place: how likely a unit ends after each word, from 0 to 1.

    A unit ends where it is at least .5, unless `evaluate` is given another threshold; nan is no
    score. `words` is a text or a list of as many words; `logits` says that σ is to be taken.

    >>> probabilities([0.1, 0.9, 0.3], "it rained today").segmentation.masses.tolist()
    [2, 1]
    """
    array = np.asarray(values)
    if array.ndim != 1 or not array.size or array.dtype.kind not in "fiub":
        raise SegmentationError("scores must be a flat list of numbers, one for each word")
    kind = "logits" if logits else ""
    made = place_scores(
        array, kind, lambda at, what, cure: SegmentationError(f"place {at}: {what}; {cure}")
    )
    segmentation = Segmentation.from_scores(made, HALF)
    if words is None:
        return Document(segmentation, form="array")
    text = words if isinstance(words, str) else "\n".join(words)
    document = parse(text, "lines")
    if document.segmentation.length != array.size:
        sizes = f"{array.size:,} scores for {document.segmentation.length:,} words"
        raise SegmentationError(f"{sizes}; give one for each word")
    return replace(document, segmentation=segmentation, form="array")


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
    if labels is not None:
        points = list(zip(points, [None] * len(points), labels, strict=True))
    return signal(points, *_length(duration, n))


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
        raise SegmentationError(f"{_shown(source)}: {what}; {cure}") from None


def _shown(source: str) -> str:
    return "the value" if source == VALUE else source


def _binary(array: Array, source: str) -> Segmentation:
    if array.ndim != 1:
        raise SegmentationError(f"{source}: a 0/1 list must be flat; {MANY}")
    if is_binary(array):
        return Segmentation.from_binary(array)
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise SegmentationError(f"{source}: item {np.isnan(array).argmax()} is nan, not 0 or 1")
    if array.dtype.kind == "f" and ((array >= 0) & (array <= 1)).all():
        raise SegmentationError(
            f"{source}: these look like probabilities; say where units end, such as values > 0.5, "
            "or give them to evaluate() as caesura.probabilities(values)"
        )
    raise SegmentationError(
        f"{source}: a list of numbers may be masses or positions; say which with "
        "caesura.masses([2, 3]), caesura.positions([1, 4], length=7) or caesura.times([1.5, 4])"
    )
