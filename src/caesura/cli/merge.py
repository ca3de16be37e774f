"""`caesura merge`: the rows of shards, scored as one run would have."""

from __future__ import annotations

from functools import partial
from typing import Any

from caesura.cli import options
from caesura.cli.commands import OUTPUT, argument, command, itself
from caesura.cli.exit_status import say
from caesura.cli.running import tell
from caesura.errors import LeftOutError


@command()
@argument("rows", nargs=-1, required=True, metavar="ROWS...")
@options.by_document_option
@options.statistics_options
@options.seed_option
@options.format_options
@OUTPUT.option(
    "--html", metavar="FILE", default=None, main=True, writes=itself,
    help="Also write an HTML report; it shows the text if the rows were saved --with-text.",
)  # fmt: skip
@options.quiet_option()
def merge(
    rows: tuple[str, ...],
    by_document: bool,
    format: str,
    output: str | None,
    html: str | None,
    quiet: bool,
    **drawing: Any,
) -> None:
    """Put the rows of all shards together.

    ROWS are the files that runs with --shard saved with --rows. Tables, JSON and report are those
    of one run over all documents. A shard that is missing, is given twice or belongs to another run
    is an error.

    \b
    Examples:
      caesura transcript out/ --ref ann/ --shard 1/2 --rows rows-{shard}.jsonl
      caesura transcript out/ --ref ann/ --shard 2/2 --rows rows-{shard}.jsonl
      caesura merge rows-*.jsonl
    """
    from caesura.api.merge import merge as merge_rows
    from caesura.api.merge import saved_readings
    from caesura.core.option_rules import unrefined

    tell((), unrefined(drawing), quiet=False)
    found = merge_rows(rows, **drawing)
    tell(found.summary.notes, found.summary.warnings, quiet=quiet)
    if html is not None:
        from caesura.output.report.page import report

        options.put(report(found.summary, found.page(), saved_readings(rows)), html)
    options.emit(found.summary, partial(found.page, by_document=by_document), format, output)
    failed = found.failures
    for each in failed:
        say(f"left out: {each.document}: {each.message}")
    if failed:
        raise LeftOutError(len(failed), len(failed) + len(found.summary.documents))
