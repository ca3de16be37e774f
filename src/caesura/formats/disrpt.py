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
from dataclasses import dataclass, replace

import numpy as np

from caesura.core.cells import Bytes, StringNumbers, Strings, gathered, whole_numbers
from caesura.core.segmentation import OUTSIDE, BoolArray, IntArray, ScriptUnits
from caesura.errors import FormatError, number, shortened
from caesura.formats.conllu import Lines
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
_UTF8 = ("utf-8", "surrogatepass")
_HASH, _LINE_END, _ZERO = b"#\n0"
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
    tokens = _tokens(text, source)
    names, starts = _recordings(tokens, source)
    codes = _codes(tokens, source)
    label = _label(codes, tokens.where, source)
    begins, is_inside = (_connectives if label == CONN else _discourse_units)(codes, starts)
    begins[starts] = True
    begins[1:] |= is_inside[1:] != is_inside[:-1]
    types = np.array([OUTSIDE, label], dtype=np.object_)
    script = Script(
        texts=tokens.forms,
        ends=np.append(begins[1:], True),
        types=types.take(is_inside.astype(np.intp)).tolist(),
        lines=tokens.where + 1,
        form=f"disrpt-{label}",
        source=source,
        is_verbatim=True,
    )
    is_first = whole_numbers(*tokens.column(0)) == 1
    has_sentences = int(np.count_nonzero(is_first)) > starts.size
    units = _script_units(codes, is_first, has_sentences=has_sentences)
    return list(_parted(replace(script, units=units), names, starts))


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


@dataclass(frozen=True, slots=True)
class TokenLines:
    """The lines of a file, and which of them, counted from 0, hold tokens; all have ten columns."""

    data: bytes
    lines: Lines
    where: IntArray

    @property
    def characters(self) -> Bytes:
        """The bytes of the file."""
        return np.frombuffer(self.data, np.uint8)

    def line(self, at: int) -> str:
        """One of the lines of the file."""
        return self.data[self.lines.starts[at] : self.lines.stops[at]].decode(*_UTF8)

    def column(self, at: int) -> Strings:
        """A column of the tokens, counted from 0."""
        last = self.lines.ends[self.where] - (COLUMNS - 1) + at
        starts = self.lines.cuts[last - 1] + 1 if at else self.lines.starts[self.where]
        return self.characters, starts, self.lines.cuts[last]

    @property
    def forms(self) -> list[str]:
        """The second column as texts."""
        characters, starts, stops = self.column(1)
        joined = gathered(characters, starts, stops + 1 - starts)
        return joined[:-1].tobytes().decode(*_UTF8).split("\t")


def _tokens(text: str, source: str) -> TokenLines:
    """The lines that hold tokens, without comments, blank lines, ranges and empty nodes."""
    whole = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n") + "\n"
    data = whole.encode(*_UTF8)
    lines = Lines.from_bytes(data, (0, len(data)), 0, 0)
    where = np.flatnonzero((lines.first != _HASH) & (lines.first != _LINE_END))
    tokens = _with_columns(TokenLines(data, lines, where), source)
    tokens = _with_numbers(tokens, source)
    if not tokens.where.size:
        raise FormatError(source, "no tokens", "give a line for each token")
    return tokens


def _with_columns(tokens: TokenLines, source: str) -> TokenLines:
    """The lines that are not blank; an error if one of them has not ten columns."""
    columns = tokens.lines.columns[tokens.where]
    is_digit = tokens.lines.first[tokens.where] - np.uint8(_ZERO) < 10
    is_kept = is_digit & (columns == COLUMNS)
    for at in np.flatnonzero(~is_kept).tolist():
        line = tokens.line(tokens.where[at])
        is_kept[at] = not line.isspace()
        if is_kept[at] and columns[at] != COLUMNS:
            has = f"has {number(int(columns[at]), 'column')} where DISRPT has {COLUMNS}"
            cure = f"separate {COLUMNS} columns by tabs, or give another text another suffix"
            where = int(tokens.where[at]) + 1
            raise FormatError(source, f"'{shortened(line)}' {has}", cure, line=where)
    return tokens if is_kept.all() else replace(tokens, where=tokens.where[is_kept])


