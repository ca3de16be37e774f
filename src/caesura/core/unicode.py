"""Unicode normalisation in linear time: the standard library's is quadratic in runs of marks."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import Literal

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
_STEP, _MANY = 61, 15
"""A run of combining marks is long if this many characters in a row, a step apart, are marks."""
_DECOMPOSED: dict[Form, Form] = {"NFC": "NFD", "NFD": "NFD", "NFKC": "NFKD", "NFKD": "NFKD"}


def normalized(form: Form, text: str) -> str:
    """What `unicodedata.normalize` returns, also where a letter has thousands of combining marks.

    The marks of long runs are put in their order here: the library sorts them by insertion.
    """
    if text.isascii():
        return text
    return unicodedata.normalize(form, _ordered(form, text) if _has_long_run(text) else text)


def _has_long_run(text: str) -> bool:
    """Whether there may be a run of marks that is too long to be sorted by insertion."""
    if len(text) < _STEP * _MANY:
        return False
    sample = text[::_STEP]
    marks = set(filter(_is_mark, set(sample)))
    return bool(marks) and "1" * _MANY in "".join("01"[each in marks] for each in sample)


@lru_cache(maxsize=1 << 12)
def _is_mark(character: str) -> bool:
    """Whether a character is a combining mark, or stands for some."""
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) > 0


def _ordered(form: Form, text: str) -> str:
    """A text decomposed, with marks in canonical order."""
    kind = _DECOMPOSED[form]
    apart = "".join(unicodedata.normalize(kind, each) for each in text)
    runs = groupby(apart, lambda each: unicodedata.combining(each) > 0)
    return "".join(
        "".join(sorted(run, key=unicodedata.combining) if marks else run) for marks, run in runs
    )


def folded(text: str) -> str:
    """A text with case ignored, each character for itself; what would become several stays.

    >>> folded("ΣTRAßE İ")
    'σtraße İ'
    """
    if text.isascii():
        return text.lower()
    every = text.casefold()
    if len(every) == len(text):
        return every
    each = ((letter, letter.casefold()) for letter in set(text))
    return text.translate({ord(a): b for a, b in each if len(b) == 1 and a != b})
