"""STM: a line for each segment, `FILE CHANNEL SPEAKER START END [<LABEL>] TEXT`.

`;` begins a comment. Segments excluded from scoring (`ignore_time_segment_in_scoring`, the
speaker `inter_segment_gap`) are left out; of alternatives, `{ a / b }`, the first is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from caesura.errors import FormatError
from caesura.formats import rttm
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
from caesura.formats._shared.script import Script, require_forward
from caesura.formats.ctm import NOTHING
from caesura.io.files import line_feeds

FORM = "FILE CHANNEL SPEAKER START END TEXT"
SKIPPED_TEXT, SKIPPED_SPEAKER = "ignore_time_segment_in_scoring", "inter_segment_gap"
UNNAMED = "unknown"
_NO_SLASH, _STAYS = -1, -2
_BRACES = re.compile(r"([{}/])")
_LINE = re.compile(
    r"(?P<lane>\S+[ \t]+\S+)[ \t]+\S+[ \t]+(?P<start>\d*\.?\d+)[ \t]+(?P<other>\d*\.?\d+)"
    r"([ \t]+\S.*)?\s*",
    re.A,
)


def parse(text: str, source: str = "<stm>") -> list[Script]:
    """Read the recordings of a file."""
    table = CellTable.from_text(line_feeds(text))
    table.require(table.width >= 5, FORM, source)
    speakers, said = (table.column(2), _texts(table)) if len(table) else ([], [])
    kept = np.flatnonzero(
        [
            speaker.lower() != SKIPPED_SPEAKER and words.lower() != SKIPPED_TEXT
            for speaker, words in zip(speakers, said, strict=True)
        ]
    )
    if not kept.size:
        raise FormatError(source, "no segments", f"write {FORM} on each line")
    script = Script(
        texts=said,
        ends=np.ones(len(table), dtype=np.bool_),
        speakers=speakers,
        channels=table.column(1),
        lines=table.lines,
        form="stm",
        source=source,
    ).some(kept)
    return by_recording(_timed(script, table.some(kept)), table.some(kept).column(0))


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write segments; a speaker without a name is called unknown, a channel without one 1."""
    for script in scripts:
        start, end = require_times(script, "STM")
        nobody = [""] * len(script)
        pieces = zip(
            script.channels if script.channels is not None else nobody,
            script.speakers if script.speakers is not None else nobody,
            start.tolist(),
            end.tolist(),
            script.texts,
            strict=True,
        )
        name = name_of(script)
        for channel, speaker, on, off, text in pieces:
            who = f"{one_cell(channel, '1')} {one_cell(speaker, UNNAMED)}"
            words = " ".join(text.split())
            label = " <o,f0,unknown>" if _is_label(words.partition(" ")[0]) else ""
            yield f"{name} {who} {seconds(on)} {seconds(off)}{label} {words}".rstrip() + "\n"


def is_like(text: str) -> bool:
    """Whether the first lines look like STM, and cannot be words with some numbers."""
    return are_timed(_segment_lines(text))


def may_be(text: str) -> bool:
    """Whether the first lines could be STM."""
    return bool(_segment_lines(text))


def _segment_lines(text: str) -> list[re.Match[str]]:
    """The lines of segments, if all of them end after they begin."""
    lines = matched(text, _LINE)
    are_forward = all(float(each["start"]) <= float(each["other"]) for each in lines)
    return lines if are_forward and not rttm.is_like(text) else []


def _timed(script: Script, table: CellTable) -> Script:
    start, end = table.micros(3, script.source), table.micros(4, script.source)
    script = replace(script, start=start, end=end)
    require_forward(script)
    return script


def _texts(table: CellTable) -> list[str]:
    """The text after the times and the label, if there is one."""
    cells, spoken = table.cells, []
    bounds = zip(table.first.tolist(), table.width.tolist(), strict=True)
    for first, width in bounds:
        at, last = first + 5, first + width - 1
        at += at <= last and _is_label(cells.at(at))
        words = cells.data[cells.starts[at] : cells.stops[last]].decode() if at <= last else ""
        spoken.append(_first_alternatives(words))
    return spoken


def _is_label(cell: str) -> bool:
    return cell.startswith("<") and cell.endswith(">")


def _first_alternatives(words: str) -> str:
    if "{" in words:
        words = _without_others(_BRACES.split(words))
    return " ".join(word for word in words.split() if word != NOTHING)


def _without_others(pieces: list[str]) -> str:
    """The pieces with the first of `{ a / b }` in its place, which may hold such itself.

    Braces without alternatives stay, and with them those around them.
    """
    kept: list[str] = []
    opened: list[tuple[int, int]] = []
    for piece in pieces:
        if piece == "/" and opened and opened[-1][1] == _NO_SLASH:
            opened[-1] = opened[-1][0], len(kept)
        elif piece == "}" and opened:
            brace, slash = opened.pop()
            if slash >= 0:
                kept[brace] = ""
                del kept[slash:]
                continue
            if opened:
                opened[-1] = opened[-1][0], _STAYS
        elif piece == "{":
            opened.append((len(kept), _NO_SLASH))
        kept.append(piece)
    return "".join(kept)
