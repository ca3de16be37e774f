"""CTM: a line for each word, `FILE CHANNEL START DURATION WORD [CONFIDENCE]`; `;` begins a comment.

Words are sorted by the time at which they start and may overlap. Of alternatives (`<ALT_BEGIN>`,
`<ALT>`, `<ALT_END>`) the first is taken; `@`, the empty one, is not a word. A line of eight columns
ends in a speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from caesura.core.cells import Cells
from caesura.core.marks import MARKS, with_kin
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError, number
from caesura.formats.intervals import read_times
from caesura.formats.script import UNKNOWN, Script, seconds
from caesura.formats.times import LATEST, SECOND
from caesura.io.files import stem

BLOCK = 1 << 24
_BETWEEN = re.compile(r"[\s\0-\x20]+")
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
ENOUGH = 3
"""The lines from which on whole numbers that ascend are taken for times."""


@dataclass(frozen=True, slots=True)
class CellTable:
    """Lines of columns, comments and empty lines left out: the cells, and where each line begins.

    Cells hold lines counted from 0, as always; `lines` count from 1.
    """

    cells: Cells
    first: IntArray
    width: IntArray

    @classmethod
    def from_text(cls, text: str, above: int = 0) -> CellTable:
        """Cut a text that comes after a number of other lines."""
        cells = Cells.split(text.encode(errors="backslashreplace"))
        cells = Cells(cells.data, cells.starts, cells.stops, cells.line + above)
        first = np.flatnonzero(np.diff(cells.line, prepend=-1))
        width = np.diff(first, append=cells.line.size)
        characters = np.frombuffer(cells.data, np.uint8)
        said = np.flatnonzero(characters[cells.starts[first]] != ord(";"))
        return cls(cells, first[said], width[said])

    def __len__(self) -> int:
        return self.first.size

    @property
    def lines(self) -> IntArray:
        """The number of each line."""
        return self.cells.line[self.first] + 1

    def some(self, which: IntArray | BoolArray) -> CellTable:
        """Some of the lines."""
        return CellTable(self.cells, self.first[which], self.width[which])

    def column(self, at: int) -> list[str]:
        """A column as text."""
        values, which = self.cells.some(self.first + at).distinct()
        names = [value.decode() for value in values]
        return [names[index] for index in which.tolist()]

    def micros(self, at: int, source: str) -> IntArray:
        """A column as times."""
        times = read_times(source, self.cells.some(self.first + at))
        return np.rint(times * SECOND).astype(np.int64)

    def spans(self, at: int, source: str) -> tuple[IntArray, IntArray]:
        """When lines begin and end, from a column of starts and, after it, one of durations."""
        start = self.micros(at, source)
        end = start + self.micros(at + 1, source)
        late = np.flatnonzero(end > LATEST * SECOND)
        if late.size:
            problem, line = f"ends at {seconds(int(end[late[0]]))}", int(self.lines[late[0]])
            raise FormatError(source, problem, f"times end at {LATEST} seconds", line=line)
        return start, end

    def require(self, fits: BoolArray, form: str, source: str) -> None:
        """Raise an error for the first line that does not have the columns it should have."""
        wrong = np.flatnonzero(~fits)
        if wrong.size:
            at = int(wrong[0])
            problem, line = number(int(self.width[at]), "column"), int(self.lines[at])
            raise FormatError(source, problem, f"write {form}", line=line)


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


def matched(text: str, line: re.Pattern[str]) -> list[re.Match[str]]:
    """The matches of the lines that are not comments; none if one of them does not match.

    The last of several lines may be cut, so it does not count.
    """
    lines = [each for each in text[:4096].split("\n") if each.strip() and each[0] != ";"]
    found = [line.fullmatch(each) for each in lines[: max(1, len(lines) - 1)]]
    return [each for each in found if each] if all(found) else []


def are_timed(lines: Sequence[re.Match[str]]) -> bool:
    """Whether numbers of lines are times: with a point, or of one recording and ascending."""
    if any("." in each["start"] + each["other"] for each in lines):
        return True
    starts = [int(each["start"]) for each in lines]
    is_one = len({each["lane"] for each in lines}) == 1
    return len(lines) >= ENOUGH and is_one and starts == sorted(starts)


def _word_lines(text: str) -> list[re.Match[str]]:
    """The lines of words, unless all that should be words are numbers."""
    lines = matched(text, _WORD_LINE)
    return lines if any(re.search(r"[^\d.]", each["word"]) for each in lines) else []


def by_recording(script: Script, names: Sequence[str]) -> list[Script]:
    """A script for each recording, in order of appearance, its pieces sorted by start."""
    numbers = {name: code for code, name in enumerate(dict.fromkeys(names))}
    if len(numbers) == 1:
        return [replace(script, recording=names[0]).in_order()]
    codes = np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))
    order = np.argsort(codes, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    return [
        replace(script.some(part), recording=name).in_order()
        for name, part in zip(numbers, parts, strict=True)
    ]


def require_times(script: Script, name: str) -> tuple[IntArray, IntArray]:
    """The start and end of each piece, for a format that requires them."""
    if script.start is None or script.end is None:
        raise FormatError(script.source, f"no times, which {name} needs", "choose another format")
    wrong = np.flatnonzero((script.start == UNKNOWN) | (script.end == UNKNOWN))
    if wrong.size:
        line = None if script.lines is None else int(script.lines[wrong[0]])
        problem = f"a piece without a time, which {name} needs"
        raise FormatError(script.source, problem, "choose another format", line=line)
    return script.start, script.end


def name_of(script: Script) -> str:
    """The name of a recording, as one cell: its own, else that of its file; not a comment."""
    name = one_cell(script.recording or stem(script.source), "recording")
    return f"_{name}" if name.startswith(";") else name


def one_cell(name: str, otherwise: str, between: str = "_") -> str:
    """A name or a word without what separates cells: white space and control characters."""
    return between.join(filter(None, _BETWEEN.split(name))) or otherwise


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
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
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
