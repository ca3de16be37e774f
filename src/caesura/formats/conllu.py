"""CoNLL-U: the ten columns of Universal Dependencies, read as arrays and never as objects.

Comments are skipped wherever they stand, empty nodes (8.1) ignored. Word ids have to count from 1
in each sentence, ranges (4-5) to stand before their first word, lines to have ten columns, and
`# text` to spell the same characters as the tokens, white space apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from caesura.errors import FormatError, number
from caesura.formats.cells import Bytes, string_codes
from caesura.formats.tokens import bare, refuse_nul
from caesura.segmentation import BoolArray, IntArray

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_TEXT = b"# text = "
_BLANKS = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_DASH, _DOT = ord("-"), ord(".")


@dataclass(frozen=True)
class Table:
    """The lines of a CoNLL-U file that hold tokens and words.

    `line` is a line's number from 0, `start` where it begins, `tab` the index of its first tab
    among `tabs`, which holds the line ends too. `first` and `last` are the ids of a range, equal
    for a word.
    """

    data: bytes
    source: str
    tabs: IntArray
    line: IntArray
    sentence: IntArray
    start: IntArray
    tab: IntArray
    first: IntArray
    last: IntArray
    is_range: BoolArray

    ROOT: ClassVar[int] = -1
    NO_HEAD: ClassVar[int] = -2

    @cached_property
    def words(self) -> IntArray:
        """The lines that hold words."""
        return np.flatnonzero(~self.is_range)

    @cached_property
    def first_words(self) -> IntArray:
        """The number of each sentence's first word, and of words in all."""
        first = np.flatnonzero(np.diff(self.sentence[self.words], prepend=-1))
        return np.append(first, self.words.size)

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return self.first_words.size - 1

    @cached_property
    def in_range(self) -> BoolArray:
        """For each word, whether it is part of a multiword token."""
        word = np.cumsum(~self.is_range) - 1
        ranges = np.flatnonzero(self.is_range)
        begins = word[ranges] + 1
        change = np.zeros(self.words.size + 1, dtype=np.int64)
        np.add.at(change, begins, 1)
        np.add.at(change, begins + self.last[ranges] - self.first[ranges] + 1, -1)
        return np.cumsum(change[:-1]) > 0

    @cached_property
    def tokens(self) -> IntArray:
        """The lines that hold surface tokens: ranges, and words that are in none."""
        is_token = self.is_range.copy()
        is_token[self.words[~self.in_range]] = True
        return np.flatnonzero(is_token)

    def column(self, name: str, lines: IntArray) -> tuple[IntArray, IntArray]:
        """Where a column begins and ends, on some lines."""
        index = COLUMNS.index(name)
        tab = self.tab[lines] + index
        return self.tabs[tab - 1] + 1 if index else self.start[lines], self.tabs[tab]

    def values(self, name: str, lines: IntArray) -> tuple[list[bytes], IntArray]:
        """The distinct values of a column, and which of them each line has."""
        starts, stops = self.column(name, lines)
        codes = string_codes(np.frombuffer(self.data, np.uint8), starts, stops)
        _, first, which = np.unique(codes, return_index=True, return_inverse=True)
        spans = zip(starts[first].tolist(), stops[first].tolist(), strict=True)
        return [self.data[start:stop] for start, stop in spans], which

    def forms(self, start: int, stop: int) -> list[str]:
        """The forms of some words, in lower case; blanks stay in multiword tokens only."""
        starts, stops = self.column("form", self.words[start:stop])
        kept = self.in_range[start:stop].tolist()
        texts = [
            self.data[a:b].decode() for a, b in zip(starts.tolist(), stops.tolist(), strict=True)
        ]
        return [
            (text if whole else _BLANKS.sub("", text)).lower()
            for text, whole in zip(texts, kept, strict=True)
        ]

    def heads(self) -> IntArray:
        """For each word the number of the word that it depends on, ROOT, or NO_HEAD."""
        starts, stops = self.column("head", self.words)
        head = _numbers(np.frombuffer(self.data, np.uint8), starts, stops)
        place = np.arange(self.words.size)
        first = place - self.first[self.words] + 1
        size = np.zeros(self.words.size, dtype=np.int64)
        begins = np.flatnonzero(self.first[self.words] == 1)
        size[:] = np.repeat(
            np.diff(begins, append=self.words.size), np.diff(begins, append=self.words.size)
        )
        sound = (head >= 0) & (head <= size)
        return np.where(sound, np.where(head == 0, self.ROOT, first + head - 1), self.NO_HEAD)

    def plain(self, lines: IntArray) -> bytes:
        """The forms of some lines as tokenized text; white space inside a form becomes NUL."""
        starts, stops = self.column("form", lines)
        widths = stops - starts + 1
        ends = np.cumsum(widths)
        places = np.repeat(starts - ends + widths, widths) + np.arange(ends[-1] if ends.size else 0)
        forms: Bytes = np.frombuffer(self.data, np.uint8)[places]
        forms[forms <= ord(" ")] = 0
        forms[ends - 1] = np.where(np.diff(self.sentence[lines], append=-1), ord("\n"), ord(" "))
        return forms.tobytes()


