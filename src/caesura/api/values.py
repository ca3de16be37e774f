"""Conversion of plain Python values to segmentations, texts and intervals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.intervals import Clusters, Intervals
from caesura.core.segmentation import Document, Segmentation, is_binary
from caesura.core.text import Text
from caesura.errors import SegmentationError
from caesura.formats import TextFile, TextOptions
from caesura.formats.equivalences import Equivalences
from caesura.formats.plain import parse
from caesura.formats.scan import MARKS

Boundaries = Document | Segmentation | str | Sequence[str] | npt.ArrayLike
Tokens = Text | str | Sequence[str] | Sequence[Sequence[str]]
Interval = tuple[str, float, float]
Label = tuple[str, float, float, str]


def as_document(value: Boundaries, *, input: str = "auto", marks: str = MARKS) -> Document:
    """Convert a value to a segmentation.

    A text is read as a file would be, with the same options; a list of texts holds one unit each.
    A list of numbers says for each word, by 0 or 1, whether a unit ends after it. `masses([2, 3])`
    takes lengths of units and `positions([1, 4], length=7)` the words after which a unit ends.

    >>> as_document("so // it rained").segmentation == as_document([1, 0, 0]).segmentation
    True
    >>> as_document(["so", "it rained"]).segmentation.masses.tolist()
    [1, 2]
    """
    if isinstance(value, Document):
        return value
    if isinstance(value, Segmentation):
        return Document(value)
    if isinstance(value, str):
        return parse(value, input, marks=marks)
    if isinstance(value, Sequence) and value and all(isinstance(each, str) for each in value):
        return parse("\n".join(map(_one_line, value)), "lines", marks=marks)
    array = _array(value)
    if not is_binary(array):
        raise SegmentationError(
            "a list of numbers may be masses or positions; say which with "
            "caesura.masses([2, 3]) or caesura.positions([1, 4], length=7)"
        )
    return Document(Segmentation.from_binary(array))


def _one_line(unit: Any) -> str:
    return " ".join(str(unit).split())


def _array(value: Any) -> npt.NDArray[Any]:
    try:
        return np.asarray(value)
    except ValueError:
        raise SegmentationError("a 0/1 list must be flat and contain only 0 and 1") from None


def as_tokens(value: Tokens, equivalences: Equivalences, normalize: str | None = None) -> Text:
    """Convert a value to tokens and sentences.

    A text is one sentence per line with tokens separated by spaces; a list holds such lines, or
    lists of tokens.
    """
    from caesura.formats.tokens import parse_filled, parse_tokens

    if isinstance(value, Text):
        return value
    if isinstance(value, str):
        return parse_tokens(value.encode(), equivalences=equivalences, normalize=normalize)
    data = "\n".join(map(_sentence, value)).encode()
    return parse_filled(data, equivalences=equivalences, normalize=normalize, source="<tokens>")


def _sentence(tokens: str | Sequence[str]) -> str:
    """A line of tokens; white space inside a token becomes filler."""
    if isinstance(tokens, str):
        return tokens
    return " ".join(re.sub(r"\s", "\0", token) for token in tokens)


def as_text(value: Tokens, options: TextOptions) -> TextFile:
    """Convert a value to a text file in memory."""
    return TextFile(as_tokens(value, options.equivalences, options.normalize))


def as_intervals(value: Any, tier: str) -> str | Intervals:
    """Convert a value to labelled intervals: a path, or a list of (file, on, off, label)."""
    if isinstance(value, str | PathLike):
        return str(value)
    if isinstance(value, Intervals):
        return value
    from caesura.formats.intervals import parse_intervals

    lines = [f"{_interval(each[:3])} {_cell(each[3])}" for each in value]
    return parse_intervals("\n".join(lines).encode(), f"<{tier}>")


def as_clusters(value: Clusters | Mapping[str, Sequence[Interval]]) -> Clusters:
    """Convert a value to classes: intervals (file, on, off) by the name of their class."""
    if isinstance(value, Clusters):
        return value
    from caesura.formats.classes import parse_clusters

    blocks = ("\n".join((f"Class {_cell(name)}", *map(_interval, value[name]))) for name in value)
    return parse_clusters("\n\n".join(blocks).encode())


def _interval(interval: Interval) -> str:
    file, on, off = interval
    return f"{_cell(file)} {float(on)!r} {float(off)!r}"


def _cell(name: str) -> str:
    """A name with no-break spaces for white space, which would separate cells."""
    return re.sub(r"\s", "\u00a0", str(name))
