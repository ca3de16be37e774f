"""Options of chunks."""

from __future__ import annotations

from dataclasses import dataclass

from caesura.core.option import Options, also_boundary, encoding, option, require_boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunksOptions(Options):
    """Where the texts are, and which chunkers are run. `blocks` is no option."""

    documents: str | None = option(
        None, "The texts that offsets refer to: a folder, or a file, named as in GOLD.",
        group="Input", metavar="FOLDER", is_main=True,
    )  # fmt: skip
    run: tuple[str, ...] = option(
        (), "Run a chunker and score its chunks, such as fixed:800, fixed:800:400, sentences:800, "
        "paragraphs, best, langchain:800.",
        group="Input", metavar="CHUNKER", is_repeated=True, is_main=True,
    )  # fmt: skip
    also: tuple[str, ...] = also_boundary()
    encoding: str | None = encoding()
    blocks: bool = False

    def __post_init__(self) -> None:
        require_boundary(self.also)
