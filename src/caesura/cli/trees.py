"""`caesura trees`: constituency trees, however tokens and sentences are cut."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import OUTPUT, argument, command
from caesura.cli.declared import task_options
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.tasks import TASKS

EVALB = "evalb"


@command()
@argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@options.reference_option("--gold", "gold", "The gold trees.")
@task_options(TASKS["trees"])
@options.missing_option
@OUTPUT.option(
    "--by", type=click.Choice(["label", "length"]), multiple=True, main=True,
    help="Add a table of brackets by label, or by length of the gold sentence. Repeatable.",
)  # fmt: skip
@options.error_options
@options.by_document_option
@options.statistics_options
@options.seed_option
@options.output_options_with(EVALB)
@running_options
@options.gate_options
def trees(
    systems: tuple[str, ...],
    gold: str,
    by: tuple[str, ...],
    by_document: bool,
    **given: Any,
) -> None:
    """Score constituency trees, also where tokens and sentences differ.

    SYSTEM and GOLD are PATH or NAME=PATH: a file, a folder or a glob of bracketed trees (matched by
    file name), - or a URL. A tree may be on a line of its own, share it with others or be spread
    over several. Tags, tokens and sentences are scored, too, so that you see where the loss is.

    \b
    Examples:
      caesura trees parser.mrg --gold gold.mrg --by label
      caesura trees a.mrg b.mrg --gold gold.mrg --compare --confidence
      caesura trees parser.mrg --gold gold.mrg --show-errors 5 --html report.html
      caesura trees parser.mrg --gold gold.mrg --evalb collins -f evalb
    """
    scoring = Scoring.from_options(TASKS["trees"], given)
    if scoring.given["format"] == EVALB and (by or by_document):
        raise click.UsageError(f"-f {EVALB} has its own layout; remove --by and --by-document")
    is_evalb = scoring.given["format"] == EVALB
    if is_evalb and given["evalb"] is None:
        raise click.UsageError("-f evalb needs --evalb; add --evalb collins, new, or a file")
    found = scoring.evaluate(
        list(systems),
        gold=gold,
        task="trees",
        reads=is_evalb,
        **given,
    )
    if is_evalb:
        from caesura.output.tables.evalb import evalb_text

        text = evalb_text(found.summary, found.readings(), found.task.parameters.cutoff)
        options.put(text, scoring.given["output"])
        scoring.finish(found)
    else:
        scoring.show(found, by_document=by_document, by=by)
