"""`caesura terms`: term discovery in speech."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options
from caesura.cli.running import Running, running_options
from caesura.cli.saving import Saving
from caesura.cli.statistics import Statistics


@click.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@click.option(
    "--phones", required=True, metavar="FILE",
    help="The gold phones: FILE ON OFF LABEL lines, .ctm, a .TextGrid or a folder of them.",
)  # fmt: skip
@click.option("--words", required=True, metavar="FILE", help="The gold words, in the same forms.")
@click.option(
    "--profile", type=click.Choice(["2017", "paper"]), default="2017", show_default=True,
    help="2017: what the challenge's program computes; paper: the definition on paper.",
)  # fmt: skip
@click.option(
    "--parts", type=click.IntRange(min=1), default=1, metavar="N",
    help="Also cut the recordings in N equal parts, and give mean and standard deviation.",
)  # fmt: skip
@click.option(
    "--within-talker", is_flag=True,
    help="Also score within each talker alone, and give mean and standard deviation.",
)  # fmt: skip
@click.option(
    "--talkers", metavar="FILE|PATTERN", default=None,
    help="Who speaks: lines of FILE TALKER, or a pattern on the recording's name, such as "
    "'^(s\\d\\d)'.  [default: each recording is a talker]",
)  # fmt: skip
@options.encoding_option
@options.statistics_options
@options.seed_option
@options.output_options
@running_options
@options.gate_options
def terms(
    systems: tuple[str, ...],
    phones: str,
    words: str,
    fail_under: tuple[str, ...],
    fail_over: tuple[str, ...],
    format: str,
    output: str | None,
    saving: Saving,
    quiet: bool,
    **scoring: Any,
) -> None:
    """Score terms that were discovered in speech: boundaries, tokens, types, groups.

    SYSTEM is PATH or NAME=PATH of a class file: `Class 1`, then FILE ON OFF lines, then a blank
    line. Times are seconds.

    \b
    caesura terms found.class --phones gold.phn --words gold.wrd
    caesura terms A=a.class B=b.class --phones gold.phn --words gold.wrd --profile paper
    caesura terms found.class --phones gold.phn --words gold.wrd --parts 10 --within-talker
    """
    from caesura.measures.terms import TermCounts
    from caesura.output.gate import Gate
    from caesura.output.tables.terms import terms_page
    from caesura.run.cases import Case, Source, require_distinct, require_one_stdin
    from caesura.scores.terms import terms_summary
    from caesura.tasks.terms import TermsTask

    gate = Gate.parse(fail_under, fail_over, list(TermCounts.zero().scores()))
    seed = scoring["seed"]
    statistics = Statistics.take(scoring)
    running = Running.take(scoring, saving.rows, quiet=quiet)
    task = TermsTask(**scoring, seed=seed, recordings=statistics.is_asked)
    sources = [Source.parse(each) for each in systems]
    require_distinct([source.name for source in sources])
    require_one_stdin([*(source.path for source in sources), phones, words])
    paths = {
        name: path
        for source in sources
        for name, path in (source.documents or {source.name: source.path}).items()
    }
    case = Case("corpus", paths, {"phones": phones, "words": words})
    counted = running.count([case], task)
    good = running.good([case])
    summary = terms_summary(counted, list(paths), task)
    saving.save_rows(summary, counted, task, good)
    statistics.add(summary, counted)
    saving.save_page(summary, task, good)
    options.emit(summary, terms_page, format, output)
    running.finish()
    gate.check(summary)
    statistics.check(summary, counted)
