"""Scan: a text as characters, with where its words begin and end and which marks follow them.

A word is a run of characters between white space with at least one that is not punctuation;
it is compared without the punctuation at its edges, in NFC and case folded. A hyphen is part of a
word, even alone; a dash is punctuation. Everything is done on arrays of characters, never word by
word; the arrays are those of blocks, so that they stay in the processor's cache.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import offsets_of
from caesura.core.line_breaks import BLOCK_END, LINE_END
from caesura.core.marks import EDGES, KIN, MARKS, with_kin
from caesura.core.segmentation import BoolArray, IntArray, MarkArray
from caesura.errors import UsageError

BREAK, BETWEEN = BLOCK_END, "\x1d"
"""Characters that separate units, and texts."""
BLOCK = 1 << 17
Codes = npt.NDArray[np.unsignedinteger]
Kinds = npt.NDArray[np.uint8]

_CUT, _CUT_BEFORE_WORD = re.compile("[ \n]"), re.compile("[ \n](?=[0-9A-Za-z])")
_SPACE_CODE, _DROPPED = ord(" "), 0x80
_APOSTROPHES_AND_HYPHENS = (*zip("’ʼ＇‐‑", "'''--", strict=True), ("\u00ad", ""))
_SPACES = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_IN_WORD, _SPACE, _BREAK, _EDGE, _MARK = range(5)
_LOWER = bytes(range(256)).lower()


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """The words of a text, and what is between them.

    `marked` are the words that a mark follows, `marks` the first such marks as characters. `breaks`
    says for each line end, BREAK, LINE_END and BETWEEN how many words precede it, `break_codes`
    which it is.
    """

    length: int
    words: str
    marked: IntArray
    marks: npt.NDArray[np.uint32]
    breaks: IntArray
    break_codes: Kinds

    def words_before(self, character: str) -> IntArray:
        """How many words precede each line end, BREAK, LINE_END or BETWEEN."""
        before: IntArray = self.breaks[self.break_codes == ord(character)].astype(np.int64)
        return before

    @classmethod
    def from_blocks(cls, blocks: Sequence[Scan]) -> Scan:
        """Put the blocks of a text together; a mark may follow the last word of another block."""
        before = np.cumsum([0, *(each.length for each in blocks)]).tolist()
        numbered = list(zip(blocks, before, strict=False))
        marked = np.concatenate([each.marked + start for each, start in numbered])
        is_first = marked >= 0
        is_first[1:] &= marked[1:] > marked[:-1]
        breaks = np.empty(sum(each.breaks.size for each in blocks), offsets_of(before[-1]))
        stop = 0
        for each, start in numbered:
            stop += each.breaks.size
            np.add(each.breaks, start, out=breaks[stop - each.breaks.size : stop])
        return cls(
            before[-1],
            " ".join(each.words for each in blocks if each.words),
            marked[is_first],
            np.concatenate([each.marks for each in blocks])[is_first],
            breaks,
            np.concatenate([each.break_codes for each in blocks]),
        )


def scan(raw: str, marks: str = MARKS, *, has_many: bool = False) -> Scan:
    """Find the words of a text and the marks that follow them; it may hold many, with BETWEEN."""
    if not isinstance(marks, str):
        raise UsageError(f"marks must be one text, such as {MARKS!r}, not {marks!r:.60}")
    if any(mark.isspace() or mark.isalnum() for mark in marks):
        raise UsageError(f"marks cannot be letters, digits or white space: '{marks}'")
    table = _kind_table(with_kin(_fold(marks)))
    blocks = _blocks(raw, _CUT_BEFORE_WORD if has_many else _CUT)
    return Scan.from_blocks([_scan(block, table, has_many=has_many) for block in blocks])


def marks_of(scanned: Scan, ends: IntArray) -> MarkArray | None:
    """The marks of the units' last words; None if no word has a mark."""
    which, codes = marks_at(scanned, ends)
    return codes.view("<U1") if which.size else None


def marks_at(scanned: Scan, ends: IntArray) -> tuple[IntArray, npt.NDArray[np.uint32]]:
    """Which of the units' last words have a mark, and the marks of all, 0 for those without."""
    codes = np.zeros(ends.size, dtype="<u4")
    if not scanned.marked.size:
        return scanned.marked, codes
    at = np.minimum(np.searchsorted(scanned.marked, ends), scanned.marked.size - 1)
    which = np.flatnonzero(scanned.marked[at] == ends)
    codes[which] = scanned.marks[at[which]]
    return which, codes


def _blocks(text: str, place: re.Pattern[str]) -> Iterator[str]:
    """A text in parts that can be scanned alone, each but the last up to a place to cut."""
    start = 0
    while len(text) - start > BLOCK and (cut := place.search(text, start + BLOCK)):
        yield text[start : cut.end()]
        start = cut.end()
    yield text[start:]


