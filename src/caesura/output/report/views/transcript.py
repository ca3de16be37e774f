"""The view of a transcript: its words, and where each version breaks them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

import numpy as np

from caesura.core.segmentation import (
    IntArray,
)
from caesura.output.report.views.reading import MOST_COUNTED, Reading

T = TypeVar("T")
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
class TranscriptReading(Reading):
    """One document: its words, or how many, and the boundaries that count of each version.

    Boundaries are stored as the first position and the steps to the next ones. `marks` holds one
    character for each boundary of a version that has marks, a blank where there is none. Words are
    separated by a space; one is empty where a word that was normalised into several goes on.
    """

    document: str
    length: int
    words: str | None
    references: dict[str, Steps]
    systems: dict[str, Steps]
    marks: dict[str, str] = field(default_factory=dict)
    heard: dict[str, Heard] = field(default_factory=dict)
    speakers: Speakers | None = None
    kind: Literal["transcript"] = "transcript"

    @property
    def key(self) -> str:
        """The document."""
        return self.document

    def renamed(self, system: str) -> TranscriptReading:
        """Return a copy whose only system, if it has one, has another name."""
        if not self.systems:
            return self
        (old,) = self.systems
        return replace(
            self,
            systems={system: self.systems[old]},
            marks=with_key(self.marks, old, system),
            heard=with_key(self.heard, old, system),
        )

    def joined(self, other: TranscriptReading) -> TranscriptReading:
        """Return the document with the systems of both."""
        return replace(
            self,
            systems={**self.systems, **other.systems},
            marks={**self.marks, **other.marks},
            heard={**self.heard, **other.heard},
        )

    def require_sound(self) -> None:
        """Raise a ValueError if a boundary is not among the words."""
        for steps in (*self.references.values(), *self.systems.values()):
            if not 0 <= sum(steps) <= self.length <= MOST_COUNTED or min(steps, default=0) < 0:
                raise ValueError(f"it has boundaries beyond its {_size(self.length)} words")


def with_key(values: Mapping[str, T], old: str, new: str) -> dict[str, T]:
    """The same values, one of them under another name."""
    return {new if key == old else key: value for key, value in values.items()}


def _size(length: int) -> str:
    """A number of words, which may have thousands of digits where a file is damaged."""
    return f"{length:,}" if abs(length) <= MOST_COUNTED else "countless"


def steps(positions: IntArray) -> Steps:
    """Positions as the first one and the steps to the next ones."""
    return tuple(np.diff(positions, prepend=0).tolist())


def positions(steps: Steps) -> IntArray:
    """The inverse of `steps`."""
    return np.cumsum(np.asarray(steps, np.int64))
