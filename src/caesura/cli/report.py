"""`caesura report`: the HTML report, from saved rows."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options


@click.command()
@click.argument("rows", nargs=-1, required=True, metavar="ROWS...")
@click.option(
    "-o", "--output", metavar="FILE", default="report.html", show_default=True,
    help="The file to write.",
)  # fmt: skip
@options.statistics_options
@options.seed_option
def report(rows: tuple[str, ...], output: str, **drawing: Any) -> None:
    """Write an HTML report of rows saved with --rows.

    ROWS is PATH or NAME=PATH, which renames a file's only system. Files are put together: they
    hold other systems on the same documents, or other documents, scored in the same way. With
    --with-text the rows hold the words, too, and the page shows them.

    \b
    caesura transcript S1=out/s1 S2=out/s2 --ref ann/anna --ref ann/ben --rows r.jsonl --with-text
    caesura report r.jsonl -o report.html
    """
    from caesura.api.evaluate import with_statistics
    from caesura.output.report import report as make_report
    from caesura.output.report.saved import saved
    from caesura.output.tables.pages import page_of
    from caesura.stats.resampling import Resampling

    asked = {name: drawing.pop(name) for name in ("confidence", "compare")}
    summary, counted, readings = saved(rows)
    summary = with_statistics(summary, counted, Resampling(**drawing), **asked)
    options.put(make_report(summary, page_of(summary), readings), output)
    click.echo(output, err=True)
