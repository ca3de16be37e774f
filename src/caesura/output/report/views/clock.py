"""The view of a signal: boundaries and labelled spans of each version, in time or samples."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np

from caesura.core.segmentation import IntArray
from caesura.output.report.views.packed import packed, unpacked
from caesura.output.report.views.reading import MOST_COUNTED, DocumentReading


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedSpans:
    """The labelled spans of a version, packed: the steps from start to start, lengths, and labels.

    `codes` are numbers into `names`, counted from 1; 0 is no label. Spans may overlap.
    """

    starts: str
    lengths: str
    codes: str
    names: tuple[str, ...]

    def is_sound(self, length: int) -> bool:
        """Whether every span starts on an axis of this length and has a label that there is."""
        starts, lengths, codes = map(unpacked, (self.starts, self.lengths, self.codes))
        return (
            starts.size == lengths.size == codes.size
            and _are_on_axis(starts, length)
            and 0 <= lengths.min(initial=0) <= lengths.max(initial=0) <= MOST_COUNTED
            and codes.max(initial=0) <= len(self.names)
        )


def packed_places(places: IntArray) -> str:
    """Places in order, as the first one and the steps to the next ones, packed."""
    return packed(np.diff(places, prepend=0))


def places(steps: str) -> IntArray:
    """The inverse of `packed_places`."""
    return np.cumsum(unpacked(steps))


def _are_on_axis(steps: IntArray, length: int) -> bool:
    """Whether places are in order and not beyond the length; sums are floats to be safe."""
    return steps.min(initial=0) >= 0 and float(steps.sum(dtype=np.float64)) <= length


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockReading(DocumentReading):
    """One document on a clock or on samples: the boundaries that count of each version.

    Places are microseconds or, on the axis of samples, samples, as `packed_places`. `scores` has a
    system's score of each sample as a byte, 255 for none, in base64; 254 stands for 1.
    """

    by_version: ClassVar[tuple[str, ...]] = ("spans", "scores")
    tolerance: int
    references: dict[str, str]
    systems: dict[str, str]
    length: int = 0
    axis: Literal["time", "samples"] = "time"
    spans: dict[str, PackedSpans] = field(default_factory=dict)
    scores: dict[str, str] = field(default_factory=dict)
    kind: Literal["clock"] = "clock"

    def joined(self, other: ClockReading) -> ClockReading:
        """Return the document with the systems of both, as long as the longer one."""
        both = DocumentReading.joined(self, other)
        return replace(both, length=max(self.length, other.length))

    def require_sound(self) -> None:
        """Raise a ValueError if a boundary or a span is not on the axis."""
        if not 0 <= self.length <= MOST_COUNTED:
            raise ValueError("it has a length that cannot be")
        for steps in (*self.references.values(), *self.systems.values()):
            if not _are_on_axis(unpacked(steps), self.length):
                raise ValueError("it has boundaries beyond its end")
        if not all(each.is_sound(self.length) for each in self.spans.values()):
            raise ValueError("it has spans that do not lie on its axis")
