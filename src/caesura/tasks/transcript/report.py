"""Transcripts for the report: what is kept of a document, on the axis of words or of time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from caesura.align.versions import Versions
from caesura.align.words import Edits, codes
from caesura.core.segmentation import (
    NO_BREAK,
    Document,
    Final,
    IntArray,
    Segmentation,
    WordNames,
)
from caesura.formats.plain import surfaces
from caesura.output.report.views.transcript import (
    Heard,
    Speakers,
    Steps,
    TranscriptReading,
    steps,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReading:
    """One document on the axis of time: when each version has a boundary, in microseconds.

    Moments are stored as the first one and the steps to the next ones.
    """

    document: str
    tolerance: int
    references: dict[str, Steps]
    systems: dict[str, Steps]
    kind: Literal["clock"] = "clock"


KeptTranscript = TranscriptReading | ClockReading


def clock_reading(document: str, versions: Versions, tolerance: int) -> ClockReading:
    """What is kept of a document whose versions are on the axis of time."""
    references, systems = (
        {name: steps(each.segmentation.positions()) for name, each in side.items()}
        for side in (versions.references, versions.systems)
    )
    return ClockReading(
        document=document, tolerance=tolerance, references=references, systems=systems
    )


def reading_of(document: str, versions: Versions, final: Final) -> TranscriptReading:
    """What the page shows of a document whose versions are on one axis of words."""
    everyone = versions.everyone
    axis = everyone[versions.axis]
    kept = {name: steps(each.segmentation.positions(final)) for name, each in everyone.items()}
    marks = {name: _marks(each.segmentation, final) for name, each in everyone.items()}
    return TranscriptReading(
        document=document,
        length=axis.segmentation.length,
        words=None if axis.text is None else _joined(written(axis)),
        references={name: kept[name] for name in versions.references},
        systems={name: kept[name] for name in versions.systems},
        marks={name: each for name, each in marks.items() if each.strip()},
        heard={name: heard(*each, axis) for name, each in versions.misheard.items()},
        speakers=_speakers(axis.track.speaker),
    )


def written(document: Document) -> list[str]:
    """The words as they were written, where that is known; else as they are compared."""
    before = document.written
    raw = document.raw if before is None else before.raw
    words = [] if raw is None else surfaces(raw)
    length = document.segmentation.length
    if before is not None and len(words) == before.offsets.size - 1:
        return _regrouped(words, before.offsets, length)
    return words if before is None and len(words) == length else document.words


def _regrouped(words: list[str], offsets: IntArray, length: int) -> list[str]:
    """Words as written at the places of what they were normalised into.

    One that became several stands at the first; one that was dropped stands with the word before
    it, or, at the beginning, with the word after it.
    """
    places = np.where(np.diff(offsets) > 0, offsets[:-1], np.maximum(offsets[:-1] - 1, 0))
    found = [""] * length
    for word, at in zip(words, places.tolist(), strict=True):
        found[at] = f"{found[at]} {word}" if found[at] else word
    return found


def heard(own: Document, edits: Edits, axis: Document) -> Heard:
    """Where the words of a version differ from those of the axis, and what it has there."""
    ours, theirs = codes(own.text or "", axis.text or "")
    words = [word or compared for word, compared in zip(written(own), own.words, strict=True)]
    aligned = np.flatnonzero(edits.is_aligned)
    partner = np.full(theirs.size, -1)
    partner[edits.landing[aligned]] = aligned
    at = np.flatnonzero((partner < 0) | (ours[partner] != theirs))
    inserted = np.flatnonzero(~edits.is_aligned)
    return Heard(
        at=steps(at),
        words=_joined("" if word < 0 else words[word] for word in partner[at].tolist()),
        before=steps(edits.landing[inserted] + 1),
        inserted=_joined(words[word] for word in inserted.tolist()),
    )


def _joined(words: Iterable[str]) -> str:
    return " ".join(word.replace(" ", NO_BREAK) for word in words)


def _marks(segmentation: Segmentation, final: Final) -> str:
    marks = segmentation.marks_at(final)
    return "" if marks is None else "".join(mark[:1] or " " for mark in marks.tolist())


def _speakers(labels: WordNames | None) -> Speakers | None:
    if labels is None:
        return None
    starts = np.flatnonzero(np.diff(labels.codes, prepend=labels.codes[0] - 1))
    return Speakers(
        names=tuple(labels.names),
        codes=tuple(labels.codes[starts].tolist()),
        words=tuple(np.diff(starts, append=labels.codes.size).tolist()),
    )
