"""The differences between two saved baselines, key by key and line by line."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import Any

from baselines.changes import (
    KEYS,
    NEW_ERROR_LINES,
    NEW_KEYS,
    REORDERED,
    REORDERED_ROWS,
    is_meant,
    json_as_now,
    page_as_now,
    tables_as_now,
    without_gone_keys,
    words_as_now,
)
from baselines.shown import shown
from baselines.tabular import TABLES, by_label, split

ABSENT = "(nothing)"
LONGEST = 300
IGNORED = {"times.json"}


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two outputs differ, and what stands there."""

    where: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return f"  {self.where}\n    old  {_short(self.old)}\n    new  {_short(self.new)}"


def differences(old: Path, new: Path) -> Iterator[tuple[str, list[Difference]]]:
    """Each output, as COMMAND/OUTPUT, that differs, and how."""
    sides = [{str(path.relative_to(side)) for path in _files(side)} for side in (old, new)]
    known = [{Path(output).parts[0] for output in side} for side in sides]
    for command in sorted(known[0] ^ known[1]):
        if is_meant(command):
            continue
        there = [command if command in side else ABSENT for side in known]
        yield command, [Difference("command", *there)]
    for output in sorted(sides[0] | sides[1]):
        if is_meant(output) or Path(output).parts[0] not in known[0] & known[1]:
            continue
        if output not in sides[0] or output not in sides[1]:
            there = [output if output in side else ABSENT for side in sides]
            yield output, [Difference("file", *there)]
            continue
        texts = [(side / output).read_text(encoding="utf-8") for side in (old, new)]
        found = list(_compared(output)(*texts))
        if found:
            yield output, found


def _files(side: Path) -> Iterator[Path]:
    if not side.is_dir():
        raise SystemExit(f"{side}: no such folder; make it with `baseline.py save`")
    return (path for path in side.rglob("*") if path.is_file() and path.name not in IGNORED)


def _compared(output: str) -> Callable[[str, str], Iterator[Difference]]:
    path = Path(output)
    if path.name == "runs.json":
        return _runs
    if path.name == "page.json":
        return _pages
    if path.name == "rows.jsonl":
        return _rows
    if REORDERED and path.suffix in TABLES:
        return partial(_tabular, suffix=path.suffix)
    return BY_SUFFIX.get(path.suffix, _texts)


# --- Values ----------------------------------------------------------------------------


