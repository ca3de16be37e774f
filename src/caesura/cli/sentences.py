"""`caesura sentences`: WER, CER, BLEU, chrF and TER in the segments of a reference."""

from __future__ import annotations

from typing import Any

import click

from caesura.cli import options
from caesura.cli.commands import ALIGNMENT, MEASURES, argument, command
from caesura.cli.resegment import segment_options
from caesura.cli.running import running_options
from caesura.cli.scoring import Scoring


@command()
@argument("systems", nargs=-1, required=True, metavar="HYP...")
@options.reference_option(
    "--ref", "references", "The reference, one segment per line.", metavar="REF", several=True
)
@segment_options
@options.file_options
@ALIGNMENT.option(
    "--resegment", type=click.Choice(["auto", "always", "never"]), default="auto",
    show_default=True,
    help="Put the text into the reference's segments: if it has another number of lines (auto), "
    "always, or never.",
)  # fmt: skip
@MEASURES.option(
    "--metrics", metavar="NAMES", default="auto", show_default=True, main=True,
    help="The metrics of sacrebleu, comma-separated: bleu, chrf (and chrF++), ter; none; or auto, "
    "all of them if sacrebleu is installed. WER and CER are always computed.",
)  # fmt: skip
@MEASURES.option(
    "--tokenize", metavar="NAME", default="auto", show_default=True,
    help="The tokenizer of BLEU, one of sacrebleu's: 13a, zh, char, intl … auto: 13a; for scripts "
    "that are written without spaces zh if most letters are Han, else char.",
)  # fmt: skip
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
    scoring = Scoring.from_options("sentences", given)
    found = scoring.evaluate(list(systems), list(references), task="sentences", **given)
    scoring.show(found, by_document=by_document)
