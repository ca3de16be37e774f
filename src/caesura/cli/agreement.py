"""`caesura agreement`: how far the references agree."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from caesura.cli import options
from caesura.cli.running import (
    Progress,
    require_all,
    running_options,
    say_failures,
    take_running,
)
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
    from caesura.api.evaluate import evaluate

    statistics = Statistics.take(scoring)
    scoring |= {"running": take_running(scoring, saving.rows), "watch": Progress(quiet)}
    found = evaluate((), references, **statistics.arguments, **saving.arguments, **scoring)
    say_failures(found)
    saving.save(found)
    options.emit(found.summary, partial(found.page, by_document=by_document), format, output)
    require_all(found)
