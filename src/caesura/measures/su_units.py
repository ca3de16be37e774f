"""Units as NIST's md-eval has them, and the pairs of units that it maps."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import NamedTuple

import numpy as np

from caesura.core.arrays import is_dense
from caesura.core.batch import SegmentationBatch
from caesura.core.segmentation import BoolArray, Final, IntArray, MarkArray
from caesura.matching.paths import BandPairs, Floats, bands, best_path, certain_pairs, narrowed

_MARK = np.dtype("<U1")


APART = 1
"""Words between documents, so that no unit touches another document's."""


_AT_LEAST = 8
"""Certain pairs are looked for again as long as one row in this many has one."""


@dataclass(frozen=True, slots=True, eq=False)
class SuUnits:
    """Units on the words of the reference: the first and last word of each, and its type."""

    first: IntArray
    last: IntArray
    types: MarkArray

    @classmethod
    def from_batch(cls, batch: SegmentationBatch, final: Final, is_typed: BoolArray) -> SuUnits:
        """The units of many documents, with types in some of them."""
        units, marks = batch.positions(final, APART), batch.marks_at(final)
        first = np.concatenate(([0], units.at[:-1] + 1))[: units.at.size]
        if len(batch) > 1:
            has_units = units.sizes > 0
            first[units.offsets[:-1][has_units]] = batch.starts(APART)[has_units]
        if marks is None or not is_typed.any():
            marks = np.zeros(first.size, dtype=_MARK)
        elif not is_typed.all():
            marks = np.where(np.repeat(is_typed, units.sizes), marks, "")
        return cls(first, units.at, marks)

    def some(self, which: IntArray | BoolArray) -> SuUnits:
        """Some of the units."""
        return SuUnits(self.first[which], self.last[which], self.types[which])


class _Tails(NamedTuple):
    """The last words of units, those that count, from the first to the last; types are numbers."""

    first: IntArray
    last: IntArray
    types: IntArray

    @classmethod
    def from_sides(cls, theirs: SuUnits, ours: SuUnits, tolerance: int) -> tuple[_Tails, _Tails]:
        """The tails of two sides."""
        types = type_codes(theirs.types, ours.types)
        first, other = (
            np.maximum(each.first, each.last - (tolerance - 1)) for each in (theirs, ours)
        )
        return cls(first, theirs.last, types[0]), cls(other, ours.last, types[1])

    def some(self, which: IntArray) -> _Tails:
        """Some of the tails."""
        return _Tails(self.first[which], self.last[which], self.types[which])


def type_codes(a: MarkArray, b: MarkArray) -> tuple[IntArray, IntArray]:
    """The types of two sides as numbers."""
    if a.dtype == b.dtype == _MARK:
        return np.ascontiguousarray(a).view(np.int32), np.ascontiguousarray(b).view(np.int32)
    codes = np.unique(np.concatenate((a, b)), return_inverse=True)[1]
    return codes[: a.size], codes[a.size :]


def types_at(last: IntArray, our_last: IntArray, our_types: IntArray) -> IntArray:
    """1 more than the type that our units have at each end; 0 where none of them ends."""
    if not our_last.size:
        return np.zeros(last.size, dtype=np.int64)
    if is_dense(int(max(last[-1], our_last[-1])), last, our_last):
        ends = np.zeros(int(max(last[-1], our_last[-1])) + 1, dtype=np.int32)
        ends[our_last] = our_types + 1
        return ends[last].astype(np.int64)
    at = np.minimum(np.searchsorted(our_last, last), our_last.size - 1)
    return np.where(our_last[at] == last, our_types[at] + 1, 0)


def mapped_units(candidate: SuUnits, reference: SuUnits, tolerance: int) -> IntArray:
    """For each unit of the reference the candidate's unit that it is paired with, or -1.

    Pairs follow each other on both sides and share the most last words in all, weighted as md-eval
    does. Pairs that are certain are taken at once, and again as long as they leave many certain;
    the rest is searched for. The slow twin is `slow_path` of tests/measures/test_su.py.
    """
    theirs, ours = _Tails.from_sides(reference, candidate, tolerance)
    low, high = bands(theirs.first - 1, theirs.last + 1, ours.first, ours.last)
    mapped = np.full(low.size, -1, dtype=np.int64)
    rows = np.flatnonzero(high > low)  # units of the reference that are open; their bands below
    low, high, found = low[rows], high[rows], rows.size
    while rows.size and _AT_LEAST * found >= rows.size:
        at, columns = certain_pairs(low, high, _Worth.from_tails(theirs.some(rows), ours).rough)
        mapped[rows[at]], found = columns, at.size
        low, high = narrowed(low, high, at, columns)
        left = np.flatnonzero(high > low)
        rows, low, high = rows[left], low[left], high[left]
    mapped[rows] = _Worth.from_tails(theirs.some(rows), ours).best_columns(low, high)
    return mapped


class _Worth(NamedTuple):
    """What pairs of units are worth.

    md-eval takes (shared words + 0.1) · w / (w + 0.1), w being how many words count of the unit
    of the reference (10^-8 above the bar if none do), a tenth more if the types are the same and
    a thousandth more if the last words are.
    """

    theirs: _Tails
    ours: _Tails
    shares: Floats  # (units of the reference,) w / (w + 0.1), up to a factor of 10 and rounding

    @classmethod
    def from_tails(cls, theirs: _Tails, ours: _Tails) -> _Worth:
        """What pairs of tails are worth."""
        widths = theirs.last - theirs.first + 1
        return cls(theirs, ours, np.maximum(widths, 1e-8) / (10 * widths + 1))

    def rough(self, rows: IntArray | slice, columns: IntArray) -> Floats:
        """What pairs are worth, up to rounding; 0 where there is no pair."""
        shared, bonus = self._parts(rows, columns)
        return np.maximum(10 * shared + 1, 0) * bonus * self.shares[rows]

    def best_columns(self, low: IntArray, high: IntArray) -> IntArray:
        """For each row the column that it is paired with, or -1."""
        pairs = BandPairs.from_bands(low, high)
        shared, bonus = self._parts(pairs.left, pairs.right)
        widths = self.theirs.last - self.theirs.first + 1
        known, which = np.unique(widths[pairs.left], return_inverse=True)
        weights = _weights(known.tolist())
        values = np.where(shared < 0, -1, (10 * shared + 1) * bonus).tolist()
        gains = [
            None if value < 0 else value * weights[at]  # whole numbers of any size
            for value, at in zip(values, which.tolist(), strict=True)
        ]
        columns = np.full(low.size, -1)
        for row, other in best_path(pairs, gains, [0] * low.size, [0] * self.ours.last.size):
            columns[row] = other
        return columns

    def _parts(self, rows: IntArray | slice, columns: IntArray) -> tuple[IntArray, IntArray]:
        """How many words pairs share, and the bonus for types and last words."""
        (first, last, types), (our_first, our_last, our_types) = self.theirs, self.ours
        end, other_end = last[rows], our_last[columns]
        shared = np.minimum(end, other_end) - np.maximum(first[rows], our_first[columns]) + 1
        bonus = (10 + (types[rows] == our_types[columns])) * (1000 + (end == other_end))
        return shared, bonus


def _weights(widths: list[int]) -> list[int]:
    """What w / (w + 0.1) is for some w, as whole numbers, so that sums are exact."""
    common = lcm(*(10 * width + 1 for width in widths))
    scale = 1 if all(widths) else 10**8
    return [(width * scale or 1) * common // (10 * width + 1) for width in widths]
