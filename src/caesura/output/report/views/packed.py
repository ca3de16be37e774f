"""Many whole numbers as a short text, which the page unpacks."""

from __future__ import annotations

from base64 import b64decode, b64encode

import numpy as np

from caesura.core.segmentation import IntArray
from caesura.output.report.views.reading import MOST_COUNTED

LONGEST = 8
"""The most bytes of a number: 56 bits."""


def packed(values: IntArray) -> str:
    """Numbers from 0 on as their common divisor and base64 of what is left, seven bits a byte.

    The lowest bits come first; the eighth bit of a byte says that another one follows.

    >>> packed(np.array([0, 50, 20_000])), unpacked("10:AAXQDw==").tolist()
    ('50:AAGQAw==', [0, 50, 20000])
    """
    unit = int(np.gcd.reduce(values)) or 1
    rest = (values // unit)[:, None]
    wide = max(1, -(-int(rest.max(initial=0)).bit_length() // 7))
    shifts = 7 * np.arange(wide + 1)
    more = (rest >> shifts[1:]) > 0  # (values, bytes) whether another byte follows
    kept = np.column_stack((np.ones(len(rest), bool), more[:, :-1]))
    found = ((rest >> shifts[:-1]) & 127) | (more << 7)
    return f"{unit}:{b64encode(found[kept].astype(np.uint8).tobytes()).decode()}"


def unpacked(text: str) -> IntArray:
    """The inverse of `packed`; a ValueError if it is not valid."""
    unit, _, body = text.partition(":")
    raw = np.frombuffer(b64decode(body, validate=True), np.uint8)
    ends = np.flatnonzero(raw < 128)
    if raw.size and (not ends.size or ends[-1] != raw.size - 1):
        raise ValueError("a number without an end")
    starts = np.append(-1, ends)[:-1] + 1
    place = np.arange(raw.size) - np.repeat(starts, ends - starts + 1)
    if place.max(initial=0) >= LONGEST or not (unit.isdecimal() and len(unit) <= 2 * LONGEST):
        raise ValueError("a number that is too large")
    parts = (raw & 127).astype(np.int64) << (7 * place)
    values: IntArray = np.add.reduceat(parts, starts) if raw.size else parts
    if int(values.max(initial=0)) * int(unit) > MOST_COUNTED:
        raise ValueError("a number that is too large")
    return values * int(unit)
