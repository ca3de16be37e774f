"""Segments: one per line, blank lines included; and the names of their documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from caesura.errors import FormatError, number
from caesura.formats.foreign import require_text
from caesura.formats.texts import refuse_nul
from caesura.io.files import line_feeds, read_text

_DOCID = re.compile(r"docid=(.*?)(?:,segid=.*)?$")


def read_segments(path: str, encoding: str | None = None) -> list[str]:
    """The lines of a file."""
    require_text(path)
    text = read_text(path, encoding)
    refuse_nul(text.encode(errors="surrogatepass"), path)
    return lines_of(text)


def lines_of(text: str) -> list[str]:
    r"""The lines of a text; what follows the last line end is one only if it is not empty.

    >>> lines_of("a\n\nb\r\n")
    ['a', '', 'b']
    """
    lines = line_feeds(text).split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def read_docids(path: str) -> list[str]:
    """The document of each segment: a name a line, or `docid=NAME,segid=N`."""
    lines = [line.strip() for line in read_segments(path)]
    for at, line in enumerate(lines, 1):
        if not line:
            raise FormatError(path, "a blank line", "name the document of each segment", line=at)
    found = [_DOCID.match(line) for line in lines]
    return [each[1] if each else line for each, line in zip(found, lines, strict=True)]


def by_document(
    lines: Sequence[str], docids: Sequence[str], source: str, docids_source: str
) -> dict[str, list[str]]:
    """The reference's segments of each document."""
    if len(lines) != len(docids):
        raise FormatError(
            docids_source,
            f"{number(len(docids), 'line')}, but {source} has {number(len(lines), 'segment')}",
            "name the document of each reference segment, one per line",
        )
    found: dict[str, list[str]] = {}
    for line, docid in zip(lines, docids, strict=True):
        found.setdefault(docid, []).append(line)
    return found


def in_documents(
    lines: Sequence[str], documents: Sequence[str], source: str, docids_source: str
) -> dict[str, list[str]]:
    """A text that has one line for each document."""
    if len(lines) != len(documents):
        raise FormatError(
            source,
            f"{number(len(lines), 'line')}, but {docids_source} names "
            f"{number(len(documents), 'document')}",
            "write each document on one line, in their order",
        )
    return {name: [line] for name, line in zip(documents, lines, strict=True)}
