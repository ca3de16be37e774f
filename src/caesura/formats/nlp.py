"""Rev's .nlp: a line for each word, `token|speaker|ts|endTs|punctuation|case|tags`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, number, option
from caesura.formats.clock_times import parse_times
from caesura.formats.script import Script, require_forward
from caesura.io.files import line_feeds

COLUMNS = ("token", "speaker", "ts", "endTs", "punctuation", "case", "tags")
NEEDED = ("token", "punctuation")
SHOWN = 40


def parse(text: str, source: str = "<nlp>", *, force: bool = False) -> list[Script]:
    """Read one recording; with `force`, lines that do not have all columns are left out."""
    lines = line_feeds(text.removeprefix("\ufeff")).split("\n")
    names = lines[0].strip().split("|")
    for name in NEEDED:
        if name not in names:
            cure = f"the first line names the columns: {'|'.join(COLUMNS)}"
            raise FormatError(source, f"no column '{name}'", cure, line=1)
    full = [at for at, line in enumerate(lines) if at and line and not line.isspace()]
    where = [at for at in full if lines[at].count("|") == len(names) - 1]
    wrong = sorted(set(full).difference(where))
    if wrong and not force:
        raise _wrong_columns(lines[wrong[0]], len(names), source, wrong[0] + 1)
    if not where:
        raise FormatError(source, "no words", "give a line for each word", line=1)
    columns = _columns([lines[at] for at in where], names)
    numbers = np.array(where, dtype=np.int64) + 1
    marks = map(_dashed, columns["punctuation"])
    script = Script(
        texts=[token + mark for token, mark in zip(columns["token"], marks, strict=True)],
        start=_times(columns.get("ts"), source, numbers),
        end=_times(columns.get("endTs"), source, numbers),
        speakers=columns.get("speaker"),
        lines=numbers,
        form="nlp",
        source=source,
        signs={"left_out": len(wrong), "left_out_at": wrong[0] + 1} if wrong else {},
    )
    require_forward(script)
    return [script]


def _columns(rows: list[str], names: list[str]) -> dict[str, list[str]]:
    cells = "|".join(rows).split("|")
    return {name: cells[at :: len(names)] for at, name in enumerate(names)}


def _wrong_columns(row: str, wanted: int, source: str, line: int) -> FormatError:
    found = row.count("|") + 1
    problem = f"'{row[:SHOWN]}' has {number(found, 'column')} where the first line names {wanted}"
    cure = "write | inside a cell as ¦" if found > wanted else "give the line all columns"
    left_out = f"leave such lines out with {option('force')}"
    return FormatError(source, problem, f"{cure}, or {left_out}", line=line)


def _dashed(mark: str) -> str:
    """A mark that is no part of the word before it: a hyphen would be, a dash is not."""
    return mark.replace("-", "–") if "-" in mark else mark


def _times(cells: Sequence[str] | None, source: str, lines: IntArray) -> IntArray | None:
    return None if cells is None or not any(cells) else parse_times(cells, source, lines)
