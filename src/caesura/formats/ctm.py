"""CTM: a line for each word, `FILE CHANNEL START DURATION WORD [CONFIDENCE]`; `;` begins a comment.

Words are sorted by the time at which they start and may overlap. Of alternatives (`<ALT_BEGIN>`,
`<ALT>`, `<ALT_END>`) the first is taken; `@`, the empty one, is not a word. A line of eight columns
ends in a speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from caesura.core.marks import MARKS, with_kin
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError
from caesura.formats._shared.cell_table import (
    CellTable,
    are_timed,
    by_recording,
    matched,
    name_of,
    one_cell,
    require_times,
)
from caesura.formats._shared.clock_times import seconds
from caesura.formats._shared.script import Script
from caesura.io.files import line_feeds

BLOCK = 1 << 24
FORM = "FILE CHANNEL START DURATION WORD [CONFIDENCE]"
NOTHING = "@"
_CLOSERS = "\"')]}”’»"
ENDS = tuple(with_kin(MARKS))
_BEGIN, _NEXT, _END = "<ALT_BEGIN>", "<ALT>", "<ALT_END>"
_WORD_LINE = re.compile(
    r"(?P<lane>\S+[ \t]+\S+)[ \t]+(?P<start>\d*\.?\d+)[ \t]+(?P<other>\d*\.?\d+)[ \t]+"
    r"(?P<word>\S+)([ \t]+\S+){0,3}\s*",
    re.A,
)


def parse(text: str, source: str = "<ctm>") -> list[Script]:
    """Read the recordings of a file, block by block."""
    texts: list[str] = []
    files: list[str] = []
    channels: list[str] = []
    speakers: list[str] = []
    numbers: list[tuple[IntArray, ...]] = []
    for table in _tables(text, source):
        numbers.append((*table.spans(2, source), table.lines))
        files += table.column(0)
        channels += table.column(1)
        texts += table.column(4)
        speakers += _speakers(table)
    if not texts:
        raise FormatError(source, "no words", f"write {FORM} on each line")
    start, end, lines = (np.concatenate(each) for each in zip(*numbers, strict=True))
    script = Script(
        texts=texts,
        start=start,
        end=end,
        speakers=speakers if any(speakers) else None,
        channels=channels,
        lines=lines,
        form="ctm",
        source=source,
    )
    return by_recording(script, files)


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write words; units that end without a mark get a full stop."""
    for script in scripts:
        start, end = require_times(script, "CTM")
        name = name_of(script)
        channels = script.channels if script.channels is not None else [""] * len(script)
        spans = zip(start.tolist(), (end - start).tolist(), strict=True)
        for index, (on, duration) in enumerate(spans):
            word = one_cell(script.texts[index], NOTHING, "")
            if script.ends is not None and script.ends[index]:
                word = _marked(word)
            channel = one_cell(channels[index], "1")
            tail = "" if script.speakers is None else _tail(script.speakers[index])
            yield f"{name} {channel} {seconds(on)} {seconds(duration)} {word}{tail}\n"


def is_like(text: str) -> bool:
    """Whether the first lines look like CTM, and cannot be words with some numbers."""
    return are_timed(_word_lines(text))


def may_be(text: str) -> bool:
    """Whether the first lines could be CTM."""
    return bool(_word_lines(text))


def _word_lines(text: str) -> list[re.Match[str]]:
    """The lines of words, unless all that should be words are numbers."""
    lines = matched(text, _WORD_LINE)
    return lines if any(re.search(r"[^\d.]", each["word"]) for each in lines) else []


def _tables(text: str, source: str) -> Iterator[CellTable]:
    """The lines that hold words."""
    has_alternatives = "<ALT" in text
    for block, above in _blocks(text, len(text) + 1 if has_alternatives else BLOCK):
        table = CellTable.from_text(block, above)
        if len(table):
            table.require((table.width >= 5) & (table.width <= 8), FORM, source)
            yield _first_alternatives(table, source) if has_alternatives else table


def _blocks(text: str, size: int) -> Iterator[tuple[str, int]]:
    """Parts of a text that end at line ends, each with the number of lines before it."""
    text = line_feeds(text)
    start = above = 0
    while start < len(text):
        stop = text.find("\n", start + size) + 1 or len(text)
        block = text[start:stop]
        yield block, above
        start, above = stop, above + block.count("\n")


def _first_alternatives(table: CellTable, source: str) -> CellTable:
    words = np.array([word.upper() for word in table.column(4)])
    signs = np.flatnonzero(np.isin(words, [_BEGIN, _NEXT, _END]))
    before = ""
    follows = {"": (_BEGIN,), _BEGIN: (_NEXT, _END), _NEXT: (_NEXT, _END), _END: (_BEGIN,)}
    for at in signs.tolist():
        if words[at] not in follows[before]:
            _refuse(f"{words[at]} after {before or 'nothing'}", source, int(table.lines[at]))
        before = str(words[at])
    if before not in ("", _END):
        _refuse("alternatives without an end", source, int(table.lines[signs[-1]]))
    latest = np.searchsorted(signs, np.arange(len(table)), side="right") - 1
    later = np.append(words[signs], "")[latest] == _NEXT
    plain = words != NOTHING
    plain[signs] = False
    return table.some(plain & ~later)


def _refuse(problem: str, source: str, line: int) -> None:
    cure = f"alternatives are {_BEGIN} … {_NEXT} … {_END}"
    raise FormatError(source, problem, cure, line=line)


def _speakers(table: CellTable) -> list[str]:
    named = np.flatnonzero(table.width == 8)
    speakers = [""] * len(table)
    for at, speaker in zip(named.tolist(), table.some(named).column(7), strict=True):
        speakers[at] = speaker
    return speakers


def _tail(speaker: str) -> str:
    return f" NA lex {one_cell(speaker, 'NA')}" if speaker else ""


def _marked(word: str) -> str:
    """A word that ends in a mark."""
    return word if word.rstrip(_CLOSERS).endswith(ENDS) else word.rstrip(",:") + "."
