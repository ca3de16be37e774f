"""Limits: how far a compressed or endless file may grow in memory or on disk."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Protocol

from caesura.errors import SourceError, UsageError

VARIABLE = "CAESURA_MAX_SIZE"
"""The environment variable that sets the limit."""
LARGEST, TIMES = 1 << 30, 20
"""A file may expand to LARGEST bytes, or to TIMES its own size if that is more."""
_PIECE = 1 << 16
_SIZE = re.compile(r"(\d{1,18})([KMGT]?)", re.IGNORECASE)
_POWERS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


class Readable(Protocol):
    """A file as far as it is needed here."""

    def read(self, size: int, /) -> bytes | None:
        """The next bytes."""


def largest(packed: int = 0) -> int:
    """The most bytes that a file may expand to, given its size on disk."""
    return max(_given() or LARGEST, TIMES * packed)


def _given() -> int | None:
    """The limit that the user set.

    A number of bytes, or of KiB, MiB, GiB or TiB with the letter K, M, G or T after it.
    """
    text = os.environ.get(VARIABLE, "")
    if not text:
        return None
    size = _SIZE.fullmatch(text.strip())
    if size is None:
        raise UsageError(f"{VARIABLE} cannot be '{text}'; give a size such as 500M or 4G")
    return int(size[1]) << _POWERS[size[2].upper()]


def refuse_larger(path: str, size: int, packed: int = 0) -> None:
    """Raise an error if what a file expands to is too large."""
    if size > largest(packed):
        raise too_large(path, packed)


def too_large(path: str, packed: int = 0) -> SourceError:
    """The error for a file that expands too far."""
    most = f"{largest(packed) / 2**30:,.3g} GiB"
    times = f", over {TIMES} times its size," if packed else ""
    problem = f"expands to more than {most}{times} as a damaged or hostile file would"
    return SourceError(path, problem, f"if it is neither, set {VARIABLE} to a size such as 16G")


def pieces(file: Readable, path: str, packed: int = 0) -> Iterator[bytes]:
    """What a file expands to, piece by piece, up to the limit."""
    total, most = 0, largest(packed)
    while piece := file.read(_PIECE):
        total += len(piece)
        if total > most:
            raise too_large(path, packed)
        yield piece


def contents(file: Readable, path: str, packed: int = 0) -> bytes:
    """All that a file expands to, up to the limit."""
    data = BytesIO()
    for piece in pieces(file, path, packed):
        data.write(piece)
    return data.getvalue()
