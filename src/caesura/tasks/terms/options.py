"""Options of terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.option import Options, Read, encoding, flag, option


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsOptions(Options):
    """How discovered terms are scored.

    `recordings` is no option: each recording is counted alone, too.
    """

    profile: Literal["2017", "paper"] = option(
        "2017", "2017: as the challenge's program computes it; paper: as published.",
        signed=lambda own, _: own.profile,
    )  # fmt: skip
    ties: Literal["decimal", "double"] = option(
        "decimal", "With --profile paper, between two phone boundaries that are equally near: "
        "decimal takes the earlier; double leaves it to the rounding of double precision, as in "
        "figures in print.",
        needs=(("profile", "paper"),),
        signed=lambda own, _: own.ties if own.profile == "paper" else "",
    )  # fmt: skip
    parts: int = option(
        1, "Also split the recordings into N equal parts and report mean and standard deviation.",
        metavar="N", least=1, unset="no parts",
        signed=lambda own, _: own.parts if own.parts > 1 else "",
    )  # fmt: skip
    seed: int = option(
        12345, "The seed of random numbers, which choose the parts.", on="rows",
        signed=lambda own, _: own.seed if own.parts > 1 else "",
    )  # fmt: skip
    within_talker: bool = flag(
        "Also score each talker separately and report mean and standard deviation."
    )
    talkers: str | None = option(
        None, "The talkers: a file of FILE TALKER lines, or a regular expression for the "
        "recording's name, such as '^(s\\d\\d)'.",
        group="Input", metavar="FILE|PATTERN", unset="one talker per recording",
        signed=lambda own, _: (own.talkers or "recording") if own.is_by_talker else "",
    )  # fmt: skip
    encoding: str | None = encoding()
    recordings: bool = False

    @property
    def is_by_talker(self) -> bool:
        """Whether talkers are scored separately; naming them implies it."""
        return self.within_talker or self.talkers is not None

    def signature(self, read: Read) -> dict[str, object]:
        """Every option that can change a score; a corpus is one document."""
        return self.signed(read)
