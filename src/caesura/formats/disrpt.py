"""DISRPT's .tok and .conllu: a token a line in ten columns, discourse units in the last one.

`Seg=B-seg` begins an elementary discourse unit, other tokens have `Seg=O`; before 2023 it was
`BeginSeg=Yes` and nothing. Connectives are `Conn=B-conn` and `Conn=I-conn`, other tokens have
`Conn=O`; before 2023 `Seg=B-Conn` and `Seg=I-Conn`. What is before the first discourse unit and
between connectives is no unit. Every token is a word, be it punctuation.

`# newdoc id = NAME` (or `newdoc_id`) begins a recording. Multiword tokens (`1-2`) and empty nodes
(`1.1`) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from caesura.core.segmentation import OUTSIDE, BoolArray, IntArray
from caesura.errors import FormatError, number, shortened
from caesura.formats.script import Script
from caesura.formats.treebank import written_tokens

COLUMNS = 10
SEG, CONN = "seg", "conn"
"""The labels of elementary discourse units, and of connectives."""
_LABELS = {
    SEG: ("Seg=B-seg or Seg=O", "discourse units"),
    CONN: ("Conn=B-conn, Conn=I-conn or Conn=O", "connectives"),
}
_CURE = " in the last column, or ".join(cure for cure, _ in _LABELS.values())
_NONE, _SEG_OUT, _SEG_BEGIN, _CONN_OUT, _CONN_BEGIN, _CONN_INSIDE = range(6)
_CODES = {
    "beginseg=yes": _SEG_BEGIN,
    "seg=b-seg": _SEG_BEGIN,
    "beginseg=no": _SEG_OUT,
    "seg=i-seg": _SEG_OUT,
    "seg=o": _SEG_OUT,
    "seg=b-conn": _CONN_BEGIN,
    "conn=b-conn": _CONN_BEGIN,
    "seg=i-conn": _CONN_INSIDE,
    "conn=i-conn": _CONN_INSIDE,
    "conn=o": _CONN_OUT,
}
_KEYS = ("beginseg=", "seg=", "conn=")
_NEWDOC = re.compile(r"#\s*newdoc(?:[ _]id\s*=(.*)|\s*$)")
_LIKE = re.compile(
    r"^\d+\t(?:[^\t\n]*\t){8}(?:[^\t\n]*\|)?"
    r"(?:BeginSeg=Yes|Seg=(?:O|[BI]-(?:seg|Conn))|Conn=(?:O|[BI]-conn))(?:[|\r\n]|$)",
    re.MULTILINE | re.IGNORECASE,
)


def is_like(head: str) -> bool:
    """Whether a line at the beginning of a text is that of a token with a label."""
    return _LIKE.search(head) is not None


def parse(text: str, source: str = "<disrpt>") -> list[Script]:
    """Read every recording."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    where = _token_lines(lines, source)
    cells = "\t".join([lines[at] for at in where.tolist()]).split("\t")
    names, starts = _recordings(lines, where, source)
    codes = _codes(cells[COLUMNS - 1 :: COLUMNS], where, source)
    label = _label(codes, where, source)
    begins, is_inside = (_connectives if label == CONN else _discourse_units)(codes, starts)
    begins[starts] = True
    begins[1:] |= is_inside[1:] != is_inside[:-1]
    script = Script(
        texts=cells[1::COLUMNS],
        ends=np.append(begins[1:], True),
        types=np.where(is_inside, label, OUTSIDE).tolist(),
        lines=where + 1,
        form=f"disrpt-{label}",
        source=source,
        is_verbatim=True,
    )
    return list(_parted(script, names, starts))


def write(scripts: Sequence[Script]) -> Iterator[str]:
    """Write forms and labels; those of connectives, if any unit is one."""
    is_conn = any(CONN in script.types for script in scripts if script.types is not None)
    labels = ("Conn=B-conn", "Conn=I-conn", "Conn=O") if is_conn else ("Seg=B-seg", *["Seg=O"] * 2)
    for place, script in enumerate(scripts):
        if script.recording or len(scripts) > 1:
            yield "\n" * (place > 0) + f"# newdoc id = {' '.join(script.recording.split())}\n"
        for at, (form, label) in enumerate(_written(script, labels), 1):
            yield "\t".join((str(at), form, *"_" * 7, label)) + "\n"


