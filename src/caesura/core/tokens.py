"""Tokens: what a boundary can lie between, in scripts with spaces and in those without.

`tokenized` puts a separator, which is white space, around every character that is a token of its
own. Words between spaces, and so all text in scripts with spaces, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from caesura.core.marks import EDGES, KIN, with_kin

Tokens = Literal["auto", "characters", "words", "dictionary"]
"""Words between spaces, single characters, or (`auto`) characters in scripts without spaces.

With `dictionary`, tokens of those scripts are the words that ICU or jieba finds.
"""
SEPARATOR = "\x1c"
"""What stands between tokens; white space that no text has."""
HAN = (
    "\u3005-\u3007\u3021-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
"""Scripts without spaces that sacrebleu's tokenizer zh splits: Han, halfwidth kana."""
UNSPLIT = (
    "\u0e00-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\u3040-\u30ff\u31f0-\u31ff"
    "\ua980-\ua9ff\uaa60-\uaadf"
)
"""And that it does not split: Thai, Lao, Tibetan, Burmese, Khmer, Tai, Balinese, kana, Javanese."""
UNSPACED = HAN + UNSPLIT
_STACKED = "\u1039\u17d2"
"""Signs that put the next consonant under the one before it."""
_ATTACHED = "\u0300-\u036f\u0e33\u0eb3\uff9e\uff9f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""What belongs to the character before it, besides signs of these scripts that are no letters."""
_OPENING = "([{«‹“„‟‘‚‛¿¡「『（【《〈"
_SEARCH = re.compile(f"[{UNSPACED}]")
_OTHERS = re.compile(f"[{UNSPLIT}]")
_SPACE = re.compile(rf"[{UNSPACED}]\W*[^\S\n]\W*(?=[{UNSPACED}])")
_APART = re.compile(f"(?<=[{UNSPACED}]) (?=[{UNSPACED}])")


def has_unspaced(text: str) -> bool:
    """Whether a text has characters of a script that is written without spaces."""
    return not text.isascii() and _SEARCH.search(text) is not None


def tokenized(text: str, tokens: Tokens = "auto") -> str:
    """A text with separators around characters that are tokens of their own.

    A vowel sign or a tone stays with its letter, punctuation with the token before it, and an
    opening bracket or quotation mark with the one after it.

    >>> tokenized("他说3.5度。 It rained.").split()
    ['他', '说', '3.5', '度。', 'It', 'rained.']
    >>> tokenized("It's 3.5", "characters").split()
    ['I', 't', "'s", '3', '.5']
    """
    if tokens == "words" or (tokens in ("auto", "dictionary") and not has_unspaced(text)):
        return text
    apart = _pattern(tokens).sub(rf"{SEPARATOR}\g<0>{SEPARATOR}", text)
    apart = apart.replace(SEPARATOR * 2, SEPARATOR)
    return _in_words(text, apart) if tokens == "dictionary" else apart


def _in_words(text: str, apart: str) -> str:
    """Characters that are apart, put together where a dictionary finds no end of a word."""
    from caesura.core.word_finders import word_ends

    ends, at, found = word_ends(text, is_chinese=not _OTHERS.search(text)), 0, []
    for piece in apart.split(SEPARATOR):
        found.append(piece)
        at += len(piece)
        found.append(SEPARATOR if at in ends else "")
    return "".join(found[:-1])


def has_separated_words(text: str) -> bool:
    """Whether spaces separate the words of a text in a script without spaces.

    A space in the middle of a line also ends a phrase in Thai, and may stand for a comma: there are
    at least as many as one for five characters where words are separated.
    """
    spaces = sum(1 for _ in _SPACE.finditer(text))
    return spaces * 5 >= sum(1 for _ in _pattern("auto").finditer(text))


def joined(words: Sequence[str]) -> str:
    """Words with a space between them, but none between characters of scripts without spaces.

    >>> joined(["他", "用", "iPhone", "打", "电", "话"])
    '他用 iPhone 打电话'
    """
    text = " ".join(words)
    return _APART.sub("", text) if has_unspaced(text) else text


@lru_cache(maxsize=3)
def _pattern(tokens: Tokens) -> re.Pattern[str]:
    """One token of a single character, with what belongs to it."""
    edges = re.escape(EDGES + with_kin("".join(KIN)))
    opening = re.escape(_OPENING)
    letter = rf"(?!\W|[{_ATTACHED}])[{UNSPACED}]"
    rest = rf"(?:[{_STACKED}]{letter}|(?!\w|[{opening}])[{UNSPACED}]|[{_ATTACHED}])*"
    unspaced = rf"[{opening}]*{letter}{rest}(?:(?![{opening}])[{edges}])*"
    if tokens != "characters":
        return re.compile(unspaced)
    return re.compile(rf"{unspaced}|[{edges}]*\w{rest}(?:[{edges}]+(?!\w))?")
