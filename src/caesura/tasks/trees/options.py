"""Options of trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.core.option import flag, option
from caesura.tasks._aligned_text.options import AlignedOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class TreesOptions(AlignedOptions):
    """Every option of trees."""

    labels: Literal["cut", "full"] = option(
        "cut", "cut: compare labels without their functions (NP for NP-SBJ or NP=2); full: as "
        "written.",
        group="Input", signed=lambda own, _: "" if own.evalb else own.labels,
    )  # fmt: skip
    keep_empty: bool = flag(
        "Keep empty elements (-NONE-) and the brackets over them.", group="Input",
        signed_as="empty",
        signed=lambda own, _: "" if own.evalb else "keep" if own.keep_empty else "drop",
    )  # fmt: skip
    algorithm: Literal["blocks", "jp"] = option(
        "blocks", "blocks: edges of brackets are equal if they are the same point of the text; "
        "jp: as in jp-evalb, edges inside tokens that differ move outwards, and equal brackets "
        "match once.",
        group="Alignment", signed=lambda own, _: "" if own.evalb else own.algorithm,
    )  # fmt: skip
    force: bool = flag("Score trees even if the texts seem unrelated.", group="Alignment")
    evalb: str | None = option(
        None, "Count brackets and tags as evalb does, line by line, with one of its parameter "
        "files or with the parameters that come with it: collins (COLLINS.prm) or new (new.prm).",
        metavar="FILE.prm", is_main=True, signed=lambda own, _: own.evalb,
    )  # fmt: skip
