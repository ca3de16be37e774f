"""`caesura terms`: term discovery in speech."""

from __future__ import annotations

from typing import Any

from caesura.cli import options
from caesura.cli.commands import INPUT, argument, command
from caesura.cli.declared import task_options
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.tasks import TASKS


@command()
@argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@INPUT.option(
    "--phones", required=True, metavar="FILE", main=True,
    help="The gold phones: FILE ON OFF LABEL lines, .ctm, a .TextGrid or a folder of them.",
)  # fmt: skip
@INPUT.option(
    "--words", required=True, metavar="FILE", main=True,
    help="The gold words, in the same formats.",
)  # fmt: skip
@task_options(TASKS["terms"])
@options.statistics_options
@options.seed_option
@options.output_options
@running_options
@options.gate_options
def terms(
    systems: tuple[str, ...],
    **given: Any,
) -> None:
    """Score terms discovered in speech: boundaries, tokens, types, groups.

    SYSTEM is PATH or NAME=PATH of a class file: `Class 1`, then FILE ON OFF lines, then a blank
    line. Times are in seconds.

    \b
    Examples:
      caesura terms found.class --phones gold.phn --words gold.wrd
      caesura terms a.class b.class --phones g.phn --words g.wrd --profile paper
      caesura terms a.class --phones g.phn --words g.wrd --within-talker
    """
    scoring = Scoring.from_options(TASKS["terms"], given)
    scoring.show(scoring.evaluate(systems, **given))
