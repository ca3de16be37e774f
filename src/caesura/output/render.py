"""RENDERERS: a page as a table for the terminal, JSON, CSV, Markdown or LaTeX."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterator

from caesura.core.escapes import in_spreadsheet, printable
from caesura.output.tables import Cell, Page, Table
from caesura.output.terminal import as_text


def as_markdown(page: Page) -> str:
    """Tables for a README or an issue; the best in bold."""
    blocks = [_markdown_table(table) for table in page.tables]
    for passage in page.passages:
        lines = "\n".join(map(printable, passage.split("\n")))
        fence = _fence(lines, 3)
        blocks.append(f"{fence}text\n{lines}\n{fence}")
    blocks += map(_in_markdown, page.notes)
    if page.signature:
        text = printable(page.signature)
        fence, space = _fence(text, 1), " " if "`" in (text[:1], text[-1:]) else ""
        blocks.append(f"{fence}{space}{text}{space}{fence}")
    return "\n\n".join(blocks) + "\n"


_MARKUP = re.compile(r"[\\`*\[\]<|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_TICKS = re.compile("`+")


def _in_markdown(text: str) -> str:
    r"""A text that Markdown shows as it is.

    >>> print(_in_markdown("my_system <b>[x](y)|*"))
    my_system \<b>\[x\](y)\|\*
    """
    return _MARKUP.sub(r"\\\g<0>", printable(text))


def _fence(text: str, least: int) -> str:
    """A fence that a text does not have."""
    longest = max((len(each) for each in _TICKS.findall(text)), default=0)
    return "`" * (longest + 1 if longest >= least else least)


def _markdown_table(table: Table) -> str:
    rules = "".join("|---:" if column.key else "|---" for column in table.columns) + "|"
    titles, *rows = ("| " + " | ".join(row) + " |" for row in _rows(table, _in_markdown, "**{}**"))
    return "\n".join([f"**{_in_markdown(table.title)}**", "", titles, rules, *rows])


def _rows(table: Table, written: Callable[[str], str], bold: str) -> Iterator[list[str]]:
    """The titles, then the cells of each row; the best of a column in bold."""
    columns = range(len(table.columns))
    yield [written(column.title) for column in table.columns]
    for row in range(len(table.rows)):
        texts = [written(table.text(row, at)) for at in columns]
        yield [bold.format(texts[at]) if table.is_best(row, at) else texts[at] for at in columns]


LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "−": "$-$",
        "–": "--",
        "κ": r"$\kappa$",
        "α": r"$\alpha$",
        "±": r"$\pm$",
        "†": r"$^\dagger$",
        "|": r"\textbar{}",
        "[": "{[}",
        "]": "{]}",
        "*": "{*}",
        "<": "$<$",
        ">": "$>$",
    }
)


def as_latex(page: Page) -> str:
    r"""Tables for a paper, with booktabs; the best in \textbf."""
    blocks = ["% needs \\usepackage{booktabs}", *map(_latex_table, page.tables)]
    blocks += [f"% {printable(note)}" for note in page.notes]
    blocks += [f"% {printable(page.signature)}"] if page.signature else []
    return "\n\n".join(blocks) + "\n"


def _in_latex(text: str) -> str:
    """A text that LaTeX sets as it is; after a line break, `[` and `*` would be arguments."""
    return printable(text).translate(LATEX)


def _latex_table(table: Table) -> str:
    titles, *rows = (" & ".join(row) + r" \\" for row in _rows(table, _in_latex, r"\textbf{{{}}}"))
    lines = [
        r"\begin{table}",
        rf"\caption{{{_in_latex(table.title)}}}",
        rf"\begin{{tabular}}{{{''.join('r' if column.key else 'l' for column in table.columns)}}}",
        r"\toprule",
        titles,
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def as_csv(page: Page) -> str:
    """One line for each system and document, all scores in full; undefined is empty."""
    out = io.StringIO()
    records = list(page.records)
    names = list(dict.fromkeys(name for record in records for name in record))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(in_spreadsheet, names))
    writer.writerows([_exact(record.get(name)) for name in names] for record in records)
    return out.getvalue()


def _exact(value: Cell) -> Cell:
    if isinstance(value, str):
        return in_spreadsheet(value)
    return None if isinstance(value, float) and math.isnan(value) else value


RENDERERS: dict[str, Callable[[Page], str]] = {
    "table": as_text,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
}
