"""`caesura terms`: term discovery in speech."""

from __future__ import annotations

from caesura.core.command import Command, SideOption

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