def _written(script: Script, labels: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The tokens of a script, each with its label: of the first of a unit, of others, of none."""
    first, inside, none = labels
    begin = 0
    for stop in _stops(script):
        is_unit = script.types is None or script.types[stop - 1] != OUTSIDE
        label = first if is_unit else none
        for token in written_tokens(script, range(begin, stop)):
            yield token.form, label
            label = inside if is_unit else none
        begin = stop


def _token_lines(lines: list[str], source: str) -> IntArray:
    """The numbers of the lines that hold tokens, all of ten columns."""
    found = [at for at, line in enumerate(lines) if line and line[0] != "#" and not line.isspace()]
    for at in found:
        columns = lines[at].count("\t") + 1
        if columns != COLUMNS:
            has = f"has {number(columns, 'column')} where DISRPT has {COLUMNS}"
            problem = f"'{shortened(lines[at])}' {has}"
            cure = f"separate {COLUMNS} columns by tabs, or give another text another suffix"
            raise FormatError(source, problem, cure, line=at + 1)
    ids = [lines[at].partition("\t")[0] for at in found]
    kept = [at for at, name in zip(found, ids, strict=True) if name.isdecimal()]
    if len(kept) < len(found):
        _check_ids(ids, found, source)
    if not kept:
        raise FormatError(source, "no tokens", "give a line for each token")
    return np.array(kept, np.int64)


def _check_ids(ids: list[str], lines: list[int], source: str) -> None:
    for name, line in zip(ids, lines, strict=True):
        if not re.fullmatch(r"\d+([-.]\d+)?", name):
            cure = "write a number, a range (4-5) or an empty node (4.1)"
            raise FormatError(source, f"the id '{shortened(name)}'", cure, line=line + 1)


def _recordings(lines: list[str], where: IntArray, source: str) -> tuple[list[str], IntArray]:
    """The names of the recordings that have tokens, and the first token of each."""
    found = [
        (at, match)
        for at, line in enumerate(lines)
        if line[:1] == "#" and (match := _NEWDOC.match(line))
    ]
    if not found:
        return [""], np.zeros(1, np.int64)
    names = [(match[1] or "").strip() or str(at + 1) for at, (_, match) in enumerate(found)]
    starts = np.searchsorted(where, [at for at, _ in found])
    if starts[0]:
        problem = "a token before the first # newdoc"
        raise FormatError(source, problem, "begin with # newdoc id = …", line=int(where[0]) + 1)
    has_tokens = np.diff(starts, append=where.size) > 0
    known: set[str] = set()
    for at in np.flatnonzero(has_tokens).tolist():
        if names[at] in known:
            problem = f"a second document '{shortened(names[at])}'"
            raise FormatError(source, problem, "give each another id", line=found[at][0] + 1)
        known.add(names[at])
    return [names[at] for at in np.flatnonzero(has_tokens).tolist()], starts[has_tokens]


def _codes(cells: list[str], where: IntArray, source: str) -> IntArray:
    """What the last column says of each token."""
    known = {cell: _code(cell) for cell in dict.fromkeys(cells)}
    codes = np.fromiter(map(known.__getitem__, cells), np.int64, len(cells))
    for at in np.flatnonzero(codes < 0)[:1].tolist():
        problem = f"the label '{shortened(cells[at])}'"
        raise FormatError(source, problem, f"write {_CURE}", line=int(where[at]) + 1)
    return codes


def _code(cell: str) -> int:
    """The code of the label among some features; -1 if it is none that is known."""
    labels = [each for each in cell.lower().split("|") if each.startswith(_KEYS)]
    codes = [_CODES.get(each, -1) for each in labels]
    return -1 if -1 in codes else max(codes, default=_NONE)


def _label(codes: IntArray, where: IntArray, source: str) -> str:
    """What is labelled, discourse units or connectives."""
    is_conn = (codes == _CONN_BEGIN) | (codes == _CONN_INSIDE)
    is_seg = codes == _SEG_BEGIN
    if is_conn.any() and is_seg.any():
        line = int(where[max(int(np.argmax(is_conn)), int(np.argmax(is_seg)))]) + 1
        problem = "discourse units and connectives in one file"
        raise FormatError(source, problem, "keep one kind of labels", line=line)
    if is_conn.any() or ((codes == _CONN_OUT).any() and not is_seg.any()):
        return CONN
    if is_seg.any() or (codes == _SEG_OUT).any():
        return SEG
    raise FormatError(source, "no labels of discourse units or connectives", f"write {_CURE}")


def _discourse_units(codes: IntArray, starts: IntArray) -> tuple[BoolArray, BoolArray]:
    """Where discourse units begin, and which tokens are in one: all from the first on."""
    begins = codes == _SEG_BEGIN
    before = np.append(0, np.cumsum(begins))
    sizes = np.diff(starts, append=codes.size)
    is_inside: BoolArray = before[1:] > np.repeat(before[starts], sizes)
    return begins, is_inside


def _connectives(codes: IntArray, starts: IntArray) -> tuple[BoolArray, BoolArray]:
    """Where connectives begin, and which tokens are in one: what no B begins is none."""
    begins = codes == _CONN_BEGIN
    is_new = codes != _CONN_INSIDE
    is_new[starts] = True
    last = np.maximum.accumulate(np.where(is_new, np.arange(codes.size), 0))
    return begins, begins[last]


def _parted(script: Script, names: list[str], starts: IntArray) -> Iterator[Script]:
    """The script of each recording."""
    stops = [*starts[1:].tolist(), len(script)]
    for name, start, stop in zip(names, starts.tolist(), stops, strict=True):
        yield replace(script.some(np.arange(start, stop)), recording=name)


def _stops(script: Script) -> list[int]:
    """After how many pieces units end."""
    if script.ends is None:
        return list(range(1, len(script) + 1))
    stops: list[int] = np.union1d(np.flatnonzero(script.ends) + 1, len(script)).tolist()
    return stops
