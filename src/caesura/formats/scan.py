"""Scan: a text as characters, with where its words begin and end and which marks follow them.

A word is a run of characters between white space with at least one that is not punctuation;
it is compared without the punctuation at its edges, in NFC and case folded. A hyphen is part of a
word, even alone; a dash is punctuation. Everything is done on the array of the text's characters,
never word by word.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from caesura.core.ranks import Ranks
from caesura.core.segmentation import BoolArray, IntArray, MarkArray
from caesura.errors import UsageError

MARKS = ".?!;"
Codes = npt.NDArray[np.unsignedinteger]

_SPACE_CODE = ord(" ")
_APOSTROPHES_AND_HYPHENS = (*zip("’ʼ＇‐‑", "'''--", strict=True), ("\u00ad", ""))
_SPACES = "".join(
    chr(code) for code in (*range(0x21), 0x85, 0xA0, *range(0x1680, 0x3001)) if chr(code).isspace()
)
_EDGES = (
    ".?!;,:…\"'`´()[]{}«»‹›“”„‟‘‚‛‒–—―¿¡"
    "。！？；，、：．「」『』（）【】《》〈〉・"
    "؟،؛۔।॥։፡።፣፤፥፦፧"
    "\u200b\u200c\u200d\u2060\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)
_CORE, _SPACE, _EDGE, _MARK = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """The folded characters of a text, and which of them are in words.

    `marked` are the words that a mark follows, `mark_at` the places of the first such marks.
    """

    codes: Codes
    in_word: BoolArray
    ends: Ranks
    marked: IntArray
    mark_at: IntArray

    @property
    def length(self) -> int:
        """How many words there are."""
        return self.ends.total

    @property
    def first(self) -> IntArray:
        """The place of the first character of each word."""
        starts = self.in_word.copy()
        np.greater(self.in_word[1:], self.in_word[:-1], out=starts[1:])
        return np.flatnonzero(starts)

    @property
    def last(self) -> IntArray:
        """The place of the last character of each word."""
        return np.flatnonzero(_ends(self.in_word))

    @property
    def words(self) -> str:
        """The words separated by one space each."""
        return self._join(np.empty(0, dtype=np.int64))

    def texts(self, stops: IntArray) -> list[str]:
        """The words of each of many texts, which end before the places `stops`."""
        between = chr(self.codes[stops[0]])
        return [text.rstrip(" ") for text in self._join(stops[:-1]).split(between)]

    def places(self, character: str) -> IntArray:
        """The places of a character."""
        return np.flatnonzero(self.codes == ord(character))

    def words_before(self, character: str) -> IntArray:
        """For each place of a character, how many words end before it."""
        return self.ends.at(self.places(character))

    def apart(self, stops: IntArray) -> Scan:
        """The same without marks that follow a word of another text; texts end before `stops`."""
        first = np.concatenate(([0], self.ends.at(stops[:-1])))
        same = self.marked >= first[np.searchsorted(stops, self.mark_at)]
        return replace(self, marked=self.marked[same], mark_at=self.mark_at[same])

    def _join(self, separators: IntArray) -> str:
        """The words separated by one space each; separators stay, after a space or not."""
        kept = self.in_word.copy()
        kept[1:] |= self.in_word[:-1]
        joined = self.codes * self.in_word
        joined += (~self.in_word).view(np.uint8) * np.uint8(_SPACE_CODE)
        kept[separators], joined[separators] = True, self.codes[separators]
        joined = joined.compress(kept)
        if joined.size and joined[-1] == _SPACE_CODE:
            joined = joined[:-1]
        encoding = "ascii" if joined.itemsize == 1 else "utf-32-le"
        return joined.tobytes().decode(encoding, "surrogatepass")


def scan(raw: str, marks: str = MARKS) -> Scan:
    """Find the words of a text and the marks that follow them."""
    if any(mark.isspace() or mark.isalnum() for mark in marks):
        raise UsageError(f"marks cannot be letters, digits or white space: '{marks}'")
    codes, kinds = _characters(_fold(raw), _kind_table(_fold(marks)))
    runs = _Punctuation.from_kinds(kinds)
    in_word = kinds == _CORE
    in_word[runs.inside] = True
    ends = Ranks.from_flags(_ends(in_word))
    return Scan(codes, in_word, ends, *_marked(np.flatnonzero(kinds == _MARK), ends, runs))


def marks_of(found: Scan, ends: IntArray) -> MarkArray | None:
    """The marks of the units' last words; None if no word has a mark."""
    which, codes = marks_at(found, ends)
    return codes.view("<U1") if which.size else None