def parse_conllu(data: bytes, source: str = "<conllu>") -> Table:
    """Read the lines of a CoNLL-U file; a line that is malformed is an error."""
    refuse_nul(data, source)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    characters = np.frombuffer(data, np.uint8)
    low = np.flatnonzero(characters <= ord("\n"))
    tabs = low[characters[low] >= ord("\t")]
    line_ends = np.flatnonzero(characters[tabs] == ord("\n"))
    stops = tabs[line_ends]
    starts = np.concatenate((np.zeros(1, np.int64), stops[:-1] + 1))
    is_blank, is_comment = starts == stops, characters[starts] == ord("#")
    lines = np.flatnonzero(~is_blank & ~is_comment)
    if not lines.size:
        raise FormatError(source, "no words", "give a CoNLL-U file that holds sentences")
    first_tab = np.concatenate((np.zeros(1, np.int64), line_ends[:-1] + 1))
    _check_columns(line_ends[lines] - first_tab[lines] + 1, lines, source)
    sentence = np.cumsum(is_blank)
    table = _table(data, source, tabs, lines, sentence[lines], starts[lines], first_tab[lines])
    _check_forms(table)
    _check_ids(table)
    comments = np.flatnonzero(is_comment & ~is_blank)
    _check_text(table, comments, starts[comments], stops[comments], sentence[comments])
    return table


def _check_columns(columns: IntArray, lines: IntArray, source: str) -> None:
    wrong = np.flatnonzero(columns != len(COLUMNS))
    if wrong.size:
        found = number(int(columns[wrong[0]]), "column")
        cure = "CoNLL-U has ten, parted by tabs"
        raise FormatError(source, found, cure, line=int(lines[wrong[0]]) + 1)


def _table(data: bytes, source: str, tabs: IntArray, *columns: IntArray) -> Table:
    """Read the ids and leave out the empty nodes."""
    line, _, start, tab = columns
    first, last, mark = _ids(np.frombuffer(data, np.uint8), start, tabs[tab], line, source)
    kept = np.flatnonzero(mark != _DOT)
    parts = [column[kept] for column in (*columns, first, last, mark == _DASH)]
    return Table(data, source, tabs, *parts)


def _ids(
    characters: Bytes, starts: IntArray, stops: IntArray, lines: IntArray, source: str
) -> tuple[IntArray, IntArray, IntArray]:
    """Both numbers of each id and the mark between them, 0 where there is one number only."""
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


def _numbers(characters: Bytes, starts: IntArray, stops: IntArray) -> IntArray:
    """Whole numbers written between some places; -1 for what is none."""
    width = stops - starts
    value = np.where((width > 0) & (width < 19), 0, -1)
    for at in range(int(width[value >= 0].max(initial=0))):
        here = np.flatnonzero((value >= 0) & (width > at))
        digit = characters[starts[here] + at].astype(np.int64) - ord("0")
        value[here] = np.where((digit >= 0) & (digit <= 9), 10 * value[here] + digit, -1)
    return value


def _check_forms(table: Table) -> None:
    starts, stops = table.column("form", np.arange(table.line.size))
    empty = np.flatnonzero(starts == stops)
    if empty.size:
        line = int(table.line[empty[0]]) + 1
        raise FormatError(table.source, "a token without form", "write _ if it has none", line=line)


def _check_ids(table: Table) -> None:
    """Words count from 1 in each sentence; a range stands before its first word."""
    words = table.words
    if not words.size:
        raise FormatError(table.source, "no words", "give a CoNLL-U file that holds sentences")
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


def _require(table: Table, lines: IntArray, sound: BoolArray, problem: str) -> None:
    if sound.all():
        return
    worst = lines[np.flatnonzero(~sound)[0]]
    start, stop = (int(edge[0]) for edge in table.column("id", np.array([worst])))
    raise FormatError(
        table.source,
        problem.format(f"'{table.data[start:stop].decode()}'"),
        "words count from 1 in each sentence, and ranges stand before their words",
        line=int(table.line[worst]) + 1,
    )


def _check_text(
    table: Table, comments: IntArray, starts: IntArray, stops: IntArray, sentence: IntArray
) -> None:
    """Compare `# text` with the tokens, white space apart, for the sentences that have it."""
    is_text = _begins_with(_TEXT, table.data, starts, stops)
    spoken = np.flatnonzero(is_text & np.isin(sentence, table.sentence))
    told = np.isin(table.sentence[table.tokens], sentence[spoken])
    tokens = table.tokens[told]
    lines = table.plain(tokens).split(b"\n")
    number = np.searchsorted(np.unique(table.sentence[tokens]), sentence[spoken])
    ours = [lines[at] for at in number.tolist()]
    spans = zip((starts[spoken] + len(_TEXT)).tolist(), stops[spoken].tolist(), strict=True)
    theirs = [table.data[start:stop] for start, stop in spans]
    if _bare_lines(ours) == _bare_lines(theirs):
        return
    pairs = zip(comments[spoken], ours, theirs, strict=True)
    worst = next(line for line, tokens, text in pairs if bare(tokens) != bare(text))
    problem, cure = "# text spells other characters than the tokens", "mend the text or the tokens"
    raise FormatError(table.source, problem, cure, line=int(worst) + 1)


def _bare_lines(lines: list[bytes]) -> bytes:
    """Lines without white space, each still for itself."""
    return bare(b"\x01".join(lines))


def _begins_with(head: bytes, data: bytes, starts: IntArray, stops: IntArray) -> BoolArray:
    long = stops - starts >= len(head)
    places = starts[long][:, None] + np.arange(len(head))
    same = (np.frombuffer(data, np.uint8)[places] == np.frombuffer(head, np.uint8)).all(axis=1)
    result = np.zeros(starts.size, dtype=np.bool_)
    result[long] = same
    return result
