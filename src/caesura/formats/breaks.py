"""Subtitles as text with `<eol>` and `<eob>`: a sentence, or another segment, on each line.

A break is one wherever it stands, also right after a word. The end of a line of the file is none:
lines that do not end with one are counted, so that users can be warned.
"""

from __future__ import annotations

import re

import numpy as np

from caesura.core.line_breaks import BLOCK, BLOCK_END, BREAKS, EOB, EOL, LINE, LINE_END
from caesura.core.marks import MARKS, one_of
from caesura.core.segmentation import Document, IntArray, Segmentation
from caesura.errors import FormatError
from caesura.formats._shared.scan import Scan, scan
from caesura.io.files import line_feeds

_SENTENCE = re.compile(rf"{one_of('.?!')}[\"'”’»›)\]」』）】]*$")
_BREAK = re.compile(f"{EOL}|{EOB}")
_OPEN_END = re.compile(rf"[^ \t\n{LINE_END}{BLOCK_END}][ \t]*(?=\n|\Z)")
_OTHER = str.maketrans(LINE_END + BLOCK_END, "  ")


def has_breaks(text: str) -> bool:
    """Whether a text has a break."""
    return _BREAK.search(text) is not None


def parse_breaks(text: str, source: str, marks: str = MARKS, *, is_guess: bool = False) -> Document:
    """Read one text."""
    raw = line_feeds(text).translate(_OTHER)
    raw = raw.replace(EOL, LINE_END).replace(EOB, BLOCK_END)
    scanned = scan(raw, marks)
    if not scanned.length:
        raise FormatError(source, "no words", "give a file with the words of subtitles")
    lines, blocks = (scanned.words_before(each) - 1 for each in (LINE_END, BLOCK_END))
    starts = np.insert(scanned.breaks[scanned.break_codes == ord("\n")], 0, 0)
    return Document(
        broken(scanned, lines, blocks),
        scanned.words,
        BREAKS,
        source,
        starts[: starts.size - raw.endswith("\n")],
        raw,
        signs=({"guessed": 1} if is_guess else {}) | _open_lines(raw),
    )


def broken(scanned: Scan, lines: IntArray, blocks: IntArray) -> Segmentation:
    """Boundaries after words that end lines, and after those that end blocks."""
    ends = np.union1d(lines, blocks)
    ends = ends[ends >= 0]
    types = np.where(np.isin(ends, blocks), BLOCK, LINE)
    return Segmentation.from_positions(ends, scanned.length, types)


def ends_sentence(text: str) -> bool:
    """Whether a text ends with the mark of the end of a sentence.

    >>> ends_sentence("“No!”"), ends_sentence("no,")
    (True, False)
    """
    return _SENTENCE.search(text) is not None


def laid_out(text: str) -> str:
    r"""A text without white space but single blanks and the ends of lines that have text.

    >>> laid_out("so   it\x1f\x1f is ").split(LINE_END)
    ['so it', 'is']
    """
    lines = (" ".join(line.split()) for line in text.split(LINE_END))
    return LINE_END.join(filter(None, lines))


def _open_lines(raw: str) -> dict[str, int]:
    """How many lines with text do not end with a break, if there is one in the text."""
    if LINE_END not in raw and BLOCK_END not in raw:
        return {}
    number = sum(1 for _ in _OPEN_END.finditer(raw))
    return {"open_lines": number} if number else {}
