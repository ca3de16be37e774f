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
from caesura.formats.ctm import NOTHING, CellTable, by_recording, name_of, one_cell, require_times
from caesura.formats.script import Script, require_forward, seconds

FORM = "FILE CHANNEL SPEAKER START END TEXT"
SKIPPED_TEXT, SKIPPED_SPEAKER = "ignore_time_segment_in_scoring", "inter_segment_gap"
UNNAMED = "unknown"
_NO_SLASH, _STAYS = -1, -2
_BRACES = re.compile(r"([{}/])")
_LINE = re.compile(r"\S+[ \t]+\S+[ \t]+\S+[ \t]+(\d*\.?\d+)[ \t]+(\d*\.?\d+)([ \t]+\S.*)?\s*", re.A)


def parse(text: str, source: str = "<stm>") -> list[Script]:
    """Read the recordings of a file."""
    table = CellTable.from_text(text.replace("\r\n", "\n").replace("\r", "\n"))
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
    """Whether the first lines look like STM."""
    lines = [line for line in text[:8192].split("\n")[:10] if line.strip() and line[0] != ";"]
    found = [_LINE.fullmatch(line) for line in lines[: max(1, len(lines) - 1)]]
    forward = [float(match[1]) <= float(match[2]) for match in found if match]
    return len(forward) == len(found) > 0 and all(forward) and not rttm.is_like(text)


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
