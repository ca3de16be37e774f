"""Units: those that are right from where to where they go, and as clusters of items.

Elementary discourse units are right where they start, connectives from their first token to their
last: Zeldes et al. (2019), The DISRPT 2019 shared task on elementary discourse unit segmentation
and connective detection. The adjusted Rand index: Hubert and Arabie (1985), Comparing partitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from caesura.core.arrays import isin_sorted, union
from caesura.core.batch import Positions, SegmentationBatch, offsets_of, require_one_length_each
from caesura.core.counts import NAN, Counts, Matches, harmonic, of_arrays, ratio
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
    compared: ClassVar[Literal["starts", "spans", "by label"]]
    """What of two units has to be the same; by label, the spans of connectives, else the starts."""

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> UnitCounts:
        """Count many documents."""
        require_one_length_each(candidate, reference)
        ours, theirs = _Units.from_batch(candidate), _Units.from_batch(reference)
        is_right = isin_sorted(ours.starts.at, theirs.starts.at)
        if self.compared != "starts":
            partners = isin_sorted(theirs.starts.at, ours.starts.at)
            is_same = ours.ends[is_right] == theirs.ends[partners]
            if self.compared == "by label":
                is_same |= ~(ours.is_connective[is_right] | theirs.is_connective[partners])
            is_right[is_right] = is_same
        tp = ours.starts.tally(is_right)
        return of_arrays(UnitCounts, tp, ours.starts.sizes - tp, theirs.starts.sizes - tp)

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: anything but where a unit of both ends."""
        return between_common_ends(candidate, reference)


@dataclass(frozen=True, slots=True)
class Starts(UnitMeasure):
    """Precision, recall and F1 of the items at which labelled units start."""

    name: ClassVar[str] = "starts"
    compared = "starts"
    scores: ClassVar[tuple[Score, ...]] = _scores("start", "the items at which units start")


@dataclass(frozen=True, slots=True)
class UnitSpans(UnitMeasure):
    """Precision, recall and F1 of labelled units, right from their first item to their last."""

    name: ClassVar[str] = "spans"
    compared = "spans"
    scores: ClassVar[tuple[Score, ...]] = _scores("span", "units, right from first to last item")


@dataclass(frozen=True, slots=True)
class Discourse(UnitMeasure):
    """As DISRPT scores: connectives by their spans, other units by their starts."""

    name: ClassVar[str] = "discourse"
    compared = "by label"
    scores: ClassVar[tuple[Score, ...]] = _scores(
        "discourse", "the starts of discourse units, or the spans of connectives"
    )


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
        labelled = Positions(starts, ends.offsets).some(is_unit)
        return cls(labelled, ends.at[is_unit], is_connective[is_unit])


def between_common_ends(one: Segmentation, other: Segmentation) -> Spans:
    """The spans between the places where units of both end."""
    common = one.boundaries[isin_sorted(one.boundaries, other.boundaries)]
    return np.append(0, common + 1)[:-1], common


ADJUSTED_RAND_INDEX = Score(
    "adjusted_rand_index", "ARI", "Pairs of items in one unit or not, corrected for chance."
)


@dataclass(frozen=True, slots=True)
class RandCounts(Counts):
    """Pairs of items in one unit on both sides, of the candidate and of the reference."""

    both: int
    placed: int
    wanted: int
    length: int

    @property
    def adjusted_rand_index(self) -> float:
        """(both - chance) / (mean of placed and wanted - chance).

        Chance is placed · wanted / all pairs. It is 1 where that is 0/0, since then both sides are
        the same: every item alone, or all together.
        """
        values = (np.asarray(value, object)[()] for value in self.to_dict().values())
        both, placed, wanted, length = values  # Python's integers, whose products do not overflow
        pairs, by_chance = length * (length - 1) // 2, placed * wanted
        above = 2 * (both * pairs - by_chance)
        index = ratio(above, pairs * (placed + wanted) - 2 * by_chance, 1.0)
        if isinstance(index, np.ndarray):
            index[length == 0] = NAN
            return index
        return index if length else NAN


@dataclass(frozen=True, slots=True)
class Rand(PairMeasure[RandCounts]):
    """The adjusted Rand index of the units, as clusters of words."""

    name: ClassVar[str] = "rand"
    counts: ClassVar[type[Counts]] = RandCounts
    cut: ClassVar[Cut] = "spans"
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (ADJUSTED_RAND_INDEX,)

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> RandCounts:
        """Count many documents; an item that stands for what follows a part is none of it."""
        require_one_length_each(candidate, reference)
        ours, theirs = (each.positions("keep").at for each in (candidate, reference))
        shared, _ = union(int(candidate.lengths.sum()), [ours, theirs])
        stops = offsets_of(candidate.lengths)[1:]
        pairs = (pairs_together(ends + 1, stops) for ends in (shared, ours, theirs))
        return of_arrays(RandCounts, *pairs, candidate.lengths - candidate.is_open)

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: anything but where a unit of both ends."""
        return between_common_ends(candidate, reference)


def pairs_together(ends: IntArray, stops: IntArray) -> IntArray:
    """The pairs of items in one unit, up to each stop; units end before `ends`."""
    sizes = np.diff(ends, prepend=0)
    pairs = offsets_of(sizes * (sizes - 1) // 2)
    return np.diff(pairs[np.searchsorted(ends, stops, side="right")], prepend=0)
