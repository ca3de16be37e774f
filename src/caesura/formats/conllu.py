"""CoNLL-U: the ten columns of Universal Dependencies, read as arrays and never as objects.

Comments are skipped wherever they stand, empty nodes (8.1) ignored. Word ids have to count from 1
in each sentence, ranges (4-5) to stand before their first word, and lines to have ten columns.
Tokens are what counts: sentences whose `# text` has other characters are noted, not refused.

A file is read in parts that end with a sentence, so that arrays stay small. If one of them is
malformed, the file is read again as a whole, so that parts do not change what is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from caesura.core.arrays import steps, stretched
from caesura.core.byte_cells import Bytes, Strings, first_eight, gathered, whole_numbers
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.treebank_table import COLUMNS, Ranges, TreebankColumns, TreebankTable
from caesura.errors import FormatError, number
from caesura.formats.tokenized import bare, refuse_nul

PART = 1 << 21
_TEXT = b"# text = "
_TEXT_EIGHT = int.from_bytes(_TEXT[:8], "little")
_NO_BREAK = "\u00a0".encode()
_TAB, _LINE_END, _BLANK, _HASH, _DASH, _DOT = b"\t\n #-."


def parse_conllu(data: bytes, source: str = "<conllu>") -> TreebankTable:
    """Read the lines of a CoNLL-U file; a line that is malformed is an error."""
    refuse_nul(data, source)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    stops = list(_part_stops(data))
    if len(stops) > 1:
        with suppress(FormatError):
            return _parsed(data, source, stops)
    return _parsed(data, source, [len(data)])


def _part_stops(data: bytes) -> Iterator[int]:
    """Where parts of a file end, each with a blank line."""
    stop = 0
    while stop < len(data):
        found = data.find(b"\n\n", stop + PART)
        stop = found + 2 if found >= 0 else len(data)
        yield stop


def _parsed(data: bytes, source: str, stops: list[int]) -> TreebankTable:
    """Read the parts of a file."""
    tables, start, line, sentence = [], 0, 0, 0
    for stop in stops:
        lines = Lines.from_bytes(data, (start, stop), line, sentence)
        tables.append(_table(data, source, lines))
        start, line, sentence = stop, line + lines.starts.size, int(lines.sentence[-1])
    table = TreebankTable.from_tables(tables)
    if not table.words.size:
        raise _no_words(source)
    return table


def _no_words(source: str) -> FormatError:
    return FormatError(source, "no words", "give a CoNLL-U file that contains sentences")


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a part of a file: where each begins and ends in it, and its first byte.

    `line` is the number of the first one; `sentence` is how many blank lines there are up to each,
    in the whole file; `cuts` are the tabs and line ends, `ends` which of them are line ends.
    """

    start: int
    line: int
    starts: IntArray
    stops: IntArray
    first: Bytes
    sentence: IntArray
    cuts: IntArray
    ends: IntArray

    @classmethod
    def from_bytes(cls, data: bytes, span: tuple[int, int], line: int, sentence: int) -> Lines:
        """Cut the bytes of a file between two places, each after a line end."""
        start, stop = span
        characters = np.frombuffer(data, np.uint8, stop - start, start)
        cuts = np.flatnonzero(characters <= _LINE_END)
        which = characters.take(cuts)
        if which.min() < _TAB:
            cuts, which = cuts[which >= _TAB], which[which >= _TAB]
        ends = np.flatnonzero(which == _LINE_END)
        stops = cuts.take(ends)
        starts = np.zeros_like(stops)
        np.add(stops[:-1], 1, out=starts[1:])
        first = characters.take(starts)
        size: Any = np.int32 if len(data) < 2**31 else np.int64
        sentences = np.cumsum(first == _LINE_END, dtype=size) + size(sentence)
        return cls(start, line, starts, stops, first, sentences, cuts, ends)

    def text(self, data: bytes, at: int) -> str:
        """One of the lines."""
        start, stop = self.start + int(self.starts[at]), self.start + int(self.stops[at])
        return data[start:stop].decode("utf-8", "surrogatepass")

    @property
    def columns(self) -> IntArray:
        """How many columns each line has."""
        return steps(self.ends, -1)

    def cells(self, others: IntArray, sizes: IntArray) -> IntArray:
        """Where the columns of each line end in the file, but for some lines of other sizes."""
        kept = np.ones(self.cuts.size, dtype=np.bool_)
        kept[stretched(self.ends[others] - sizes + 1, sizes)] = False
        return self.places(self.cuts)[kept].reshape(-1, len(COLUMNS))

    def places(self, offsets: IntArray) -> IntArray:
        """Offsets in the part as offsets in the file, in the smallest integers."""
        places = offsets.astype(self.sentence.dtype)
        places += places.dtype.type(self.start)
        return places


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids of lines: both numbers of a range, which are equal for a word."""

    first: IntArray
    last: IntArray
    is_range: BoolArray

    def some(self, which: IntArray) -> Ids:
        """Some of them."""
        return Ids(self.first[which], self.last[which], self.is_range[which])

    @property
    def ranges(self) -> Ranges:
        """The lines that are ranges."""
        lines = np.flatnonzero(self.is_range)
        return Ranges(lines, self.last[lines] - self.first[lines] + 1)


def _table(data: bytes, source: str, lines: Lines) -> TreebankTable:
    """Read the lines of a part that hold tokens and words, and check them."""
    is_row = (lines.first != _HASH) & (lines.first != _LINE_END)
    rows, others, sizes = np.flatnonzero(is_row), np.flatnonzero(~is_row), lines.columns
    line = rows + lines.line
    _check_columns(sizes[rows], line, source)
    starts, stops = lines.places(lines.starts[rows]), lines.cells(others, sizes[others])
    columns = TreebankColumns(np.frombuffer(data, np.uint8), starts, stops)
    ids, kept = _ids(columns, line, source)
    if kept is not None:
        ids, columns, rows, line = ids.some(kept), columns.some(kept), rows[kept], line[kept]
    sentence = lines.sentence[rows]
    line = line.astype(sentence.dtype)
    table = TreebankTable(data, source, columns, line, sentence, ids.ranges, b"", sentence[:0])
    if is_row.any():
        _check_forms(table)
        _check_ids(table, ids)
        surface = table.plain(table.tokens)
        comments = others[lines.first[others] == _HASH]
        unlike = _unlike_sentences(table, surface, lines, comments)
        table = replace(table, surface=surface, unlike=unlike)
    return table


def _check_columns(columns: IntArray, line: IntArray, source: str) -> None:
    wrong = np.flatnonzero(columns != len(COLUMNS))
    if wrong.size:
        found = number(int(columns[wrong[0]]), "column")
        cure = "CoNLL-U has ten, separated by tabs"
        raise FormatError(source, found, cure, line=int(line[wrong[0]]) + 1)


def _ids(columns: TreebankColumns, line: IntArray, source: str) -> tuple[Ids, IntArray | None]:
    """The ids of lines, and the lines that are not empty nodes, None if all are not."""
    first = whole_numbers(*columns.of("id"))
    is_range = np.zeros(first.size, dtype=np.bool_)
    other = np.flatnonzero(first < 0)
    if not other.size:
        return Ids(first, first, is_range), None
    last = first.copy()
    first[other], last[other], mark = _marked(columns.some(other).of("id"), line[other], source)
    is_range[other] = mark == _DASH
    empty = other[mark == _DOT]
    kept = np.delete(np.arange(first.size), empty) if empty.size else None
    return Ids(first, last, is_range), kept


def _marked(strings: Strings, lines: IntArray, source: str) -> tuple[IntArray, IntArray, Bytes]:
    """Both numbers of each id and the mark between them, 0 where there is one number only."""
    characters, starts, stops = strings
    found = gathered(characters, starts, stops - starts)
    ends = np.cumsum(stops - starts)
    marks = np.flatnonzero((found == _DASH) | (found == _DOT))
    which, first = np.unique(np.searchsorted(ends, marks, side="right"), return_index=True)
    mark, at = np.zeros(starts.size, dtype=np.uint8), stops.copy()
    mark[which] = found[marks[first]]
    at[which] += marks[first] - ends[which]
    one, two = whole_numbers(characters, starts, at), whole_numbers(characters, at + 1, stops)
    sound = (stops - starts < 20) & (one >= 0) & ((two >= 0) | (mark == 0))
    if not sound.all():
        worst = int(np.flatnonzero(~sound)[0])
        shown = characters[starts[worst] : min(stops[worst], starts[worst] + 20)].tobytes()
        cure = "write a number, a range (4-5) or an empty node (4.1)"
        raise FormatError(
            source, f"the id '{shown.decode(errors='replace')}'", cure, line=int(lines[worst]) + 1
        )
    return one, np.where(mark == _DASH, two, one), mark


def _check_forms(table: TreebankTable) -> None:
    stops = table.columns.stops
    empty = np.flatnonzero(stops[:, 1] - stops[:, 0] == 1)
    if empty.size:
        line = int(table.line[empty[0]]) + 1
        raise FormatError(
            table.source, "a token without a form", "write _ if it has none", line=line
        )


def _check_ids(table: TreebankTable, ids: Ids) -> None:
    """Words count from 1 in each sentence; a range stands before its first word."""
    words, first = table.words, ids.first
    if not words.size:
        raise _no_words(table.source)
    if words.size < first.size:
        first = first[words]
    step = steps(first, 0)
    begins = table.first_words[:-1]
    step[begins] = first[begins]
    _require(table, words, step == 1, "the word id {} is out of order")
    if words.size < table.line.size:
        _check_ranges(table, ids)


def _check_ranges(table: TreebankTable, ids: Ids) -> None:
    words, ranges, sentence = table.words, table.ranges.lines, table.sentence
    before = ranges - np.arange(ranges.size)
    begin, end = ids.first[ranges], ids.last[ranges]
    last_word = words[np.clip(before + end - begin, 0, words.size - 1)]
    following = words[np.minimum(before, words.size - 1)]
    fits = (
        (before < words.size)
        & (ids.first[following] == begin)
        & (end >= begin)
        & (ids.first[last_word] == end)
        & (sentence[following] == sentence[ranges])
        & (sentence[last_word] == sentence[ranges])
    )
    _require(table, ranges, fits, "the range {} does not fit the words that follow")
    overlaps = following[1:] <= last_word[:-1]
    _require(table, ranges[1:], ~overlaps, "the range {} overlaps the one before")


def _require(table: TreebankTable, lines: IntArray, sound: BoolArray, problem: str) -> None:
    if sound.all():
        return
    worst = lines[np.flatnonzero(~sound)[0]]
    (shown,) = table.texts("id", np.array([worst]))
    raise FormatError(
        table.source,
        problem.format(f"'{shown}'"),
        "number words from 1 in each sentence, and put ranges before their words",
        line=int(table.line[worst]) + 1,
    )


def _unlike_sentences(
    table: TreebankTable, surface: bytes, lines: Lines, comments: IntArray
) -> IntArray:
    """The sentences whose `# text` differs from the tokens in more than white space."""
    texts = comments[_are_texts(table.columns.characters, lines, comments)]
    begins = table.sentence[table.words[table.first_words[:-1]]]
    which = np.searchsorted(begins, lines.sentence[texts])
    is_told = np.append(begins, -1)[which] == lines.sentence[texts]
    texts, which = texts[is_told], which[is_told]
    if not texts.size:
        return begins[:0]
    ours = surface[:-1]
    if not np.array_equal(which, np.arange(begins.size)):
        sentences = ours.split(b"\n")
        ours = b"\n".join([sentences[at] for at in which.tolist()])
    starts = lines.places(lines.starts[texts] + len(_TEXT)).tolist()
    spans = map(slice, starts, lines.places(lines.stops[texts]).tolist())
    theirs = b"\n".join(map(table.data.__getitem__, spans))
    unlike = [at for at, *pair in _unlike(ours, theirs) if bare(pair[0]) != bare(pair[1])]
    return np.unique(begins[which[unlike]])


def _unlike(ours: bytes, theirs: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The lines of tokens and of text that differ in more than blanks, with their numbers."""
    one, other = map(_without_blanks, (ours, theirs))
    if not np.array_equal(one, other):
        lines = zip(one.tobytes().split(b"\n"), other.tobytes().split(b"\n"), strict=True)
        yield from ((at, mine, yours) for at, (mine, yours) in enumerate(lines) if mine != yours)


def _without_blanks(data: bytes) -> Bytes:
    """The characters but for blanks, NUL and no-break spaces."""
    characters = np.frombuffer(data, np.uint8)
    kept = (characters != _BLANK) & (characters != 0)
    at = np.flatnonzero((characters[:-1] == _NO_BREAK[0]) & (characters[1:] == _NO_BREAK[1]))
    kept[at], kept[at + 1] = False, False
    return np.compress(kept, characters)


def _are_texts(characters: Bytes, lines: Lines, comments: IntArray) -> BoolArray:
    """Which comments begin with `# text = `."""
    starts = lines.places(lines.starts[comments])
    result: BoolArray = first_eight(characters, starts) == _TEXT_EIGHT
    result &= characters.take(starts + len(_TEXT) - 1, mode="clip") == _BLANK
    return result
