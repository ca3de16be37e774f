"""Options of corrections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.option import Read, flag, option
from caesura.tasks._aligned_text.options import AlignedOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionsOptions(AlignedOptions):
    """Every option of corrections."""

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

    def signature(self, read: Read) -> dict[str, object]:
        """Every option that can change a score, and the number of documents."""
        return {
            "match": self.match,
            "annotators": self.annotators,
            "beta": f"{self.beta:g}",
            "docs": read.documents,
        }
