"""Surface: the tokens of a treebank as text, made without looking for them again."""

from __future__ import annotations

import numpy as np

from caesura.core.byte_cells import Bytes
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.formats._shared.equivalences import QUOTES, Equivalences
from caesura.formats.tokenized import bare

_BLANK, _QUOTE, _APOSTROPHE, _BACKTICK = b" \"'`"


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
