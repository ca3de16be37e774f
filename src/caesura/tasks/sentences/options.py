"""Options of sentences in the segments of a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.option import Options, encoding, option
from caesura.errors import UnknownNameError, UsageError

AUTO, NONE = "auto", "none"
UNITS = ("words", "characters")
RESEGMENT = ("auto", "always", "never")


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
