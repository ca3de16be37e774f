"""Masses: the lengths of a document's units on one line, separated by spaces: `2 3 6`.

Each line is a document, called by the number of its line if there are several. What the units are
made of, sentences or words, is not said, so there are no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from caesura.core.format import Codec
from caesura.core.segmentation import Segmentation
from caesura.errors import FormatError
from caesura.formats.script import Script
from caesura.io.files import line_feeds

CURE = "write the lengths of the units as whole numbers from 1 on, separated by spaces"
_LIKE = re.compile(r"[01\s]*+[2-9][0-9\s]*+\Z")
MOST = 1 << 30
"""More items than any text has."""
HELD = 1 << 24
"""The most items without words that are held one by one: a few digits can claim far more."""


def is_like(head: str) -> bool:
    """Whether a text is all whole numbers, not all digits 0 and 1, which make a binary string."""
    return _LIKE.match(head) is not None


def parse(text: str, source: str = "<masses>") -> list[Script]:
    """Read the documents."""
    lines = line_feeds(text).split("\n")
    numbered = [(at, line.split()) for at, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise FormatError(source, "no masses", CURE)
    return [
        Script(
            texts=(),
            segmentation=segmentation_of(cells, source, line=at),
            form="masses",
            source=source if len(numbered) == 1 else f"{source}:{at}",
            recording="" if len(numbered) == 1 else str(at),
        )
        for at, cells in numbered
    ]


def segmentation_of(
    masses: Sequence[object], source: str, *, of: str = "", line: int | None = None
) -> Segmentation:
    """The segmentation that masses stand for; an error names what they are `of`."""
    wrong = [each for each in masses if not _is_mass(each)]
    if wrong:
        shown = "null" if wrong[0] is None else wrong[0]
        raise FormatError(source, f"{of}'{shown}' is not a length of a unit", CURE, line=line)
    whole = [int(str(each)) for each in masses]
    if not whole or sum(whole) > MOST:
        problem = "units of more items than any text has" if whole else "no masses"
        raise FormatError(source, f"{of}{problem}", CURE, line=line)
    return Segmentation.from_masses(np.array(whole, np.int64))


def _is_mass(value: object) -> bool:
    """Whether a value is a whole number from 1 on."""
    if isinstance(value, str):
        return re.fullmatch(r"0*[1-9][0-9]{0,15}", value) is not None
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write the lengths of each script's units, one line for each."""
    for script in scripts:
        if script.segmentation is not None:
            masses = script.segmentation.masses
        elif script.ends is None:
            masses = np.ones(len(script), np.int64)
        else:
            masses = np.diff(np.flatnonzero(script.ends), prepend=-1)
        yield " ".join(map(str, masses.tolist())) + "\n"


CODECS = {"masses": Codec(parse, write, is_like)}
