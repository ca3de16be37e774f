"""Options of trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.option import Read, flag, option
from caesura.tasks._aligned_text.options import AlignedOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class TreesOptions(AlignedOptions):
    """Every option of trees."""

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
