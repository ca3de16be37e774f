r"""Escapes: characters that would control a terminal, or cannot be written at all, are shown.

A name or a word may hold anything: a terminal's escape sequences, line feeds, marks that reverse
the direction of text, halves of surrogate pairs. A terminal or a line of a message gets `\x1b` in
their place; JSON has an escape of its own for them, which loses nothing.
"""

from __future__ import annotations

import re
from unicodedata import normalize

_BIDI = "\u202a-\u202e\u2066-\u2069"
_CONTROLS = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028\u2029{_BIDI}\ud800-\udfff\ufffe\uffff]")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_BYTES = range(0xDC80, 0xDD00)
"""The surrogates that stand for bytes of a file name that is not UTF-8."""


def printable(text: str) -> str:
    r"""A text on one line that does nothing to a terminal.

    >>> print(printable("x\x1b]0;title\ay"), printable("two\nlines"), printable("caf\udce9"))
    x\x1b]0;title\x07y two\nlines caf\xe9
    """
    return text if text.isprintable() else _CONTROLS.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    if code in _BYTES:
        return rf"\x{code - 0xDC00:02x}"
    return _SHORT.get(character) or (rf"\x{code:02x}" if code < 0x100 else rf"\u{code:04x}")


def in_spreadsheet(text: str) -> str:
    """A text that no spreadsheet takes for a formula: an apostrophe before what looks like one.

    >>> [in_spreadsheet(text) for text in ("my-system", "=1+1", "@x", "-3")]
    ['my-system', "'=1+1", "'@x", '-3']
    """
    text = printable(text)
    return f"'{text}" if text.startswith(_FORMULAS) and not _NUMBER.fullmatch(text) else text


_FORMULAS = ("=", "+", "-", "@")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def as_name(text: str) -> str:
    r"""The one form of a name: NFC, and with escapes for what cannot be written as UTF-8.

    File systems and keyboards disagree about the form; bytes that are not UTF-8 come from the names
    of files.

    >>> as_name("e\u0301") == "\u00e9", print(as_name("caf\udce9"))
    caf\xe9
    (True, None)
    """
    if text.isascii():
        return text
    return normalize("NFC", _SURROGATES.sub(_shown, text))


_SURROGATES = re.compile("[\ud800-\udfff]")


def json_printable(text: str) -> str:
    r"""JSON with its own escapes for what it may hold but a terminal or UTF-8 may not.

    >>> print(json_printable('{"name": "\x9b2J"}'))
    {"name": "\u009b2J"}
    """
    return text if text.isascii() and "\x7f" not in text else _IN_JSON.sub(_in_json, text)


_IN_JSON = re.compile(f"[\x7f-\x9f\u2028\u2029{_BIDI}\ud800-\udfff]")


def _in_json(found: re.Match[str]) -> str:
    return rf"\u{ord(found[0]):04x}"