def _with_numbers(tokens: TokenLines, source: str) -> TokenLines:
    """The tokens whose ids are numbers; an error if an id is no range and no empty node either."""
    is_token = whole_numbers(*tokens.column(0)) >= 0
    others = np.flatnonzero(~is_token)
    if not others.size:
        return tokens
    lines = tokens.where[others].tolist()
    ids = [tokens.line(at).partition("\t")[0] for at in lines]
    _check_ids(ids, lines, source)
    is_token[others] = [name.isdecimal() for name in ids]
    return replace(tokens, where=tokens.where[is_token])


def _check_ids(ids: list[str], lines: list[int], source: str) -> None:
    for name, line in zip(ids, lines, strict=True):
        if not re.fullmatch(r"\d+([-.]\d+)?", name):
            cure = "write a number, a range (4-5) or an empty node (4.1)"
            raise FormatError(source, f"the id '{shortened(name)}'", cure, line=line + 1)


def _recordings(tokens: TokenLines, source: str) -> tuple[list[str], IntArray]:
    """The names of the recordings that have tokens, and the first token of each."""
    comments = np.flatnonzero(tokens.lines.first == _HASH).tolist()
    found = [(at, match) for at in comments if (match := _NEWDOC.match(tokens.line(at)))]
    if not found:
        return [""], np.zeros(1, np.int64)
    where = tokens.where
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


def _codes(tokens: TokenLines, source: str) -> IntArray:
    """What the last column says of each token."""
    known = StringNumbers(lambda cell: _code(cell.decode(*_UTF8)))
    codes = known.of(tokens.column(COLUMNS - 1))
    for at in tokens.where[codes < 0][:1].tolist():
        cell = tokens.line(at).rpartition("\t")[2]
        problem = f"the label '{shortened(cell)}'"
        raise FormatError(source, problem, f"write {_CURE}", line=at + 1)
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


def _script_units(codes: IntArray, is_first: BoolArray, *, has_sentences: bool) -> ScriptUnits:
    """The units of a file as seg_eval.py reads them.

    A connective is closed by the next token that has no I, also in the next document. It ends at
    the last I since the one before it was closed, wherever that is, or at its B. In version 1.0.1
    one that nothing closes is lost if no I came; disrpt_eval_2024.py keeps it.
    """
    starts = np.flatnonzero((codes == _CONN_BEGIN) | (codes == _SEG_BEGIN))
    is_inside = codes == _CONN_INSIDE
    last_inside = np.maximum.accumulate(np.where(is_inside, np.arange(codes.size), -1))
    others = np.append(np.flatnonzero(~is_inside), codes.size)
    closed = others[np.searchsorted(others, starts, side="right")]
    inside = last_inside[closed - 1]
    has_inside = inside > np.append(-1, closed)[:-1]
    is_open = (closed == codes.size) & ~has_inside & (codes[starts] == _CONN_BEGIN)
    ends = np.where(has_inside, inside, starts)
    return ScriptUnits(starts, ends, is_open, is_first[starts], has_sentences)


def _parted(script: Script, names: list[str], starts: IntArray) -> Iterator[Script]:
    """The script of each recording."""
    stops = [*starts[1:].tolist(), len(script)]
    for name, start, stop in zip(names, starts.tolist(), stops, strict=True):
        units = None if script.units is None else script.units.part(start, stop)
        yield replace(script.part(start, stop), recording=name, units=units)


def _stops(script: Script) -> list[int]:
    """After how many pieces units end."""
    if script.ends is None:
        return list(range(1, len(script) + 1))
    stops: list[int] = np.union1d(np.flatnonzero(script.ends) + 1, len(script)).tolist()
    return stops