def marks_at(found: Scan, ends: IntArray) -> tuple[IntArray, npt.NDArray[np.uint32]]:
    """Which of the units' last words have a mark, and the marks of all, 0 for those without."""
    codes = np.zeros(ends.size, dtype="<u4")
    if not found.marked.size:
        return found.marked, codes
    at = np.minimum(np.searchsorted(found.marked, ends), found.marked.size - 1)
    which = np.flatnonzero(found.marked[at] == ends)
    codes[which] = found.codes[found.mark_at[at[which]]]
    return which, codes


def _ends(in_word: BoolArray) -> BoolArray:
    """Which characters are the last of a word."""
    ends = in_word.copy()
    np.greater(in_word[:-1], in_word[1:], out=ends[:-1])
    return ends


@dataclass(frozen=True, slots=True, eq=False)
class _Punctuation:
    """Runs of punctuation: which one is at each place, and on which sides a word touches them."""

    places: IntArray
    run: IntArray
    after_word: BoolArray
    before_word: BoolArray

    @classmethod
    def from_kinds(cls, kinds: npt.NDArray[np.uint8]) -> _Punctuation:
        places = np.flatnonzero(kinds >= _EDGE)
        begins = np.diff(places, prepend=-2) > 1
        first, last = places[begins], places[np.append(begins[1:], True)[: places.size]]
        after_word = (first > 0) & (kinds[first - 1] == _CORE)
        next_one = np.minimum(last + 1, kinds.size - 1)
        return cls(places, np.cumsum(begins) - 1, after_word, kinds[next_one] == _CORE)

    @property
    def inside(self) -> IntArray:
        """The places of punctuation inside words."""
        return self.places[(self.after_word & self.before_word)[self.run]]


def _marked(places: IntArray, ends: Ranks, runs: _Punctuation) -> tuple[IntArray, IntArray]:
    """The words that a mark follows, and the place of the first such mark.

    A mark inside a word (3.5) or attached to the next one (.net) follows none.
    """
    free = places[~runs.before_word[runs.run[np.searchsorted(runs.places, places)]]]
    word = ends.at(free) - 1
    is_first = np.diff(word, prepend=-1) > 0
    return word[is_first], free[is_first]


def _fold(text: str) -> str:
    """NFC and case folding, with one kind of apostrophe and hyphen."""
    if text.isascii():
        return text.lower()
    for other, plain in _APOSTROPHES_AND_HYPHENS:
        text = text.replace(other, plain)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _characters(text: str, table: bytes) -> tuple[Codes, npt.NDArray[np.uint8]]:
    """The characters of a text as numbers, and what each is: in a word, space, edge or mark."""
    if text.isascii():
        data = text.encode("ascii")
        kinds = np.frombuffer(data.translate(table[:256]), dtype=np.uint8)
        return np.frombuffer(data, dtype=np.uint8), kinds
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return codes, np.take(np.frombuffer(table, dtype=np.uint8), codes, mode="clip")


@lru_cache(maxsize=8)
def _kind_table(marks: str) -> bytes:
    """What each character is; the last entry is for all after it."""
    special = {_SPACE: _SPACES, _EDGE: _EDGES, _MARK: marks}
    table = bytearray(max(map(ord, "".join(special.values()))) + 2)
    for kind, characters in special.items():
        for character in characters:
            table[ord(character)] = kind
    return bytes(table)
