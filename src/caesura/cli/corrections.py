"""`caesura corrections`: edits in M2 files, however sentences and tokens are cut."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import OUTPUT, argument, command
from caesura.cli.declared import task_options
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.tasks import TASKS

ERRANT = "errant"


@command()
@argument("systems", nargs=-1, required=True, metavar="HYP...")
@options.reference_option("--gold", "gold", "The gold corrections.")
@task_options(TASKS["corrections"])
@options.missing_option
@OUTPUT.option(
    "--by", type=click.Choice(["type", "operation", "main"]), multiple=True, main=True,
    help="Add a table of edits by type (R:NOUN), by operation (M missing, U unnecessary, R "
    "replaced) or by main type (NOUN): ERRANT's -cat 3, 1 and 2. Repeatable.",
)  # fmt: skip
@options.error_options
@options.by_document_option
@options.statistics_options
@options.seed_option
@options.output_options_with(ERRANT)
@running_options
@options.gate_options
def corrections(
    systems: tuple[str, ...],
    gold: str,
    by: tuple[str, ...],
    by_document: bool,
    **given: Any,
) -> None:
    """Score grammatical error corrections in M2 files.

    HYP and GOLD are PATH or NAME=PATH: a file, a folder or a glob of M2 files (matched by file
    name), - or a URL. The sentences that are corrected may be cut differently on both sides, and so
    may their tokens.

    \b
    Examples:
      caesura corrections ours.m2 --gold gold.m2 --by type
      caesura corrections a.m2 b.m2 --gold gold.m2 --compare --confidence
      caesura corrections ours.m2 --gold gold.m2 --match span --show-errors 10
      caesura corrections ours.m2 --gold gold.m2 --annotators errant -f errant
    """
    scoring = Scoring.from_options(TASKS["corrections"], given)
    if scoring.given["format"] == ERRANT and by_document:
        raise click.UsageError(f"-f {ERRANT} has its own layout; remove --by-document")
    found = scoring.evaluate(
        list(systems),
        gold=gold,
        task="corrections",
        **given,
    )
    if scoring.given["format"] == ERRANT:
        from caesura.output.tables.corrections import errant_text

        options.put(errant_text(found.summary, by), scoring.given["output"])
        scoring.finish(found)
    else:
        scoring.show(found, by_document=by_document, by=by)