def _values(old: Any, new: Any, where: str) -> Iterator[Difference]:
    """Compare plain values; numbers exactly, keys in any order."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old and key not in NEW_KEYS)]:
            place = f"{where}.{key}" if where else str(key)
            yield from _values(old.get(key, ABSENT), new.get(key, ABSENT), place)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield Difference(f"{where}, length", len(old), len(new))
        for at, pair in enumerate(zip(old, new, strict=False)):
            yield from _values(*pair, f"{where}[{at}]")
    elif not _is_same(old, new):
        yield Difference(where, old, new)


def _is_same(old: Any, new: Any) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        return _plain(old) == _plain(new)
    return isinstance(old, bool) == isinstance(new, bool) and bool(old == new)


def _json(old: str, new: str) -> Iterator[Difference]:
    try:
        values = json.loads(old), json.loads(new)
    except ValueError:
        yield from _texts(old, new)
        return
    yield from _values(_in_any_order(json_as_now(values[0])), _in_any_order(values[1]), "")


def _in_any_order(value: Any) -> Any:
    """Correlations by their pair of scores, of which either may be first; sorted notes.

    What stands in other lists is in the order of systems, references or documents.
    """
    if not REORDERED or not isinstance(value, dict):
        return value
    found = dict(value)
    if found.get("task") == "correlate":
        found["pairs"] = {" ".join(sorted(pair.pop("measures"))): pair for pair in found["pairs"]}
    if "notes" in found:
        found["notes"] = sorted(found["notes"])
    return found


def _pages(old: str, new: str) -> Iterator[Difference]:
    before, after = shown(without_gone_keys(json.loads(old))), shown(json.loads(new))
    yield from _values(_in_any_order(page_as_now(before)), _in_any_order(after), "")


def _runs(old: str, new: str) -> Iterator[Difference]:
    before, after = json.loads(old), json.loads(new)
    for run in dict.fromkeys((*before, *after)):
        one, other = (side.get(run, {"status": ABSENT, "stderr": ""}) for side in (before, after))
        yield from _values(one["status"], other["status"], f"{run}: status")
        lines = _lines(words_as_now(one["stderr"]))
        found = _lines(other["stderr"])
        kept = [line for line in found if line in lines or not _may_be_new(line)]
        yield from _changed(lines, kept, f"{run}: stderr ")


def _may_be_new(line: str) -> bool:
    return any(re.search(pattern, line) for pattern in NEW_ERROR_LINES)


# --- Rows ------------------------------------------------------------------------------


def _rows(old: str, new: str) -> Iterator[Difference]:
    """Compare the counts of each row with those of the row of the same name."""
    heads, sides = [], []
    for text in (old, new):
        head, *lines = [json.loads(line) for line in text.splitlines()] or [{}]
        heads.append(_header(head, lines))
        sides.append([line for line in lines if "measure" in line])
    yield from _values(json_as_now(heads[0]), heads[1], "head")
    one, other = (_by_name(rows) for rows in sides)
    for name in dict.fromkeys((*one, *other)):
        yield from _values(one.get(name, ABSENT), other.get(name, ABSENT), name)
    if not (REORDERED or REORDERED_ROWS) and list(one) != list(other) and set(one) == set(other):
        at, pair = next(
            (at, pair) for at, pair in enumerate(zip(one, other, strict=True)) if len({*pair}) > 1
        )
        yield Difference(f"order of rows, at {at}", *pair)


def _header(head: dict[str, Any], lines: list[dict[str, Any]]) -> dict[str, Any]:
    """What a header said in 0.1.0; now, some of it is in the last line, and documents are lines.

    Readings are saved before the page's are made of them; pages of saved rows are compared.
    """
    if "documents" in head:
        return head
    documents = [line["done"] for line in lines if "done" in line and "failed" not in line]
    end: dict[str, Any] = next((line["end"] for line in lines if "end" in line), {})
    found = {**head, **end, "documents": documents}
    new = ("systems", "counted", "with_text", "failed")
    return {name: value for name, value in found.items() if name not in new}


def _by_name(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows by all that they say but their counts; of the same name there may be several."""
    found: dict[str, Any] = {}
    for row in rows:
        fields = sorted((key, value) for key, value in row.items() if key != "counts")
        name = " ".join(f"{key}={value}" for key, value in fields)
        while name in found:
            name += " again"
        found[name] = row.get("counts")
    return found


# --- Texts -----------------------------------------------------------------------------


def _csv(old: str, new: str) -> Iterator[Difference]:
    """Compare cell by cell, columns by their names and rows by the words in them."""
    one, other = (list(csv.reader(io.StringIO(text))) or [[]] for text in (old, new))
    heads = [KEYS.get(name, name) for name in one[0]]
    rows = [[words_as_now(cell) for cell in row] for row in one[1:]]
    yield from _values(by_label(heads, rows), by_label(other[0], other[1:]), "")


def _texts(old: str, new: str) -> Iterator[Difference]:
    yield from _changed(_lines(words_as_now(old)), _lines(new), "line ")


def _tabular(old: str, new: str, suffix: str) -> Iterator[Difference]:
    """Compare the tables cell by cell, and the sentences around them; both in any order."""
    one, other = split(words_as_now(old), suffix), split(new, suffix)
    yield from _values(tables_as_now(one.tables), other.tables, "")
    before, after = (_sentences(side.lines, suffix) for side in (one, other))
    yield from _changed(sorted(map(words_as_now, before)), sorted(after), "sentence ")


def _sentences(lines: list[str], suffix: str) -> list[str]:
    """Lines; those for a terminal are wrapped, so that only sentences can be compared."""
    if suffix != ".txt":
        return [_plain(line) for line in lines if line]
    return re.split(r"(?<=[.?!]) ", _plain(" ".join(lines)))


def _lines(text: str) -> list[str]:
    """The lines, with white space and rules as they are in any width."""
    return [_plain(line) for line in text.splitlines()]


def _plain(line: str) -> str:
    """A line with single blanks; a rule of any length is the same."""
    return re.sub(r"([─━-])\1{3,}", r"\1\1\1\1", " ".join(line.split()))


def _changed(old: list[str], new: list[str], where: str) -> Iterator[Difference]:
    if old == new:
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, start, stop, begin, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        for at in range(max(stop - start, end - begin)):
            pair = [
                side[place + at] if place + at < last else ABSENT
                for side, place, last in ((old, start, stop), (new, begin, end))
            ]
            yield Difference(f"{where}{begin + at + 1}", *pair)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text):,} characters)"


BY_SUFFIX = {".json": _json, ".jsonl": _texts, ".csv": _csv}
