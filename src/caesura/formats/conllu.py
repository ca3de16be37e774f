"""CoNLL-U: the ten columns of Universal Dependencies, read as arrays and never as objects.

Comments are skipped wherever they stand, empty nodes (8.1) ignored. Word ids have to count from 1
in each sentence, ranges (4-5) to stand before their first word, lines to have ten columns, and
`# text` to have the same characters as the tokens, ignoring white space.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from caesura.core.cells import Bytes, Strings, whole_numbers
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.treebank import COLUMNS, TreebankColumns, TreebankTable
from caesura.errors import FormatError, number
from caesura.formats.tokens import bare, refuse_nul

_TEXT = b"# text = "
PART = 1 << 18
_DASH, _DOT = ord("-"), ord(".")


def parse_conllu(data: bytes, source: str = "<conllu>") -> TreebankTable:
    """Read the lines of a CoNLL-U file; a line that is malformed is an error."""
    refuse_nul(data, source)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    characters = np.frombuffer(data, np.uint8)
    cuts, is_line_end = _cuts(characters)
    line_ends = np.flatnonzero(is_line_end)
    stops = cuts[line_ends]
    starts = np.append(0, stops[:-1] + 1).astype(stops.dtype)
    is_blank, is_comment = starts == stops, characters[starts] == ord("#")
    is_row = ~(is_blank | is_comment)
    lines = np.flatnonzero(is_row)
    if not lines.size:
        raise FormatError(source, "no words", "give a CoNLL-U file that contains sentences")
    columns = np.diff(line_ends, prepend=-1)
    _check_columns(columns[lines], lines, source)
    sentence = np.cumsum(is_blank)
    rows = cuts[np.repeat(is_row, columns)].reshape(-1, len(COLUMNS))
    table = _table(
        data, source, TreebankColumns(characters, starts[lines], rows), lines, sentence[lines]
    )
    _check_forms(table)
    _check_ids(table)
    comments = np.flatnonzero(is_comment)
    _check_text(table, comments, starts[comments], stops[comments], sentence[comments])
    return table


def _cuts(characters: Bytes) -> tuple[IntArray, BoolArray]:
    """The offsets of tabs and line ends, in the smallest integers, and which is which."""
    width: Any = np.int32 if characters.size < 2**31 else np.int64
    places, found = [], []
    for start in range(0, characters.size, PART):
        part = characters[start : start + PART]
        low = np.flatnonzero(part <= ord("\n"))
        which = part[low]
        if which.min(initial=ord("\t")) < ord("\t"):
            low, which = low[which >= ord("\t")], which[which >= ord("\t")]
        places.append((low + start).astype(width))
        found.append(which == ord("\n"))
    return np.concatenate(places), np.concatenate(found)


def _check_columns(columns: IntArray, lines: IntArray, source: str) -> None:
    wrong = np.flatnonzero(columns != len(COLUMNS))
    if wrong.size:
        found = number(int(columns[wrong[0]]), "column")
        cure = "CoNLL-U has ten, separated by tabs"
        raise FormatError(source, found, cure, line=int(lines[wrong[0]]) + 1)


def _table(
    data: bytes, source: str, columns: TreebankColumns, line: IntArray, sentence: IntArray
) -> TreebankTable:
    """Read the ids and leave out the empty nodes."""
    first = whole_numbers(*columns.of("id"))
    last, is_range = first.copy(), np.zeros(first.size, dtype=np.bool_)
    other = np.flatnonzero(first < 0)
    first[other], last[other], mark = _ids(columns.some(other).of("id"), line[other], source)
    is_range[other] = mark == _DASH
    if (mark == _DOT).any():
        kept = np.delete(np.arange(first.size), other[mark == _DOT])
        columns, is_range = columns.some(kept), is_range[kept]
        line, sentence, first, last = (each[kept] for each in (line, sentence, first, last))
    return TreebankTable(data, source, columns, line, sentence, first, last, is_range)


def _ids(strings: Strings, lines: IntArray, source: str) -> tuple[IntArray, IntArray, IntArray]:
    """Both numbers of each id and the mark between them, 0 where there is one number only."""
    characters, starts, stops = strings
    width = stops - starts
    numbers = np.zeros((2, lines.size), dtype=np.int64)
    digits = np.zeros((2, lines.size), dtype=np.int64)
    mark = np.zeros(lines.size, dtype=np.int64)
    sound = (width > 0) & (width < 20)
    for at in range(int(width[sound].max(initial=0))):
        here = np.flatnonzero(sound & (width > at))
        value = characters[starts[here] + at].astype(np.int64)
        is_mark = ((value == _DASH) | (value == _DOT)) & (mark[here] == 0) & (at > 0)
        mark[here[is_mark]] = value[is_mark]
        is_digit = (value >= ord("0")) & (value <= ord("9"))
        sound[here[~is_mark & ~is_digit]] = False
        part, place = (mark[here[is_digit]] > 0).astype(np.int64), here[is_digit]
        numbers[part, place] = 10 * numbers[part, place] + value[is_digit] - ord("0")
        digits[part, place] += 1
    sound &= (digits[0] > 0) & ((digits[1] > 0) == (mark > 0))
    if not sound.all():
        worst = int(np.flatnonzero(~sound)[0])
        shown = characters[starts[worst] : min(stops[worst], starts[worst] + 20)].tobytes()
        cure = "write a number, a range (4-5) or an empty node (4.1)"
        raise FormatError(
            source, f"the id '{shown.decode(errors='replace')}'", cure, line=int(lines[worst]) + 1
        )
    return numbers[0], np.where(mark == _DASH, numbers[1], numbers[0]), mark


def _check_forms(table: TreebankTable) -> None:
    _, starts, stops = table.columns.of("form")
    empty = np.flatnonzero(starts == stops)
    if empty.size:
        line = int(table.line[empty[0]]) + 1
        raise FormatError(table.source, "a token without form", "write _ if it has none", line=line)


def _check_ids(table: TreebankTable) -> None:
    """Words count from 1 in each sentence; a range stands before its first word."""
    words = table.words
    if not words.size:
        raise FormatError(table.source, "no words", "give a CoNLL-U file that contains sentences")
    new = np.diff(table.sentence[words], prepend=-1) != 0
    begins = np.flatnonzero(new)
    expected = np.arange(words.size) - np.repeat(begins, np.diff(begins, append=words.size)) + 1
    _require(table, words, table.first[words] == expected, "the word id {} is out of order")
    ranges = np.flatnonzero(table.is_range)
    before = np.cumsum(~table.is_range)[ranges]
    last_word = np.clip(before + table.last[ranges] - table.first[ranges], 0, words.size - 1)
    following = words[np.minimum(before, words.size - 1)]
    fits = (
        (before < words.size)
        & (table.first[following] == table.first[ranges])
        & (table.last[ranges] >= table.first[ranges])
        & (table.first[words[last_word]] == table.last[ranges])
        & (table.sentence[following] == table.sentence[ranges])
        & (table.sentence[words[last_word]] == table.sentence[ranges])
    )
    _require(table, ranges, fits, "the range {} does not fit the words that follow")
    overlaps = before[1:] <= last_word[:-1]
    _require(table, ranges[1:], ~overlaps, "the range {} overlaps the one before")


def _require(table: TreebankTable, lines: IntArray, sound: BoolArray, problem: str) -> None:
    if sound.all():
        return
    worst = lines[np.flatnonzero(~sound)[0]]
    (shown,) = table.texts("id", np.array([worst]))
    raise FormatError(
        table.source,
        problem.format(f"'{shown}'"),
        "words count from 1 in each sentence, and ranges stand before their words",
        line=int(table.line[worst]) + 1,
    )


def _check_text(
    table: TreebankTable, comments: IntArray, starts: IntArray, stops: IntArray, sentence: IntArray
) -> None:
    """Compare `# text` with the tokens, ignoring white space, for the sentences that have it."""
    has_words = np.zeros(int(table.sentence[-1]) + 1, dtype=np.bool_)
    has_words[table.sentence] = True
    is_text = _begins_with(_TEXT, table.data, starts, stops) & (sentence < has_words.size)
    spoken = np.flatnonzero(is_text)[has_words[sentence[is_text]]]
    is_told = np.zeros(has_words.size, dtype=np.bool_)
    is_told[sentence[spoken]] = True
    every = bool((is_told == has_words).all())
    tokens = table.tokens if every else table.tokens[is_told[table.sentence[table.tokens]]]
    plain = table.surface if every else table.plain(tokens)
    spans = zip((starts[spoken] + len(_TEXT)).tolist(), stops[spoken].tolist(), strict=True)
    theirs = [table.data[start:stop] for start, stop in spans]
    if _bare_lines(plain.split(b"\n")[:-1]) == _bare_lines(theirs):
        return
    number = (np.cumsum(is_told) - 1)[sentence[spoken]]
    lines = plain.split(b"\n")
    pairs = zip(comments[spoken], (lines[at] for at in number.tolist()), theirs, strict=True)
    worst = next((line for line, ours, text in pairs if bare(ours) != bare(text)), None)
    if worst is not None:
        problem, cure = (
            "# text and the tokens have different characters",
            "fix the text or the tokens",
        )
        raise FormatError(table.source, problem, cure, line=int(worst) + 1)


def _bare_lines(lines: list[bytes]) -> bytes:
    """The lines without white space, still separate."""
    return bare(b"\x01".join(lines))


def _begins_with(head: bytes, data: bytes, starts: IntArray, stops: IntArray) -> BoolArray:
    long = stops - starts >= len(head)
    places = starts[long][:, None] + np.arange(len(head))
    same = (np.frombuffer(data, np.uint8)[places] == np.frombuffer(head, np.uint8)).all(axis=1)
    result = np.zeros(starts.size, dtype=np.bool_)
    result[long] = same
    return result
