"""Word finders: where words end in scripts without spaces, by what is installed: ICU or jieba."""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from itertools import accumulate
from typing import Any

from caesura.errors import UsageError, option


def word_ends(text: str, *, is_chinese: bool = False) -> set[int]:
    """The positions at which a word, or what stands between words, ends.

    ICU knows Chinese, Japanese, Thai, Lao, Khmer and Burmese; where it is not installed, jieba
    knows Chinese (`is_chinese`: no other script without spaces is in the text).
    """
    icu, jieba = _module("icu"), _module("jieba")
    if icu is not None:
        return _by_icu(icu, text)
    if jieba is not None and is_chinese:
        return set(accumulate(map(len, jieba.cut(text))))
    raise UsageError(
        "words in a script without spaces are found with ICU, which is not installed; install it "
        f"with: pip install pyicu-wheels, or give {option('tokens', 'characters')}"
    )


def finder() -> str:
    """The name and version of what finds words, as a note tells it."""
    icu, jieba = _module("icu"), _module("jieba")
    if icu is not None:
        return f"ICU {icu.ICU_VERSION}"
    return f"jieba {jieba.__version__}" if jieba is not None else ""


def _by_icu(icu: Any, text: str) -> set[int]:
    """The ends that ICU finds; it counts in UTF-16, in which some characters are two."""
    breaks = icu.BreakIterator.createWordInstance(icu.Locale.getRoot())
    breaks.setText(text)
    ends = set(breaks)
    if text.isascii() or max(text) < "\U00010000":
        return ends
    sizes = accumulate(1 + (each > "\uffff") for each in text)
    return {at for at, size in enumerate(sizes, 1) if size in ends}


@cache
def _module(name: str) -> Any:
    """A package that may be installed; jieba warns and logs when it is first used."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = import_module(name)
    except ImportError:
        return None
    if name == "jieba":
        found.setLogLevel("WARNING")
    return found
