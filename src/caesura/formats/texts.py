"""Texts: detect the format of a tokenized text and read it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from os import PathLike

from caesura.errors import UnknownNameError
from caesura.formats._shared.foreign import require_text
from caesura.formats.registry import TEXTS
from caesura.formats.text_file import TextFile, TextOptions
from caesura.io.files import read_utf8

_FIRST = re.compile(rb"^(?!#)[^\r\n]*\S[^\r\n]*", re.MULTILINE)


def read_tokens(path: str | PathLike[str], options: TextOptions | None = None) -> TextFile:
    """Read one tokenized text from a file, standard input (`-`) or a URL."""
    options = options or TextOptions()
    if options.input != "auto" and options.input not in TEXTS:
        raise UnknownNameError("input format", options.input, TEXTS)
    data = read_utf8(str(path), options.encoding)
    form = _detect(str(path), data) if options.input == "auto" else options.input
    if options.input == "auto" and form != "conllu":
        require_text(str(path))
    reader = TEXTS[form].reader
    assert reader is not None, form
    file: TextFile = reader.it(data, str(path), options)
    if options.input != "auto" or _by_name(str(path)):
        return file
    return replace(file, text=replace(file.text, signs={**file.text.signs, "guessed": 1}))


def _detect(path: str, data: bytes) -> str:
    """The format of a text by its name, else by its content, else tokens."""
    alike = (name for name, each in TEXTS.items() if each.look and each.look.it(data))
    return _by_name(path) or next(alike, "tokens")


def _by_name(path: str) -> str:
    """The format of a file name, whose suffix another may follow; empty if there is none."""
    return next((name for name, pattern in _names().items() if pattern.search(path)), "")


@lru_cache(maxsize=1)
def _names() -> dict[str, re.Pattern[str]]:
    """A pattern for the names of files of each format that has suffixes."""
    suffixes = {name: "|".join(map(re.escape, each.suffixes)) for name, each in TEXTS.items()}
    return {name: re.compile(rf"({each})(\.\w+)?$") for name, each in suffixes.items() if each}


def has_columns(data: bytes) -> bool:
    """Whether the first line that is not a comment has the columns of CoNLL-U."""
    first = _FIRST.search(data)
    return first is not None and first[0].count(b"\t") >= 7
