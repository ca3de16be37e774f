"""Wordings: a text as the words that are aligned and compared, and where it may well be cut."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from caesura.align.cuts import Places
from caesura.core.segmentation import IntArray

Compared = Literal["exact", "lower", "bare"]
Level = Literal["auto", "words", "characters"]
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3021-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts that are written without spaces: Thai, Lao, Burmese, Khmer, kana, Han."""
_LETTER = re.compile(f"[{_UNSPACED}]")
_MARK = (
    "\u0300-\u036f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e"
    "\u17b4-\u17d3\u3099\u309a"
)
_CHARACTER = re.compile(
    f"[{_UNSPACED}][{_MARK}]*|[\u3000-\u3004\u3008-\u3020\uff00-\uff65]|"
    f"[^\\s{_UNSPACED}\u3000-\u3004\u3008-\u3020\uff00-\uff65]+"
)
_WORD = re.compile(r"\S+")
_END = re.compile(r"[.?!…。．？！][\"'”’»›)\]」』）】]*$")
_CLOSING = ".,;:!?…%。、，．！？；：’”"
_OPENING = "¿¡„‚"


@lru_cache(maxsize=1 << 16)
def is_punctuation(word: str) -> bool:
    """Whether a word has neither letters nor digits."""
    return not any(unicodedata.category(each)[0] in "LNM" for each in word)


@lru_cache(maxsize=1 << 16)
def bare(word: str) -> str:
    """A word in lower case without punctuation at its edges.

    >>> bare("“Don't!”"), bare("—")
    ("don't", '')
    """
    start, stop = 0, len(word)
    while start < stop and is_punctuation(word[start]):
        start += 1
    while start < stop and is_punctuation(word[stop - 1]):
        stop -= 1
    return word[start:stop].lower()


def _closes(word: str) -> bool:
    """Whether a word is punctuation that belongs to what is before it."""
    return is_punctuation(word) and (
        word[0] in _CLOSING or unicodedata.category(word[0]) in ("Pe", "Pf")
    )


def _opens(word: str) -> bool:
    """Whether a word is punctuation that belongs to what follows."""
    return is_punctuation(word) and (
        word[-1] in _OPENING or unicodedata.category(word[-1]) in ("Ps", "Pi")
    )


def level_of(text: str) -> Level:
    """Whether words or characters of a text are compared: by the script of most of its letters."""
    sample = text[: 1 << 16]
    letters = sum(map(str.isalpha, sample))
    return "characters" if 2 * len(_LETTER.findall(sample)) > letters else "words"


@dataclass(frozen=True)
class Wording:
    """A text in words: as written, as compared, and after how many of them its lines end.

    `starts` and `stops` are where words stand in the text.
    """

    text: str
    written: list[str]
    compared: list[str]
    starts: IntArray
    stops: IntArray
    line_ends: IntArray

    @classmethod
    def from_lines(cls, lines: Sequence[str], tokens: Compared, level: Level) -> Wording:
        """Find the words of lines; of `bare` ones, punctuation goes with the word before it."""
        text = "\n".join(lines)
        pattern = _CHARACTER if level == "characters" else _WORD
        found = [(each.start(), each.end()) for each in pattern.finditer(text)]
        if tokens == "bare":
            found = _without_punctuation(text, found)
        written = [text[start:stop] for start, stop in found]
        starts, stops = (np.array([each[at] for each in found], np.int64) for at in (0, 1))
        ends = np.cumsum([len(line) + 1 for line in lines]) - 1
        line_ends = np.searchsorted(starts, ends)
        return cls(text, written, _as_compared(written, tokens), starts, stops, line_ends)

    def __len__(self) -> int:
        return len(self.written)

    @cached_property
    def places(self) -> Places:
        """Where the text should rather not be cut, and where its own sentences end."""
        size = len(self)
        is_bad, is_end = np.zeros((2, size + 1), np.bool_)
        for at, word in enumerate(self.written):
            is_bad[at] |= _closes(word)
            is_bad[at + 1] |= _opens(word)
            if _END.search(word):
                is_end[at + 1] = at + 1 == size or not self.written[at + 1][0].islower()
        is_end[self.line_ends] = True
        is_bad[[0, size]] = False
        return Places(is_bad, is_end)

    def between(self, start: int, stop: int) -> str:
        """What is written from one word to another, with what follows the last word."""
        if start >= stop:
            return ""
        begin = 0 if start == 0 else int(self.starts[start])
        end = len(self.text) if stop == len(self) else int(self.starts[stop])
        return " ".join(self.text[begin:end].split())


def _without_punctuation(text: str, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [each for each in found if not is_punctuation(text[slice(*each)])]


def _as_compared(words: Iterable[str], tokens: Compared) -> list[str]:
    if tokens == "exact":
        return list(words)
    return [bare(word) for word in words] if tokens == "bare" else [word.lower() for word in words]
