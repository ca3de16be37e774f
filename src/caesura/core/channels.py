"""Lanes: the channels of a recording with words and units in time, as NIST scores them."""

from __future__ import annotations

from dataclasses import dataclass

from caesura.core.segmentation import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Named spans of time, sorted by their midpoints."""

    start: IntArray
    end: IntArray
    names: list[str]
    kinds: list[str]

    def __len__(self) -> int:
        return self.start.size

    @property
    def middle(self) -> IntArray:
        """Twice the midpoint, which is a whole number."""
        return self.start + self.end


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """One channel of a recording: its words, its typed units, and what is excluded from scoring.

    `line` is the line of the source on which its first unit stands.
    """

    recording: str
    channel: str
    words: Spans
    units: Spans
    unscored: Spans
    extent: tuple[int, int]
    source: str = "<rttm>"
    line: int | None = None
