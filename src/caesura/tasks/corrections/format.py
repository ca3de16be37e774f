"""M2: tokenized sentences (S) and their corrections (A), as in grammatical error correction.

`A 3 4|||R:NOUN|||cats|||REQUIRED|||-NONE-|||0` replaces the fourth token; a noop says that an
annotator changed nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import NamedTuple

import numpy as np

from caesura.core.text import Text
from caesura.errors import FormatError, number, option, shortened
from caesura.formats.equivalences import TABLES
from caesura.formats.texts import parse_filled, refuse_nul

NOOP, UNKNOWN = "noop", "UNK"
CURE = "write A START END|||TYPE|||CORRECTION|||REQUIRED|||-NONE-|||ANNOTATOR"
WHOLE = "give an M2 file, with lines S and A"
FIELDS = 6
LONGEST = 18
"""The most digits of a number that is read."""
BLANK = "␣"
"""Stands for a token of white space that is not ASCII, which spaCy makes of a no-break space."""
PROBLEMS = {
    "outside_edits": ("edit", "whose span the sentence does not have; ignored"),
    "overlapping_edits": (
        "edit",
        "at a place that the same annotator edits already; each counts, as in ERRANT",
    ),
    "annotators_missing": (
        "sentence",
        "without some of the annotators, who are not chosen there; write a noop for those who "
        "change nothing",
    ),
}
"""Signs of what looks misread: what is counted, and what the warning says."""
_SEPARATORS = re.compile("[ \\t\\v\\f\\x1c-\\x1f]+")
_NUMBER = re.compile(r"-?[0-9]+")


class Edit(NamedTuple):
    """Replace the tokens from `first` to `last` of the whole text by a correction, or by nothing.

    `who` made it, in a sentence with tokens; `line` is where it stands in the file.
    """

    first: int
    last: int
    kind: str
    correction: str
    who: int
    sentence: int
    line: int

    @property
    def operation(self) -> str:
        """M if something is missing, U if it is unnecessary, R if it is replaced."""
        if self.first == self.last:
            return "M"
        return "R" if self.correction else "U"


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedText:
    """A text and its edits, in the order of the file.

    `present` are the annotators of each sentence, also of those in which they changed nothing.
    """

    text: Text
    edits: list[Edit]
    present: list[tuple[int, ...]]


@dataclass(slots=True)
class _Sentence:
    """A sentence as it was read, who annotated it, and how many tokens and sentences precede it."""

    line: int
    tokens: list[str]
    start: int
    number: int
    present: list[int] = field(default_factory=list)


def parse_m2(data: bytes, source: str = "<m2>", *, force: bool = False) -> CorrectedText:
    r"""Read an M2 file from UTF-8 bytes; `force` ignores edits whose span is impossible.

    >>> corrected = parse_m2(b"S a cats\nA 1 2|||R:NOUN|||cat|||REQUIRED|||-NONE-|||0\n")
    >>> corrected.text.tokens(0, 2), corrected.edits[0].first, corrected.edits[0].correction
    (['a', 'cats'], 1, 'cat')
    """
    refuse_nul(data, source)
    sentences: list[_Sentence] = []
    edits: list[Edit] = []
    outside: list[int] = []  # the lines of edits whose span their sentence does not have
    size = full = 0  # tokens, and sentences that have any
    for at, ended in enumerate(StringIO(data.decode().removeprefix("\ufeff"), newline=None), 1):
        line = ended.removesuffix("\n")
        if line.startswith("S ") or line == "S":
            tokens = [
                token if token.strip() else BLANK
                for token in filter(None, _SEPARATORS.split(line[2:]))
            ]
            sentences.append(_Sentence(at, tokens, size, full))
            size, full = size + len(tokens), full + bool(tokens)
        elif line.startswith("A "):
            if not sentences:
                raise FormatError(source, "an edit before any sentence", "put S before A", line=at)
            edit = _edit(line[2:], sentences[-1], source, at)
            if edit.kind == NOOP:
                continue
            problem = _outside(edit, sentences[-1])
            if problem is None:
                edits.append(edit)
            elif force:
                outside.append(at)
            else:
                cure = f"{problem[1]}, or ignore such edits with {option('force')}"
                raise FormatError(source, problem[0], cure, line=at)
        elif line.strip():
            message = f"the line '{shortened(line)}' begins neither with S nor with A"
            raise FormatError(source, message, WHOLE, line=at)
    if not full:
        raise FormatError(source, "no sentences", WHOLE)
    return _corrected(sentences, edits, outside, source)


def _edit(text: str, sentence: _Sentence, source: str, line: int) -> Edit:
    """An edit of a sentence, by an annotator who is present there."""
    cells = text.split("|||")
    if len(cells) != FIELDS:
        problem = f"an edit of {number(len(cells), 'field')}"
        raise FormatError(source, problem, CURE, line=line)
    who = _whole(cells[-1], "annotator", source, line)
    span = cells[0].split()
    if len(span) != 2:
        raise FormatError(source, f"'{cells[0]}' is not a span", CURE, line=line)
    first = last = -1
    if cells[1] != NOOP:
        first, last = (sentence.start + _whole(cell, "token", source, line) for cell in span)
    sentence.present += [who] if who not in sentence.present else []
    return Edit(first, last, cells[1], cells[2], who, sentence.number, line)


def _outside(edit: Edit, sentence: _Sentence) -> tuple[str, str] | None:
    """What is wrong with a span that its sentence does not have, and the cure; None if it has."""
    start, end = edit.first - sentence.start, edit.last - sentence.start
    if not sentence.tokens:
        return "an edit of a sentence without tokens", "give the sentence tokens"
    if start < 0 or end > len(sentence.tokens):
        size = number(len(sentence.tokens), "token")
        problem = f"the span {start} {end} is outside the sentence, which has {size}"
        return problem, "count tokens from 0"
    if start > end:
        return f"the span {start} {end} ends before it starts", CURE
    return None


def _whole(cell: str, what: str, source: str, line: int) -> int:
    text = cell.strip()
    if not _NUMBER.fullmatch(text):
        raise FormatError(source, f"the {what} '{text}' is not a number", CURE, line=line)
    if len(text) > LONGEST:
        problem = f"the {what} '{text}' is too large a number"
        raise FormatError(source, problem, CURE, line=line)
    return int(text)


def _corrected(
    sentences: Sequence[_Sentence], edits: list[Edit], outside: Sequence[int], source: str
) -> CorrectedText:
    """The text without empty sentences, and its edits."""
    full = [sentence for sentence in sentences if sentence.tokens]
    data = "\n".join(" ".join(sentence.tokens) for sentence in full).encode()
    text = parse_filled(data, equivalences=TABLES["quotes"], normalize=None, source=source)
    everyone = {who for sentence in sentences for who in sentence.present}
    problems = {
        "outside_edits": outside,
        "overlapping_edits": sorted(_overlapping(edits)),
        "annotators_missing": [
            sentence.line for sentence in sentences if 0 < len(sentence.present) < len(everyone)
        ],
    }
    signs = {name: len(lines) for name, lines in problems.items() if lines}
    signs |= {f"{name}_at": lines[0] for name, lines in problems.items() if lines}
    text = replace(
        text, lines=np.array([sentence.line for sentence in full], np.int64), form="m2", signs=signs
    )
    return CorrectedText(text, edits, [tuple(sentence.present) or (0,) for sentence in full])


def _overlapping(edits: Sequence[Edit]) -> Iterator[int]:
    """The lines of edits that replace what another of the same annotator does."""
    before: Edit | None = None
    stop = 0
    for edit in sorted(edits, key=lambda edit: (edit.sentence, edit.who, edit.first, edit.last)):
        if before is None or (edit.sentence, edit.who) != (before.sentence, before.who):
            stop = 0
        elif edit.first < stop or edit[:2] == before[:2]:
            yield edit.line
        before, stop = edit, max(stop, edit.last)
