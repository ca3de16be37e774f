"""RENDERERS: a page as a table for the terminal, JSON, CSV, Markdown or LaTeX."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from typing import Any

from caesura.core.plain import plain
from caesura.core.results import Summary
from caesura.output.drawing import draw
from caesura.output.indented import indented
from caesura.output.summary import summary_json
from caesura.output.tables import Cell, Page, Table

WIDTH = 120


def as_text(page: Page, *, color: bool = False, width: int | None = None) -> str:
    """Tables for a terminal."""
    lines = draw(page, width or WIDTH, color=color)
    lines += [f"\x1b[2m{page.signature}\x1b[0m" if color else page.signature]
    return "\n".join(lines) + "\n"


def as_markdown(page: Page) -> str:
    """Tables for a README or an issue; the best in bold."""
    blocks = [_markdown_table(table) for table in page.tables]
    blocks += [f"```text\n{passage}\n```" for passage in page.passages]
    blocks += page.notes
    blocks += [f"`{page.signature}`"] if page.signature else []
    return "\n\n".join(blocks) + "\n"


def _markdown_table(table: Table) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    def cell(row: int, column: int) -> str:
        text = table.text(row, column)
        return f"**{text}**" if table.is_best(row, column) else text

    columns = range(len(table.columns))
    lines = [f"**{table.title}**", "", line([column.title for column in table.columns])]
    lines.append("".join("|---:" if column.key else "|---" for column in table.columns) + "|")
    lines += [line([cell(row, at) for at in columns]) for row in range(len(table.rows))]
    return "\n".join(lines)


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
        "<": "$<$",
        ">": "$>$",
    }
)


def as_latex(page: Page) -> str:
    r"""Tables for a paper, with booktabs; the best in \textbf."""
    blocks = ["% needs \\usepackage{booktabs}", *map(_latex_table, page.tables)]
    blocks += [f"% {note}" for note in page.notes]
    blocks += [f"% {page.signature}"] if page.signature else []
    return "\n\n".join(blocks) + "\n"


def _latex_table(table: Table) -> str:
    def cell(row: int, column: int) -> str:
        text = table.text(row, column).translate(LATEX)
        return rf"\textbf{{{text}}}" if table.is_best(row, column) else text

    columns = range(len(table.columns))
    titles = " & ".join(column.title.translate(LATEX) for column in table.columns)
    lines = [
        r"\begin{table}",
        rf"\caption{{{table.title.translate(LATEX)}}}",
        rf"\begin{{tabular}}{{{''.join('r' if column.key else 'l' for column in table.columns)}}}",
        r"\toprule",
        rf"{titles} \\",
        r"\midrule",
    ]
    lines += [
        " & ".join(cell(row, at) for at in columns) + r" \\" for row in range(len(table.rows))
    ]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def as_csv(page: Page) -> str:
    """One line for each system and document, all scores in full; undefined is empty."""
    out = io.StringIO()
    records = list(page.records)
    names = list(records[0]) if records else []
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_exact(record[name]) for name in names] for record in records)
    return out.getvalue()


def _exact(value: Cell) -> Cell:
    return None if isinstance(value, float) and math.isnan(value) else value


def as_json(result: Any) -> str:
    """The result itself, in full precision; undefined is null."""
    made = summary_json(result) if isinstance(result, Summary) else plain(result, compact=True)
    return indented(made) + "\n"


RENDERERS: dict[str, Callable[[Page], str]] = {
    "table": as_text,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
}
