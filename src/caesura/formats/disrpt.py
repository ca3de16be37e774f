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
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from caesura.core.byte_cells import Bytes, StringNumbers, gathered, whole_numbers
from caesura.core.format import Codec
from caesura.core.segmentation import OUTSIDE, BoolArray, IntArray, ScriptUnits
from caesura.core.treebank_table import TreebankColumns
from caesura.errors import FormatError, number, shortened
from caesura.formats.conllu import PART, Lines
from caesura.formats.script import Script, SpacedWords
from caesura.formats.texts import has_inner_space
from caesura.io.files import line_feeds

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
_HASH, _LINE_END, _ZERO, _BLANK = b"#\n0 "
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
    data = line_feeds(text).removeprefix("\ufeff").encode(*_UTF8)
    data = data if data.endswith(b"\n") else data + b"\n"
    try:
        tokens = _tokens(data, source, PART)
    except FormatError:  # parts must not change what is reported
        tokens = _tokens(data, source, len(data))
    names, starts = _recordings(tokens, source)
    for at in tokens.line[tokens.codes < 0][:1].tolist():
        cell = data.split(b"\n")[at].decode(*_UTF8).rpartition("\t")[2]
        problem = f"the label '{shortened(cell)}'"
        raise FormatError(source, problem, f"write {_CURE}", line=at + 1)
    label = _label(tokens.codes, tokens.line, source)
    begins, is_inside = _units(tokens.codes, starts, label)
    begins[starts] = True
    begins[1:] |= is_inside[1:] != is_inside[:-1]
    ends = np.append(begins[1:], True)
    has_sentences = int(np.count_nonzero(tokens.is_first)) > starts.size
    units = _script_units(tokens.codes, tokens.is_first, has_sentences=has_sentences)
    types = np.array([OUTSIDE, label], np.object_).take(is_inside.view(np.int8)).tolist()
    texts = tokens.texts()
    edges = np.append(starts, ends.size)
    return [
        Script(
            texts=texts[start:stop],
            ends=ends[start:stop],
            types=types[start:stop],
            lines=tokens.line[start:stop] + 1,
            form=f"disrpt-{label}",
            source=source,
            recording=name,
            is_verbatim=True,
            units=own,
        )
        for name, (start, stop), own in zip(
            names, pairwise(edges.tolist()), units.parts(edges), strict=True
        )
    ]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTokens:
    """The tokens of a file in order; and its `# newdoc`, each with its line.

    Lines are counted from 0 in the file.
    """

    line: IntArray  # (tokens,) the line of each
    forms: Bytes  # UTF-8, a space after each form
    stops: IntArray  # (tokens,) where each form and its space end there
    codes: IntArray  # (tokens,) what the last column says of each, -1 if that is unknown
    is_first: BoolArray  # (tokens,) whether its id is 1
    documents: list[tuple[int, str]]

    def texts(self) -> Sequence[str]:
        """The forms; they stay together if none is blank or has white space in it."""
        data = self.forms.tobytes()
        blanks = np.flatnonzero(self.forms <= _BLANK)
        is_spaced = blanks.size == self.stops.size and bool((np.diff(blanks, prepend=-1) > 1).all())
        if is_spaced and not has_inner_space(data):
            return SpacedWords(data, self.stops)
        spans = pairwise([0, *self.stops.tolist()])
        return [data[start : stop - 1].decode(*_UTF8) for start, stop in spans]


def _tokens(data: bytes, source: str, size: int) -> LabelledTokens:
    """The tokens of a file, in parts of a size, so that arrays stay small."""
    known = StringNumbers(_code)
    documents: list[tuple[int, str]] = []
    parts, start, line = [], 0, 0
    while start < len(data):
        stop = data.find(b"\n", start + size) + 1 or len(data)
        lines = Lines.from_bytes(data, (start, stop), line, 0)
        parts.append(_part(data, lines, known, source))
        comments = np.flatnonzero(lines.first == _HASH).tolist()
        named = ((line + at, _NEWDOC.match(lines.text(data, at))) for at in comments)
        documents += [(at, (name[1] or "").strip()) for at, name in named if name]
        start, line = stop, line + lines.starts.size
    token_lines, forms, widths, codes, is_first = map(np.concatenate, zip(*parts, strict=True))
    if not token_lines.size:
        raise FormatError(source, "no tokens", "give a line for each token")
    return LabelledTokens(token_lines, forms, np.cumsum(widths), codes, is_first, documents)


