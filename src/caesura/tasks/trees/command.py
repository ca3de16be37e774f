"""`caesura trees`: constituency trees, however tokens and sentences are cut."""

from __future__ import annotations

from caesura.core.command import Command, OutputLayout, gold_side
from caesura.core.registry import Later

COMMAND = Command(
    about="""SYSTEM and GOLD are PATH or NAME=PATH: a file, a folder or a glob of bracketed trees
    (matched by file name), - or a URL. A tree may be on a line of its own, share it with others or
    be spread over several. Tags, tokens and sentences are scored, too, so that you see where the
    loss is.

    \b
    Examples:
      caesura trees parser.mrg --gold gold.mrg --by label
      caesura trees a.mrg b.mrg --gold gold.mrg --compare --confidence
      caesura trees parser.mrg --gold gold.mrg --show-errors 5 --html report.html
      caesura trees parser.mrg --gold gold.mrg --evalb collins -f evalb
    """,
    sides=(gold_side("The gold trees."),),
    groups=("label", "length"),
    by="Add a table of brackets by label, or by length of the gold sentence. Repeatable.",
    layouts={
        "evalb": OutputLayout(
            make=Later("caesura.tasks.trees.evalb_tables:evalb_text"),
            refuses=("by", "by_document"),
            needs="evalb",
            cure="add --evalb collins, new, or a file",
            reads=True,
        )
    },
)
