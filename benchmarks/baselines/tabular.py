"""Tables in a text, of any of the formats: cells by their row and heading, in whatever order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Cells = dict[str, Any]
RULE = re.compile(r"─{4,}")
DIGITS = r"(−|-|\$-\$)?[\d,]*\.?\d+(e-?\d+)?"
NUMBER = re.compile(
    rf"(\*\*|\\textbf\{{)?((<|\$<\$) )?({DIGITS}|–|--|)(†|\$\^?\\dagger\$)?(\*\*|\}})?"
)
HEADINGS = "(headings)"
PARTS = {
    ".txt": re.compile(r" {3,}"),
    ".md": re.compile(r"(?<!\\)\|"),
    ".tex": re.compile(r"(?<!\\)&"),
}


@dataclass(slots=True)
class Split:
    """A text taken apart: its tables by title, each with its rows by label, and other lines."""

    tables: dict[str, dict[str, Cells]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)


def split(text: str, suffix: str) -> Split:
    """Take the tables out of a text whose format its suffix tells."""
    found = Split()
    for title, rows in _parts(text.splitlines(), suffix):
        if rows is None:
            found.lines.append(title)
        else:
            found.tables[_unused(title, found.tables)] = by_label(*_cut(rows, suffix))
    return found


def by_label(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[str, Cells]:
    """Rows by the words in them, the numbers of each by their heading; and the headings.

    The words are sorted: of a pair of scores it does not matter which one comes first.
    """
    names = _told_apart(heads)
    found: dict[str, Cells] = {HEADINGS: {name: name for name in names}}
    for row in rows:
        words = sorted(cell for cell in row if isinstance(cell, str) and not is_number(cell))
        label = _unused(" ".join(words), found)
        pairs = zip(names, row, strict=False)
        found[label] = {name: cell for name, cell in pairs if cell not in words}
    return found


def is_number(cell: str) -> bool:
    """Whether a cell holds a number, or the dash of an undefined one."""
    return NUMBER.fullmatch(cell) is not None


def _parts(lines: list[str], suffix: str) -> Iterator[tuple[str, list[str] | None]]:
    """Each table, as its title and lines, and each other line."""
    at = 0
    while at < len(lines):
        length = TABLES[suffix](lines, at)
        if length:
            yield _title(lines[at]), lines[at + 1 : at + length]
        else:
            yield _outside(lines[at]), None
        at += max(length, 1)


def _terminal(lines: list[str], at: int) -> int:
    """How many lines the table has that begins here with its title: up to a blank line."""
    if at + 2 >= len(lines) or not RULE.match(lines[at + 2].strip()):
        return 0
    return _until(lines, at + 3, lambda line: not line.strip()) - at


def _markdown(lines: list[str], at: int) -> int:
    if at + 2 >= len(lines) or not lines[at + 2].startswith("|"):
        return 0
    return _until(lines, at + 2, lambda line: not line.startswith("|")) - at


def _latex(lines: list[str], at: int) -> int:
    if not lines[at].startswith(r"\caption"):
        return 0
    return _until(lines, at, lambda line: line.startswith(r"\bottomrule")) - at + 1


def _until(lines: list[str], start: int, is_end: Callable[[str], bool]) -> int:
    return next((at for at in range(start, len(lines)) if is_end(lines[at])), len(lines))


def _cut(lines: list[str], suffix: str) -> tuple[list[str], list[list[str]]]:
    """The headings and the rows of a table."""
    rows = [_cells(line, suffix) for line in lines]
    heads, *others = [row for row in rows if row]
    return heads, others


def _cells(line: str, suffix: str) -> list[str]:
    """The cells of a line; none of a rule."""
    bare = line.strip()
    if suffix == ".tex":
        if not bare.endswith(r"\\"):
            return []
        bare = bare.removesuffix(r"\\")
    elif suffix == ".md":
        bare = bare.strip("|")
    if RULE.match(bare) or re.fullmatch(r"[-:|]*", bare):
        return []
    bare = bare.replace(r"$\kappa$", "κ").replace(r"$\alpha$", "α").replace(r"\_", "_")
    return [cell.strip() for cell in PARTS[suffix].split(bare)]


def _outside(line: str) -> str:
    """A line that is in no table, without what only surrounds one in LaTeX."""
    return "" if re.match(r"\\(begin|end)\{", line) else line


def _title(line: str) -> str:
    return re.sub(r"^(\*\*|\\caption\{)|(\*\*|\})$", "", " ".join(line.split()))


def _told_apart(heads: Sequence[str]) -> list[str]:
    """Headings of which the second of the same name is told so."""
    found: dict[str, None] = {}
    for head in heads:
        found[_unused(head, found)] = None
    return list(found)


def _unused(name: str, used: Iterable[str]) -> str:
    known = set(used)
    while name in known:
        name += " again"
    return name


TABLES = {".txt": _terminal, ".md": _markdown, ".tex": _latex}
