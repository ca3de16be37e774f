"""Treebanks: the ten columns of Universal Dependencies as arrays, and their text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from caesura.core.arrays import steps, stretched
from caesura.core.byte_cells import Bytes, Strings, gathered, string_codes, whole_numbers
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Text

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_BLANKS = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


@lru_cache(1 << 14)
def _lowered(form: bytes, whole: bool) -> str:  # noqa: FBT001
    text = form.decode()
    return (text if whole else _BLANKS.sub("", text)).lower()


@dataclass(frozen=True, slots=True)
class TreebankColumns:
    """Lines of ten columns: where each line begins, and in a row for each where its columns end."""

    characters: Bytes
    starts: IntArray
    stops: IntArray

    def some(self, lines: IntArray) -> TreebankColumns:
        """Some of the lines, in their order."""
        if lines.size == self.starts.size:
            return self
        return TreebankColumns(self.characters, self.starts[lines], self.stops.take(lines, axis=0))

    def of(self, name: str, last: str | None = None) -> Strings:
        """One of the columns, or all from one to another as they stand in the file."""
        index, stop = COLUMNS.index(name), COLUMNS.index(last or name)
        starts = self.stops[:, index - 1] + 1 if index else self.starts
        return self.characters, starts, self.stops[:, stop]


@dataclass(frozen=True, slots=True)
class Ranges:
    """Multiword tokens: their lines, and how many words each of them has."""

    lines: IntArray
    sizes: IntArray

    @property
    def words(self) -> IntArray:
        """The numbers of the words that are part of them."""
        return stretched(self.lines - np.arange(self.lines.size), self.sizes)


@dataclass(frozen=True)
class TreebankTable:
    """The lines of a CoNLL-U file that hold tokens and words.

    `line` is a line's number from 0, `sentence` how many blank lines stand before it; `surface`
    holds the forms of all tokens as tokenized text. `unlike` are the sentences whose `# text` has
    other characters than their tokens.
    """

    data: bytes
    source: str
    columns: TreebankColumns
    line: IntArray
    sentence: IntArray
    ranges: Ranges
    surface: bytes
    unlike: IntArray

    ROOT: ClassVar[int] = -1
    NO_HEAD: ClassVar[int] = -2

    @classmethod
    def from_tables(cls, tables: Sequence[TreebankTable]) -> TreebankTable:
        """The tables of parts of one file, which are in order, as one."""
        if len(tables) == 1:
            return tables[0]
        columns = [table.columns for table in tables]
        before = np.cumsum([0, *(table.line.size for table in tables)])
        ranges = [table.ranges for table in tables]
        lines = [each.lines + first for each, first in zip(ranges, before, strict=False)]
        return cls(
            tables[0].data,
            tables[0].source,
            TreebankColumns(
                columns[0].characters,
                np.concatenate([each.starts for each in columns]),
                np.concatenate([each.stops for each in columns]),
            ),
            np.concatenate([table.line for table in tables]),
            np.concatenate([table.sentence for table in tables]),
            Ranges(np.concatenate(lines), np.concatenate([each.sizes for each in ranges])),
            b"".join(table.surface for table in tables),
            np.concatenate([table.unlike for table in tables]),
        )

    @cached_property
    def is_range(self) -> BoolArray:
        """Which lines hold multiword tokens."""
        result = np.zeros(self.line.size, dtype=np.bool_)
        result[self.ranges.lines] = True
        return result

    @cached_property
    def words(self) -> IntArray:
        """The lines that hold words."""
        if not self.ranges.lines.size:
            return np.arange(self.line.size)
        return np.flatnonzero(~self.is_range)

    @cached_property
    def first_words(self) -> IntArray:
        """The number of each sentence's first word, and of words in all."""
        first = np.flatnonzero(steps(self.sentence_of(self.words), -1))
        return np.append(first, self.words.size)

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return self.first_words.size - 1

    @cached_property
    def in_range(self) -> BoolArray:
        """For each word, whether it is part of a multiword token."""
        result = np.zeros(self.words.size, dtype=np.bool_)
        result[self.ranges.words] = True
        return result

    @cached_property
    def is_token(self) -> BoolArray:
        """Which lines hold surface tokens: ranges, and words that are in none."""
        result = np.ones(self.line.size, dtype=np.bool_)
        result[self.words[self.ranges.words]] = False
        return result

    @cached_property
    def tokens(self) -> IntArray:
        """The lines that hold surface tokens."""
        return np.flatnonzero(self.is_token) if self.ranges.lines.size else self.words

    def sentence_of(self, lines: IntArray) -> IntArray:
        """The sentences of some lines, or of all."""
        return self.sentence if lines.size == self.sentence.size else self.sentence[lines]

    def values(self, name: str, lines: IntArray) -> tuple[list[bytes], IntArray]:
        """The distinct values of a column, and which of them each line has."""
        _, starts, stops = strings = self.columns.some(lines).of(name)
        _, first, which = np.unique(string_codes(*strings), return_index=True, return_inverse=True)
        spans = zip(starts[first].tolist(), stops[first].tolist(), strict=True)
        return [self.data[start:stop] for start, stop in spans], which

    def of_words(self, name: str, last: str | None = None) -> Strings:
        """A column of all words, or all from one to another as they stand in the file."""
        characters, starts, stops = self.columns.of(name, last)
        if self.words.size == starts.size:
            return characters, starts, stops
        return characters, starts[self.words], stops[self.words]

    def texts(self, name: str, lines: IntArray) -> list[str]:
        """A column of some lines."""
        _, starts, stops = self.columns.some(lines).of(name)
        return [
            self.data[a:b].decode() for a, b in zip(starts.tolist(), stops.tolist(), strict=True)
        ]

    def forms(self, words: IntArray) -> list[str]:
        """The forms of some words, in lower case; blanks stay in multiword tokens only."""
        _, starts, stops = self.columns.some(self.words[words]).of("form")
        each = starts.tolist(), stops.tolist(), self.in_range[words].tolist()
        return [_lowered(self.data[a:b], whole) for a, b, whole in zip(*each, strict=True)]

    def heads(self) -> IntArray:
        """For each word the number of the word that it depends on, ROOT, or NO_HEAD."""
        head = whole_numbers(*self.columns.of("head"))
        if head.size != self.words.size:
            head = head[self.words]
        sizes = np.diff(self.first_words)
        heads = np.repeat(self.first_words[:-1] - 1, sizes)
        heads += head
        heads[head == 0] = self.ROOT
        is_beyond = np.maximum.reduceat(head, self.first_words[:-1]) > sizes
        if is_beyond.any() or head.min(initial=0) < 0:
            heads[(head < 0) | (head > np.repeat(sizes, sizes))] = self.NO_HEAD
        return heads

    def form_widths(self, lines: IntArray) -> IntArray:
        """How many bytes the forms of some lines have, with what separates them."""
        widths: IntArray = self.columns.stops[:, 1] - self.columns.stops[:, 0]
        return widths if lines.size == widths.size else widths[lines]

    def plain(self, lines: IntArray) -> bytes:
        """The forms of some lines as tokenized text; white space inside a form becomes NUL."""
        starts, widths = self.columns.stops[:, 0] + 1, self.form_widths(lines)
        if lines.size < starts.size:
            starts = starts[lines]
        forms = gathered(self.columns.characters, starts, widths)
        forms *= forms > ord(" ")
        ends = np.cumsum(widths) - 1
        forms[ends] = ord(" ")
        forms[ends[np.flatnonzero(np.diff(self.sentence_of(lines)))]] = ord("\n")
        forms[-1:] = ord("\n")
        return forms.tobytes()


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """The table of a CoNLL-U file and the text of its surface tokens."""

    table: TreebankTable
    text: Text
