"""Labelled units: where they start, and from where to where they go, as DISRPT scores them.

Elementary discourse units are right where they start, connectives from their first token to their
last: Zeldes et al. (2019), The DISRPT 2019 shared task on elementary discourse unit segmentation
and connective detection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.arrays import isin_sorted
from caesura.core.batch import Positions, SegmentationBatch, require_one_length_each
from caesura.core.counts import Counts, Matches, harmonic, of_arrays
from caesura.core.measure import Cut, PairMeasure, Spans
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import OUTSIDE, BoolArray, IntArray, Segmentation

CONNECTIVE = "conn"
"""The label of units that are right from first to last; others are right where they start."""
_FORMULAS = {
    "precision": ("P", "TP / (TP + FP)"),
    "recall": ("R", "TP / (TP + FN)"),
    "f1": ("F1", "2·P·R / (P + R)"),
}


@dataclass(frozen=True, slots=True)
class UnitCounts(Matches):
    """Right, wrong and missed units; F1 is computed from P and R, as seg_eval.py has it."""

    @property
    def f1(self) -> float:
        """2·P·R / (P + R)."""
        return harmonic(self.precision, self.recall)


def _scores(prefix: str, what: str) -> tuple[Score, ...]:
    return tuple(
        Score(f"{prefix}_{name}", f"{prefix} {label}", f"{formula} of {what}.", take=name)
        for name, (label, formula) in _FORMULAS.items()
    )


@dataclass(frozen=True, slots=True)
class UnitMeasure(PairMeasure[UnitCounts]):
    """A measure of labelled units: all but what lies between units."""

    counts: ClassVar[type[Counts]] = UnitCounts
    cut: ClassVar[Cut] = "spans"
    asked_by: ClassVar[str] = ALSO

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> UnitCounts:
        """Count many documents."""
        raise NotImplementedError

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: anything but where a unit of both ends."""
        return between_common_ends(candidate, reference)


@dataclass(frozen=True, slots=True)
class Starts(UnitMeasure):
    """Precision, recall and F1 of the items at which labelled units start."""

    name: ClassVar[str] = "starts"
    scores: ClassVar[tuple[Score, ...]] = _scores("start", "the items at which units start")

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> UnitCounts:
        """Count many documents."""
        return _right_starts(*_both_units(candidate, reference))


@dataclass(frozen=True, slots=True)
class UnitSpans(UnitMeasure):
    """Precision, recall and F1 of labelled units, right from their first item to their last."""

    name: ClassVar[str] = "spans"
    scores: ClassVar[tuple[Score, ...]] = _scores("span", "units, right from first to last item")

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> UnitCounts:
        """Count many documents."""
        return _right_spans(*_both_units(candidate, reference))


@dataclass(frozen=True, slots=True)
class Discourse(UnitMeasure):
    """As DISRPT scores: connectives by their spans, other units by their starts."""

    name: ClassVar[str] = "discourse"
    scores: ClassVar[tuple[Score, ...]] = _scores(
        "discourse", "the starts of discourse units, or the spans of connectives"
    )

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> UnitCounts:
        """Count many documents."""
        ours, theirs = _both_units(candidate, reference)
        return _counts(ours, theirs, _is_right(ours, theirs, by_label=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """The labelled units of many documents: where they start and end, and the connectives."""

    starts: Positions
    ends: IntArray
    is_connective: BoolArray

    @classmethod
    def from_batch(cls, batch: SegmentationBatch) -> _Units:
        """What goes on after a part is no unit of it."""
        ends = batch.positions("keep")
        starts = np.append(0, ends.at + 1)[:-1]
        is_unit = np.ones(starts.size, np.bool_)
        is_unit[batch.offsets[1:][batch.is_open] - 1] = False
        is_connective = np.zeros(starts.size, np.bool_)
        if batch.marks is not None:
            is_unit &= batch.marks != OUTSIDE
            is_connective = batch.marks == CONNECTIVE
        kept = Positions(starts, ends.offsets).some(is_unit)
        return cls(kept, ends.at[is_unit], is_connective[is_unit])


def between_common_ends(one: Segmentation, other: Segmentation) -> Spans:
    """The spans between the places where units of both end."""
    common = one.boundaries[isin_sorted(one.boundaries, other.boundaries)]
    return np.append(0, common + 1)[:-1], common


def _both_units(
    candidate: SegmentationBatch, reference: SegmentationBatch
) -> tuple[_Units, _Units]:
    require_one_length_each(candidate, reference)
    return _Units.from_batch(candidate), _Units.from_batch(reference)


def _right_starts(ours: _Units, theirs: _Units) -> UnitCounts:
    return _counts(ours, theirs, isin_sorted(ours.starts.at, theirs.starts.at))


def _right_spans(ours: _Units, theirs: _Units) -> UnitCounts:
    return _counts(ours, theirs, _is_right(ours, theirs, by_label=False))


def _is_right(ours: _Units, theirs: _Units, *, by_label: bool) -> BoolArray:
    """Which units are right from first to last; or, by their labels, connectives only."""
    is_right = isin_sorted(ours.starts.at, theirs.starts.at)
    partners = isin_sorted(theirs.starts.at, ours.starts.at)
    is_same = ours.ends[is_right] == theirs.ends[partners]
    if by_label:
        is_same |= ~(ours.is_connective[is_right] | theirs.is_connective[partners])
    is_right[is_right] = is_same
    return is_right


def _counts(ours: _Units, theirs: _Units, is_right: BoolArray) -> UnitCounts:
    tp = ours.starts.tally(is_right)
    return of_arrays(UnitCounts, tp, ours.starts.sizes - tp, theirs.starts.sizes - tp)
