"""`caesura report`: the HTML report, from saved rows."""

from __future__ import annotations

from typing import Any

from caesura.cli import options
from caesura.cli.commands import argument, command
from caesura.cli.exit_status import say
from caesura.cli.running import tell


@command()
@argument("rows", nargs=-1, required=True, metavar="ROWS...")
@options.output_option("The file to write.", default="report.html", show_default=True)
@options.statistics_options
@options.seed_option
@options.quiet_option()
def report(rows: tuple[str, ...], output: str, quiet: bool, **drawing: Any) -> None:
    """Write an HTML report.

    ROWS is a file saved with --rows, as PATH or as NAME=PATH, which renames its only system.
    Several files are combined: they may hold different systems on the same documents, or different
    documents, scored with the same options. If the rows were saved with --with-text, the report
    shows the text as well.

    \b
    Examples:
      caesura transcript out/s1 --ref ann/anna --rows r.jsonl --with-text
      caesura report r.jsonl -o report.html
    """
    from caesura.api.saved import saved_report
    from caesura.core.option_rules import unrefined
    from caesura.output.report.page import report as make_report
    from caesura.output.tables.pages import page_of
    from caesura.stats.resampling import Resampling
    from caesura.steps.shared import with_statistics

    tell((), unrefined(drawing), quiet=False)
    asked = {name: drawing.pop(name) for name in ("confidence", "compare")}
    summary, counted, readings, notes = saved_report(rows)
    tell((), notes, quiet=quiet)
    summary = with_statistics(summary, counted, Resampling(**drawing), **asked)
    options.put(make_report(summary, page_of(summary), readings), output)
    if not quiet:
        say(output)
