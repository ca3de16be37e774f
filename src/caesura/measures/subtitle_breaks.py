"""Breaks of subtitles: line breaks and block breaks, each type by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.arrays import isin_sorted
from caesura.core.batch import Positions, SegmentationBatch, require_one_length_each
from caesura.core.counts import Counts, Matches, of_arrays
from caesura.core.line_breaks import BLOCK, LINE
from caesura.core.measure import PairMeasure
from caesura.core.score import ALSO, Score, matches
from caesura.core.segmentation import Final, MarkArray

KINDS = {"eol": LINE, "eob": BLOCK}
"""What the breaks are called, and the types of their boundaries."""


@dataclass(frozen=True, slots=True)
class BreakCounts(Counts):
    """For both types breaks that match in place and type, and how many there are on either side."""

    eol_hits: int
    eol_found: int
    eol_wanted: int
    eob_hits: int
    eob_found: int
    eob_wanted: int

    @property
    def eol(self) -> Matches:
        """Line breaks."""
        return Matches.from_totals(self.eol_hits, self.eol_found, self.eol_wanted)

    @property
    def eob(self) -> Matches:
        """Block breaks."""
        return Matches.from_totals(self.eob_hits, self.eob_found, self.eob_wanted)


@dataclass(frozen=True, slots=True)
class Breaks(PairMeasure[BreakCounts]):
    """P, R and F1 of line breaks (`<eol>`) and of block breaks (`<eob>`)."""

    name: ClassVar[str] = "breaks"
    counts: ClassVar[type[Counts]] = BreakCounts
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (
        *matches("eol", "eol", "line breaks"),
        *matches("eob", "eob", "block breaks"),
    )

    final: Final = "drop"

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> BreakCounts:
        """Count many documents."""
        require_one_length_each(candidate, reference)
        sides = [(each.positions(self.final), each.marks_at(self.final))
                 for each in (candidate, reference)]  # fmt: skip
        found = []
        for kind in KINDS.values():
            ours, theirs = (_of_type(positions, marks, kind) for positions, marks in sides)
            shared = ours.some(isin_sorted(ours.at, theirs.at))
            found += [shared.sizes, ours.sizes, theirs.sizes]
        return of_arrays(BreakCounts, *found)


def _of_type(positions: Positions, marks: MarkArray | None, kind: str) -> Positions:
    """The boundaries of a type; none where types are not known."""
    if marks is None:
        return positions.some(np.zeros(positions.at.size, np.bool_))
    return positions.some(marks == kind)
