"""Dictionaries: lists of words, one per line."""

from __future__ import annotations

from functools import lru_cache

from caesura.errors import FormatError, number
from caesura.io.files import read_text
from caesura.io.members import stamp


def read_dictionary(path: str, encoding: str | None = None) -> frozenset[str]:
    """Read a list of words."""
    return _read(path, encoding, stamp(path))


@lru_cache(maxsize=2)
def _read(path: str, encoding: str | None, _: tuple[int, ...]) -> frozenset[str]:
    """The words of a file, cached by its stamp so that it is read once."""
    lines = read_text(path, encoding).split("\n")
    text = next((at for at, line in enumerate(lines) if len(line.split()) > 1), None)
    if text is not None:
        raise FormatError(
            path,
            f"{number(len(lines[text].split()), 'word')} on a line of a dictionary",
            "give a list with one word a line, not a text",
            line=text + 1,
        )
    words = frozenset(filter(None, map(str.strip, lines)))
    if not words:
        raise FormatError(path, "no words", "give a list with one word a line")
    return words
