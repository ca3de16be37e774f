"""`caesura trees`: its arguments and options, as the command line and Python have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.command import Command, OutputLayout, gold_side
from caesura.core.option import Options, Read, encoding, flag, option
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
            make=Later("caesura.tasks.trees.output:evalb_text"),
            refuses=("by", "by_document"),
            needs="evalb",
            cure="add --evalb collins, new, or a file",
            reads=True,
        )
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreesOptions(Options):
    """Every option of trees. `blocks` is none: the counts are those of parts of a text."""

    labels: Literal["cut", "full"] = option(
        "cut", "cut: compare labels without their functions (NP for NP-SBJ or NP=2); full: as "
        "written.",
        group="Input",
    )  # fmt: skip
    keep_empty: bool = flag(
        "Keep empty elements (-NONE-) and the brackets over them.", group="Input",
    )  # fmt: skip
    algorithm: Literal["blocks", "jp"] = option(
        "blocks", "blocks: edges of brackets are equal if they are the same point of the text; "
        "jp: as in jp-evalb, edges inside tokens that differ move outwards, and equal brackets "
        "match once.",
        group="Alignment",
    )  # fmt: skip
    force: bool = flag("Score trees even if the texts seem unrelated.", group="Alignment")
    evalb: str | None = option(
        None, "Count brackets and tags as evalb does, line by line, with one of its parameter "
        "files or with the parameters that come with it: collins (COLLINS.prm) or new (new.prm).",
        metavar="FILE.prm", is_main=True,
    )  # fmt: skip
    encoding: str | None = encoding()
    blocks: bool = False

    def signature(self, read: Read) -> dict[str, object]:
        """Every option that can change a score, and the number of documents."""
        if self.evalb:
            return {"evalb": self.evalb, "docs": read.documents}
        return {
            "labels": self.labels,
            "empty": "keep" if self.keep_empty else "drop",
            "algorithm": self.algorithm,
            "docs": read.documents,
        }
