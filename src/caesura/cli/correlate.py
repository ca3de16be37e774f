"""`caesura correlate`: correlations between scores, from saved rows."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import click

from caesura.cli import options
from caesura.cli.commands import INPUT, OUTPUT, argument, command
from caesura.cli.running import tell


@command()
@argument("rows", nargs=-1, required=True, metavar="ROWS...")
@INPUT.option(
    "--with",
    "files",
    multiple=True,
    main=True,
    metavar="FILE",
    help="Correlate with scores from outside: a CSV or TSV whose header has document, system or "
    "both, and a column for each score. Repeatable.",
)
@INPUT.option(
    "--missing",
    type=click.Choice(["error", "skip"]),
    default="error",
    show_default=True,
    help="With --with: what to do with a line whose document or system the rows lack.",
)
@OUTPUT.option(
    "--measure", "measures", multiple=True, metavar="SCORE", main=True,
    help="A score, named as in the JSON. Repeatable.  [default: the main scores]",
)  # fmt: skip
@options.interval_options(resamples=1000)
@options.seed_option
@options.format_options
@options.quiet_option(expose_value=False)
def correlate(
    rows: tuple[str, ...],
    files: tuple[str, ...],
    missing: Literal["error", "skip"],
    measures: tuple[str, ...],
    format: str,
    output: str | None,
    **drawing: Any,
) -> None:
    """Correlate scores across documents and systems.

    ROWS is a file saved with --rows, as PATH or as NAME=PATH, which renames its only system. The
    output has Pearson's and Spearman's correlation and Kendall's tau, with confidence intervals.
    Agreement coefficients are correlated across documents. With --with, each score is correlated
    with each score from outside, such as ROUGE of summaries or human ratings.

    \b
    Examples:
      caesura correlate rows.jsonl
      caesura correlate rows.jsonl --measure wisebe --measure f1_mean
      caesura correlate agreement.jsonl --measure rgar --measure fleiss_kappa
      caesura correlate rows.jsonl --with ratings.csv
    """
    from caesura.api.saved import saved_runs
    from caesura.core.option_rules import require_shared_partners
    from caesura.output.tables.correlations import correlate_page
    from caesura.stats.correlation import correlate as correlate_scores
    from caesura.stats.resampling import Resampling

    require_shared_partners({"missing": missing, "with": files})
    contest = saved_runs(rows, agreement=True)
    tell((), contest.notes, quiet=False)
    found = correlate_scores(contest, Resampling(**drawing), measures, files, missing)
    options.emit(found, partial(correlate_page, found), format, output)
