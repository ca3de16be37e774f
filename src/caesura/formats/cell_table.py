"""CellTable: lines of columns, as NIST's formats have them; recordings and cells of names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from caesura.core.byte_cells import Cells
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError, number
from caesura.formats.script import LATEST, SECOND, UNKNOWN, Script, read_times, seconds
from caesura.io.files import stem

_BETWEEN = re.compile(r"[\s\0-\x20]+")
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
