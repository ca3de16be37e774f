"""Cells of a grid where there are no words: Cohen's κ, and which cells hold a boundary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from caesura.core.batch import SegmentationBatch
from caesura.core.counts import Counts
from caesura.core.measure import Cut, PairMeasure
from caesura.core.score import ALSO, Score
from caesura.measures.boundary import Boundary, BoundaryCounts
from caesura.measures.geometry import CellGrid

UNIT = CellGrid(1)


@dataclass(frozen=True, slots=True)
class CellKappa(PairMeasure[BoundaryCounts]):
    """Cohen's κ of two annotators over the cells of a grid; P, R and F1 of a system's cells."""

    name: ClassVar[str] = "cells"
    counts: ClassVar[type[Counts]] = BoundaryCounts
    cut: ClassVar[Cut] = "whole"
    has_time: ClassVar[bool] = True
    has_words: ClassVar[bool] = False
    asked_by: ClassVar[str] = ALSO
    is_implied: ClassVar[bool] = True
    of_references: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("cohen_kappa", "Cohen κ", "Agreement of two annotators beyond chance.",
              views=("pair", "agreement", "headline"), take="kappa", of="references",
              keys=(("agreement", "cohen_kappa_mean"),)),
        Score("cell_precision", "cell P", "Cells with a boundary of both / cells of the system.",
              take="precision", is_special=True),
        Score("cell_recall", "cell R", "Cells with a boundary of both / cells of the reference.",
              take="recall", is_special=True),
        Score("cell_f1", "cell F1", "Harmonic mean of cell P and cell R.", take="f1",
              is_special=True),
    )  # fmt: skip

    grid: CellGrid = UNIT

    def count_each(
        self, candidate: SegmentationBatch, reference: SegmentationBatch
    ) -> BoundaryCounts:
        """Count many documents."""
        return Boundary().count_each(self.grid.batch(candidate), self.grid.batch(reference))
