"""Readings: a transcript as the page shows it, its words and where each version breaks them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from caesura.align.versions import Versions
from caesura.core.segmentation import Document, Final, IntArray, Labels, Segmentation
from caesura.formats.plain import surfaces

NO_BREAK = "\N{NO-BREAK SPACE}"
Steps = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Speakers:
    """Who speaks: for each turn a number into the names (-1 is nobody) and how many words."""

    names: tuple[str, ...]
    codes: tuple[int, ...]
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptReading:
    """One document: its words, or how many, and the boundaries that count of each version.

    Boundaries are stored as the first position and the steps to the next ones. `marks` holds one
    character for each boundary of a version that has marks, a blank where there is none.
    """

    document: str
    length: int
    words: str | None
    references: dict[str, Steps]
    systems: dict[str, Steps]
    marks: dict[str, str] = field(default_factory=dict)
    speakers: Speakers | None = None
    kind: Literal["transcript"] = "transcript"


def steps(positions: IntArray) -> Steps:
    """Positions as the first one and the steps to the next ones."""
    return tuple(np.diff(positions, prepend=0).tolist())


def positions(steps: Steps) -> IntArray:
    """The inverse of `steps`."""
    return np.cumsum(np.asarray(steps, np.int64))


def reading_of(document: str, versions: Versions, final: Final) -> TranscriptReading:
    """What the page shows of a document whose versions are on one axis of words."""
    everyone = versions.everyone
    axis = everyone[versions.axis]
    kept = {name: steps(each.segmentation.positions(final)) for name, each in everyone.items()}
    marks = {name: _marks(each.segmentation, final) for name, each in everyone.items()}
    return TranscriptReading(
        document=document,
        length=axis.segmentation.length,
        words=_words(axis),
        references={name: kept[name] for name in versions.references},
        systems={name: kept[name] for name in versions.systems},
        marks={name: each for name, each in marks.items() if each.strip()},
        speakers=_speakers(axis.track.speaker),
    )


def _words(document: Document) -> str | None:
    """The words as they were written, separated by spaces; else as they are compared."""
    if document.raw is not None:
        written = surfaces(document.raw)
        if len(written) == document.segmentation.length:
            return " ".join(word.replace(" ", NO_BREAK) for word in written)
    return document.text


def _marks(segmentation: Segmentation, final: Final) -> str:
    marks = segmentation.marks_at(final)
    return "" if marks is None else "".join(mark[:1] or " " for mark in marks.tolist())


def _speakers(labels: Labels | None) -> Speakers | None:
    if labels is None:
        return None
    starts = np.flatnonzero(np.diff(labels.codes, prepend=labels.codes[0] - 1))
    return Speakers(
        names=tuple(labels.names),
        codes=tuple(labels.codes[starts].tolist()),
        words=tuple(np.diff(starts, append=labels.codes.size).tolist()),
    )