def _scan(text: str, table: bytes, *, has_many: bool) -> Scan:
    """Scan one block."""
    codes, kinds = _characters(text, table)
    special = np.flatnonzero(kinds >= _BREAK)
    kind = kinds[special]
    runs = _Punctuation.from_places(special[kind >= _EDGE], kinds)
    breaks = special[kind == _BREAK]
    in_word = kinds == _IN_WORD
    in_word[runs.inside] = True
    is_end = in_word.copy()
    np.greater(in_word[:-1], in_word[1:], out=is_end[:-1])
    ends = np.flatnonzero(is_end)
    stops = breaks[codes[breaks] == ord(BETWEEN)] if has_many else breaks[:0]
    marked, mark_at = _marked(runs.free[kinds[runs.free] == _MARK], ends, stops)
    return Scan(
        ends.size,
        _join(codes, in_word, stops),
        marked,
        codes[mark_at].astype("<u4"),
        np.searchsorted(ends, breaks).astype(offsets_of(ends.size)),
        codes[breaks].astype(np.uint8),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Punctuation:
    """The places of punctuation inside words, and of punctuation that no word follows at once."""

    inside: IntArray
    free: IntArray

    @classmethod
    def from_places(cls, places: IntArray, kinds: Kinds) -> _Punctuation:
        if not places.size:
            return cls(places, places)
        begins = np.ones(places.size + 1, dtype=np.bool_)
        np.greater(places[1:], places[:-1] + 1, out=begins[1:-1])
        first, last = places[begins[:-1]], places[begins[1:]]
        after_word = (first > 0) & (kinds[first - 1] == _IN_WORD)
        before_word = kinds[np.minimum(last + 1, kinds.size - 1)] == _IN_WORD
        run = np.cumsum(begins[:-1]) - 1
        return cls(places[(after_word & before_word)[run]], places[~before_word[run]])


def _marked(places: IntArray, ends: IntArray, stops: IntArray) -> tuple[IntArray, IntArray]:
    """The words that a mark follows in the same text, and the place of the first such mark.

    A mark inside a word (3.5) or attached to the next one (.net) follows none. Before the first
    word, -1 stands for the last word of the block before.
    """
    word = np.searchsorted(ends, places) - 1
    is_first = np.ones(word.size, np.bool_)
    if stops.size:
        before = np.append(0, np.searchsorted(ends, stops))
        is_first = word >= before[np.searchsorted(stops, places)]
    is_first[1:] &= word[1:] > word[:-1]
    return word[is_first], places[is_first]


def _join(codes: Codes, in_word: BoolArray, stops: IntArray) -> str:
    """The words separated by one space each; stops stay, after a space or not."""
    dropped = ~in_word
    joined = codes * in_word
    joined += dropped.view(np.uint8) * np.uint8(_SPACE_CODE)
    dropped[1:] &= dropped[:-1]
    dropped[stops], joined[stops] = False, codes[stops]
    if codes.itemsize > 1:
        words = joined.compress(~dropped).tobytes().decode("utf-32-le", "surrogatepass")
    else:
        joined += dropped.view(np.uint8) * np.uint8(_DROPPED)
        deleted = bytes([_DROPPED + _SPACE_CODE])
        words = joined.tobytes().translate(_LOWER, deleted).decode("ascii")
    return words.removesuffix(" ")


def _fold(text: str) -> str:
    """NFC and case folding, with one kind of apostrophe and hyphen."""
    if text.isascii():
        return text.lower()
    from caesura.core.unicode import normalized

    for other, plain in _APOSTROPHES_AND_HYPHENS:
        text = text.replace(other, plain)
    return normalized("NFC", normalized("NFC", text).casefold())


def _characters(text: str, table: bytes) -> tuple[Codes, Kinds]:
    """The characters of a text as numbers, folded unless they are ASCII, and the kind of each."""
    if text.isascii():
        data = text.encode("ascii")
        kinds = np.frombuffer(data.translate(table[:256]), dtype=np.uint8)
        return np.frombuffer(data, dtype=np.uint8), kinds
    codes = np.frombuffer(_fold(text).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return codes, np.take(np.frombuffer(table, dtype=np.uint8), codes, mode="clip")


@lru_cache(maxsize=8)
def _kind_table(marks: str) -> bytes:
    """The kind of each character; the last entry is for all after it."""
    special = {
        _SPACE: _SPACES,
        _BREAK: f"\n{BREAK}{LINE_END}{BETWEEN}",
        _EDGE: EDGES + with_kin("".join(KIN)),
        _MARK: marks,
    }
    table = bytearray(max(map(ord, "".join(special.values()))) + 2)
    for kind, characters in special.items():
        for character in characters:
            table[ord(character)] = kind
    return bytes(table)
