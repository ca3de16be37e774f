"""`caesura compare`: significance tests, from saved rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from caesura.cli import options

if TYPE_CHECKING:
    from caesura.core.results import Mean


@click.command()
@click.argument("rows", nargs=-1, required=True, metavar="ROWS...")
@click.option(
    "--baseline", metavar="NAME", default=None,
    help="Compare the other systems with this one.  [default: the first]",
)  # fmt: skip
@click.option("--all-pairs", is_flag=True, help="Compare every system with every other.")
@click.option(
    "--measure", "measures", multiple=True, metavar="SCORE",
    help="Show this score, named as in the JSON. Repeatable.  [default: the main scores]",
)  # fmt: skip
@click.option(
    "--mean", type=click.Choice(["micro", "macro"]), default="micro", show_default=True,
    help="Show scores of summed counts, or means of the documents' scores.",
)  # fmt: skip
@click.option(
    "--power", is_flag=True,
    help="Add the number of units, or annotators, needed for 80% power.",
)  # fmt: skip
@options.resampling_options
@options.seed_option
@options.format_options
def compare(
    rows: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    measures: tuple[str, ...],
    mean: Mean,
    power: bool,
    format: str,
    output: str | None,
    **drawing: Any,
) -> None:
    """Test which differences between systems are significant, from rows saved with --rows.

    ROWS is PATH or NAME=PATH, which renames a file's only system. Several files are combined:
    they may have other systems on the same documents, or other documents, scored in the same way.

    \b
    caesura transcript S1=out/s1 S2=out/s2 --ref ann/anna --ref ann/ben --rows rows.jsonl
    caesura compare rows.jsonl
    caesura compare old=last.jsonl new=today.jsonl --measure wisebe --mean macro
    """
    from caesura.output.tables.compare import compare_page
    from caesura.stats.compare import compare as compare_systems
    from caesura.stats.contest import gather
    from caesura.stats.resampling import Resampling

    contest = gather(rows)
    chosen = options.baseline_of(contest.systems, baseline, all_pairs=all_pairs)
    found = compare_systems(contest, Resampling(**drawing), chosen, power=power)
    page = partial(compare_page, found, mean=mean, measures=measures)
    options.emit(found, page, format, output)
