"""Writers of the plain forms, lines, marks, slashes and binary, from scripts of single words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from caesura.core.segmentation import NO_BREAK
from caesura.formats.scan import MARKS
from caesura.formats.script import Script, to_units

OF_TYPE = {"question": "?", "?": "?", "!": "!", ";": ";"}
"""The marks of types; all others get a full stop."""


def lines(script: Script) -> Iterator[str]:
    """One unit per line."""
    yield from (f"{text}\n" for text in _units(script))


def marks(script: Script) -> Iterator[str]:
    """Running text in which every unit ends with a mark: its own, or one for its type."""
    yield " ".join(_units(with_marks(script))) + "\n"


def slashes(script: Script) -> Iterator[str]:
    """Units separated by `//`."""
    yield " // ".join(_units(script)) + "\n"


def _units(script: Script) -> list[str]:
    """The texts of the units, also of words that are whole sentences."""
    return [text.replace(NO_BREAK, " ") for text in to_units(script).texts]


def binary(script: Script) -> Iterator[str]:
    """A 0 or a 1 for each word."""
    ends = np.ones(len(script), np.uint8) if script.ends is None else script.ends
    yield (ends.astype(np.uint8) + ord("0")).tobytes().decode("ascii") + "\n"


WRITERS: dict[str, Callable[[Script], Iterable[str]]] = {
    "lines": lines,
    "marks": marks,
    "slashes": slashes,
    "binary": binary,
}


def with_marks(script: Script) -> Script:
    """Give the last word of each unit a mark, if it has none."""
    if script.ends is None:
        return script
    texts = list(script.texts)
    for index in np.flatnonzero(script.ends).tolist():
        if texts[index].rstrip("\"'”’»)]")[-1:] not in MARKS:
            kind = script.types[index] if script.types is not None else ""
            texts[index] += OF_TYPE.get(kind, ".")
    return replace(script, texts=texts)
