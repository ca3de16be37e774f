"""Extents: how much of the documents a number is of, by which means over people are weighted.

They are counted where annotators vary from document to document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from caesura.core.batch import PanelBatch, SegmentationBatch
from caesura.core.counts import Counts
from caesura.core.measure import PairMeasure, PanelMeasure
from caesura.core.row import EXTENT, PANEL_EXTENT
from caesura.core.segmentation import Final
from caesura.measures.geometry import WORDS, Axis


@dataclass(frozen=True, slots=True)
class ExtentCounts(Counts):
    """The slots of documents that two or more have; on a clock their time, in microseconds."""

    extent: int

    def swapped(self) -> ExtentCounts:
        """The same with candidate and reference swapped."""
        return self


def _extent(batch: SegmentationBatch, axis: Axis, final: Final) -> ExtentCounts:
    """The slots of documents, or in time their durations."""
    return ExtentCounts(axis.extents(batch, final))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Extent(PairMeasure[ExtentCounts]):
    """The extent of what a candidate and a reference both have."""

    name: ClassVar[str] = EXTENT
    counts: ClassVar[type[Counts]] = ExtentCounts
    has_time: ClassVar[bool] = True
    of_references: ClassVar[bool] = True
    asked_by: ClassVar[str] = "varies"
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}

    final: Final = "drop"
    axis: Axis = WORDS

    def count_each(
        self,
        candidate: SegmentationBatch,
        reference: SegmentationBatch,  # noqa: ARG002
    ) -> ExtentCounts:
        """Count many documents."""
        return _extent(candidate, self.axis, self.final)


@dataclass(frozen=True, slots=True)
class PanelExtent(PanelMeasure[ExtentCounts]):
    """The extent of what a candidate and some references have."""

    name: ClassVar[str] = PANEL_EXTENT
    counts: ClassVar[type[Counts]] = ExtentCounts
    has_time: ClassVar[bool] = True
    asked_by: ClassVar[str] = "varies"
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}

    final: Final = "drop"
    axis: Axis = WORDS

    @property
    def has_ceiling(self) -> bool:
        """Whether people are counted, too, each against all others."""
        return True

    def count_each(self, candidate: SegmentationBatch, panel: PanelBatch) -> ExtentCounts:  # noqa: ARG002
        """Count many documents."""
        return _extent(candidate, self.axis, self.final)
