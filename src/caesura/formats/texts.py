"""Tokenized texts: one sentence per line, tokens separated by spaces.

White space that is not ASCII (no-break space, ideographic space, line separator) stands inside
tokens: it is not part of the stream and separates nothing. It works on the array of bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import offsets_of
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.core.unicode import Form, normalized
from caesura.errors import FormatError
from caesura.formats.equivalences import TABLES, Equivalences
from caesura.io.files import line_number

if TYPE_CHECKING:
    from caesura.core.treebank_table import AnnotatedText


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How text is read: every option that can change a token."""

    input: str = "auto"
    units: str = "tokens"
    equivalences: Equivalences = TABLES["quotes"]
    normalize: str | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text in the requested units and, if it is CoNLL-U, its treebank."""

    text: Text
    treebank: AnnotatedText | None = None


_SEPARATORS = b" \t\n\r\v\f\x1c\x1d\x1e\x1f"
_SEPARATOR = re.compile(b"[" + _SEPARATORS + b"]")
_FILLER = 0
PART = 1 << 19
_INNER_SPACES = (0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
_PART = f"[^{_SEPARATORS.decode()}]*"
_NOT_ASCII = re.compile(rf"{_PART}[^\x00-\x7f]{_PART}")
_IS_SEPARATOR = np.isin(np.arange(256), list(_SEPARATORS))
_IS_INNER_SPACE = np.isin(np.arange(max(_INNER_SPACES) + 2), _INNER_SPACES)
_OTHER_END = {ord("\n"): ord("\r"), ord("\r"): ord("\n")}
Bytes = npt.NDArray[np.uint8]


def parse_tokens(
    data: bytes,
    *,
    equivalences: Equivalences = TABLES["quotes"],
    normalize: str | None = None,
    source: str = "<tokens>",
) -> Text:
    r"""Read tokenized text from UTF-8 bytes.

    >>> text = parse_tokens(b"I ca n't .\n`` Why ? ''\n")
    >>> text.stream, text.token_ends.tolist(), text.sentence_ends.tolist()
    ('Ican\'t."Why?"', [1, 3, 6, 7, 8, 11, 12, 13], [4, 8])
    """
    refuse_nul(data, source)
    return parse_filled(data, equivalences=equivalences, normalize=normalize, source=source)


def refuse_nul(data: bytes, source: str) -> None:
    """Raise an error if there is a NUL byte, which stands for filler here."""
    if b"\0" in data:
        line = line_number(data[: data.index(b"\0")].decode(errors="replace"), len(data))
        raise FormatError(source, "a NUL byte: not a text file", "save it as UTF-8", line=line)


def parse_filled(
    data: bytes, *, equivalences: Equivalences, normalize: str | None, source: str
) -> Text:
    """Read tokenized text in which NUL stands for white space inside tokens."""
    if normalize and not data.isascii():
        form: Form = "NFC" if normalize == "nfc" else "NFKC"
        text = _without_inner_space(data).decode()  # no separator is made or lost
        data = _NOT_ASCII.sub(
            lambda token: re.sub(r"\s", "\0", normalized(form, token[0])), text
        ).encode()
    data = equivalences.apply(_without_inner_space(data))
    has_quotes = equivalences.has_quotes and (b"`" in data or b"'" in data)
    line_end = ord("\n") if b"\n" in data else ord("\r")
    pieces = (_piece(part, line_end, has_quotes=has_quotes) for part in _parts(data))
    return _joined(pieces, source, offsets_of(len(data)))


def _parts(data: bytes) -> Iterator[Bytes]:
    """The characters in parts, so that little is held at a time: to a line's end, if one is near.

    A part of a long line ends with a separator.
    """
    characters, start = np.frombuffer(data, np.uint8), 0
    while start < len(data):
        stop = data.find(b"\n", start + PART, start + 2 * PART) + 1
        if not stop:
            found = _SEPARATOR.search(data, start + 2 * PART)
            stop = found.end() if found else len(data)
        yield characters[start:stop]
        start = stop


Piece = tuple[str, IntArray, IntArray, IntArray]
"""A part: its stream, where tokens end, and how many precede the ends of sentences and of lines."""


def _piece(characters: Bytes, line_end: int, *, has_quotes: bool) -> Piece:
    cuts, at_cuts = _cuts(characters)
    if has_quotes:
        characters = _one_quote(characters)
    ends = _ends(characters, cuts)
    is_full = np.empty(ends.size, np.bool_)  # which cells hold a token
    is_full[0] = ends[0] > 0
    np.not_equal(ends[1:], ends[:-1], out=is_full[1:])
    empty = np.flatnonzero(~is_full)

    def tokens_before(cut: IntArray) -> IntArray:
        return cut + 1 - np.searchsorted(empty, cut, side="right")

    is_break, is_other = at_cuts == line_end, at_cuts == _OTHER_END[line_end]
    breaks = tokens_before(np.flatnonzero(is_break))
    ends_of = tokens_before(np.flatnonzero(is_break | is_other)) if is_other.any() else breaks
    sentences = ends_of[np.diff(ends_of, prepend=-1) > 0]  # not of blank lines: there may be many
    stream = str(np.compress(characters > ord(" "), characters).data, "utf-8")
    if len(stream) != ends[-1]:  # there are control characters in tokens
        stream = characters.tobytes().translate(None, _SEPARATORS + bytes([_FILLER])).decode()
    has_all = empty.size == (not is_full[-1])  # nothing is empty but what follows the last cut
    token_ends = ends[: is_full.size - empty.size] if has_all else np.compress(is_full, ends)
    return stream, token_ends, sentences, breaks


def _ends(characters: Bytes, cuts: IntArray) -> IntArray:
    """Where cells end in the stream, those between separators and the one after the last.

    Before the separator k of a file lie k others, which are not in the stream, nor are fillers; of
    a character, one byte counts.
    """
    ends = np.empty(cuts.size + 1, offsets_of(characters.size))
    np.subtract(cuts, np.arange(cuts.size), out=ends[:-1], casting="same_kind")
    ends[-1] = characters.size - cuts.size
    more = _more_bytes(characters, cuts)
    if more is not None:
        ends -= more
    return ends


def _cuts(characters: Bytes) -> tuple[IntArray, Bytes]:
    """Where separators stand, and which."""
    cuts = np.flatnonzero(characters <= ord(" "))
    found = characters[cuts]
    if ((found == ord(" ")) | (found == ord("\n"))).all():
        return cuts, found
    is_separator = _IS_SEPARATOR[found]
    if is_separator.all():
        return cuts, found
    return np.compress(is_separator, cuts), np.compress(is_separator, found)


def _joined(pieces: Iterator[Piece], source: str, width: Any) -> Text:
    """The parts as one text, with offsets in integers of a width that suffices.

    What is joined is dropped at once, so that it is not held twice.
    """
    streams, own_ends, sizes = list[str](), list[IntArray](), [0]
    ends, breaks, tokens = [np.empty(0, np.int64)], [np.empty(0, width)], 0
    for stream, token_ends, sentences, lines in pieces:
        streams.append(stream)
        sizes.append(sizes[-1] + len(stream))
        own_ends.append(token_ends)
        ends.append(sentences + tokens)
        breaks.append(np.add(lines, tokens, dtype=width, casting="same_kind"))
        tokens += token_ends.size
    stream = "".join(streams)
    streams.clear()
    token_ends, stop = np.empty(tokens, dtype=width), tokens
    while own_ends:
        last = own_ends.pop()
        np.add(last, sizes[len(own_ends)], out=token_ends[stop - last.size : stop], dtype=width)
        stop -= last.size
    sentence_ends = np.append(np.concatenate(ends), tokens)
    sentence_ends = sentence_ends[np.diff(sentence_ends, prepend=0) > 0]
    breaks_before = np.concatenate(breaks)
    size = breaks_before.size
    if sentence_ends.size <= size + 1 and np.array_equal(breaks_before, sentence_ends[:size]):
        lines = np.arange(sentence_ends.size)  # no line is blank or ends otherwise
    else:
        starts = np.append(0, sentence_ends)[: sentence_ends.size].astype(width)
        lines = np.searchsorted(breaks_before, starts, side="right")
    return Text(stream, token_ends, sentence_ends, lines + 1, source)


def bare(data: bytes) -> bytes:
    """A text without any white space or filler."""
    return _without_inner_space(data).translate(None, _SEPARATORS + bytes([_FILLER]))


def has_inner_space(data: bytes) -> bool:
    """Whether there is white space that is not ASCII."""
    return _without_inner_space(data) is not data


def _without_inner_space(data: bytes) -> bytes:
    """White space inside tokens becomes filler, of the same length."""
    if data.isascii():
        return data
    characters = np.frombuffer(data, np.uint8)
    may_begin_space = characters - np.uint8(0xE1) < 3  # E1, E2, E3, and C2
    may_begin_space |= characters == 0xC2
    high = np.flatnonzero(may_begin_space)
    second, third = (characters[np.minimum(high + at, characters.size - 1)] for at in (1, 2))
    first = characters[high].astype(np.int64)
    two = (first & 0x1F) << 6 | (second & 0x3F)
    three = (first & 0x0F) << 12 | (second.astype(np.int64) & 0x3F) << 6 | (third & 0x3F)
    code = np.where(first < 0xE0, two, np.where(first < 0xF0, three, 0))
    spaces = _IS_INNER_SPACE.take(code, mode="clip")
    if not spaces.any():
        return data
    filled = characters.copy()
    for at, least in ((0, 0xC0), (1, 0xC0), (2, 0xE0)):
        filled[high[spaces & (first >= least)] + at] = _FILLER
    return filled.tobytes()


def _one_quote(characters: Bytes) -> Bytes:
    """Turn the tokens `` and '' into ", the second character into filler."""
    quotes = []  # where tokens stand that are a byte twice
    for byte in b"`'":
        is_one = characters == byte
        pairs = np.flatnonzero(is_one[1:] & is_one[:-1])
        is_token = np.ones(pairs.size, dtype=np.bool_)
        for place, edge in ((pairs - 1, -1), (pairs + 2, characters.size)):
            is_token &= (place == edge) | _IS_SEPARATOR[characters.take(place, mode="clip")]
        quotes.append(pairs[is_token])
    places = np.concatenate(quotes)
    if places.size:
        characters = characters.copy()
        characters[places], characters[places + 1] = ord('"'), _FILLER
    return characters


def _more_bytes(characters: Bytes, cuts: IntArray) -> IntArray | None:
    """How many more bytes than characters lie before each cut and the end; None if there are none.

    Those are fillers, and all but a character's first. Most texts have few, a text of another
    script has many.
    """
    if characters.min(initial=1) > _FILLER and characters.max(initial=1) < 0x80:
        return None
    is_more = characters.view(np.int8) < -0x40
    is_more |= characters == _FILLER
    number = np.count_nonzero(is_more)
    if 2 * number > cuts.size:
        before = np.cumsum(is_more, dtype=np.int32)
        return np.append(before[cuts], before[-1])
    tokens = np.searchsorted(cuts, np.flatnonzero(is_more))
    return np.cumsum(np.bincount(tokens, minlength=cuts.size + 1))
