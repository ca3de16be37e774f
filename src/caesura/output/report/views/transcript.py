"""The view of a transcript: its words, and where each version breaks them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from caesura.core.segmentation import (
    IntArray,
)
from caesura.output.report.views.reading import MOST_COUNTED, DocumentReading

Steps = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Speakers:
    """Who speaks: for each turn a number into the names (-1 is nobody) and how many words."""

    names: tuple[str, ...]
    codes: tuple[int, ...]
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a version has where its words differ from those of the axis.

    `at` are the words of the axis that it lacks or has another for: its `words`, empty if it has
    none. `before` are those before which it has extra words, `inserted`; the end counts as one.
    """

    at: Steps
    words: str
    before: Steps
    inserted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptReading(DocumentReading):
    """One document: its words, or how many, and the boundaries that count of each version.

    Boundaries are stored as the first position and the steps to the next ones. `marks` holds one
    character for each boundary of a version that has marks, a blank where there is none. Words are
    separated by a space; one is empty where a word that was normalised into several goes on.
    """

    by_version: ClassVar[tuple[str, ...]] = ("marks", "heard")
    length: int
    words: str | None
    references: dict[str, Steps]
    systems: dict[str, Steps]
    marks: dict[str, str] = field(default_factory=dict)
    heard: dict[str, Heard] = field(default_factory=dict)
    speakers: Speakers | None = None
    kind: Literal["transcript"] = "transcript"

    def require_sound(self) -> None:
        """Raise a ValueError if a boundary is not among the words."""
        for steps in (*self.references.values(), *self.systems.values()):
            if not 0 <= sum(steps) <= self.length <= MOST_COUNTED or min(steps, default=0) < 0:
                raise ValueError(f"it has boundaries beyond its {_size(self.length)} words")


def _size(length: int) -> str:
    """A number of words, which may have thousands of digits where a file is damaged."""
    return f"{length:,}" if abs(length) <= MOST_COUNTED else "countless"


def steps(positions: IntArray) -> Steps:
    """Positions as the first one and the steps to the next ones."""
    return tuple(np.diff(positions, prepend=0).tolist())


def positions(steps: Steps) -> IntArray:
    """The inverse of `steps`."""
    return np.cumsum(np.asarray(steps, np.int64))
