"""Options of morphemes."""

from __future__ import annotations

from dataclasses import dataclass

from caesura.core.option import Options, also_boundary, encoding, flag, require_boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class MorphemesOptions(Options):
    """How morphs are compared. `blocks` is no option: the counts are those of parts of files."""

    also: tuple[str, ...] = also_boundary()
    encoding: str | None = encoding()
    force: bool = flag("Pair lines of other words by their numbers.", group="Alignment")
    blocks: bool = False

    def __post_init__(self) -> None:
        require_boundary(self.also)
