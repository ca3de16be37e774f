"""Morphs: a word or sentence, a tab, its morphs, and a category if there is one.

`reader TAB read @@er TAB 010`, as in the SIGMORPHON 2022 shared task. Morphs are separated by
blanks; @@ says that a morph continues the word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from caesura.errors import FormatError, shortened
from caesura.formats.texts import lines_of, refuse_nul
from caesura.tasks.morphemes.data import MorphTable

CURE = "write a word, a tab, its morphs (read @@er) and, if there is one, a tab and a category"
MOST = 1000
"""The most different categories of a file."""
_SIGNS = ("\n\n", "\n ", "\n@@", "  ", " @@ ", " @@\n", " \n")
"""What there is somewhere in lines of which one is odd."""
_ODD = re.compile(r"\A(?:\Z| |@@)| (?:@@)?(?: |\Z)")
"""Morphs of which one is empty, or the first of which has the sign of those that go on."""


def parse_morphs(data: bytes, source: str = "<morphs>") -> MorphTable:
    r"""Read morphs from UTF-8 bytes.

    >>> found = parse_morphs(b"reader\tread @@er\t010\n")
    >>> found.words, found.morphs, found.categories
    (['reader'], ['read @@er'], ['010'])
    """
    refuse_nul(data, source)
    every = lines_of(data.decode().removeprefix("\ufeff"))
    lines = [line for line in every if line.strip(" ")]
    if not lines:
        raise FormatError(source, "no lines", CURE)
    numbers: Sequence[int] = range(1, len(every) + 1)
    if len(lines) < len(every):
        numbers = [at for at, line in enumerate(every, 1) if line.strip(" ")]
    words, morphs, *rest = _columns(lines, numbers, source)
    odd = _odd(morphs)
    signs = {"odd_morphs": len(odd), "odd_morphs_at": numbers[odd[0]]} if odd else {}
    categories = _categories(rest[0], source) if rest else []
    return MorphTable(words, morphs, categories, numbers, source, signs)


def _columns(lines: list[str], numbers: Sequence[int], source: str) -> list[list[str]]:
    """The two or three columns; where only some lines have the third, it is empty for others."""
    tabs = [line.count("\t") for line in lines]
    kinds = set(tabs)
    if kinds == {1, 2}:
        lines = [line + "\t" * (2 - size) for line, size in zip(lines, tabs, strict=True)]
    flat, size = "\t".join(lines).split("\t"), max(kinds) + 1
    if kinds <= {1, 2} and all(map(str.strip, flat[::size])):
        return [flat[at::size] for at in range(size)]
    raise _fault(lines, numbers, source)


def _odd(morphs: list[str]) -> list[int]:
    """The places of lines with an empty morph, or that begin with @@."""
    text = "\n".join(("", *morphs, ""))
    if not any(sign in text for sign in _SIGNS):
        return []
    return [at for at, own in enumerate(morphs) if _ODD.search(own)]


def _categories(column: list[str], source: str) -> list[str]:
    """The category of each line, empty where there is none; none if no line has one."""
    found = [each.strip() for each in column]
    kinds = len(set(found))
    if kinds > MOST:
        problem = f"{kinds:,} different categories in the third column"
        raise FormatError(source, problem, f"give at most {MOST:,}, or only two columns")
    return found if any(found) else []


def _fault(lines: list[str], numbers: Sequence[int], source: str) -> FormatError:
    """What is wrong with the first line that is."""
    for line, text in zip(numbers, lines, strict=True):
        cells = text.split("\t")
        if len(cells) == 1:
            return FormatError(source, f"no tab in '{shortened(text)}'", CURE, line=line)
        if len(cells) > 3:
            return FormatError(source, f"{len(cells)} columns", CURE, line=line)
        if not cells[0].strip():
            return FormatError(source, "no word before the tab", CURE, line=line)
    raise AssertionError(source)
