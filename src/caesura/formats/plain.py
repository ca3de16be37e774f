"""Transcripts as plain text, in four forms: lines, marks, slashes and binary.

A word is a run of characters between white space with at least one that is not punctuation;
it is compared without the punctuation at its edges, in NFC and case folded. A hyphen is part of a
word, even alone; a dash is punctuation. Everything is done on
the array of the text's characters, never word by word.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import BoolArray, Document, IntArray, MarkArray, Segmentation
from caesura.errors import FormatError, UsageError
from caesura.io.files import line_number

MARKS = ".?!;"
FORMS = {
    "lines": "one unit per line",
    "marks": "running text in which . ? ! ; end a unit (see --marks)",
    "slashes": "units separated by //",
    "binary": "a string of 0 and 1, one for each word: 1 where a unit ends after it",
}

SLASHES = re.compile(r"(?<!\S)/{2,}|(?<![:/])/{2,}(?!\S)")
_BREAK = "\x1e"
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


def detect(text: str) -> str:
    """Detect the form of a text: slashes, binary, lines or marks, in this order."""
    if "//" in text and SLASHES.search(text):
        return "slashes"
    if text.strip() and not re.search(r"[^01\s]", text):
        return "binary"
    inner = text.strip()
    return "lines" if "\n" in inner or "\r" in inner else "marks"


def parse(
    text: str, form: str = "auto", *, marks: str = MARKS, source: str = "<string>"
) -> Document:
    """Read one transcript.

    >>> parse("so, you know // it rained // a lot").segmentation.masses.tolist()
    [3, 2, 2]
    """
    used = detect(text) if form == "auto" else form
    if used == "binary":
        return _parse_binary(text, source)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace(_BREAK, " ")
    if used == "slashes":
        lines = SLASHES.sub(_BREAK, lines)
    found = scan(lines, marks)
    if not found.first.size:
        raise FormatError(source, "no words", "give a file with the words of a transcript")
    return _document(found, used, source, lines)


def surfaces(raw: str) -> list[str]:
    """The words as they are written, each with the punctuation next to it.

    >>> surfaces("Well — “yes”, he said .")
    ['Well —', '“yes”,', 'he', 'said .']
    """
    pieces = raw.split()
    distinct = list(set(pieces))
    is_word = dict(zip(distinct, words_by_line("\n".join(distinct)) > 0, strict=True))
    words: list[str] = []
    before = ""
    for piece in pieces:
        if is_word[piece]:
            words.append(before + piece)
            before = ""
        elif words:
            words[-1] += f" {piece}"
        else:
            before += f"{piece} "
    return words


def words_by_line(text: str) -> IntArray:
    """How many words there are on each line."""
    found = scan(text)
    return np.diff(found.words_before("\n"), prepend=0, append=found.first.size)


def _parse_binary(text: str, source: str) -> Document:
    digits = "".join(text.split())
    wrong = re.search(r"[^01\s]", text)
    if wrong:
        raise FormatError(
            source,
            f"'{wrong[0]}' in a binary string",
            "use only 0, 1 and white space",
            line=line_number(text, wrong.start()),
        )
    if not digits:
        raise FormatError(source, "no words", "give a 0 or a 1 for each word")
    values = np.frombuffer(digits.encode("ascii"), dtype=np.uint8) - ord("0")
    return Document(Segmentation.from_binary(values), None, "binary", source)


@dataclass(frozen=True, slots=True)
class Scan:
    """A text as characters: where its words begin and end, and what is between them."""

    text: str
    first: IntArray
    last: IntArray
    words: str
    marked: IntArray
    mark_at: IntArray

    def words_before(self, character: str) -> IntArray:
        """For each place of a character, how many words end before it."""
        return np.searchsorted(self.last, np.flatnonzero(_codes(self.text) == ord(character)))


def _document(found: Scan, form: str, source: str, raw: str) -> Document:
    length = found.first.size
    line_starts = np.concatenate((np.zeros(1, np.int64), found.words_before("\n")))
    if form == "marks":
        ends = found.marked
    else:
        before = found.words_before("\n" if form == "lines" else _BREAK)
        ends = before[np.flatnonzero(np.diff(before, prepend=0))] - 1
    if not ends.size or ends[-1] < length - 1:
        ends = np.append(ends, length - 1)
    segmentation = Segmentation(length, ends, marks_of(found, ends))
    return Document(segmentation, found.words, form, source, line_starts, raw)


def marks_of(found: Scan, ends: IntArray) -> MarkArray | None:
    """The marks of the units' last words; None if no word has a mark."""
    at = np.minimum(np.searchsorted(found.marked, ends), max(0, found.marked.size - 1))
    has_mark = found.marked[at] == ends if found.marked.size else np.zeros(ends.size, np.bool_)
    if not has_mark.any():
        return None
    marks = np.zeros(ends.size, dtype="<U1")
    codes = _codes(found.text)[found.mark_at[at[has_mark]]]
    marks[has_mark] = codes.astype("<u4").view("<U1")
    return marks


