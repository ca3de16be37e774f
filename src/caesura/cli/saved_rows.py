"""`caesura compare`, `correlate`, `report` and `merge`: what is made of saved rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import click

from caesura.cli import options
from caesura.cli.commands import INPUT, OUTPUT, STATISTICS, argument, command, itself
from caesura.cli.exit_status import say
from caesura.cli.running import tell
from caesura.errors import LeftOutError

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
    from caesura.output.statistics import compare_page
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
    from caesura.output.statistics import correlate_page
    from caesura.stats.correlation import correlate as correlate_scores
    from caesura.stats.resampling import Resampling

    require_shared_partners({"missing": missing, "with": files})
    contest = saved_runs(rows, agreement=True)
    tell((), contest.notes, quiet=False)
    found = correlate_scores(contest, Resampling(**drawing), measures, files, missing)
    options.emit(found, partial(correlate_page, found), format, output)


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
    from caesura.output.pages import page_of
    from caesura.output.report.page import report as make_report
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
