"""CoNLL-U as text: its tokens or words, and the treebank that they are of."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from caesura.core.arrays import steps
from caesura.core.byte_cells import Bytes, mixed, numbered, string_codes
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.core.treebank_table import AnnotatedText, TreebankTable
from caesura.errors import FormatError
from caesura.formats._shared.equivalences import QUOTES, Equivalences
from caesura.formats.conllu import parse_conllu
from caesura.formats.text_file import TextFile, TextOptions
from caesura.formats.tokenized import bare, parse_filled

_BLANK, _QUOTE, _APOSTROPHE, _BACKTICK = b" \"'`"
KNOWN = 1 << 14
"""The distinct multiword tokens whose case is remembered."""
_BLANKS = str.maketrans("", "", " \0\u00a0")


def parse(data: bytes, source: str, options: TextOptions) -> TextFile:
    """Read CoNLL-U from UTF-8 bytes, in surface tokens or syntactic words."""
    table = parse_conllu(data, source)
    surface = _text_of(table, table.tokens, options)
    text = surface if options.units == "tokens" else _text_of(table, table.words, options)
    return TextFile(text, AnnotatedText(table, surface))


def _text_of(table: TreebankTable, lines: IntArray, options: TextOptions) -> Text:
    is_surface = lines is table.tokens
    data = table.surface if is_surface else with_case_of_tokens(table, table.plain(lines))
    how = options.equivalences, options.normalize
    first = np.flatnonzero(steps(table.sentence_of(lines), -1))
    ends = np.append(first[1:], lines.size)
    text = None if how[1] else surface_text(data, table.form_widths(lines), ends, how[0])
    if text is None:
        text = parse_filled(data, equivalences=how[0], normalize=how[1], source=table.source)
    if text.token_ends.size != lines.size:
        raise _blank_form(table, lines)
    begins = table.line[lines[first]].astype(np.int64) + 1
    signs = {"text_differs": table.unlike.size} if table.unlike.size else {}
    return replace(text, lines=begins, form="conllu", source=table.source, signs=signs)


def _blank_form(table: TreebankTable, lines: IntArray) -> FormatError:
    forms = table.plain(lines).replace(b"\n", b" ").split(b" ")
    blank = next(at for at, form in enumerate(forms) if not form.decode().replace("\0", "").strip())
    line = int(table.line[lines[blank]]) + 1
    return FormatError(table.source, "a blank form", "give the token a form", line=line)


def surface_text(
    data: bytes, widths: IntArray, sentence_ends: IntArray, equivalences: Equivalences
) -> Text | None:
    """The text of tokens of known widths in bytes, each with what separates it from the next.

    None if a token holds white space, or if other tokens than quotes are equivalent.
    """
    if equivalences.rows and set(equivalences.rows) != set(QUOTES.items()):
        return None
    lengths, ends = widths - 1, np.cumsum(widths)
    characters = np.frombuffer(data, np.uint8)
    if equivalences.rows:
        characters = _one_quote(characters, ends, lengths)
    stream = np.compress(characters > _BLANK, characters)
    if stream.size != lengths.sum() or _has_space(stream):
        return None
    text = str(stream.data, "utf-8")
    if len(text) < stream.size:
        lengths -= _more_bytes(characters, ends)
    size = np.int32 if stream.size < 2**31 else np.int64
    return Text(text, np.cumsum(lengths, dtype=size), sentence_ends, sentence_ends)


def _has_space(stream: Bytes) -> bool:
    """Whether there is white space among the characters that are not ASCII."""
    high = np.compress(stream >= 0x80, stream).tobytes()
    return len(bare(high)) < len(high)


def _one_quote(characters: Bytes, ends: IntArray, lengths: IntArray) -> Bytes:
    """Turn the tokens `` and '' into ", a byte shorter, with NUL as the second byte."""
    tokens = np.flatnonzero(lengths == 2)
    starts = ends[tokens] - 3
    first = characters[starts]
    is_quote = (first == characters[starts + 1]) & ((first == _BACKTICK) | (first == _APOSTROPHE))
    if is_quote.any():
        lengths[tokens[is_quote]] = 1
        characters = characters.copy()
        characters[starts[is_quote]], characters[starts[is_quote] + 1] = _QUOTE, 0
    return characters


def _more_bytes(characters: Bytes, ends: IntArray) -> IntArray:
    """How many more bytes than characters each token has; most texts have few, others many."""
    is_more = characters & 0xC0 == 0x80
    if 4 * np.count_nonzero(is_more) > ends.size:
        return np.diff(np.cumsum(is_more)[ends - 1], prepend=0)
    tokens = np.searchsorted(ends, np.flatnonzero(is_more), side="right")
    return np.bincount(tokens, minlength=ends.size)


def with_case_of_tokens(table: TreebankTable, words: bytes) -> bytes:
    """The words of a treebank as tokenized text, in the case of the tokens that they are part of.

    How such words are capitalised is a convention of annotators: `Im` is `In` and `dem`, or `in`
    and `dem`. UD's evaluation compares them in lower case. Here both become `In dem`, which is also
    what a tokenizer writes that has no multiword tokens.

    Each distinct token is looked at once. Words of which another case takes more bytes are left.
    """
    if not table.ranges.lines.size:
        return words
    characters = np.frombuffer(words, np.uint8)
    stops = np.append(0, np.cumsum(table.form_widths(table.words)))
    first = table.ranges.lines - np.arange(table.ranges.lines.size)
    starts, stops = stops[first], stops[first + table.ranges.sizes] - 1
    form, begins, ends = table.columns.some(table.ranges.lines).of("form")
    codes = mixed(string_codes(characters, starts, stops)) ^ string_codes(form, begins, ends)
    distinct, which = numbered(codes)
    result = None
    for number, at in enumerate(distinct.tolist()):
        own = words[starts[at] : stops[at]]
        cased = _cased(table.data[begins[at] : ends[at]], own)
        if cased != own:
            result = characters.copy() if result is None else result
            places = starts[which == number][:, None] + np.arange(len(own))
            result[places] = np.frombuffer(cased, np.uint8)
    return words if result is None else result.tobytes()


@lru_cache(KNOWN)
def _cased(token: bytes, words: bytes) -> bytes:
    """Words, with blanks between them, in the case of their token.

    >>> _cased(b"Im", b"in dem"), _cased(b"DEL", b"de el"), _cased(b"Don't", b"DO N'T")
    (b'In dem', b'DE EL', b"Do n't")
    """
    whole, parts = token.decode().translate(_BLANKS), words.decode().lower().split(" ")
    lowered = "".join(parts)
    shared = _shared(whole, lowered)
    rest = lowered[shared:]
    if len(whole) > 1 and whole.isupper():
        rest = rest.upper()
    elif not shared and whole[:1].isupper():
        rest = rest[:1].upper() + rest[1:]
    if shared + len(rest) != len(lowered):
        return words
    letters = iter(whole[:shared] + rest)
    cased = " ".join("".join(next(letters) for _ in part) for part in parts).encode()
    return cased if len(cased) == len(words) else words


def _shared(token: str, lowered: str) -> int:
    """How many letters a token shares with others at its beginning, but for case."""
    pairs = enumerate(zip(token, lowered, strict=False))
    return next((at for at, (a, b) in pairs if a.lower() != b), min(len(token), len(lowered)))
