"""`caesura trees`: constituency trees, however tokens and sentences are cut."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import ALIGNMENT, INPUT, MEASURES, OUTPUT, argument, command
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring

EVALB = "evalb"


@command()
@argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@options.reference_option("--gold", "gold", "The gold trees.")
@INPUT.option(
    "--labels", type=click.Choice(["cut", "full"]), default="cut", show_default=True,
    help="cut: compare labels without their functions (NP for NP-SBJ or NP=2); full: as written.",
)  # fmt: skip
@INPUT.option(
    "--keep-empty", is_flag=True,
    help="Keep empty elements (-NONE-) and the brackets over them.",
)  # fmt: skip
@options.file_options
@ALIGNMENT.option(
    "--algorithm", type=click.Choice(["blocks", "jp"]), default="blocks", show_default=True,
    help="blocks: edges of brackets are equal if they are the same point of the text; jp: as in "
    "jp-evalb, edges inside tokens that differ move outwards, and equal brackets match once.",
)  # fmt: skip
@ALIGNMENT.option("--force", is_flag=True, help="Score trees even if the texts seem unrelated.")
@MEASURES.option(
    "--evalb", metavar="FILE.prm", default=None, main=True,
    help="Count brackets and tags as evalb does, line by line, with one of its parameter files or "
    "with the parameters that come with it: collins (COLLINS.prm) or new (new.prm).",
)  # fmt: skip
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
    scoring = Scoring.from_options("trees", given)
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
