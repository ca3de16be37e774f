"""Files of tokenized text: which format one is in; and lines of segments, with their documents.

Segments are lines, blank ones included; a file may name the document of each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike

from caesura.errors import FormatError, UnknownNameError, number
from caesura.formats.detection import require_text
from caesura.formats.registry import TEXTS
from caesura.formats.texts import TextFile, TextOptions, parse_tokens, refuse_nul
from caesura.io.files import line_feeds, read_text, read_utf8

_FIRST = re.compile(rb"^(?!#)[^\r\n]*\S[^\r\n]*", re.MULTILINE)
_CONLLU = re.compile(rf"({'|'.join(map(re.escape, TEXTS['conllu'].suffixes))})(\.\w+)?$")
_DOCID = re.compile(r"^docid=(.*?)(?:,segid=.*)?$")


def read_tokens(path: str | PathLike[str], options: TextOptions | None = None) -> TextFile:
    """Read one tokenized text from a file, standard input (`-`) or a URL.

    It is CoNLL-U by its name, whose suffix another may follow, or by its content, else tokens.
    """
    options, path = options or TextOptions(), str(path)
    form = options.input
    if form != "auto" and form not in TEXTS:
        raise UnknownNameError("input format", form, TEXTS)
    data = read_utf8(path, options.encoding)
    is_named = form != "auto" or _CONLLU.search(path) is not None
    if form == "auto":
        first = _FIRST.search(data)  # line that is no comment, which may have the ten columns
        has_columns = first is not None and first[0].count(b"\t") >= 7
        form = "conllu" if is_named or has_columns else "tokens"
        if form == "tokens":
            require_text(path)
    if form == "conllu":
        from caesura.formats.conllu import parse_text

        file = parse_text(data, path, options)
    else:
        text = parse_tokens(  # the ideographic space separates words, too, where it is segmented
            data.replace("\u3000".encode(), b" ") if form == "segmented" else data,
            equivalences=options.equivalences,
            normalize=options.normalize,
            source=path,
        )
        file = TextFile(replace(text, form=form))
    if is_named:
        return file
    return replace(file, text=replace(file.text, signs={**file.text.signs, "guessed": 1}))


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
    return [_DOCID.sub(r"\1", line) for line in lines]


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
