"""Passages: some sentences of a huge file of text, with some of what follows to look at."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic

import numpy as np

from caesura.align.characters import SIGHT
from caesura.core.segmentation import BoolArray
from caesura.core.text import Text
from caesura.errors import FormatError
from caesura.formats.text_file import File
from caesura.io.cwd import local
from caesura.io.files import Extract, is_utf8, size_of, sound_utf8

AROUND = 256
"""The number of equal characters on both sides of a cut."""
HEAD = 1 << 20
STEP = 1 << 16
SIZE = {"tokens": 2 << 20, "conllu": 8 << 20, "brackets": 2 << 20}
"""The size of a part in bytes: little enough for the caches of a processor."""
FEW, SEARCHED = 8, 1 << 22
"""How many places are tried as cuts at least, and how many characters are searched for them."""


@dataclass(frozen=True, slots=True)
class Form(Generic[File]):
    """How a file is read: what ends its sentences, and in parts of how many bytes.

    `beyond` is how many bytes to read after a passage at first; `may_be_cut` says that what looks
    like a gap may stand inside a sentence.
    """

    parse: Callable[[bytes, str], File]
    gap: bytes
    beyond: int
    part: int
    may_be_cut: bool = False

    @classmethod
    def from_name(cls, name: str, parse: Callable[[bytes, str], File]) -> Form[File]:
        """Tokens may be cut after every line, CoNLL-U after blank lines, trees before brackets."""
        if name == "brackets":
            return cls(parse, rb"\n(?=\()", 8 * SIGHT, SIZE[name], may_be_cut=True)
        if name == "conllu":
            return cls(parse, rb"\n\r?\n", 32 * SIGHT, SIZE[name])
        return cls(parse, rb"\n", 4 * SIGHT, SIZE["tokens"])

    @property
    def has_lines(self) -> bool:
        """Whether every line can be read without the others."""
        return self.gap == rb"\n"


def is_plain(path: str) -> bool:
    """Whether a file can be read in the middle, and has lines."""
    return is_utf8(path) and b"\n" in Extract(path, 0, HEAD).read()


@dataclass(frozen=True, slots=True)
class Passage(Generic[File]):
    """Some sentences of a file: from which byte on, what they are, and how many are its own.

    Those that are not its own come after them, and are there to be looked at.
    """

    file: File
    data: bytes
    start: int
    own: int
    gap: bytes

    @classmethod
    def from_range(cls, path: str, start: int, stop: int, form: Form[File]) -> Passage[File]:
        """The sentences that begin between two bytes, and no more."""
        start, stop = (sentence_after(path, place, form.gap) for place in (start, stop))
        return cls._from_bytes(path, start, (stop, stop), form)

    @classmethod
    def from_gaps(cls, path: str, start: int, stop: int, form: Form[File]) -> Passage[File]:
        """What stands between two gaps, and no more."""
        return cls._from_bytes(path, start, (stop, stop), form)

    @classmethod
    def from_place(cls, path: str, start: int, stop: int, form: Form[File]) -> Passage[File]:
        """What stands between two gaps, with as much of what follows as alignment looks at."""
        size, reach = size_of(path), form.beyond
        while True:
            end = sentence_after(path, stop + reach, form.gap)
            found = cls._from_bytes(path, start, (stop, end), form)
            if end >= size or found.seen > SIGHT:
                return found
            reach *= 4

    @classmethod
    def _from_bytes(
        cls, path: str, start: int, stops: tuple[int, int], form: Form[File]
    ) -> Passage[File]:
        data = Extract(path, start, stops[1]).read()
        if start == 0 and data.startswith(codecs.BOM_UTF8):
            start = len(codecs.BOM_UTF8)
            data = data[start:]
        file = _parsed(data, path, start, form)
        own = file.text.sentence_ends.size
        if stops[0] < stops[1]:
            lines = _lines(data, len(data) - (stops[1] - stops[0]))
            own = int(np.searchsorted(file.text.lines, lines, side="right"))
        return cls(file, data, start, own, form.gap)

    def with_sight(self, path: str, form: Form[File]) -> Text:
        """Its sentences and as much of what follows as alignment looks at, if it has lines."""
        stop, size = self.start + len(self.data), size_of(path)
        reach = self._sight
        while True:
            end = sentence_after(path, stop + reach, form.gap)
            found = Passage.from_gaps(path, stop, end, form).text
            if end >= size or len(found.stream) > SIGHT:
                return self.text.joined(found, _lines(self.data))
            reach *= 4

    @property
    def _sight(self) -> int:
        """About how many bytes alignment looks ahead, a little more than less."""
        most = 8 * len(self.text.stream)
        return SIGHT * min(len(self.data), most) // max(1, len(self.text.stream)) * 9 // 8

    def numbered(self, path: str, text: Text) -> Text:
        """A text that begins with it, with the lines of the file."""
        return replace(text, lines=text.lines + Extract(path, 0, self.start).lines())

    @property
    def seen(self) -> int:
        """How many characters stand after its own."""
        own = int(self.text.sentence_offsets[self.own - 1]) if self.own else 0
        return len(self.text.stream) - own

    @property
    def signs(self) -> dict[str, int]:
        """What is noticed of its own sentences, as in `Text`."""
        return self.file.signs_in(self.own)

    @property
    def text(self) -> Text:
        """The tokens."""
        return self.file.text

    @property
    def begins_plainly(self) -> BoolArray:
        """Which sentences begin with a token that is not a multiword token."""
        if self.file.treebank is None:
            return np.ones(self.text.sentence_ends.size, dtype=np.bool_)
        table, surface = self.file.treebank.table, self.file.treebank.text
        first = np.append(0, surface.sentence_ends)[:-1]
        plainly: BoolArray = ~table.is_range[table.tokens[first]]
        return plainly

    def ends_like(self, other: Passage[File]) -> tuple[int, int] | None:
        """The number of a sentence there and here that end at the one place that is the same."""
        stream, ends = other.text.stream, other.text.sentence_offsets
        inner = np.flatnonzero((ends >= AROUND) & (ends <= len(stream) - AROUND))
        plainly, there = self.begins_plainly, other.begins_plainly
        inner = inner[(np.diff(other.text.lines)[inner] > 0) & there[inner + 1]]
        tries = max(FEW, SEARCHED // max(1, len(self.text.stream)))
        for number in inner[:: -(-inner.size // tries) or 1].tolist():
            around = stream[ends[number] - AROUND : ends[number] + AROUND]
            at = self.text.stream.find(around)
            if at < 0 or self.text.stream.find(around, at + 1) >= 0:
                continue
            here = int(np.searchsorted(self.text.sentence_offsets, at + AROUND))
            lines = self.text.lines[here : here + 2]
            is_end = self.text.sentence_offsets[here] == at + AROUND and np.diff(lines).any()
            if is_end and plainly[here + 1]:
                return number, here
        return None

    def holds(self, other: Passage[File]) -> bool:
        """Whether what stands in the middle of another stands here, too."""
        middle = len(other.text.stream) // 2
        return other.text.stream[middle - AROUND : middle + AROUND] in self.text.stream

    def place(self, sentence: int) -> int | None:
        """Where the gap after a sentence ends in the file; None if there is no gap."""
        breaks = np.flatnonzero(np.frombuffer(self.data, np.uint8) == ord("\n"))
        line, following = (int(each) for each in self.text.lines[sentence : sentence + 2])
        first, last = (int(np.append(-1, breaks)[each - 1]) + 1 for each in (line, following))
        gaps = list(re.finditer(self.gap, self.data[first : last + 1]))
        return self.start + first + gaps[-1].end() if gaps else None


def _lines(data: bytes, size: int = -1) -> int:
    """How many lines end in the first bytes, or in all; `bytes.count` takes six times as long."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8, size) == ord("\n")))


def sentence_after(path: str, at: int, gap: bytes) -> int:
    """Where the first gap between sentences ends at or after a place; the end if there is none."""
    size = size_of(path)
    if not 0 < at < size:
        return max(0, min(at, size))
    place = max(0, at - 3)
    with Path(local(path)).open("rb") as file:
        file.seek(place)
        data = b""
        while more := file.read(STEP):
            data += more
            for found in re.finditer(gap, data):
                if place + found.end() >= at:
                    return place + found.end()
            place, data = place + max(0, len(data) - 2), data[-2:]
        return size


def _parsed(data: bytes, path: str, start: int, form: Form[File]) -> File:
    """What stands there; an error names the line of the file, counted only then."""
    try:
        return form.parse(sound_utf8(data, path), path)
    except FormatError as problem:
        raise problem.further(Extract(path, 0, start).lines()) from None
