"""SU scoring: sentence units as NIST's md-eval counts them, by their exact ends and as events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import lcm
from typing import ClassVar, NamedTuple

import numpy as np

from caesura.core.batch import SegmentationBatch, require_one_length_each
from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.ranks import Ranks
from caesura.core.score import Score
from caesura.core.segmentation import (
    BoolArray,
    Final,
    IntArray,
    MarkArray,
    Segmentation,
    is_dense,
)
from caesura.measures import lattice
from caesura.measures.base import Cut, PairMeasure
from caesura.measures.paths import (
    WIDE,
    BandPairs,
    Floats,
    bands,
    best_path,
    certain_pairs,
    narrowed,
)

ERRORS = {
    "deletions": ("Ndel", "Missed units"),
    "insertions": ("Nins", "Extra units"),
    "substitutions": ("Nsub", "Units of the wrong type"),
}
_MARK = np.dtype("<U1")
_APART = 1
"""Words between documents, so that no unit touches another document's."""
_AT_LEAST = 8
"""Certain pairs are looked for again as long as one row in this many has one."""


@dataclass(frozen=True, slots=True)
class SuCounts(Counts):
    """Errors among the units of the reference, by exact end and by event.

    Exact: an end counts on its own word. Event: units are paired that end near each other.
    """

    reference: int
    exact_deletions: int
    exact_insertions: int
    exact_substitutions: int
    deletions: int
    insertions: int
    substitutions: int

    @property
    def exact_errors(self) -> int:
        """Deletions, insertions and substitutions by exact end."""
        return self.exact_deletions + self.exact_insertions + self.exact_substitutions

    @property
    def errors(self) -> int:
        """Deletions, insertions and substitutions by event."""
        return self.deletions + self.insertions + self.substitutions

    @property
    def score(self) -> float:
        """The error rate by exact end, which md-eval calls the overall score."""
        return ratio(self.exact_errors, self.reference)