def scan(raw: str, marks: str = MARKS) -> Scan:
    """Find the words of a text and the marks that follow them."""
    if any(mark.isspace() or mark.isalnum() for mark in marks):
        raise UsageError(f"marks cannot be letters, digits or white space: '{marks}'")
    text = _fold(raw)
    codes = _codes(text)
    kinds = _kinds(codes, _fold(marks))
    runs = _Punctuation.from_kinds(kinds)
    first, last = _edges(kinds, runs)
    marked, mark_at = _marked(np.flatnonzero(kinds == _MARK), last, runs)
    return Scan(text, first, last, _join(codes, kinds == _CORE, last, runs), marked, mark_at)


@dataclass(frozen=True, slots=True)
class _Punctuation:
    """Runs of punctuation: where they begin and end, and on which sides a word touches them."""

    places: IntArray
    run: IntArray
    first: IntArray
    last: IntArray
    after_word: BoolArray
    before_word: BoolArray

    @classmethod
    def from_kinds(cls, kinds: npt.NDArray[np.uint8]) -> _Punctuation:
        places = np.flatnonzero(kinds >= _EDGE)
        begins = np.diff(places, prepend=-2) > 1
        first, last = places[begins], places[np.append(begins[1:], True)[: places.size]]
        after_word = (first > 0) & (kinds[first - 1] == _CORE)
        next_one = np.minimum(last + 1, kinds.size - 1)
        before_word = kinds[next_one] == _CORE
        return cls(places, np.cumsum(begins) - 1, first, last, after_word, before_word)


def _edges(kinds: npt.NDArray[np.uint8], runs: _Punctuation) -> tuple[IntArray, IntArray]:
    """Where words begin and end: next to white space, or to punctuation that is."""
    is_space, begins = kinds == _SPACE, kinds == _CORE
    ends = begins.copy()
    begins[1:] &= is_space[:-1]
    ends[:-1] &= is_space[1:]
    begins[runs.last[runs.before_word & ~runs.after_word] + 1] = True
    ends[runs.first[runs.after_word & ~runs.before_word] - 1] = True
    return np.flatnonzero(begins), np.flatnonzero(ends)


def _marked(places: IntArray, last: IntArray, runs: _Punctuation) -> tuple[IntArray, IntArray]:
    """The words that a mark follows, and the place of the first such mark.

    A mark inside a word (3.5) or attached to the next one (.net) follows none.
    """
    free = places[~runs.before_word[runs.run[np.searchsorted(runs.places, places)]]]
    word = np.searchsorted(last, free) - 1
    is_first = np.diff(word, prepend=-1) > 0
    return word[is_first], free[is_first]


def _join(
    codes: npt.NDArray[np.unsignedinteger], keep: BoolArray, last: IntArray, runs: _Punctuation
) -> str:
    """The words separated by one space each."""
    inside = runs.after_word & runs.before_word
    keep[runs.places[inside[runs.run]]] = True
    gaps = last[:-1] + 1
    keep[gaps] = True
    joined = codes.copy()
    joined[gaps] = ord(" ")
    encoding = "ascii" if codes.itemsize == 1 else "utf-32-le"
    return joined[keep].tobytes().decode(encoding, "surrogatepass")


def _fold(text: str) -> str:
    """NFC and case folding, with one kind of apostrophe and hyphen."""
    if text.isascii():
        return text.lower()
    for other, plain in _APOSTROPHES_AND_HYPHENS:
        text = text.replace(other, plain)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _codes(text: str) -> npt.NDArray[np.unsignedinteger]:
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _kinds(codes: npt.NDArray[np.unsignedinteger], marks: str) -> npt.NDArray[np.uint8]:
    """What each character is: part of a word, white space, punctuation or a mark."""
    return np.take(_kind_table(marks), codes, mode="clip")


@lru_cache(maxsize=8)
def _kind_table(marks: str) -> npt.NDArray[np.uint8]:
    special = {_SPACE: _SPACES, _EDGE: _EDGES, _MARK: marks}
    table = np.zeros(max(map(ord, "".join(special.values()))) + 2, dtype=np.uint8)
    for kind, characters in special.items():
        table[[ord(character) for character in characters]] = kind
    return table
