"""Options of sentences in the segments of a reference, and the command `caesura sentences`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.command import Command, SideOption
from caesura.core.option import Options, encoding, option
from caesura.errors import UnknownNameError, UsageError

AUTO, NONE = "auto", "none"
UNITS = ("words", "characters")
RESEGMENT = ("auto", "always", "never")
COMPARED = {
    "exact": ("WER and CER count punctuation and case; to leave both out, use --tokens bare.",),
    "lower": ("WER and CER count punctuation; to leave it out, use --tokens bare.",),
}
"""What is said below the error rates, by how words are compared."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencesOptions(Options):
    """How texts are put into segments and scored.

    `metrics` are those of sacrebleu, comma-separated; `auto` is all of them, if it is installed.
    `blocks` is no option: the counts are those of parts of each text.
    """

    tokens: Literal["exact", "lower", "bare"] = option(
        "lower", "How words are compared: as written, in lower case, or in lower case without "
        "punctuation at their edges.",
        group="Alignment",
    )  # fmt: skip
    units: Literal["auto", "words", "characters"] = option(
        AUTO, "Align words, or characters of scripts that are written without spaces (Chinese, "
        "Japanese, Thai …). auto: by the script of the reference.",
        group="Alignment",
    )  # fmt: skip
    resegment: Literal["auto", "always", "never"] = option(
        AUTO, "Put the text into the reference's segments: if it has another number of lines "
        "(auto), always, or never.",
        group="Alignment",
    )  # fmt: skip
    metrics: str = option(
        AUTO, "The metrics of sacrebleu, comma-separated: bleu, chrf (and chrF++), ter; none; or "
        "auto, all of them if sacrebleu is installed. WER and CER are always computed.",
        metavar="NAMES", is_main=True,
    )  # fmt: skip
    tokenize: str = option(
        AUTO, "The tokenizer of BLEU, one of sacrebleu's: 13a, zh, char, intl … auto: 13a; for "
        "scripts that are written without spaces zh if most letters are Han, else char.",
        metavar="NAME", needs=(("metrics", "bleu"), ("metrics", AUTO)),
    )  # fmt: skip
    encoding: str | None = encoding()
    blocks: bool = False

    def __post_init__(self) -> None:
        for name in ("metrics", "tokenize"):
            if not isinstance(getattr(self, name), str):
                raise UsageError(f"{name} cannot be {getattr(self, name)!r}; give a string")
        if self.resegment not in RESEGMENT:
            raise UnknownNameError("way to resegment", self.resegment, RESEGMENT)
