"""M2: tokenized sentences (S) and their corrections (A), as in grammatical error correction.

`A 3 4|||R:NOUN|||cats|||REQUIRED|||-NONE-|||0` replaces the fourth token; a noop says that an
annotator changed nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import StringIO

import numpy as np

from caesura.core.text import Text
from caesura.errors import FormatError, number, option, shortened
from caesura.formats._shared.equivalences import TABLES
from caesura.formats.texts import parse_filled, refuse_nul
from caesura.tasks.corrections.data import NOOP, CorrectedText

CURE = "write A START END|||TYPE|||CORRECTION|||REQUIRED|||-NONE-|||ANNOTATOR"
WHOLE = "give an M2 file, with lines S and A"
FIELDS = 6
LONGEST = 18
"""The most digits of a number that is read."""
BLANK = "␣"
"""Stands for a token of white space that is not ASCII, which spaCy makes of a no-break space."""
_SEPARATORS = re.compile("[ \\t\\v\\f\\x1c-\\x1f]+")
_NUMBER = re.compile(r"-?[0-9]+")
Edit = tuple[int, int, str, str, int, int, int]
"""First and last token, type, correction, annotator, sentence, line."""


@dataclass(slots=True)
class _Reading:
    """What was read so far: sentences with their lines, and edits."""

    sentences: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    present: list[list[int]] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    outside: list[int] | None = None
    """The lines of edits whose span their sentence does not have; None if they are an error."""


def parse_m2(data: bytes, source: str = "<m2>", *, force: bool = False) -> CorrectedText:
    r"""Read an M2 file from UTF-8 bytes; `force` ignores edits whose span is impossible.

    >>> found = parse_m2(b"S a cats\nA 1 2|||R:NOUN|||cat|||REQUIRED|||-NONE-|||0\n")
    >>> found.text.tokens(0, 2), found.first.tolist(), found.correction
    (['a', 'cats'], [1], ['cat'])
    """
    refuse_nul(data, source)
    read = _Reading(outside=[] if force else None)
    for at, ended in enumerate(StringIO(data.decode().removeprefix("\ufeff"), newline=None), 1):
        line = ended.removesuffix("\n")
        if line.startswith("S ") or line == "S":
            _add_sentence(read, line[2:], at)
        elif line.startswith("A "):
            _add_edit(read, line[2:], source, at)
        elif line.strip():
            problem = f"the line '{shortened(line)}' begins neither with S nor with A"
            raise FormatError(source, problem, WHOLE, line=at)
    if not any(read.tokens):
        raise FormatError(source, "no sentences", WHOLE)
    return _made(read, source)


def _add_sentence(read: _Reading, text: str, line: int) -> None:
    tokens = [token if token.strip() else BLANK for token in _SEPARATORS.split(text) if token]
    read.sentences.append(" ".join(tokens))
    read.lines.append(line)
    read.tokens.append(len(tokens))
    read.present.append([])


def _add_edit(read: _Reading, text: str, source: str, line: int) -> None:
    """An edit of the last sentence."""
    if not read.sentences:
        raise FormatError(source, "an edit before any sentence", "put S before A", line=line)
    cells = text.split("|||")
    if len(cells) != FIELDS:
        problem = f"an edit of {number(len(cells), 'field')}"
        raise FormatError(source, problem, CURE, line=line)
    who = _whole(cells[-1], "annotator", source, line)
    start, end = _span(cells[0], cells[1], source, line)
    if who not in read.present[-1]:
        read.present[-1].append(who)
    if cells[1] == NOOP:
        return
    if read.outside is None:
        _require_inside(start, end, read.tokens[-1], source, line)
    if 0 <= start <= end <= read.tokens[-1] and read.tokens[-1]:
        edit = (start, end, cells[1], cells[2], who, len(read.sentences) - 1, line)
        read.edits.append(edit)
    elif read.outside is not None:
        read.outside.append(line)


def _span(cell: str, kind: str, source: str, line: int) -> tuple[int, int]:
    cells = cell.split()
    if len(cells) != 2:
        raise FormatError(source, f"'{cell}' is not a span", CURE, line=line)
    if kind == NOOP:
        return -1, -1
    start, end = (_whole(each, "token", source, line) for each in cells)
    return start, end


def _require_inside(start: int, end: int, tokens: int, source: str, line: int) -> None:
    """Raise an error for a span beyond the end of its sentence."""
    if not tokens:
        problem, cure = "an edit of a sentence without tokens", "give the sentence tokens"
    elif start < 0 or end > tokens:
        size = number(tokens, "token")
        problem = f"the span {start} {end} is outside the sentence, which has {size}"
        cure = "count tokens from 0"
    elif start > end:
        problem, cure = f"the span {start} {end} ends before it starts", CURE
    else:
        return
    cure += f", or ignore such edits with {option('force')}"
    raise FormatError(source, problem, cure, line=line)


def _whole(cell: str, what: str, source: str, line: int) -> int:
    text = cell.strip()
    if not _NUMBER.fullmatch(text):
        raise FormatError(source, f"the {what} '{text}' is not a number", CURE, line=line)
    if len(text) > LONGEST:
        problem = f"the {what} '{text}' is too large a number"
        raise FormatError(source, problem, CURE, line=line)
    return int(text)


def _made(read: _Reading, source: str) -> CorrectedText:
    """The text without empty sentences, and its edits."""
    full = [at for at, size in enumerate(read.tokens) if size]
    text = _text(read, full, source)
    before = np.cumsum([0, *read.tokens])
    number_of = np.cumsum([bool(size) for size in read.tokens]) - 1
    start, end, kind, correction, who, sentence, line = (
        zip(*read.edits, strict=True) if read.edits else [()] * 7
    )
    places = np.array(sentence, np.int64)
    return CorrectedText(
        text,
        np.array(start, np.int64) + before[places],
        np.array(end, np.int64) + before[places],
        list(kind),
        list(correction),
        np.array(who, np.int64),
        number_of[places],
        np.array(line, np.int64),
        [tuple(read.present[at]) or (0,) for at in full],
    )


def _text(read: _Reading, full: list[int], source: str) -> Text:
    data = "\n".join(read.sentences[at] for at in full).encode()
    text = parse_filled(data, equivalences=TABLES["quotes"], normalize=None, source=source)
    lines = np.array([read.lines[at] for at in full], np.int64)
    return replace(text, lines=lines, form="m2", signs=_signs(read))


def _signs(read: _Reading) -> dict[str, int]:
    """Edits that overlap or are ignored, sentences that lack annotators, and the first lines."""
    overlapping = sorted(_overlapping(read.edits))
    every = {who for each in read.present for who in each}
    lines = [
        line
        for line, each in zip(read.lines, read.present, strict=True)
        if 0 < len(each) < len(every)
    ]
    found = {
        "outside_edits": read.outside or [],
        "overlapping_edits": overlapping,
        "annotators_missing": lines,
    }
    signs = {name: len(own) for name, own in found.items() if own}
    return signs | {f"{name}_at": own[0] for name, own in found.items() if own}


def _overlapping(edits: list[Edit]) -> Iterator[int]:
    """The lines of edits that replace what another of the same annotator does."""
    before: Edit | None = None
    stop = 0
    for edit in sorted(edits, key=lambda each: (each[5], each[4], *each[:2])):
        if before is None or edit[4:6] != before[4:6]:
            stop = 0
        elif edit[0] < stop or edit[:2] == before[:2]:
            yield edit[6]
        before, stop = edit, max(stop, edit[1])
