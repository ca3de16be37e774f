"""Corrections of one document, read and counted: the edits of a system against gold ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Literal

import numpy as np

from caesura.core.row import Row
from caesura.core.text import Text
from caesura.errors import SegmentationError
from caesura.io.files import read_utf8
from caesura.measures.breakdown import BreakdownCounts
from caesura.measures.joint import AlignedTexts
from caesura.run.inputs import Case
from caesura.run.values import refuse_path
from caesura.tasks._aligned_text import block_ends, require_one_text, source_of, system_rows
from caesura.tasks.corrections.format import CorrectedText, Edit, parse_m2
from caesura.tasks.corrections.measures import CorrectionCounts, Corrections, blocks_of
from caesura.tasks.corrections.options import CorrectionsOptions

AROUND = 4
Side = Literal["system", "gold"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditError:
    """An edit that only one side has: where, what it replaces, by what, and what is around it."""

    side: Side
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
class CorrectionsTask(CorrectionsOptions):
    """How corrections are compared; every option that can change a number.

    `blocks` changes no number: the counts are those of blocks of each text, which add up to it.
    """

    def __post_init__(self) -> None:
        Corrections.from_task(self)

    def read(self, version: Any) -> CorrectedText:
        """Read corrections, unless they are in memory."""
        if isinstance(version, CorrectedText):
            return version
        path = fspath(version)
        return parse_m2(read_utf8(path, self.encoding), path, force=self.force)

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self.count_and_read(case, reads=False)[0]

    def count_and_read(
        self, case: Case, *, reads: bool = True
    ) -> tuple[list[Row], list[EditErrors]]:
        """The rows of one document and, with `reads`, every edit that only one side has."""
        ((reference, path),) = case.references.items()
        gold = self.read(path)
        rows = [Row(reference, case.document, "source", None, source_of(gold.text))]
        errors: dict[str, tuple[EditError, ...]] = {}
        for name, path in case.systems.items():
            system = self.read(path)
            texts = AlignedTexts.from_texts(system.text, gold.text)
            require_one_text(texts, force=self.force)
            points, ends = np.zeros(1, np.int64), [0]
            if self.blocks:
                points = block_ends(texts, sentences=1)
                ends = texts.sentences.gold[points][1:].tolist()
            counts = [CorrectionCounts.zero() for _ in ends]
            types = [BreakdownCounts.zero() for _ in ends]
            wrong: list[EditError] = []
            for block in blocks_of(system, gold, texts, Corrections.from_task(self)):
                part = int(np.searchsorted(points[1:-1], block.number, side="right"))
                counts[part] += block.counts
                types[part] += block.types
                if reads:
                    wrong += _wrong_edits("system", system.text, block.extra)
                    wrong += _wrong_edits("gold", gold.text, block.missing)
            columns: dict[str, Sequence[Any]] = {"corrections": counts, "types": types}
            rows += system_rows(case, name, source_of(system.text), (ends, columns))
            errors[name] = tuple(wrong)
        return rows, [EditErrors(document=case.document, errors=errors)]


def _wrong_edits(side: Side, text: Text, edits: Iterable[Edit]) -> Iterator[EditError]:
    """The edits that only one side has, with the words around them."""
    for edit in dict.fromkeys(edits):
        stop = min(text.token_ends.size, edit.last + AROUND)
        yield EditError(
            side=side,
            place=f"{text.source}:{edit.line}",
            kind=edit.kind,
            before=" ".join(text.tokens(max(0, edit.first - AROUND), edit.first)),
            text=" ".join(text.tokens(edit.first, edit.last)),
            correction=edit.correction,
            after=" ".join(text.tokens(edit.last, stop)),
        )


def as_corrections(value: object, *, task: CorrectionsTask, source: str = "<m2>") -> CorrectedText:
    """Convert a value to corrections: the text of an M2 file, a list of its lines, or a path."""
    if isinstance(value, CorrectedText | PathLike):
        return task.read(value)
    if isinstance(value, str):
        refuse_path(value, source)
        lines: list[str] | tuple[str, ...] = [value]
    elif isinstance(value, list | tuple) and all(isinstance(line, str) for line in value):
        lines = value
    else:
        raise SegmentationError(
            f"{source}: {value!r} is not M2; give its text, a list of its lines, or a path"
        )
    return parse_m2("\n".join(lines).encode(errors="replace"), source, force=task.force)