def _part(
    data: bytes, lines: Lines, known: StringNumbers, source: str
) -> tuple[IntArray, Bytes, IntArray, IntArray, BoolArray]:
    """The lines that hold tokens, without comments, blank lines, ranges and empty nodes.

    Each with its form, the width of the form and its space, its code, and whether its id is 1.
    """
    is_row = _with_columns(data, lines, source)
    rows, others = np.flatnonzero(is_row), np.flatnonzero(~is_row)
    characters = np.frombuffer(data, np.uint8)
    stops = lines.cells(others, lines.columns[others])
    columns = TreebankColumns(characters, lines.places(lines.starts[rows]), stops)
    ids = whole_numbers(*columns.of("id"))
    if (ids < 0).any():
        kept = _with_numbers(columns, ids, rows + lines.line, source)
        columns, rows, ids = columns.some(kept), rows[kept], ids[kept]
    _, starts, stops = columns.of("form")
    widths = stops - starts + 1
    forms = gathered(characters, starts, widths)
    forms[np.cumsum(widths) - 1] = _BLANK
    return rows + lines.line, forms, widths, known.of(columns.of("misc")), ids == 1


def _with_columns(data: bytes, lines: Lines, source: str) -> BoolArray:
    """The lines that are no comments and not blank; an error if one of them has not ten columns."""
    is_told = (lines.first != _HASH) & (lines.first != _LINE_END)
    is_row: BoolArray = is_told & (lines.columns == COLUMNS) & (lines.first - np.uint8(_ZERO) < 10)
    for at in np.flatnonzero(is_told & ~is_row).tolist():
        line, size = lines.text(data, at), int(lines.columns[at])
        is_row[at] = not line.isspace()
        if is_row[at] and size != COLUMNS:
            has = f"has {number(size, 'column')} where DISRPT has {COLUMNS}"
            cure = f"separate {COLUMNS} columns by tabs, or give another text another suffix"
            where = lines.line + at + 1
            raise FormatError(source, f"'{shortened(line)}' {has}", cure, line=where)
    return is_row


def _with_numbers(columns: TreebankColumns, ids: IntArray, line: IntArray, source: str) -> IntArray:
    """The tokens whose ids are numbers; an error if an id is no range and no empty node either."""
    is_token = ids >= 0
    others = np.flatnonzero(~is_token)
    characters, starts, stops = columns.some(others).of("id")
    for at, start, stop in zip(others.tolist(), starts.tolist(), stops.tolist(), strict=True):
        name = characters[start:stop].tobytes().decode(*_UTF8)
        if not re.fullmatch(r"\d+([-.]\d+)?", name):
            cure = "write a number, a range (4-5) or an empty node (4.1)"
            raise FormatError(source, f"the id '{shortened(name)}'", cure, line=int(line[at]) + 1)
        is_token[at] = name.isdecimal()
    return np.flatnonzero(is_token)


def _recordings(tokens: LabelledTokens, source: str) -> tuple[list[str], IntArray]:
    """The names of the recordings that have tokens, and the first token of each."""
    if not tokens.documents:
        return [""], np.zeros(1, np.int64)
    names = [name or str(at) for at, (_, name) in enumerate(tokens.documents, 1)]
    starts = np.searchsorted(tokens.line, [line for line, _ in tokens.documents])
    if starts[0]:
        problem, first = "a token before the first # newdoc", int(tokens.line[0]) + 1
        raise FormatError(source, problem, "begin with # newdoc id = …", line=first)
    has_tokens = np.diff(starts, append=tokens.line.size) > 0
    known: set[str] = set()
    for at in np.flatnonzero(has_tokens).tolist():
        if names[at] in known:
            problem = f"a second document '{shortened(names[at])}'"
            line = tokens.documents[at][0] + 1
            raise FormatError(source, problem, "give each another id", line=line)
        known.add(names[at])
    return [names[at] for at in np.flatnonzero(has_tokens).tolist()], starts[has_tokens]


def _code(cell: bytes) -> int:
    """The code of the label among some features; -1 if it is none that is known."""
    features = cell.decode(*_UTF8).lower().split("|")
    codes = [_CODES.get(each, -1) for each in features if each.startswith(_KEYS)]
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


def _units(codes: IntArray, starts: IntArray, label: str) -> tuple[BoolArray, BoolArray]:
    """Where units begin, and which tokens are in one; recordings begin at `starts`.

    All tokens from the first discourse unit on are in one; a connective that no B begins is none.
    """
    if label == SEG:
        begins = codes == _SEG_BEGIN
        before = np.append(0, np.cumsum(begins))
        sizes = np.diff(starts, append=codes.size)
        return begins, before[1:] > np.repeat(before[starts], sizes)
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
    others = np.append(np.flatnonzero(~is_inside), codes.size)
    closed = others[np.searchsorted(others, starts, side="right")]
    insides = np.append(-1, np.flatnonzero(is_inside))
    inside = insides[np.searchsorted(insides, closed) - 1]
    has_inside = inside > np.append(-1, closed)[:-1]
    is_open = (closed == codes.size) & ~has_inside & (codes[starts] == _CONN_BEGIN)
    ends = np.where(has_inside, inside, starts)
    return ScriptUnits(starts, ends, is_open, is_first[starts], has_sentences)


CODECS = {"disrpt": Codec(parse, is_like=is_like)}
