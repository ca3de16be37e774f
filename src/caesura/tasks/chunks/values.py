"""Chunks and questions as Python has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caesura.errors import SegmentationError
from caesura.tasks.chunks.data import Chunks, Gold, Questions
from caesura.tasks.chunks.format import LARGEST, as_excerpts

GIVE = "give pairs of a start and an end, in characters, or a path"
GIVE_GOLD = "give a path, or for each document a list of questions: lists of excerpts {start, end}"


def as_chunks(value: object, *, source: str = "<chunks>") -> Chunks:
    """Convert a list of pairs to the chunks of one document.

    >>> as_chunks([(0, 5), (5, 9)]).ends
    array([5, 9])
    """
    if isinstance(value, Chunks):
        return value
    listed: Any = value.tolist() if hasattr(value, "tolist") else value
    try:
        spans = [(start, end) for start, end in listed]
    except (TypeError, ValueError):
        raise SegmentationError(f"{source}: {value!r} is not chunks; {GIVE}") from None
    for start, end in spans:
        if type(start) is not int or type(end) is not int or not 0 <= start < end < LARGEST:
            raise SegmentationError(f"{source}: ({start!r}, {end!r}) is no chunk; {GIVE}")
    return Chunks.from_spans(spans, source)


def as_gold(value: object) -> dict[str, Gold]:
    """Convert questions by document, each a list of excerpts, to what chunks are scored against."""
    if not isinstance(value, Mapping) or not value:
        raise SegmentationError(f"<gold>: {value!r} is not questions; {GIVE_GOLD}")
    return {
        name: Questions(
            tuple(as_excerpts(each, f"<gold>/{name}", at) for at, each in enumerate(own))
        )
        for name, own in value.items()
    }
