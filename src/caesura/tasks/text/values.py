"""Values of Python as tokens and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import PathLike, fspath
from typing import Any

import numpy as np

from caesura.core.text import Text
from caesura.errors import SegmentationError
from caesura.formats._shared.equivalences import Equivalences
from caesura.formats.texts import TextFile, TextOptions, read_tokens
from caesura.run.values import (
    Analyzed,
    encoded,
    flat,
    items,
    refuse_path,
    tokens_of,
)

Tokens = Text | str | PathLike[str] | Iterable[object] | Analyzed
"""What has tokens and sentences: see `as_tokens`."""


GIVE_TOKENS = "give a list of lists of tokens, a text with one sentence per line, or a path"


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
    from caesura.formats.texts import parse_filled, parse_tokens

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


def _line(sentence: object, at: int, source: str) -> str:
    """A line of tokens; white space inside a token becomes filler."""
    if isinstance(sentence, str):
        return sentence
    return " ".join(re.sub(r"\s", "\0", token) for token in tokens_of(sentence, at, source))


def as_text(value: Tokens, *, task: Any, source: str) -> TextFile:
    """Convert a value to a text file in memory."""
    options: TextOptions = task.reading
    return TextFile(as_tokens(value, options.equivalences, options.normalize, source=source))
