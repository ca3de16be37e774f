"""`caesura trees`: constituency trees, however tokens and sentences are cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from caesura.cli import options
from caesura.cli.commands import ALIGNMENT, INPUT, MEASURES, OUTPUT, argument, command
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring

if TYPE_CHECKING:
    from caesura.api.evaluation import Evaluation
    from caesura.output.tables.text import Found

EVALB = "evalb"


@command()
@argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@INPUT.option("--gold", required=True, metavar="GOLD", help="The gold trees.")
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
    "jp-evalb, edges inside tokens that differ move outwards, and equal brackets count once.",
)  # fmt: skip
@ALIGNMENT.option("--force", is_flag=True, help="Score trees even if the texts seem unrelated.")
@MEASURES.option(
    "--evalb", metavar="FILE.prm", default=None,
    help="Count brackets and tags as evalb does, line by line, with one of its parameter files or "
    "with the parameters that come with it: collins (COLLINS.prm) or new (new.prm).",
)  # fmt: skip
@OUTPUT.option(
    "--by", type=click.Choice(["label", "length"]), multiple=True,
    help="Add a table of brackets by label, or by length of the gold sentence. Repeatable.",
)  # fmt: skip
@OUTPUT.option(
    "--show-errors", type=click.IntRange(min=1), metavar="N", default=None,
    help="Add the N most frequent label errors and the first N sentences whose brackets differ.",
)  # fmt: skip
@OUTPUT.option(
    "--errors", metavar="FILE", default=None,
    help="Write every sentence whose brackets differ to a tab-separated file.",
)  # fmt: skip
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
    show_errors: int | None,
    errors: str | None,
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
    scoring = Scoring.take("trees", given)
    is_evalb = scoring.given["format"] == EVALB
    if is_evalb and given["evalb"] is None:
        raise click.UsageError("-f evalb needs --evalb; add --evalb collins, new, or a file")
    reads = show_errors is not None or errors is not None or is_evalb
    found = scoring.evaluate(list(systems), gold=gold, task="trees", reads=reads, **given)
    wrong = _errors(found, show_errors, errors)
    if is_evalb:
        from caesura.output.tables.evalb import evalb_text

        text = evalb_text(found.summary, found.readings(), found.task.parameters.cutoff)
        options.put(text, scoring.given["output"])
        scoring.finish(found)
    else:
        scoring.show(found, by_document=by_document, by=by, errors=wrong)


def _errors(found: Evaluation, most: int | None, path: str | None) -> Found:
    """Write the errors to a file and select those to show."""
    from caesura.output.tables.text import Found
    from caesura.output.tables.trees import (
        found_tree_errors,
        shown_tree_errors,
        write_tree_errors,
    )

    if path is not None:
        write_tree_errors(path, found_tree_errors(found.readings()))
    return Found() if most is None else shown_tree_errors(found_tree_errors(found.readings()), most)
