"""Cohen's κ where there are no words: over the cells of a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from caesura.core.batch import SegmentationBatch
from caesura.core.counts import Counts
from caesura.core.measure import Cut, PairMeasure
from caesura.core.score import ALSO, Score
from caesura.measures.boundary import Boundary, BoundaryCounts
from caesura.measures.geometry import Grid

UNIT = Grid(1)


@dataclass(frozen=True, slots=True)
class CellKappa(PairMeasure[BoundaryCounts]):
    """Cohen's κ of two annotators over the cells of a grid."""

    name: ClassVar[str] = "cells"
    counts: ClassVar[type[Counts]] = BoundaryCounts
    cut: ClassVar[Cut] = "whole"
    has_time: ClassVar[bool] = True
    has_words: ClassVar[bool] = False
    is_listed: ClassVar[bool] = False
    asked_by: ClassVar[str] = ALSO
    of_references: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("cohen_kappa", "Cohen κ", "Agreement of two annotators beyond chance.",
              views=("pair", "agreement", "plot"), take="kappa", of="references",
              keys=(("agreement", "cohen_kappa_mean"),)),
    )  # fmt: skip

    grid: Grid = UNIT

    def count_each(
        self, candidate: SegmentationBatch, reference: SegmentationBatch
    ) -> BoundaryCounts:
        """Count many documents."""
        return Boundary().count_each(self.grid.batch(candidate), self.grid.batch(reference))
