"""Options that texts, trees and corrections share."""

from __future__ import annotations

from dataclasses import dataclass

from caesura.core.option import Options, encoding, flag


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedOptions(Options):
    """What they share. `blocks` is no option: the counts are those of parts of each text."""

    encoding: str | None = encoding()
    force: bool = flag("Score texts even if they seem unrelated.", group="Alignment")
    blocks: bool = False
