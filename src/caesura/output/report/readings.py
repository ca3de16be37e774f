"""Readings: a transcript as the page shows it, its words and where each version breaks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from caesura.align.versions import Versions
from caesura.core.segmentation import Document, Final, IntArray, Labels, Segmentation
from caesura.formats.plain import surfaces
from caesura.run.cases import Case
from caesura.tasks.transcript import Transcript

NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Reading:
    """One document: its words, or how many, and the boundaries that count of each version.

    `marks` holds one character for each boundary of a version that has marks, a blank where there
    is none; `speakers` the names and, for each turn, a number into them (-1 is nobody) and how many
    words it has.
    """

    document: str
    length: int
    words: str | None
    references: Mapping[str, IntArray]
    systems: Mapping[str, IntArray]
    marks: Mapping[str, str] = field(default_factory=dict)
    speakers: Mapping[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values: positions as the first one and the steps to the next ones."""
        fields: dict[str, Any] = {"document": self.document, "length": self.length}
        if self.words is not None:
            fields["words"] = self.words
        fields["references"] = {name: _steps(each) for name, each in self.references.items()}
        fields["systems"] = {name: _steps(each) for name, each in self.systems.items()}
        if self.marks:
            fields["marks"] = dict(self.marks)
        if self.speakers:
            fields["speakers"] = dict(self.speakers)
        return fields

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Reading:
        """Take back what `to_dict` gave."""
        references, systems = (
            {name: np.cumsum(np.asarray(steps, np.int64)) for name, steps in values[side].items()}
            for side in ("references", "systems")
        )
        how = values.get("marks", {}), values.get("speakers")
        length, words = values["length"], values.get("words")
        return cls(values["document"], length, words, references, systems, *how)


def transcript_readings(task: Transcript, cases: Iterable[Case]) -> Iterator[dict[str, Any]]:
    """Read every document again and keep what the page shows of it."""
    for case in cases:
        versions = task.aligned(case)
        if versions is not None:
            yield _reading(task, case.document, versions).to_dict()


def _reading(task: Transcript, document: str, versions: Versions) -> Reading:
    everyone = versions.everyone
    axis = everyone[versions.axis]
    final = task.final
    kept = {name: each.segmentation.positions(final) for name, each in everyone.items()}
    marks = {name: _marks(each.segmentation, final) for name, each in everyone.items()}
    return Reading(
        document,
        axis.segmentation.length,
        _words(axis),
        {name: kept[name] for name in versions.references},
        {name: kept[name] for name in versions.systems},
        {name: each for name, each in marks.items() if each.strip()},
        _speakers(axis.track.speaker),
    )


def _steps(positions: IntArray) -> list[int]:
    steps: list[int] = np.diff(positions, prepend=0).tolist()
    return steps


def _words(document: Document) -> str | None:
    """The words as they were written, parted by blanks; else as they are compared."""
    if document.raw is not None:
        written = surfaces(document.raw)
        if len(written) == document.segmentation.length:
            return " ".join(word.replace(" ", NO_BREAK) for word in written)
    return document.text


def _marks(segmentation: Segmentation, final: Final) -> str:
    marks = segmentation.marks_at(final)
    return "" if marks is None else "".join(mark[:1] or " " for mark in marks.tolist())


def _speakers(labels: Labels | None) -> dict[str, Any] | None:
    if labels is None:
        return None
    starts = np.flatnonzero(np.diff(labels.codes, prepend=labels.codes[0] - 1))
    return {
        "names": list(labels.names),
        "codes": labels.codes[starts].tolist(),
        "words": np.diff(starts, append=labels.codes.size).tolist(),
    }
