"""`caesura reproduce`: published figures beside what caesura computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from caesura.cli import options
from caesura.cli.commands import argument, command
from caesura.cli.listing import columns
from caesura.errors import CaesuraError, number

if TYPE_CHECKING:
    from caesura.published.tables import Cell, PublishedTable


@command("reproduce")
@argument("name", required=False, metavar="[NAME]")
@options.quiet_option("Show only figures that differ from print.")
def reproduce(name: str | None, quiet: bool) -> None:
    """Recompute published tables, and print published figures beside ours.

    Without NAME, recompute every table whose data comes with caesura or was downloaded with
    `caesura sets get`. If a figure differs from print and the difference is not explained, the
    exit status is 1.

    \b
    Examples:
      caesura reproduce
      caesura reproduce wisebe
      caesura reproduce -q
    """
    from caesura.published.tables import Paper, names

    wrong = done = 0
    for paper in map(Paper, [name] if name else names()):
        click.echo(click.style(paper.about["title"], bold=True))
        click.echo(f"{paper.about['source']}\n")
        for table in paper.tables:
            if table.missing:
                click.echo(f"{table.title}: left out, needs {_sets(table.missing)}\n")
                continue
            cells = list(table.cells())
            click.echo(_shown(table, cells, quiet=quiet) + "\n")
            done += len(cells)
            wrong += sum(not cell.is_right and not cell.why for cell in cells)
    if wrong:
        raise CaesuraError(f"{number(wrong, 'figure')} of {done:,} not reproduced; see above")
    click.echo(f"{done:,} figures recomputed; every difference from print is explained.")


def _sets(missing: list[str]) -> str:
    """The sets that are missing, and how to get those that can be had."""
    from caesura.sets.named_sets import names

    known = [name for name in missing if name in names()]
    got = f" (caesura sets get {known[0]})" if known else " (describe your copy: docs/sets.md)"
    return ", ".join(f"@{name}" for name in missing) + got


def _shown(table: PublishedTable, cells: list[Cell], *, quiet: bool) -> str:
    """A table: a line about it, then its figures, or only those that differ."""
    right = sum(cell.is_right for cell in cells)
    explained = sum(bool(cell.why) for cell in cells)
    told = f"{table.title}: {number(len(cells), 'figure')}, {right:,} as published"
    told += f", {explained} explained" if explained else ""
    rows = [
        (cell.row, cell.column, cell.printed, cell.computed, _note(cell))
        for cell in cells
        if not (quiet and cell.is_right)
    ]
    return "\n".join([told, *([columns([HEAD, *rows], indent=2)] if rows else [])])


HEAD = ("row", "figure", "published", "recomputed", "")


def _note(cell: Cell) -> str:
    return "" if cell.is_right else cell.why or "NOT EXPLAINED"
