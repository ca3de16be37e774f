"""Treebanks: the ten columns of Universal Dependencies as arrays, and their text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from caesura.core.cells import Bytes, Strings, gathered, string_codes, whole_numbers
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Text

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_BLANKS = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


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

    def head(self, size: int) -> TreebankColumns:
        """The first lines."""
        return TreebankColumns(self.characters, self.starts[:size], self.stops[:size])

    def of(self, name: str) -> Strings:
        """One of the columns."""
        index = COLUMNS.index(name)
        starts = self.stops[:, index - 1] + 1 if index else self.starts
        return self.characters, starts, self.stops[:, index]


@dataclass(frozen=True)
class TreebankTable:
    """The lines of a CoNLL-U file that hold tokens and words.

    `line` is a line's number from 0; `first` and `last` are the ids of a range, equal for a word.
    """

    data: bytes
    source: str
    columns: TreebankColumns
    line: IntArray
    sentence: IntArray
    first: IntArray
    last: IntArray
    is_range: BoolArray

    ROOT: ClassVar[int] = -1
    NO_HEAD: ClassVar[int] = -2

    def head(self, sentences: int) -> TreebankTable:
        """The first sentences of the table."""
        stop = int(self.words[self.first_words[sentences] - 1]) + 1 if sentences else 0
        rest = (self.line, self.sentence, self.first, self.last, self.is_range)
        parts: Any = (each[:stop] for each in rest)
        return TreebankTable(self.data, self.source, self.columns.head(stop), *parts)

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
    def is_token(self) -> BoolArray:
        """Which lines hold surface tokens: ranges, and words that are in none."""
        result = self.is_range.copy()
        result[self.words[~self.in_range]] = True
        return result

    @cached_property
    def tokens(self) -> IntArray:
        """The lines that hold surface tokens."""
        return np.flatnonzero(self.is_token)

    def values(self, name: str, lines: IntArray) -> tuple[list[bytes], IntArray]:
        """The distinct values of a column, and which of them each line has."""
        _, starts, stops = strings = self.columns.some(lines).of(name)
        _, first, which = np.unique(string_codes(*strings), return_index=True, return_inverse=True)
        spans = zip(starts[first].tolist(), stops[first].tolist(), strict=True)
        return [self.data[start:stop] for start, stop in spans], which

    def texts(self, name: str, lines: IntArray) -> list[str]:
        """A column of some lines."""
        _, starts, stops = self.columns.some(lines).of(name)
        return [
            self.data[a:b].decode() for a, b in zip(starts.tolist(), stops.tolist(), strict=True)
        ]

    def forms(self, words: IntArray) -> list[str]:
        """The forms of some words, in lower case; blanks stay in multiword tokens only."""
        texts, kept = self.texts("form", self.words[words]), self.in_range[words].tolist()
        return [
            (text if whole else _BLANKS.sub("", text)).lower()
            for text, whole in zip(texts, kept, strict=True)
        ]

    def heads(self) -> IntArray:
        """For each word the number of the word that it depends on, ROOT, or NO_HEAD."""
        head = whole_numbers(*self.columns.some(self.words).of("head"))
        sizes = np.diff(self.first_words)
        first = np.repeat(self.first_words[:-1], sizes)
        sound = (head >= 0) & (head <= np.repeat(sizes, sizes))
        return np.where(sound, np.where(head == 0, self.ROOT, first + head - 1), self.NO_HEAD)

    def plain(self, lines: IntArray) -> bytes:
        """The forms of some lines as tokenized text; white space inside a form becomes NUL."""
        stops = self.columns.stops
        starts = stops[lines, 0] + 1
        widths = stops[lines, 1] - starts + 1
        forms = gathered(self.columns.characters, starts, widths)
        forms *= forms > ord(" ")
        ends = np.cumsum(widths) - 1
        forms[ends] = ord(" ")
        forms[ends[np.append(np.diff(self.sentence[lines]) != 0, values=True)[: ends.size]]] = ord(
            "\n"
        )
        return forms.tobytes()

    @cached_property
    def surface(self) -> bytes:
        """The forms of all tokens as tokenized text."""
        return self.plain(self.tokens)


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """The table of a CoNLL-U file and the text of its surface tokens."""

    table: TreebankTable
    text: Text
