"""Pages drawn without colour, as rich draws them but without importing it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from unicodedata import category, east_asian_width

from caesura.output.tables import Page, Table

GAP = "   "
RULE = "─"
_MARKUP = re.compile(r"[\[\\:]")


def draw(page: Page, width: int) -> list[str] | None:
    """The lines of a page; None if some must be folded or measured, which rich does."""
    if any(not table.rows or _has_markup(table) for table in page.tables):
        return None
    texts = chain(page.passages, page.notes)
    lines = [*_tables(page), *chain.from_iterable(text.split("\n") for text in texts)]
    fits = all(len(line) <= width for line in lines)
    is_narrow = fits and all(map(_is_one_wide, set().union(*lines)))
    return [line.rstrip() for line in lines] if is_narrow else None


def _tables(page: Page) -> Iterator[str]:
    for table in page.tables:
        yield table.title
        yield from _lines(table)
        yield ""


def _lines(table: Table) -> Iterator[str]:
    """The head, a rule and the rows; labels to the left, scores to the right."""
    columns = range(len(table.columns))
    rows = [[table.text(row, at) for at in columns] for row in range(len(table.rows))]
    head = [column.title for column in table.columns]
    sizes = [max(map(len, cells)) for cells in zip(head, *rows, strict=True)]
    yield _line(table, head, sizes)
    yield RULE * max(1, sum(sizes) + len(GAP) * (len(sizes) - 1))
    yield from (_line(table, row, sizes) for row in rows)


def _line(table: Table, cells: list[str], sizes: list[int]) -> str:
    placed = zip(table.columns, cells, sizes, strict=True)
    return GAP.join(
        cell.rjust(size) if column.key else cell.ljust(size) for column, cell, size in placed
    )


def _has_markup(table: Table) -> bool:
    """Whether a heading contains what rich takes for markup or an emoji's name."""
    return any(_MARKUP.search(column.title) for column in table.columns)


def _is_one_wide(character: str) -> bool:
    """Whether a character takes one column of a terminal."""
    is_mark = category(character)[0] == "M"
    return character.isprintable() and not is_mark and east_asian_width(character) not in "WF"
