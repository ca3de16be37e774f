"""`caesura agreement`: how far the references agree."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from caesura.cli import options
from caesura.cli.running import Running, running_options
from caesura.cli.saving import Saving
from caesura.cli.statistics import Statistics


@click.command()
@click.argument("references", nargs=-1, required=True, metavar="REF...")
@options.window_option
@options.tolerance_option
@options.final_options
@options.reading_options
@options.by_document_option
@options.confidence_option
@options.resampling_options
@options.seed_option
@options.output_options
@running_options
def agreement(
    references: tuple[str, ...],
    missing: str,
    by_document: bool,
    format: str,
    output: str | None,
    saving: Saving,
    quiet: bool,
    **scoring: Any,
) -> None:
    """Say how far references agree among themselves.

    REF is PATH or NAME=PATH: a file, a folder or a glob of many transcripts, - or a URL.

    \b
    caesura agreement a.txt b.txt c.txt
    caesura agreement anna=ann/anna ben=ann/ben --by-document -f csv
    """
    from caesura.output.tables.transcript import agreement_page
    from caesura.run.cases import match
    from caesura.scores.transcript import agreement_summary

    statistics = Statistics.take(scoring)
    running = Running.take(scoring, saving.rows, quiet=quiet)
    task = options.task(**scoring)
    sources = options.sources(references, task)
    cases = match([], sources, missing=missing)
    task = statistics.cut(task, len(cases))
    counted = running.count(cases, task)
    good = running.good(cases)
    summary = agreement_summary(counted, [source.name for source in sources], task)
    saving.save_rows(summary, counted, task, good)
    statistics.add(summary, counted)
    saving.save_page(summary, task, good)
    options.emit(summary, partial(agreement_page, by_document=by_document), format, output)
    running.finish()
