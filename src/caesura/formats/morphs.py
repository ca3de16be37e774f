"""Morphs: a word or sentence, a tab, its morphs, and a category if there is one.

`reader TAB read @@er TAB 010`, as in the SIGMORPHON 2022 shared task. Morphs are separated by
blanks; @@ says that a morph continues the word.
"""

from __future__ import annotations

import re

from caesura.core.morphs import MorphTable
from caesura.errors import FormatError, shortened
from caesura.formats.segments import lines_of
from caesura.formats.tokens import refuse_nul

CURE = "write a word, a tab, its morphs (read @@er) and, if there is one, a tab and a category"
MOST = 1000
"""The most different categories of a file."""
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
    cells = [line.split("\t") for line in every if line.strip(" ")]
    if not cells:
        raise FormatError(source, "no lines", CURE)
    is_full = len(cells) == len(every)
    lines = range(1, len(every) + 1)
    numbers = lines if is_full else [at for at, line in enumerate(every, 1) if line.strip(" ")]
    if not {len(each) for each in cells} <= {2, 3} or not all(each[0].strip() for each in cells):
        raise _fault(cells, numbers, source)
    morphs = [each[1] for each in cells]
    odd = [at for at, own in enumerate(morphs) if _ODD.search(own)]
    signs = {"odd_morphs": len(odd), "odd_morphs_at": numbers[odd[0]]} if odd else {}
    words, categories = [each[0] for each in cells], _categories(cells, source)
    return MorphTable(words, morphs, categories, numbers, source, signs)


def _categories(cells: list[list[str]], source: str) -> list[str]:
    """The category of each line, empty where there is none; none if no line has one."""
    found = [each[2].strip() if len(each) > 2 else "" for each in cells]
    kinds = len(set(found))
    if kinds > MOST:
        problem = f"{kinds:,} different categories in the third column"
        raise FormatError(source, problem, f"give at most {MOST:,}, or only two columns")
    return found if any(found) else []


def _fault(cells: list[list[str]], lines: list[int] | range, source: str) -> FormatError:
    """What is wrong with the first line that is."""
    for line, each in zip(lines, cells, strict=True):
        if len(each) == 1:
            return FormatError(source, f"no tab in '{shortened(each[0])}'", CURE, line=line)
        if len(each) > 3:
            return FormatError(source, f"{len(each)} columns", CURE, line=line)
        if not each[0].strip():
            return FormatError(source, "no word before the tab", CURE, line=line)
    raise AssertionError(source)
