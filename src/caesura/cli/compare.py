"""`caesura compare`: significance tests, from saved rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from caesura.cli import options
from caesura.cli.commands import OUTPUT, STATISTICS, argument, command
from caesura.cli.running import tell

if TYPE_CHECKING:
    from caesura.core.results import Mean


@command()
@argument("rows", nargs=-1, required=True, metavar="ROWS...")
@STATISTICS.option(
    "--baseline", metavar="NAME", default=None, main=True,
    help="Compare the other systems with this one.  [default: the first]",
)  # fmt: skip
@STATISTICS.option(
    "--all-pairs", is_flag=True, main=True, help="Compare every system with every other."
)
@OUTPUT.option(
    "--measure", "measures", multiple=True, metavar="SCORE", main=True,
    help="Show this score, named as in the JSON. Repeatable.  [default: the main scores]",
)  # fmt: skip
@OUTPUT.option(
    "--mean", type=click.Choice(["micro", "macro"]), default=None,
    help="micro: scores of the summed counts; macro: means of the documents' scores.  [default: "
    "micro; macro for score music and score changes]",
)  # fmt: skip
@options.resampling_options
@options.seed_option
@options.format_options
@options.quiet_option(expose_value=False)
def compare(
    rows: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    measures: tuple[str, ...],
    mean: Mean | None,
    format: str,
    output: str | None,
    **drawing: Any,
) -> None:
    """Test which differences between systems are significant.

    ROWS is a file saved with --rows, as PATH or as NAME=PATH, which renames its only system.
    Several files are combined: they may hold different systems on the same documents, or different
    documents, scored with the same options.

    \b
    Examples:
      caesura transcript out/s1 out/s2 --ref ann/anna --rows rows.jsonl
      caesura compare rows.jsonl
      caesura compare old=last.jsonl new=today.jsonl --measure wisebe
    """
    from caesura.api.saved import saved_runs
    from caesura.output.tables.differences import compare_page
    from caesura.stats.resampling import Resampling
    from caesura.stats.significance import compare as compare_systems

    contest = saved_runs(rows)
    if (mean or contest.of.kind.mean) == "macro" and drawing["unit"] == "auto":
        drawing["unit"] = "document"
    tell((), contest.notes, quiet=False)
    chosen = options.baseline_of(contest.systems, baseline, all_pairs=all_pairs)
    found = compare_systems(contest, Resampling(**drawing), chosen)
    page = partial(compare_page, found, mean=mean, measures=measures)
    options.emit(found, page, format, output)
