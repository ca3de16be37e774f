"""`caesura sentences`: WER, CER, BLEU, chrF and TER in the segments of a reference."""

from __future__ import annotations

from typing import Any

from caesura.cli import options
from caesura.cli.commands import argument, command
from caesura.cli.declared import task_options
from caesura.cli.resegment import docids_option
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.tasks import TASKS


@command()
@argument("systems", nargs=-1, required=True, metavar="HYP...")
@options.reference_option(
    "--ref", "references", "The reference, one segment per line.", metavar="REF", several=True
)
@docids_option
@task_options(TASKS["sentences"])
@options.missing_option
@options.error_options
@options.by_document_option
@options.statistics_options
@options.seed_option
@options.output_options
@running_options
@options.gate_options
def sentences(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    by_document: bool,
    **given: Any,
) -> None:
    """Score translations or recognised speech in the segments of a reference.

    HYP and REF are PATH or NAME=PATH: a file, a folder or a glob of texts (matched by file name), -
    or a URL. A text that is not cut as the reference is put into its segments first, at the least
    edit cost, as `caesura resegment` does.

    \b
    Examples:
      caesura sentences asr.txt --ref ref.txt
      caesura sentences a.txt b.txt --ref ref.txt --confidence --compare
      caesura sentences hyp.txt --ref ref.txt --docids docids.txt --by-document
      caesura sentences hyp.txt --ref ref.txt --tokens bare --metrics none
    """
    scoring = Scoring.from_options(TASKS["sentences"], given)
    found = scoring.evaluate(list(systems), list(references), task="sentences", **given)
    scoring.show(found, by_document=by_document)
