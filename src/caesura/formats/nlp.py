"""Rev's .nlp: a line for each word, `token|speaker|ts|endTs|punctuation|case|tags`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from caesura.errors import FormatError, number
from caesura.formats.script import UNKNOWN, Format, Script, require_forward, seconds
from caesura.formats.times import parse_times
from caesura.segmentation import IntArray

COLUMNS = ("token", "speaker", "ts", "endTs", "punctuation", "case", "tags")
NEEDED = ("token", "punctuation")


def parse(text: str, source: str = "<nlp>") -> list[Script]:
    """Read one recording."""
    lines = text.splitlines()
    names = lines[0].strip().split("|") if lines else []
    for name in NEEDED:
        if name not in names:
            cure = f"the first line names the columns: {'|'.join(COLUMNS)}"
            raise FormatError(source, f"no column '{name}'", cure, line=1)
    numbered = [(at, line.split("|")) for at, line in enumerate(lines[1:], 2) if line.strip()]
    _require_columns(numbered, len(names), source)
    where = np.array([at for at, _ in numbered], dtype=np.int64)
    columns = dict(zip(names, zip(*(cells for _, cells in numbered), strict=True), strict=False))
    if not columns:
        raise FormatError(source, "no words", "give a line for each word", line=1)
    marks = columns["punctuation"]
    script = Script(
        texts=[token + mark for token, mark in zip(columns["token"], marks, strict=True)],
        start=_times(columns.get("ts"), source, where),
        end=_times(columns.get("endTs"), source, where),
        speakers=columns.get("speaker"),
        lines=where,
        form="nlp",
        source=source,
    )
    require_forward(script)
    return [script]


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write words, their marks apart; units that end without a mark get a full stop."""
    yield "|".join(COLUMNS) + "\n"
    for script in scripts:
        for index, text in enumerate(script.texts):
            token, mark = _parted(text)
            if script.ends is not None and script.ends[index] and not mark:
                mark = "."
            speaker = script.speakers[index] if script.speakers is not None else ""
            on, off = (_shown(times, index) for times in (script.start, script.end))
            yield f"{token}|{speaker}|{on}|{off}|{mark}|{_case(token)}|[]\n"


FORMAT = Format(
    name="nlp",
    about="Rev's .nlp: a line for each word, with its mark, speaker and times",
    suffixes=(".nlp",),
    parse=parse,
    write=write,
    units="marks",
    kind="words",
    is_like=lambda text: text.startswith("token|"),
)


def _require_columns(numbered: list[tuple[int, list[str]]], wanted: int, source: str) -> None:
    for line, cells in numbered:
        if len(cells) != wanted:
            problem = f"{number(len(cells), 'column')} where the first line names {wanted}"
            raise FormatError(source, problem, "give every line the same columns", line=line)


def _times(cells: Sequence[str] | None, source: str, lines: IntArray) -> IntArray | None:
    return None if cells is None or not any(cells) else parse_times(cells, source, lines)


def _parted(text: str) -> tuple[str, str]:
    """A word and the marks that follow it; a bar, which parts columns, is left out."""
    text = text.replace("|", "").replace(" ", "")
    token = text.rstrip(".,;:?!…")
    return (token, text[len(token) :]) if token else (text, "")


def _shown(times: IntArray | None, index: int) -> str:
    return "" if times is None or times[index] == UNKNOWN else seconds(int(times[index]))


def _case(token: str) -> str:
    if token.islower():
        return "LC"
    if token.isupper() and len(token) > 1:
        return "CA"
    return "UC" if token[:1].isupper() else "MC"
