"""`caesura agreement`: inter-annotator agreement."""

from __future__ import annotations

from typing import Any

from caesura.cli import options
from caesura.cli.commands import argument, command
from caesura.cli.declared import task_options
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.tasks import TASKS


@command()
@argument("references", nargs=-1, required=True, metavar="REF...")
@task_options(TASKS["agreement"])
@options.missing_option
@options.by_document_option
@options.confidence_option
@options.resampling_options
@options.seed_option
@options.output_options
@running_options
def agreement(
    references: tuple[str, ...],
    by_document: bool,
    **given: Any,
) -> None:
    """Measure inter-annotator agreement.

    REF is PATH or NAME=PATH: a file, a folder or a glob of transcripts, - or a URL.

    \b
    Examples:
      caesura agreement a.txt b.txt c.txt
      caesura agreement anna=ann/anna ben=ann/ben --by-document -f csv
    """
    scoring = Scoring.from_options(TASKS["agreement"], given)
    scoring.show(scoring.evaluate((), references, **given), by_document=by_document)
