"""`caesura sentences`: WER, CER, BLEU, chrF and TER in the segments of a reference."""

from __future__ import annotations

from caesura.core.command import Command, SideOption

DOCIDS = SideOption(
    flag="--docids",
    name="docids",
    help="The document of each reference segment, one per line; the text then has one line for "
    "each document, and no cut crosses documents.",
    metavar="FILE",
    is_required=False,
    is_reference=False,
)
COMMAND = Command(
    about="""HYP and REF are PATH or NAME=PATH: a file, a folder or a glob of texts (matched by file
    name), - or a URL. A text that is not cut as the reference is put into its segments first, at
    the least edit cost, as `caesura resegment` does.

    \b
    Examples:
      caesura sentences asr.txt --ref ref.txt
      caesura sentences a.txt b.txt --ref ref.txt --confidence --compare
      caesura sentences hyp.txt --ref ref.txt --docids docids.txt --by-document
      caesura sentences hyp.txt --ref ref.txt --tokens bare --metrics none
    """,
    systems="HYP...",
    sides=(
        SideOption(
            flag="--ref",
            name="references",
            help="The reference, one segment per line.",
            metavar="REF",
            is_repeated=True,
        ),
        DOCIDS,
    ),
)
