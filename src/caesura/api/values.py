"""Conversion of plain Python values to segmentations, texts and intervals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.api.sentences import (
    GIVE,
    MANY,
    Analyzed,
    encoded,
    flat,
    is_path,
    items,
    refuse_path,
    text_of,
    tokens_of,
)
from caesura.core.breaks import BREAKS
from caesura.core.intervals import Clusters, Intervals
from caesura.core.marks import MARKS
from caesura.core.segmentation import Document, Segmentation, is_binary
from caesura.core.text import Text
from caesura.errors import SegmentationError
from caesura.formats import TextFile, TextOptions, Units, read, read_tokens
from caesura.formats.equivalences import Equivalences
from caesura.formats.plain import parse

Boundaries = Document | Segmentation | str | PathLike[str] | Iterable[Any] | Analyzed
"""What has boundaries: see `as_document`."""
Tokens = Text | str | PathLike[str] | Iterable[Any] | Analyzed
"""What has tokens and sentences: see `as_tokens`."""
Interval = tuple[str, float, float]
Label = tuple[str, float, float, str]
VALUE = "<string>"
GIVE_TOKENS = "give a list of lists of tokens, a text with one sentence per line, or a path"


def as_document(
    value: Boundaries,
    *,
    input: str = "auto",
    units: Units = "auto",
    marks: str = MARKS,
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
        _require_words(value, source)
        return parse(value, form, marks=marks, source=source)
    if isinstance(value, PathLike):
        return read(value, input=input, units=units, marks=marks)
    found = items(value, _shown(source))
    if isinstance(found, np.ndarray) or not found:
        return Document(_binary(np.asarray(found), _shown(source)), source=source)
    every = [text_of(each, at, _shown(source)) for at, each in enumerate(flat(found))]
    if all(map(is_path, every)):
        raise SegmentationError(f"{_shown(source)}: these look like paths; {MANY}")
    lines = "".join(f"{' '.join(unit.split())}\n" for unit in every)
    _require_words(lines, source)
    if form != BREAKS:
        form, lines = "lines", lines.removesuffix("\n")
    return parse(lines, form, marks=marks, source=source)


def _require_words(text: str, source: str) -> None:
    if not text.strip():
        raise SegmentationError(f"{_shown(source)}: no words; {GIVE}")


def _shown(source: str) -> str:
    return "the value" if source == VALUE else source


def _binary(array: npt.NDArray[Any], source: str) -> Segmentation:
    if array.ndim != 1:
        raise SegmentationError(f"{source}: a 0/1 list must be flat; {MANY}")
    if is_binary(array):
        return Segmentation.from_binary(array)
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise SegmentationError(f"{source}: item {np.isnan(array).argmax()} is nan, not 0 or 1")
    if array.dtype.kind == "f" and ((array >= 0) & (array <= 1)).all():
        raise SegmentationError(
            f"{source}: these look like probabilities; say where units end, such as values > 0.5"
        )
    raise SegmentationError(
        f"{source}: a list of numbers may be masses or positions; say which with "
        "caesura.masses([2, 3]) or caesura.positions([1, 4], length=7)"
    )


def as_tokens(
    value: Tokens,
    equivalences: Equivalences,
    normalize: str | None = None,
    *,
    source: str = "<tokens>",
) -> Text:
    """Convert a value to tokens and sentences.

    A text is one sentence per line with tokens separated by spaces; a list holds such lines, or
    lists of tokens.
    """
    from caesura.formats.tokens import parse_filled, parse_tokens

    if isinstance(value, Text):
        return value
    if isinstance(value, str):
        refuse_path(value, source)
        data = encoded(value, source)
        return parse_tokens(data, equivalences=equivalences, normalize=normalize, source=source)
    if isinstance(value, PathLike):
        how = TextOptions(equivalences=equivalences, normalize=normalize)
        return read_tokens(fspath(value), how).text
    found = items(value, source, GIVE_TOKENS)
    if isinstance(found, np.ndarray):
        raise SegmentationError(f"{source}: numbers are not tokens; {GIVE_TOKENS}")
    lines = [_line(each, at, source) for at, each in enumerate(flat(found))]
    data = encoded("\n".join(lines), source)
    return parse_filled(data, equivalences=equivalences, normalize=normalize, source=source)


def _line(sentence: Any, at: int, source: str) -> str:
    """A line of tokens; white space inside a token becomes filler."""
    if isinstance(sentence, str):
        return sentence
    return " ".join(re.sub(r"\s", "\0", token) for token in tokens_of(sentence, at, source))


def as_text(value: Tokens, *, task: Any, source: str) -> TextFile:
    """Convert a value to a text file in memory."""
    options: TextOptions = task.reading
    return TextFile(as_tokens(value, options.equivalences, options.normalize, source=source))


def as_intervals(value: Any, tier: str) -> str | Intervals:
    """Convert a value to labelled intervals: a path, or a list of (file, on, off, label)."""
    if isinstance(value, str | PathLike):
        return str(value)
    if isinstance(value, Intervals):
        return value
    from caesura.formats.intervals import parse_intervals

    try:
        lines = [f"{_interval(each[:3])} {_cell(each[3])}" for each in value]
    except (TypeError, IndexError):
        cure = "give a path, or a list of (file, on, off, label)"
        raise SegmentationError(f"{tier}: these are not labelled intervals; {cure}") from None
    return parse_intervals("\n".join(lines).encode(), f"<{tier}>")


def as_clusters(
    value: Clusters | Mapping[str, Sequence[Interval]], *, source: str = "classes"
) -> Clusters:
    """Convert a value to classes: intervals (file, on, off) by the name of their class."""
    if isinstance(value, Clusters):
        return value
    if not isinstance(value, Mapping):
        raise SegmentationError(f"{source}: give intervals (file, on, off) by class, or a path")
    from caesura.formats.classes import parse_clusters

    blocks = ("\n".join((f"Class {_cell(name)}", *map(_interval, value[name]))) for name in value)
    return parse_clusters("\n\n".join(blocks).encode())


def _interval(interval: Interval) -> str:
    try:
        file, on, off = interval
        return f"{_cell(file)} {float(on)!r} {float(off)!r}"
    except (TypeError, ValueError):
        raise SegmentationError(f"{interval!r} is not an interval (file, on, off)") from None


def _cell(name: str) -> str:
    """A name with no-break spaces for white space, which would separate cells."""
    return re.sub(r"\s", "\u00a0", str(name))
