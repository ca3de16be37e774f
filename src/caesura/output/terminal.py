"""Pages for a terminal: tables that fit its width, with or without colour."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import zip_longest
from textwrap import wrap
from unicodedata import category, east_asian_width

from caesura.core.escapes import printable
from caesura.output.tables import Page, Table

WIDTH = 120
"""The columns where that of the terminal is not known."""
GAPS = (3, 2)
"""The spaces between columns: as many as fit."""
RULE = "─"
BOLD, FAINT, ITALIC, BEST = "1", "2", "3", "1;32"
Paint = Callable[[str, str], str]
_JOINED = re.compile("\u200d.?", re.DOTALL)
"""A zero-width joiner and what it joins to the character before it."""
_AS_EMOJI = re.compile("(.)\ufe0f", re.DOTALL)
"""A character that is drawn as an emoji, which is wide."""
_OVER = ("Mn", "Mc", "Me", "Cf", "Cc")
"""Categories of what takes no column: combining marks, controls and joiners."""
_WITHIN = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb\U0001f3fb-\U0001f3ff]")
"""Vowels and last consonants of Korean syllables, and colours of skin."""
_SOFT_HYPHEN = "\xad"
_NAMED = re.compile(r"\s*\S+\s{2,}|\s*")


def as_text(page: Page, *, color: bool = False, width: int | None = None) -> str:
    """The tables of a page, its notes and its signature.

    A table that is too wide has less space between its columns, then headings of several lines;
    if that is not enough, some of its columns are drawn below the others.
    """

    def paint(text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if color and style else text

    lines: list[str] = []
    width = width or WIDTH
    for table in page.tables:
        lines += [paint(line, BOLD) for line in _folded(table.title, width)]
        lines += _drawn(table, width, paint)
    for line in (line for passage in page.passages for line in passage.split("\n")):
        lines += _folded(line, width, " " * len(_NAMED.match(line)[0]))  # type: ignore[index]
    for note in page.notes:
        lines += [paint(line, ITALIC) for line in _folded(note, width)]
    lines = [*map(str.rstrip, lines), paint(printable(page.signature), FAINT)]
    return "\n".join(lines) + "\n"


def _folded(text: str, width: int, indent: str = "") -> list[str]:
    """A line of text in as many lines as it takes; those that follow the first are indented."""
    text = printable(text)
    if len(text) <= width:
        return [text]
    indent = indent if len(indent) < width // 2 else ""
    return wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _drawn(table: Table, width: int, paint: Paint) -> Iterator[str]:
    """The head, a rule and the rows; of a table that is too wide, some columns after others."""
    rows = range(len(table.rows))
    heads = [[printable(column.title)] for column in table.columns]  # the lines of each
    cells = [[printable(table.text(row, at)) for row in rows] for at in range(len(heads))]
    least = [max(map(text_width, column), default=0) for column in cells]
    sizes, blocks = _sizes(heads, least), [[*range(len(heads))]]
    gap = next((gap for gap in GAPS if _total(sizes, gap) <= width), 0)
    if not gap:  # headings no wider than their longest word or the cells below them
        folded = [
            wrap(head, max([1, size, *map(len, head.split())]), break_on_hyphens=False) or [""]
            for (head,), size in zip(heads, least, strict=True)
        ]
        narrow = _sizes(folded, least)
        gap = next((gap for gap in GAPS if _total(narrow, gap) <= width), 0)
        if gap:
            heads, sizes = folded, narrow
        else:
            labels = next((at for at, column in enumerate(table.columns) if column.key), 0)
            gap, blocks = GAPS[0], even_blocks(sizes, labels, width)

    def line(columns: Sequence[int], texts: Sequence[str], styles: Sequence[str]) -> str:
        filled = []
        for at, text, style in zip(columns, texts, styles, strict=True):
            spaces, painted = " " * (sizes[at] - text_width(text)), paint(text, style)
            filled.append(spaces + painted if table.columns[at].key else painted + spaces)
        return (" " * gap).join(filled)

    for columns in blocks:
        main = [BOLD if table.columns[at].is_main else "" for at in columns]
        titles = zip_longest(*(reversed(heads[at]) for at in columns), fillvalue="")
        yield from (line(columns, title, main) for title in reversed([*titles]))
        yield RULE * _total([sizes[at] for at in columns], gap)
        for row in rows:
            styles = [BEST if table.is_best(row, at) else "" for at in columns]
            yield line(columns, [cells[at][row] for at in columns], styles)
        yield ""


def _sizes(heads: Sequence[Sequence[str]], least: Sequence[int]) -> list[int]:
    both = zip(heads, least, strict=True)
    return [max([size, *map(text_width, head)]) for head, size in both]


def _total(sizes: Sequence[int], gap: int) -> int:
    return max(1, sum(sizes) + gap * (len(sizes) - 1))


def even_blocks(sizes: Sequence[int], labels: int, width: int) -> list[list[int]]:
    """As few blocks of columns as possible, as even as possible, each with all labels."""
    fewest = len(_blocks(sizes, labels, width))
    limits = range(1, width + 1)
    return next(
        found
        for found in (_blocks(sizes, labels, limit) for limit in limits)
        if len(found) == fewest
    )


def _blocks(sizes: Sequence[int], labels: int, width: int) -> list[list[int]]:
    """The labels and as many of the other columns as fit, at least one, again and again."""
    head = list(range(labels))
    blocks = [[*head]]
    for at in range(labels, len(sizes)):
        own = [*blocks[-1], at]
        fits = _total([sizes[each] for each in own], GAPS[0]) <= width
        if fits or blocks[-1] == head:
            blocks[-1] = own
        else:
            blocks.append([*head, at])
    return blocks


def text_width(text: str) -> int:
    r"""The columns of a terminal that a text takes.

    >>> [text_width(text) for text in ("kana", "かな", "e\u0301", "👩\u200d🔬", "❤\ufe0f")]
    [4, 4, 1, 2, 2]
    """
    if text.isascii():
        return len(text)
    text = _JOINED.sub("", text)
    return sum(map(_columns, text)) + sum(_columns(each) == 1 for each in _AS_EMOJI.findall(text))


@cache
def _columns(character: str) -> int:
    kind = category(character)
    if kind == "Cn" or character == _SOFT_HYPHEN:  # Python says that some unassigned are wide
        return 1
    if kind in _OVER or _WITHIN.match(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1
