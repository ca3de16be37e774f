"""Options of terms, and the command `caesura terms`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.command import Command, SideOption
from caesura.core.option import Options, Read, encoding, filled, flag, option

COMMAND = Command(
    about="""SYSTEM is PATH or NAME=PATH of a class file: `Class 1`, then FILE ON OFF lines, then a
    blank line. Times are in seconds.

    \b
    Examples:
      caesura terms found.class --phones gold.phn --words gold.wrd
      caesura terms a.class b.class --phones g.phn --words g.wrd --profile paper
      caesura terms a.class --phones g.phn --words g.wrd --within-talker
    """,
    sides=(
        SideOption(
            flag="--phones",
            name="phones",
            help="The gold phones: FILE ON OFF LABEL lines, .ctm, a .TextGrid or a folder of them.",
            metavar="FILE",
            is_reference=False,
        ),
        SideOption(
            flag="--words",
            name="words",
            help="The gold words, in the same formats.",
            metavar="FILE",
            is_reference=False,
        ),
    ),
    has_documents=False,
    has_errors=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsOptions(Options):
    """How discovered terms are scored.

    `recordings` is no option: each recording is counted alone, too.
    """

    profile: Literal["2017", "paper"] = option(
        "2017", "2017: as the challenge's program computes it; paper: as published.",
    )  # fmt: skip
    ties: Literal["decimal", "double"] = option(
        "decimal", "With --profile paper, between two phone boundaries that are equally near: "
        "decimal takes the earlier; double leaves it to the rounding of double precision, as in "
        "figures in print.",
        needs=(("profile", "paper"),),
    )  # fmt: skip
    parts: int = option(
        1, "Also split the recordings into N equal parts and report mean and standard deviation.",
        metavar="N", least=1, unset="no parts",
    )  # fmt: skip
    seed: int = option(
        12345, "The seed of random numbers, which choose the parts.", on="rows",
    )  # fmt: skip
    within_talker: bool = flag(
        "Also score each talker separately and report mean and standard deviation."
    )
    talkers: str | None = option(
        None, "The talkers: a file of FILE TALKER lines, or a regular expression for the "
        "recording's name, such as '^(s\\d\\d)'.",
        group="Input", metavar="FILE|PATTERN", unset="one talker per recording",
    )  # fmt: skip
    encoding: str | None = encoding()
    recordings: bool = False

    @property
    def is_by_talker(self) -> bool:
        """Whether talkers are scored separately; naming them implies it."""
        return self.within_talker or self.talkers is not None

    def signature(self, read: Read) -> dict[str, object]:  # noqa: ARG002
        """Every option that can change a score; a corpus is one document."""
        return filled(
            {
                "profile": self.profile,
                "ties": self.ties if self.profile == "paper" else "",
                "parts": self.parts if self.parts > 1 else "",
                "seed": self.seed if self.parts > 1 else "",
                "talkers": (self.talkers or "recording") if self.is_by_talker else "",
            }
        )
