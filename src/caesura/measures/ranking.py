"""Systems that give a score for each place: average precision, the best F1, calibration.

Average precision: Buckley and Voorhees (2000), over distinct scores; Brier (1950); expected
calibration error with bins of equal width: Naeini, Cooper and Hauskrecht (2015), here of the
probability of a boundary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import Array, Numeric
from caesura.core.batch import UNSCORED, SegmentationBatch, require_one_length_each
from caesura.core.counts import NAN, Counts, GroupedCounts, Items, ratio
from caesura.core.mean import weighted_means
from caesura.core.measure import Cut, PairMeasure, Spans
from caesura.core.place_scores import short
from caesura.core.score import ALSO, Score, View
from caesura.core.segmentation import BoolArray, Final, IntArray, ScoreArray, Segmentation
from caesura.matching import most_matched
from caesura.measures.geometry import WORDS, Axis

if TYPE_CHECKING:
    from caesura.core.json_values import Json, JsonObject

FloatArray = npt.NDArray[np.float64]
NONE = -1
"""The level of places without a score."""
BINS = 15
NOTHING = np.zeros(0, np.int64)


def levels_of(scores: ScoreArray) -> IntArray:
    """Scores as whole numbers in the same order: the bits of a float; NONE where there is none."""
    bits = np.ascontiguousarray(scores, np.float32).view(np.int32).astype(np.int64)
    return np.where(np.isnan(scores), NONE, np.where(scores == 0, 0, bits))


def scores_at(levels: IntArray) -> FloatArray:
    """The scores of levels; nan for NONE."""
    scores = levels.astype(np.int32).view(np.float32).astype(np.float64)
    return np.where(levels == NONE, NAN, scores)


def bins_of(scores: FloatArray) -> IntArray:
    """The bins of calibration in which scores are; 1 is in the last."""
    return np.minimum(np.floor(scores * BINS), BINS - 1).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class RankingCounts(GroupedCounts):
    """For each distinct score: the places that have it, and how many of them are right.

    `hits` are those at which the reference has a boundary; they are all that are right, unless
    there is a tolerance. Where a score is nan, `places` have none, and `right` are the boundaries
    of the reference that no place with a score can find. The counts of many documents are those of
    one after another, by score: `owner` is the number of the document, in an array of that `shape`.
    """

    has_levels: ClassVar[bool] = True
    level_fields: ClassVar[tuple[str, ...]] = ("right", "places", "hits")
    least: ClassVar[int] = 0
    """The smallest number that a field may have."""

    scores: FloatArray  # (levels,) ascending in each document, after nan
    right: Array
    places: Array
    hits: Array
    owner: IntArray = field(default_factory=lambda: NOTHING)
    shape: tuple[int, ...] = ()

    @classmethod
    def from_levels(
        cls,
        levels: IntArray,
        values: Sequence[Array] | Array,
        owner: IntArray | None = None,
        shape: tuple[int, ...] = (),
    ) -> Self:
        """Take the levels of one document, or of many, and the values of the fields at each."""
        right, places, hits = values
        owner = np.zeros(levels.size, np.int64) if owner is None else owner
        return cls(scores_at(levels), right, places, hits, owner, shape)

    @property
    def levels(self) -> IntArray:
        """The scores as whole numbers."""
        return levels_of(self.scores.astype(np.float32))

    @classmethod
    def from_dict(cls, values: JsonObject) -> Self:
        """Read what `to_dict` returned; anything else is a ValueError."""
        lists: list[Json] = [values.get(name) for name in ("scores", *cls.level_fields)]
        if len(values) != len(lists) or not all(isinstance(column, list) for column in lists):
            raise ValueError("its scores and their counts are not lists")
        scores, *counts = lists
        numbers = [number for column in counts for number in column]
        if any(len(column) != len(scores) for column in counts) or not all(
            type(number) is int and cls.least <= number < 1 << 62 for number in numbers
        ):
            raise ValueError("its scores and their counts are not numbers, as many of each")
        if not all(score is None or type(score) in (int, float) for score in scores):
            raise ValueError("a score is not a number")
        read = np.array([NAN if score is None else score for score in scores], np.float32)
        levels, is_score = levels_of(read), (read >= 0) & (read <= 1) | np.isnan(read)
        if (np.diff(levels) <= 0).any() or not is_score.all():
            raise ValueError("its scores are not ascending numbers from 0 to 1")
        columns = [np.array(column, np.int64) for column in counts]
        return cls.from_levels(levels, columns)

    def to_dict(self) -> JsonObject:
        """The counts of one document as plain JSON; a score is as short as reads back."""
        texts = self.scores.astype(np.float32).astype(np.str_).tolist()
        scores = [None if text == "nan" else float(text) for text in texts]
        return {"scores": scores} | {
            name: np.asarray(getattr(self, name)).tolist() for name in self.level_fields
        }

    def items(self) -> Items:
        """The counts one by one, by score and field."""
        columns = ((name, getattr(self, name).tolist()) for name in self.level_fields)
        levels = self.levels.tolist()
        return {
            (level, name): number
            for name, column in columns
            for level, number in zip(levels, column, strict=True)
        }

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned."""
        levels = sorted({level for level, _ in items})
        columns = [
            np.array([items.get((level, name), 0) for level in levels], np.int64)
            for name in cls.level_fields
        ]
        return cls.from_levels(np.array(levels, np.int64), columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RankingCounts) and self.items() == other.items()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    @property
    def average_precision(self) -> Numeric:
        """Σ (R_i - R_{i-1}) P_i over distinct scores, from the highest."""
        curve = self.curve
        sums = self._sums(curve.owner, curve.right * _divided(curve.found, curve.placed, 0.0))
        return self._shaped(_divided(sums, self._sums(self.owner, self.right)))

    @property
    def best_f1(self) -> Numeric:
        """The highest F1 of all thresholds."""
        return self._shaped(self._best()[0])

    @property
    def best_threshold(self) -> Numeric:
        """The threshold with the highest F1; of equals the highest."""
        return self._shaped(self._best()[1])

    @property
    def ece(self) -> Numeric:
        """Σ |Σ s - hits| / places over bins of scores."""
        owner, scores, places, hits = self._scored
        codes, sums = owner * BINS + bins_of(scores), scores * places - hits
        gaps = np.bincount(codes, sums, self._size * BINS)
        return self._calibration(np.abs(gaps.reshape(self._size, BINS)).sum(axis=1))

    @property
    def brier(self) -> Numeric:
        """The mean of (s - y)², where y is 1 at a boundary of the reference, else 0."""
        owner, scores, places, hits = self._scored
        squares = hits * (1 - scores) ** 2 + (places - hits) * scores**2
        return self._calibration(self._sums(owner, squares))

    @property
    def curve(self) -> Curve:
        """The counts at each threshold."""
        # (thresholds,) by descending document and score
        kept = np.flatnonzero(~np.isnan(self.scores))[::-1]
        owner = self.owner[kept]
        first = np.flatnonzero(np.diff(owner, prepend=-1))  # the highest of each document
        sizes = np.diff(first, append=owner.size)
        columns = np.stack((self.right[kept], self.places[kept]))
        sums = np.cumsum(columns, axis=1)
        found, placed = sums - np.repeat((sums - columns)[:, first], sizes, axis=1)
        return Curve(owner, self.scores[kept], columns[0], found, placed)

    def _best(self) -> tuple[FloatArray, FloatArray]:
        """The best F1 of each document, and the highest threshold that has it."""
        curve, wanted = self.curve, self._sums(self.owner, self.right)
        f1 = _divided(2 * curve.found, curve.placed + wanted[curve.owner])
        best, threshold = np.full((2, self._size), NAN)
        if f1.size:
            first = np.flatnonzero(np.diff(curve.owner, prepend=-1))
            best[curve.owner[first]] = np.fmax.reduceat(f1, first)
            at = np.flatnonzero(f1 == best[curve.owner])[::-1]
            threshold[curve.owner[at]] = curve.scores[at]  # the last that is written is the highest
            threshold = threshold.astype(np.float32).astype(np.str_).astype(np.float64)
        return best, threshold

    def best_of_mean(self, weights: object = None) -> JsonObject:
        """The highest mean of F1 over the references, the second axis, and its threshold."""
        systems, references, units = self.shape
        best = np.full((2, systems, units), NAN)
        curve, numbers = self.curve, np.arange(self._size).reshape(self.shape)
        wanted = self._sums(self.owner, self.right)
        starts, ends = (
            np.searchsorted(-curve.owner, -np.arange(self._size), side=side)
            for side in ("left", "right")
        )
        shares = np.ones(self.shape) if weights is None else np.asarray(weights)
        for system, unit in np.ndindex(systems, units):
            documents = numbers[system, :, unit].tolist()  # (references,) of the curve
            own = [slice(starts[document], ends[document]) for document in documents]
            levels = np.unique(np.concatenate([-curve.scores[each] for each in own]))
            if not levels.size:
                continue
            f1 = []
            for each, document in zip(own, documents, strict=True):
                above = np.searchsorted(-curve.scores[each], levels, side="right")
                found, placed = (np.append(0, n[each])[above] for n in (curve.found, curve.placed))
                f1.append(_divided(2 * found, placed + wanted[document]))
            share = np.broadcast_to(shares[system, :, unit, None], (references, levels.size))
            means = np.asarray(weighted_means(np.array(f1), share, 0))
            if not np.isnan(means).all():
                highest = int(np.nanargmax(means))
                best[:, system, unit] = means[highest], short(-levels[highest])
        return {"best_f1": best[0], "best_threshold": best[1]}

    @property
    def _size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def _sums(self, owner: IntArray, values: Array) -> FloatArray:
        """The sum of values in each document, in the order in which they stand."""
        return np.bincount(owner, values, self._size).astype(np.float64)

    def _shaped(self, values: FloatArray) -> Numeric:
        return values.reshape(self.shape) if self.shape else float(values[0])

    @property
    def _scored(self) -> tuple[IntArray, FloatArray, Array, Array]:
        """What has a score: documents, scores, places and hits."""
        has = ~np.isnan(self.scores)
        return self.owner[has], self.scores[has], self.places[has], self.hits[has]

    def _calibration(self, sums: FloatArray) -> Numeric:
        """Sums by the number of places; undefined if some have no score."""
        bare = self._sums(self.owner, np.where(np.isnan(self.scores), self.places, 0))
        means = _divided(sums, self._sums(self.owner, self.places))
        return self._shaped(np.where(bare > 0, NAN, means))


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The counts at each threshold, by descending document, then by descending threshold."""

    owner: IntArray
    scores: FloatArray
    right: Array  # (thresholds,) right at this score
    found: Array  # right at this score or above
    placed: Array  # places at this score or above


def _divided(parts: Numeric, wholes: Numeric, empty: float = NAN) -> FloatArray:
    """Arrays, one by the other."""
    quotients: Numeric = ratio(parts, wholes, empty)
    return np.asarray(quotients)


def _score(key: str, label: str, help: str, *views: View, **how: Any) -> Score:
    """A score whose mean over references has the same key."""
    return Score(key, label, help, views=views, keys=(("mean", key),), **how)


def best_scores(prefix: str = "", label: str = "") -> tuple[Score, ...]:
    """The best F1 and its threshold, under names that begin with a prefix and a label."""
    how: dict[str, Any] = {"joint": "best_of_mean", "is_additive": False}
    return (
        _score(f"{prefix}best_f1", f"{label}best F1", "The highest F1 of all thresholds.",
               take="best_f1", **how),
        _score(f"{prefix}best_threshold", f"{label}best threshold",
               "The highest threshold with the best F1.", better=None, take="best_threshold",
               **how),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ranking(PairMeasure[RankingCounts]):
    """Average precision, best F1 and calibration of systems that give a score for each place."""

    name: ClassVar[str] = "ranking"
    counts: ClassVar[type[Counts]] = RankingCounts
    has_time: ClassVar[bool] = True
    asked_by: ClassVar[str] = ALSO
    is_implied: ClassVar[bool] = True
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}
    scores: ClassVar[tuple[Score, ...]] = (
        _score("average_precision", "AP", "Average precision: Σ (R_i - R_{i-1})·P_i over scores.",
               "compare", "document"),
        *best_scores(),
        _score("ece", "ECE", "Expected calibration error, in 15 bins.", better="low"),
        _score("brier", "Brier", "Brier score: mean of (score - boundary)².", better="low"),
    )  # fmt: skip

    final: Final = "drop"
    axis: Axis = WORDS

    @property
    def reach(self) -> int:
        """How far a boundary may be from the one that it matches."""
        return self.axis.tolerance

    def count_each(
        self, candidate: SegmentationBatch, reference: SegmentationBatch
    ) -> RankingCounts:
        """The distinct scores of each document that has scores, and how many places are right.

        The slow twin is `ranking` of tests/support/reference_ranking.py.
        """
        require_one_length_each(candidate, reference)
        shape = (len(candidate),)
        if candidate.scores is None:
            return RankingCounts.from_levels(NOTHING, (NOTHING,) * 3, NOTHING, shape)
        lengths, number = candidate.lengths, len(candidate)
        document = np.repeat(np.arange(number), lengths)  # (items,) the number of each one's
        is_place = candidate.scores != UNSCORED
        (owners,) = np.nonzero(np.bincount(document, is_place, number))  # documents with scores
        if self.final == "drop":
            is_place[np.cumsum(lengths)[lengths > 0] - 1] = False
        wanted = reference.positions(self.final).at
        levels = np.where(is_place, levels_of(candidate.scores), NONE)
        hits = np.zeros(document.size, np.bool_)
        hits[wanted] = levels[wanted] != NONE
        right = _within_reach(levels, document, wanted, self.reach) if self.reach else hits
        missed = np.bincount(document[wanted], minlength=number)
        missed -= np.bincount(document[right], minlength=number)

        # Add up the places of each document with the same score; missed boundaries have none.
        (items,) = np.nonzero(is_place)
        nothing = np.zeros(owners.size, np.int64)
        codes = np.concatenate((document[items] << 32 | levels[items] + 1, owners << 32))
        values = np.array((  # (3, items and owners) right, places, hits
            np.append(right[items], missed[owners]),
            np.append(np.ones(items.size, np.int64), nothing),
            np.append(hits[items], nothing),
        ))  # fmt: skip
        order = np.argsort(codes, kind="stable")
        first = np.flatnonzero(np.diff(codes[order], prepend=-1))
        sums = np.add.reduceat(values[:, order], first, axis=1) if first.size else values
        distinct = codes[order][first]
        owner, level = distinct >> 32, (distinct & (1 << 32) - 1) - 1
        return RankingCounts.from_levels(level, sums, owner, shape)


@dataclass(frozen=True, slots=True)
class TolerantRanking(Ranking):
    """Average precision with a tolerance in words."""

    name: ClassVar[str] = "tolerant_ranking"
    cut: ClassVar[Cut] = "spans"
    has_time: ClassVar[bool] = False
    task_options: ClassVar[dict[str, str]] = {"axis": ""}
    scores: ClassVar[tuple[Score, ...]] = (
        _score("tolerant_average_precision", "tolerant AP",
               "Average precision; boundaries match up to `tolerance` words apart.",
               take="average_precision", heading="AP ±{tolerance}"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 2

    @property
    def reach(self) -> int:
        """How far a boundary may be from the one that it matches."""
        return self.tolerance

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: the reach of the reference's boundaries."""
        wanted, last = reference.positions(self.final), candidate.length - 1
        return np.maximum(wanted - self.tolerance, 0), np.minimum(wanted + self.tolerance, last)


def _within_reach(
    levels: IntArray, document: IntArray, wanted: IntArray, tolerance: int
) -> BoolArray:
    """Which items are right: they raise the largest matching of all with at least their score."""
    # documents are moved apart, so that no match leads from one to another
    apart = np.arange(levels.size) + document * (tolerance + 1)
    goals = wanted + document[wanted] * (tolerance + 1)
    first = np.searchsorted(goals, apart - tolerance, side="left")
    beyond = np.searchsorted(goals, apart + tolerance, side="right")
    near = np.flatnonzero((levels != NONE) & (first < beyond))
    near = near[np.argsort(-levels[near], kind="stable")]
    right = np.zeros(levels.size, np.bool_)
    wishes = list(map(range, first[near].tolist(), beyond[near].tolist()))
    right[near], _ = most_matched(wishes, goals.size)
    return right
