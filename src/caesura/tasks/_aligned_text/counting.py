"""Paired texts: what tasks have in common that align a system's text with a gold text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np

from caesura.core.counts import Counts
from caesura.core.row import Row, SourceCounts
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.errors import CaesuraError, option
from caesura.formats.texts import File
from caesura.measures.joint import AlignedTexts
from caesura.run.inputs import Case
from caesura.tasks._aligned_text.options import AlignedOptions

SHOWN = 40
SENTENCES = 10
MOST = 1000
Found = Iterator[tuple[str, int, Counts]]
"""What is counted of a pair: the measure, the block, the counts."""


def require_one_text(texts: AlignedTexts, *, force: bool) -> None:
    """Raise an error if less than half of two texts can be aligned."""
    sides = texts.system, texts.gold
    size = sum(len(text.stream) for text in sides)
    if force or not all(text.stream for text in sides) or 4 * texts.aligned >= size:
        return
    ours, theirs = (" ".join(text.tokens(0, 8))[:SHOWN] for text in sides)
    raise CaesuraError(
        f"{texts.system.source}: only {2 * texts.aligned / size:.0%} of the characters can be "
        f"aligned with {texts.gold.source}: this one begins “{ours}”, that one “{theirs}”; "
        f"check that they are the same text, or use {option('force')}"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTexts(AlignedOptions, Generic[File]):
    """A task whose documents are a system's text and a gold text.

    `blocks` changes no number: the counts are those of blocks of each text, which add up to it.
    """

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self.counted(case, None)

    def counted(self, case: Case, errors: dict[str, Any] | None) -> list[Row]:
        """The same; `errors` gets those of each system, if it is given."""
        ((name, path),) = case.references.items()
        gold = self.read(path)
        rows = [Row(name, case.document, "source", None, source_of(gold.text))]
        for system, place in case.systems.items():
            file = self.read(place)
            alignment = None
            if self.is_aligned or errors is not None:
                alignment = AlignedTexts.from_texts(file.text, gold.text)
            found = list(self.count_pair(file, gold, alignment if self.is_aligned else None))
            read = source_of(
                file.text, self.noticed(file, gold, [counts for _, _, counts in found])
            )
            rows.append(Row(system, case.document, "source", None, read))
            rows += [
                Row(system, case.document, measure, name, counts, block=block)
                for measure, block, counts in found
            ]
            if errors is not None and alignment is not None:
                errors[system] = self.errors_of(system, case.document, alignment, (file, gold))
        return self.scored(rows)

    @property
    def is_aligned(self) -> bool:
        """Whether counting needs texts that are aligned."""
        return True

    def read(self, version: object) -> File:
        """Read a text, unless it is in memory."""
        raise NotImplementedError

    def noticed(self, system: File, gold: File, counts: Sequence[Counts]) -> dict[str, int]:  # noqa: ARG002
        """What is noticed of a system's text beside the gold one, and in their counts."""
        return {}

    def count_pair(self, system: File, gold: File, alignment: AlignedTexts | None) -> Found:
        """Count one system's text against gold."""
        raise NotImplementedError

    def errors_of(
        self,
        system: str,
        document: str,
        alignment: AlignedTexts,
        files: tuple[File, File],
    ) -> tuple[object, ...]:
        """What is wrong in a document."""
        raise NotImplementedError

    def scored(self, rows: list[Row]) -> list[Row]:
        """The rows of what is scored."""
        return rows


def source_of(text: Text, noticed: Mapping[str, int] | None = None) -> SourceCounts:
    """What was read of a text, and noticed of it."""
    size = text.token_ends.size, text.sentence_ends.size + text.signs.get("empty_trees", 0)
    return SourceCounts(1, *size, (text.form,), {**text.signs, **(noticed or {})})


def block_ends(alignment: AlignedTexts, sentences: int = SENTENCES) -> IntArray:
    """Sync points of sentences that are some gold sentences apart, 1,000 blocks at most.

    From one to the next there are gold sentences; the first point is the beginning, the last the
    end.
    """
    gold = alignment.sentences.gold
    size = int(gold[-1])
    number = min(MOST, max(1, round(size / sentences)))
    step = np.round(gold * number / max(1, size)).astype(np.int64)
    first = np.searchsorted(step, np.arange(1, number))
    inner = np.unique(first[(gold[first] > 0) & (gold[first] < size)])
    inner = inner[np.diff(gold[inner], prepend=0) > 0]
    return np.concatenate(([0], inner, [gold.size - 1]))
