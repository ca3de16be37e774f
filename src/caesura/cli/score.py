"""`caesura score`: the conventions of other communities."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import ALIGNMENT, INPUT, MEASURES, GroupedCommand, argument
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring
from caesura.core.profiles import PROFILES, kind_of


class ProfiledCommand(GroupedCommand):
    """A command whose help lists the profiles."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the profiles, then the options."""
        with formatter.section("Profiles"):
            formatter.write_dl([(name, each.about) for name, each in PROFILES.items()])
        super().format_options(ctx, formatter)


@click.command("score", cls=ProfiledCommand)
@argument("profile", type=click.Choice(list(PROFILES)), metavar="PROFILE")
@argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@INPUT.option(
    "--gold", multiple=True, required=True, metavar="GOLD",
    help="What systems are scored against. Repeatable where there may be several annotators.",
)  # fmt: skip
@options.file_options
@options.tier_options
@options.align_option
@ALIGNMENT.option(
    "--force", is_flag=True,
    help="sighan: score texts even if they seem unrelated. morphemes: pair lines of other words by "
    "their numbers.",
)  # fmt: skip
@MEASURES.option(
    "--dictionary", metavar="FILE", default=None,
    help="sighan: the words of the training data, one a line, for OOV and IV recall.",
)  # fmt: skip
@INPUT.option(
    "--input", metavar="FORM", default=None,
    help="topics: the input format, such as choi, segeval or masses.  [default: detected]",
)  # fmt: skip
@ALIGNMENT.option(
    "--axis-from", metavar="GOLD", default=None,
    help="topics: with --align, the annotator to align to, by name.",
)  # fmt: skip
@MEASURES.option(
    "-k", type=click.IntRange(min=1), default=None, metavar="N",
    help="topics: the window size of Pk and WindowDiff, but for Choi's.  [default: as each "
    "convention has it]",
)  # fmt: skip
@MEASURES.option(
    "--near", type=click.IntRange(min=1), default=None, metavar="N",
    help="topics: B and S: boundaries less than N apart may count as a near miss (n_t).  "
    "[default: 2]",
)  # fmt: skip
@MEASURES.option(
    "--costs", default=None, metavar="INS,DEL,SHIFT",
    help="topics: what inserting, deleting and shifting a boundary by one cost in GHD.  [default: "
    "2,2,1]",
)  # fmt: skip
@MEASURES.option(
    "--max-cpl",
    type=click.IntRange(min=1),
    metavar="N",
    default=None,
    help="subtitles: the most characters of a line.  [default: 42]",
)
@MEASURES.option(
    "--max-cps",
    type=click.IntRange(min=1),
    metavar="N",
    default=None,
    help="subtitles: the most characters per second of a block.  [default: 21]",
)
@MEASURES.option(
    "--max-lines",
    type=click.IntRange(min=1),
    metavar="N",
    default=None,
    help="subtitles: the most lines of a block.  [default: 2]",
)
@MEASURES.option(
    "--tolerance", default=None, metavar="TIME",
    help="phones, speakers: match boundaries up to this far apart, such as 20ms.  [default: 20ms; "
    "0.5s]",
)  # fmt: skip
@options.final_option
@options.uem_option
@options.error_options
@options.by_document_option
@options.statistics_options
@options.seed_option
@options.output_options
@running_options
@options.gate_options
def score(
    profile: str,
    systems: tuple[str, ...],
    gold: tuple[str, ...],
    by_document: bool,
    **given: Any,
) -> None:
    """Score as another community does, with its files and under its names.

    A profile reads the files of a community and reports what its own program does, beside
    caesura's measures. SYSTEM and GOLD are PATH or NAME=PATH: a file, a folder or a glob (matched
    by file name), - or a URL. Options that a profile does not have are an error.

    \b
    Examples:
      caesura score sighan ours.txt --gold gold.txt --dictionary train_words.txt
      caesura score sighan a.txt b.txt --gold gold.txt --compare --confidence
      caesura score disrpt ours.tok --gold gold.tok
      caesura score topics out/ --gold choi/
      caesura score topics ours.masses --gold coders.json
      caesura score subtitles nmt.srt --gold human.srt
      caesura score phones ours/ --gold gold/ --tier phones --tolerance 20ms
      caesura score phones ours/ --gold timit/ --rate 16000
      caesura score speakers ours.rttm --gold gold.rttm --uem all.uem
      caesura score morphemes ours.tsv --gold gold.tsv --show-errors 10
    """
    scoring = Scoring.from_options(kind_of(profile, ""), given)
    if len(gold) > 1 and PROFILES[profile].task != "transcript":
        raise click.UsageError(f"{profile} is scored against one gold; give --gold once")
    golden = gold[0] if len(gold) == 1 else list(gold)
    found = scoring.evaluate(list(systems), gold=golden, profile=profile, **given)
    scoring.show(found, by_document=by_document)
