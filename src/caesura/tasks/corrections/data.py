"""Corrections: edits of a tokenized text, by annotator."""

from __future__ import annotations

from dataclasses import dataclass

from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.formats.texts import TextFile

NOOP, UNKNOWN = "noop", "UNK"


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedText:
    """A text and its edits, in the order of the file.

    An edit replaces the tokens from `first` to `last`, counted in the whole text, by `correction`,
    which may be empty; `line` is where it stands in the file. `who` says who made each edit, and
    `present` are the annotators of each sentence, also of those in which they changed nothing.
    """

    text: Text
    first: IntArray
    last: IntArray
    kind: list[str]
    correction: list[str]
    who: IntArray
    sentence: IntArray
    line: IntArray
    present: list[tuple[int, ...]]

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedFile(TextFile):
    """A text and its edits."""

    edits: CorrectedText
