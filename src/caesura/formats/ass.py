r"""SubStation Alpha (.ass, .ssa): subtitles as events, with names and override tags.

An event is a line `Dialogue:` with the columns that the line `Format:` of its section names.
Overrides and comments (`{\i1}`) are left out, drawings too; `\N` and `\n` end a line, `\h` is a
blank.
Literal braces are written `\{` and `\}`, as libass reads them.
"""

from __future__ import annotations

import re

import numpy as np

from caesura.core.line_breaks import LINE_END
from caesura.errors import FormatError
from caesura.formats._shared.clock_times import LATEST, SECOND
from caesura.formats._shared.script import Script, require_forward
from caesura.formats._shared.subtitles import Cues, to_script, unified

COLUMNS = [
    "Layer",
    "Start",
    "End",
    "Style",
    "Name",
    "MarginL",
    "MarginR",
    "MarginV",
    "Effect",
    "Text",
]
CURE = f"write Dialogue: 0,0:00:01.00,0:00:02.50,… with the columns {', '.join(COLUMNS)}"
_TIME = re.compile(r"\s*(\d{1,6}):([0-5]?\d):([0-5]?\d)(?:[.:](\d{1,6}))?\s*", re.ASCII)
_DRAWING = re.compile(r"\{[^{}]*\\p[1-9]")
_ESCAPED = re.compile(r"\\([{}])")
_OVERRIDE = re.compile(r"\{[^{}]*\}")
_JOINER = "\u2060"
_OPEN, _CLOSE = "\ue0f0", "\ue0f1"
"""What stands for literal braces while overrides are left out."""


def parse(text: str, source: str = "<ass>") -> list[Script]:
    """Read one recording: a piece for each event, as a unit."""
    columns, rows = [each.lower() for each in COLUMNS], []
    section = ""
    for at, line in enumerate(unified(text).split("\n"), 1):
        kind, _, rest = line.strip().partition(":")
        if line.startswith("["):
            section = line.strip().lower()
        elif section == "[events]" and kind == "Format":
            columns = [each.strip().lower() for each in rest.split(",")]
        elif kind == "Dialogue" and section in ("", "[events]"):
            rows.append((at, _event(rest, columns, source, at)))
    times = np.array([row["times"] for _, row in rows], np.int64).reshape(len(rows), 2)
    lines = np.array([at for at, _ in rows], np.int64)
    texts = [str(row["text"]) for _, row in rows]
    cues = Cues(times[:, 0], times[:, 1], texts, lines)
    require_forward(Script(cues.texts, cues.start, cues.end, lines=cues.lines, source=source))
    speakers = [str(row["name"]) for _, row in rows]
    return [to_script(cues, source, "ass", speakers if any(speakers) else None)]


def _event(rest: str, columns: list[str], source: str, line: int) -> dict[str, object]:
    """The times, the name and the text of an event."""
    cells = rest.split(",", len(columns) - 1)
    row = dict(zip(columns, cells, strict=False))
    found = [_TIME.fullmatch(row.get(name, "")) for name in ("start", "end")]
    if len(cells) < len(columns) or "text" not in row or not all(found):
        raise FormatError(source, f"'{rest.strip()[:40]}' is not an event", CURE, line=line)
    micros = [_micros(each) for each in found if each]
    if max(micros) > LATEST * SECOND:
        raise FormatError(source, "a time that is too late", CURE, line=line)
    name = " ".join((row.get("name") or row.get("actor") or "").split())
    return {"times": micros, "name": name, "text": _plain(row["text"])}


def _micros(time: re.Match[str]) -> int:
    hours, minutes, seconds = (int(each) for each in time.groups()[:3])
    rest = int((time[4] or "0").ljust(6, "0"))
    return ((hours * 60 + minutes) * 60 + seconds) * SECOND + rest


def _plain(text: str) -> str:
    """A text without overrides; a drawing has none."""
    if _DRAWING.search(text):
        return ""
    kept = _ESCAPED.sub(lambda brace: _OPEN if brace[1] == "{" else _CLOSE, text)
    kept = _OVERRIDE.sub("", kept).replace(_OPEN, "{").replace(_CLOSE, "}")
    for mark, character in ((r"\N", LINE_END), (r"\n", LINE_END), (r"\h", " ")):
        kept = kept.replace(mark, character)
    return kept.replace(f"\\{_JOINER}", "\\")