def _scores(key: str, field: str, heading: str, how: str) -> Iterator[Score]:
    """The errors of one way to count, each as a number and as a rate, and all of them as a rate."""

    def rate(name: str) -> Callable[[SuCounts], float]:
        return lambda counts: ratio(getattr(counts, name), counts.reference)

    after = " by event" if heading else ""
    for name, (short, what) in ERRORS.items():
        yield Score(
            f"su_{field}{name}", f"{heading}{short}", f"{what}, {how}.", None, ("su",),
            f"{field}{name}", group="su", short=f"{field}{name}", is_count=True,
        )  # fmt: skip
    yield Score(
        f"{key}_error_rate", f"SU error{after}", f"Errors {how} / reference units.", "low",
        ("su", "compare"), rate(f"{field}errors"), heading=f"{heading}error",
    )  # fmt: skip
    for name, (_, what) in ERRORS.items():
        yield Score(
            f"{key}_{name[:-1]}_rate", f"SU {name[:-1]}{after}", f"{what} {how} / reference units.",
            "low", (), rate(f"{field}{name}"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Su(PairMeasure):
    """NIST's SU error rates; units are paired by their last `tolerance` words.

    If one side has no types, all units count as one type.
    """

    name: ClassVar[str] = "su"
    counts: ClassVar[type[Counts]] = SuCounts
    cut: ClassVar[Cut] = "whole"
    asked_by: ClassVar[str] = "su"
    task_options: ClassVar[dict[str, str]] = {"tolerance": "", "final": ""}
    scores: ClassVar[tuple[Score, ...]] = (
        Score("su_reference", "Nref", "Units of the reference.", None, ("su",), "reference",
              group="su", short="reference", is_count=True),
        *_scores("su", "exact_", "", "by exact end"),
        *_scores("su_event", "", "event ", "by event"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 1}

    tolerance: int = 2
    final: Final = "keep"

    def count(self, candidate: Segmentation, reference: Segmentation) -> SuCounts:
        """Count one candidate against one reference, on the same words."""
        return self.count_each(
            SegmentationBatch.from_one(candidate), SegmentationBatch.from_one(reference)
        ).each()[0]

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> SuCounts:
        """Count many documents."""
        require_one_length_each(candidate, reference)
        is_typed = candidate.is_marked_with(reference)
        placed, wanted = (each.positions(self.final, _APART) for each in (candidate, reference))
        ours, theirs = (
            SuUnits.from_batch(each, self.final, is_typed) for each in (candidate, reference)
        )
        mapped = mapped_units(ours, theirs, self.tolerance)
        types, our_types = _type_codes(theirs.types, ours.types)
        is_met = mapped >= 0
        used = mapped[is_met]
        found = _types_at(theirs.last, ours.last[used], our_types[used])
        both, met = wanted.tally(found > 0), wanted.tally(is_met)
        is_wrong = is_met.copy()
        is_wrong[is_met] = our_types[used] != types[is_met]
        return of_arrays(
            SuCounts,
            wanted.sizes,
            wanted.sizes - both,
            placed.sizes - both,
            both - wanted.tally(is_met & (found == types + 1)),
            wanted.sizes - met,
            placed.sizes - met,
            wanted.tally(is_wrong),
        )


@dataclass(frozen=True, slots=True, eq=False)
class SuUnits:
    """Units on the words of the reference: the first and last word of each, and its type."""

    first: IntArray
    last: IntArray
    types: MarkArray

    @classmethod
    def from_batch(cls, batch: SegmentationBatch, final: Final, is_typed: BoolArray) -> SuUnits:
        """The units of many documents, with types in some of them."""
        units, marks = batch.positions(final, _APART), batch.marks_at(final)
        first = np.concatenate(([0], units.at[:-1] + 1))[: units.at.size]
        if len(batch) > 1:
            has_units = units.sizes > 0
            first[units.offsets[:-1][has_units]] = batch.starts(_APART)[has_units]
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
        types = _type_codes(theirs.types, ours.types)
        first, other = (
            np.maximum(each.first, each.last - (tolerance - 1)) for each in (theirs, ours)
        )
        return cls(first, theirs.last, types[0]), cls(other, ours.last, types[1])

    def some(self, which: IntArray) -> _Tails:
        """Some of the tails."""
        return _Tails(self.first[which], self.last[which], self.types[which])


def _type_codes(a: MarkArray, b: MarkArray) -> tuple[IntArray, IntArray]:
    """The types of two sides as numbers."""
    if a.dtype == b.dtype == _MARK:
        return np.ascontiguousarray(a).view(np.int32), np.ascontiguousarray(b).view(np.int32)
    codes = np.unique(np.concatenate((a, b)), return_inverse=True)[1]
    return codes[: a.size], codes[a.size :]


def count_units(candidate: SuUnits, reference: SuUnits, mapped: IntArray) -> SuCounts:
    """Count; `mapped` holds for each unit of the reference the candidate's one, or -1."""
    met, used = np.flatnonzero(mapped >= 0), mapped[mapped >= 0]
    types, our_types = _type_codes(reference.types, candidate.types)
    wanted, placed = np.maximum(reference.last, 0), np.maximum(candidate.last, 0)
    kinds = int(max(types.max(initial=0), our_types.max(initial=0))) + 1
    both = _common(wanted, placed[used])
    right = _common(wanted[met] * kinds + types[met], placed[used] * kinds + our_types[used])
    return SuCounts(
        reference=wanted.size,
        exact_deletions=wanted.size - both,
        exact_insertions=placed.size - both,
        exact_substitutions=both - right,
        deletions=wanted.size - met.size,
        insertions=placed.size - met.size,
        substitutions=int(np.count_nonzero(our_types[used] != types[met])),
    )


def _types_at(last: IntArray, our_last: IntArray, our_types: IntArray) -> IntArray:
    """1 more than the type that our units have at each end; 0 where none of them ends."""
    if not our_last.size:
        return np.zeros(last.size, dtype=np.int64)
    if is_dense(int(max(last[-1], our_last[-1])), last, our_last):
        ends = np.zeros(int(max(last[-1], our_last[-1])) + 1, dtype=np.int32)
        ends[our_last] = our_types + 1
        return ends[last].astype(np.int64)
    at = np.minimum(np.searchsorted(our_last, last), our_last.size - 1)
    return np.where(our_last[at] == last, our_types[at] + 1, 0)


def _is_laid_out(*ends: IntArray) -> bool:
    """Whether ends are in order, without repetition, and not far from each other."""
    return all(
        each.size and each[0] >= 0 and bool((each[1:] > each[:-1]).all()) for each in ends
    ) and is_dense(int(max(each[-1] for each in ends)) + 1, *ends)


def _common(a: IntArray, b: IntArray) -> int:
    """How many values two arrays share, each as often as both have it."""
    (ones, many), (others, more) = (np.unique(each, return_counts=True) for each in (a, b))
    _, here, there = np.intersect1d(ones, others, assume_unique=True, return_indices=True)
    return int(np.minimum(many[here], more[there]).sum())


def mapped_units(candidate: SuUnits, reference: SuUnits, tolerance: int) -> IntArray:
    """For each unit of the reference the candidate's unit that it is paired with, or -1.

    Pairs follow each other on both sides and share the most last words in all, weighted as md-eval
    does. Pairs that are certain are taken at once; the rest is searched for.
    """
    theirs, ours = _Tails.from_sides(reference, candidate, tolerance)
    low, high = _bands(theirs, ours)
    mapped = np.full(low.size, -1, dtype=np.int64)
    rows = np.flatnonzero(high > low)
    low, high, found = low[rows], high[rows], rows.size
    while rows.size and _AT_LEAST * found >= rows.size:
        at, columns = certain_pairs(low, high, _Worth(theirs.some(rows), ours).rough)
        mapped[rows[at]], found = columns, at.size
        low, high = narrowed(low, high, at, columns)
        left = np.flatnonzero(high > low)
        rows, low, high = rows[left], low[left], high[left]
    mapped[rows] = _Worth(theirs.some(rows), ours).best_columns(low, high)
    return mapped


def _bands(theirs: _Tails, ours: _Tails) -> tuple[IntArray, IntArray]:
    """The candidate's units that each unit of the reference can meet, or touch."""
    if not _is_laid_out(theirs.first, theirs.last, ours.first, ours.last):
        return bands(theirs.first - 1, theirs.last + 1, ours.first, ours.last)
    size = int(max(ours.first[-1], ours.last[-1])) + 1
    ends, begins = (Ranks.from_places(each, size) for each in (ours.last, ours.first))
    return ends.at(np.clip(theirs.first - 1, 0, size)), begins.at(np.minimum(theirs.last + 2, size))


class _Worth(NamedTuple):
    """What pairs of units are worth.

    md-eval takes (shared words + 0.1) · w / (w + 0.1), w being how many words count of the unit
    of the reference (10^-8 above the bar if none do), a tenth more if the types are the same and
    a thousandth more if the last words are.
    """

    theirs: _Tails
    ours: _Tails

    def rough(self, rows: IntArray | slice, columns: IntArray) -> Floats:
        """What pairs are worth, up to rounding; 0 where there is no pair."""
        widths, shared, bonus = self._parts(rows, columns)
        share = np.where(widths > 0, widths, 1e-8) / (10 * widths + 1)
        return np.where(shared < 0, 0, (10 * shared + 1) * bonus * share)

    def best_columns(self, low: IntArray, high: IntArray) -> IntArray:
        """For each row the column that it is paired with, or -1."""
        pairs = BandPairs.from_bands(low, high)
        widths, shared, bonus = self._parts(pairs.left, pairs.right)
        known, which = np.unique(widths, return_inverse=True)
        weights = _weights(known.tolist())
        values = np.where(shared < 0, -1, (10 * shared + 1) * bonus)
        size = int((high - low).max(initial=0))
        most = int(values.max(initial=0)) * max(weights, default=0)
        if size <= WIDE and most * max(1, low.size) < lattice.LARGEST:
            gains = np.full((low.size, size), lattice.NONE)
            worth = np.where(values < 0, lattice.NONE, values * np.array(weights, np.int64)[which])
            gains[pairs.left, pairs.right - low[pairs.left]] = worth
            return lattice.best_columns(low, high, gains)
        exact = [
            None if value < 0 else value * weights[at]
            for value, at in zip(values.tolist(), which.tolist(), strict=True)
        ]
        columns = np.full(low.size, -1)
        for row, other in best_path(pairs, exact, [0] * low.size, [0] * self.ours.last.size):
            columns[row] = other
        return columns

    def _parts(
        self, rows: IntArray | slice, columns: IntArray
    ) -> tuple[IntArray, IntArray, IntArray]:
        """How many words count of the reference's units, how many are shared, and the bonus."""
        (first, last, types), (our_first, our_last, our_types) = self
        begin, end, other_end = first[rows], last[rows], our_last[columns]
        shared = np.minimum(end, other_end) - np.maximum(begin, our_first[columns]) + 1
        bonus = (10 + (types[rows] == our_types[columns])) * (1000 + (end == other_end))
        return end - begin + 1, shared, bonus


def _weights(widths: list[int]) -> list[int]:
    """What w / (w + 0.1) is for some w, as whole numbers, so that sums are exact."""
    common = lcm(*(10 * width + 1 for width in widths))
    scale = 1 if all(widths) else 10**8
    return [(width * scale or 1) * common // (10 * width + 1) for width in widths]
