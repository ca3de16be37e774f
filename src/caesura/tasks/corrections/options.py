"""`caesura corrections`: its arguments and options, as the command line and Python have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.command import Command, OutputLayout, gold_side
from caesura.core.option import Options, Read, encoding, flag, option
from caesura.core.registry import Later

COMMAND = Command(
    about="""HYP and GOLD are PATH or NAME=PATH: a file, a folder or a glob of M2 files (matched by
    file name), - or a URL. The sentences that are corrected may be cut differently on both sides,
    and so may their tokens.

    \b
    Examples:
      caesura corrections ours.m2 --gold gold.m2 --by type
      caesura corrections a.m2 b.m2 --gold gold.m2 --compare --confidence
      caesura corrections ours.m2 --gold gold.m2 --match span --show-errors 10
      caesura corrections ours.m2 --gold gold.m2 --annotators errant -f errant
    """,
    systems="HYP...",
    sides=(gold_side("The gold corrections."),),
    groups=("type", "operation", "main"),
    by="Add a table of edits by type (R:NOUN), by operation (M missing, U unnecessary, R replaced) "
    "or by main type (NOUN): ERRANT's -cat 3, 1 and 2. Repeatable.",
    layouts={"errant": OutputLayout(make=Later("caesura.tasks.corrections.output:errant_text"))},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionsOptions(Options):
    """Every option of corrections. `blocks` is none: the counts are those of parts of a text."""

    force: bool = flag(
        "Score texts even if they seem unrelated, and ignore edits outside their sentence.",
        group="Alignment",
    )
    match: Literal["correction", "type", "span", "token"] = option(
        "correction", "What must be equal: the span and the correction; the type, too; the span "
        "only; or the tokens that are corrected (ERRANT's -cs, -cse, -ds and -dt).",
        is_main=True,
    )  # fmt: skip
    annotators: Literal["best", "errant"] = option(
        "best", "Of several annotators, take in each sentence the one with the best F of that "
        "sentence; or, as ERRANT does, the one with the best F of all sentences up to it.",
    )  # fmt: skip
    beta: float = option(
        0.5, "The weight of recall, for the choice of annotators and for -f errant.",
        metavar="B", above=0,
    )  # fmt: skip
    encoding: str | None = encoding()
    blocks: bool = False

    def signature(self, read: Read) -> dict[str, object]:
        """Every option that can change a score, and the number of documents."""
        return {
            "match": self.match,
            "annotators": self.annotators,
            "beta": f"{self.beta:g}",
            "docs": read.documents,
        }
