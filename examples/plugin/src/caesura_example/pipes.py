"""A format: units separated by |."""

import numpy as np

from caesura.core.format import Codec, Format
from caesura.errors import FormatError
from caesura.formats.script import Script


def parse(text: str, source: str = "<pipes>") -> list[Script]:
    """Read one recording: each unit is one piece, and the line is that on which it begins."""
    units, line = [], 1
    for unit in text.split("|"):
        if unit.strip():
            units.append((unit.strip(), line))
        line += unit.count("\n")
    if not units:
        raise FormatError(source, "no words", "write units separated by |")
    return [
        Script(
            texts=[unit for unit, _ in units],
            ends=np.ones(len(units), dtype=np.bool_),
            lines=np.array([line for _, line in units], dtype=np.int64),
            form="pipes",
            source=source,
        )
    ]


PIPES = Format(
    name="pipes",
    about="units separated by |",
    module=__name__,
    suffixes=(".pipes",),
    pieces="segments",
)
CODECS = {"pipes": Codec(parse)}
