"""`caesura terms`: term discovery in speech."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import INPUT, MEASURES, argument, command
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring


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
@MEASURES.option(
    "--profile", type=click.Choice(["2017", "paper"]), default="2017", show_default=True,
    main=True,
    help="2017: as the challenge's program computes it; paper: as published.",
)  # fmt: skip
@MEASURES.option(
    "--ties", type=click.Choice(["decimal", "double"]), default="decimal", show_default=True,
    help="With --profile paper, between two phone boundaries that are equally near: decimal takes "
    "the earlier; double leaves it to the rounding of double precision, as in figures in print.",
)  # fmt: skip
@MEASURES.option(
    "--parts", type=click.IntRange(min=1), default=1, metavar="N",
    help="Also split the recordings into N equal parts and report mean and standard deviation.",
)  # fmt: skip
@MEASURES.option(
    "--within-talker", is_flag=True, main=True,
    help="Also score each talker separately and report mean and standard deviation.",
)  # fmt: skip
@INPUT.option(
    "--talkers", metavar="FILE|PATTERN", default=None,
    help="The talkers: a file of FILE TALKER lines, or a regular expression for the recording's "
    "name, such as '^(s\\d\\d)'.  [default: one talker per recording]",
)  # fmt: skip
@options.encoding_option
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
    scoring = Scoring.from_options("terms", given)
    scoring.show(scoring.evaluate(systems, **given))
