"""Casing: the words of multiword tokens in the case of their token, as far as they share letters.

How such words are capitalised is a convention of annotators: `Im` is `In` and `dem`, or `in` and
`dem`. UD's evaluation compares them in lower case. Here both become `In dem`, which is also what a
tokenizer writes that has no multiword tokens.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from caesura.core.byte_cells import mixed, numbered, string_codes
from caesura.core.treebank_table import TreebankTable

KNOWN = 1 << 14
_BLANKS = str.maketrans("", "", " \0\u00a0")


def with_case_of_tokens(table: TreebankTable, words: bytes) -> bytes:
    """The words of a treebank as tokenized text, in the case of the tokens that they are part of.

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
