"""Corrections: the edits of a system against gold ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from caesura.core.row import Row
from caesura.io.files import read_utf8
from caesura.measures.breakdown import BreakdownCounts
from caesura.measures.joint import AlignedTexts
from caesura.run.inputs import Case
from caesura.tasks._aligned_text.counting import Found, PairedTexts, block_ends, require_one_text
from caesura.tasks.corrections.data import CorrectedFile, CorrectedText
from caesura.tasks.corrections.format import parse_m2
from caesura.tasks.corrections.measures import (
    AlignedCorrections,
    CorrectionCounts,
    Corrections,
)
from caesura.tasks.corrections.options import CorrectionsOptions

AROUND = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EditError:
    """An edit that only one side has: where, what it replaces, by what, and what is around it."""

    side: Literal["system", "gold"]
    place: str
    kind: str
    before: str
    text: str
    correction: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditErrors:
    """The edits of a document that only one side has, by system."""

    document: str
    errors: dict[str, tuple[EditError, ...]]
    kind: Literal["edit_errors"] = "edit_errors"


@dataclass(frozen=True, slots=True)
class CorrectionsTask(PairedTexts[CorrectedFile], CorrectionsOptions):
    """How corrections are compared; every option that can change a number."""

    def __post_init__(self) -> None:
        self.measure  # noqa: B018

    @property
    def measure(self) -> Corrections:
        """The measure with these options."""
        return Corrections(self.match, self.annotators, self.beta)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[EditErrors]]:
        """The rows of one document, and every edit that only one side has."""
        errors: dict[str, tuple[EditError, ...]] = {}
        rows = self.counted(case, errors)
        return rows, [EditErrors(document=case.document, errors=errors)]

    def count_pair(
        self, system: CorrectedFile, gold: CorrectedFile, alignment: AlignedTexts | None
    ) -> Found:
        """Edits and their types, of the whole or of blocks that add up to it."""
        assert alignment is not None
        require_one_text(alignment, force=self.force)
        points = block_ends(alignment, sentences=1) if self.blocks else None
        sums: dict[int, tuple[CorrectionCounts, BreakdownCounts]] = {}
        ends = [0] if points is None else alignment.sentences.gold[points][1:].tolist()
        for end in ends:
            sums[end] = CorrectionCounts.zero(), BreakdownCounts.zero()
        for block in self._aligned(system, gold, alignment).blocks():
            at = 0 if points is None else np.searchsorted(points[1:], block.number, side="right")
            end = ends[min(int(at), len(ends) - 1)]
            counts, types = sums[end]
            sums[end] = counts + block.counts, types + block.types
        for end, (counts, types) in sums.items():
            yield "corrections", end, counts
            yield "types", end, types

    def _aligned(
        self, system: CorrectedFile, gold: CorrectedFile, texts: AlignedTexts
    ) -> AlignedCorrections:
        return AlignedCorrections(system.edits, gold.edits, texts, self.measure)

    def errors_of(
        self,
        system: str,  # noqa: ARG002
        document: str,  # noqa: ARG002
        alignment: AlignedTexts,
        files: tuple[CorrectedFile, CorrectedFile],
    ) -> tuple[EditError, ...]:
        """Every edit that only one side has."""
        aligned = self._aligned(*files, alignment)
        found = []
        for block in aligned.blocks():
            sides = (aligned.system, block.extra), (aligned.gold, block.missing)
            for name, (text, edits) in zip(("system", "gold"), sides, strict=True):
                found += [_error(name, text, at) for at in dict.fromkeys(edits)]
        return tuple(found)

    def parsed(self, data: bytes, source: str) -> CorrectedFile:
        """Read M2 from UTF-8 bytes."""
        edits = parse_m2(data, source, force=self.force)
        return CorrectedFile(edits.text, edits=edits)

    def read(self, version: Any) -> CorrectedFile:
        """Read corrections, unless they are in memory."""
        if isinstance(version, CorrectedFile):
            return version
        return self.parsed(read_utf8(version, self.encoding), version)


def _error(side: Any, own: CorrectedText, at: int) -> EditError:
    text, first, last = own.text, int(own.first[at]), int(own.last[at])
    size = text.token_ends.size
    return EditError(
        side=side,
        place=f"{text.source}:{own.line[at]}",
        kind=own.kind[at],
        before=" ".join(text.tokens(max(0, first - AROUND), first)),
        text=" ".join(text.tokens(first, last)),
        correction=own.correction[at],
        after=" ".join(text.tokens(last, min(size, last + AROUND))),
    )
