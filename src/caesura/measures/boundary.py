"""Boundaries counted one by one: true positives, false alarms and misses.

Slot error rate: Makhoul et al. (1999); NIST SU error: Rich Transcription (2004); either and mean
of several references: Kolář and Lamel (2012); consensus k-of-m: Boháč et al. (2012);
over-segmentation and R-value: Räsänen, Laine and Altosaar (2009).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.batch import PanelBatch, Positions, SegmentationBatch, require_one_length_each
from caesura.core.bits import bits_of, sizes
from caesura.core.counts import Counts, Matches, of_arrays, ratio
from caesura.core.score import Score
from caesura.core.segmentation import Final, IntArray, Panel, Segmentation
from caesura.errors import SegmentationError
from caesura.measures.axis import WORDS, Axis, Places, matching, most_matches
from caesura.measures.base import Cut, PairMeasure, PanelMeasure, Spans


@dataclass(frozen=True, slots=True)
class BoundaryCounts(Matches):
    """True positives, false alarms and misses among the slots that could hold a boundary."""

    slots: int

    @property
    def ser(self) -> float:
        """Slot error rate, (fp + fn) / (tp + fn): with one kind of boundary, NIST's SU error."""
        return ratio(self.fp + self.fn, self.tp + self.fn)

    @property
    def cer(self) -> float:
        """Boundary classification error, (fp + fn) / slots."""
        return ratio(self.fp + self.fn, self.slots)

    @property
    def kappa(self) -> float:
        """Cohen's κ of the two as ratings of every slot; undefined if all are one category.

        It is undefined, too, where there are no slots, as on the axis of time.
        """
        a, b, n = self.tp + self.fp, self.tp + self.fn, self.slots
        by_chance = a * b + (n - a) * (n - b)
        return ratio(n * (n - self.fp - self.fn) - by_chance, (n > 0) * (n * n - by_chance))

    @property
    def over_segmentation(self) -> float:
        """Boundaries too many or, below 0, too few, by reference boundary.

        It is R/P - 1 where P is above 0.
        """
        return ratio(self.fp - self.fn, self.tp + self.fn)

    @property
    def r_value(self) -> float:
        """How near recall is to 1 and over-segmentation to 0."""
        missed, more = 1 - self.recall, self.over_segmentation
        to_best = (missed**2 + more**2) ** 0.5
        to_diagonal = abs(more + missed) / 2**0.5
        found: float = 1 - (to_best + to_diagonal) / 2
        return found

    def swapped(self) -> "BoundaryCounts":
        """The same with candidate and reference swapped."""
        return BoundaryCounts(self.tp, self.fn, self.fp, self.slots)


@dataclass(frozen=True, slots=True)
class Boundary(PairMeasure):
    """Precision, recall, F1, SER and CER against one reference."""

    name: ClassVar[str] = "boundary"
    counts: ClassVar[type[Counts]] = BoundaryCounts
    cut: ClassVar[Cut] = "anywhere"
    has_time: ClassVar[bool] = True
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}
    of_references: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("tp", "TP", "Correct boundaries.", None, ("each",), is_count=True),
        Score("fp", "FP", "Boundaries that the reference lacks.", None, ("each",), is_count=True),
        Score("fn", "FN", "Missed boundaries of the reference.", None, ("each",),
              is_count=True),
        Score("cohen_kappa", "Cohen κ", "Agreement of two annotators beyond chance.",
              views=("pair", "agreement", "plot"), take="kappa", of="references", has_time=False,
              keys=(("agreement", "cohen_kappa_mean"),)),
        Score("precision", "P", "TP / (TP + FP).", views=("each", "mean", "document", "compare")),
        Score("recall", "R", "TP / (TP + FN).", views=("each", "mean", "document", "compare")),
        Score(
            "f1", "F1", "2·TP / (2·TP + FP + FN).", of="both",
            views=("each", "mean", "agreement", "pair", "ceiling", "document", "compare",
                   "headline", "plot", "correlate"),
        ),
        Score("ser", "SER", "Slot error rate: (FP + FN) / reference boundaries.", "low",
              ("each", "mean", "document", "compare", "correlate")),
        Score("cer", "CER", "Classification error: (FP + FN) / words.", "low", ("each", "mean"),
              has_time=False),
        Score("over_segmentation", "OS", "Over-segmentation, R/P - 1: 0 is best.", None,
              is_special=True),
        Score("r_value", "R-value",
              "Closeness to full recall without over-segmentation (Räsänen et al. 2009).",
              is_special=True),
    )  # fmt: skip

    final: Final = "drop"
    axis: Axis = WORDS

    def count(self, candidate: Segmentation, reference: Segmentation) -> BoundaryCounts:
        """Count one candidate against one reference."""
        self.axis.require_comparable(candidate, reference)
        placed, wanted = (
            Positions.from_one(each.positions(self.final)) for each in (candidate, reference)
        )
        slots = self.axis.slots(reference, self.final)
        return _matched(placed, wanted, self.axis, np.array([slots])).each()[0]

    def count_each(
        self, candidate: SegmentationBatch, reference: SegmentationBatch
    ) -> BoundaryCounts:
        """Count many documents, on words."""
        require_one_length_each(candidate, reference)
        placed, wanted = candidate.positions(self.final), reference.positions(self.final)
        return _matched(placed, wanted, WORDS, reference.slots(self.final))

    def count_pairs(self, members: Sequence[Segmentation]) -> Iterator[BoundaryCounts]:
        """Count each version of one document, on words, against all after it."""
        sets = [member.positions(self.final) for member in members]
        own, bits = np.array([each.size for each in sets]), bits_of(sets, len(members[0]))
        for at in range(len(members) - 1):
            tp = sizes(bits[at] & bits[at + 1 :])
            slots = np.full(tp.size, members[0].slots(self.final))
            yield of_arrays(BoundaryCounts, tp, own[at] - tp, own[at + 1 :] - tp, slots)


def _matched(placed: Positions, wanted: Positions, axis: Axis, slots: IntArray) -> BoundaryCounts:
    tp = axis.matches(placed, wanted)
    return of_arrays(BoundaryCounts, tp, placed.sizes - tp, wanted.sizes - tp, slots)


@dataclass(frozen=True, slots=True)
class Consensus(PanelMeasure):
    """Precision, recall and F1 against boundaries that at least `least` references share.

    0 stands for the majority, floor(m/2) + 1.
    """

    name: ClassVar[str] = "consensus"
    counts: ClassVar[type[Counts]] = BoundaryCounts
    cut: ClassVar[Cut] = "anywhere"
    has_time: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("consensus_precision", "consensus P", "Precision against the references' consensus.",
              take="precision", needs_several=True),
        Score("consensus_recall", "consensus R", "Recall against the references' consensus.",
              take="recall", needs_several=True),
        Score("consensus_f1", "consensus F1", "F1 against the references' consensus.",
              views=("all", "compare", "sweep"), take="f1", needs_several=True,
              option="consensus"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"least": 0}
    task_options: ClassVar[dict[str, str]] = {"least": "consensus", "axis": "counted_axis"}

    least: int = 0
    final: Final = "drop"
    axis: Axis = WORDS

    def count(self, candidate: Segmentation, panel: Panel) -> BoundaryCounts:
        """Count one candidate against the consensus of the references."""
        least = self._least(len(panel))
        self.axis.require_comparable(candidate, panel.members[0])
        places = self.axis.places(panel, self.final)
        placed = Positions.from_one(candidate.positions(self.final))
        wanted = places.positions.some(places.votes >= least)
        slots = self.axis.slots(panel, self.final)
        return _matched(placed, wanted, self.axis, np.array([slots])).each()[0]

    def count_each(self, candidate: SegmentationBatch, panel: PanelBatch) -> BoundaryCounts:
        """Count many documents, on words."""
        least = self._least(len(panel))
        require_one_length_each(candidate, panel.places)
        places = WORDS.places_each(panel, self.final)
        wanted = places.positions.some(places.votes >= least)
        placed = candidate.positions(self.final)
        return _matched(placed, wanted, WORDS, candidate.slots(self.final))

    def _least(self, references: int) -> int:
        least = self.least or references // 2 + 1
        if not 1 <= least <= references:
            raise SegmentationError(f"a consensus of {least} among {references} references")
        return least


@dataclass(frozen=True, slots=True)
class EitherCounts(Counts):
    """Decisions that match no reference.

    `errors` is fp + fn and `boundaries` the mean number of reference boundaries, both times the
    number of references, so that they stay whole.
    """

    fp: int
    fn: int
    errors: int
    boundaries: int

    @property
    def ser(self) -> float:
        """(fp + fn) / mean number of reference boundaries."""
        return ratio(self.errors, self.boundaries)

    @property
    def score(self) -> float:
        """The slot error rate."""
        return self.ser


@dataclass(frozen=True, slots=True)
class Either(PanelMeasure):
    """Slot error rate in which an error is a decision that no reference agrees with."""

    name: ClassVar[str] = "either"
    counts: ClassVar[type[Counts]] = EitherCounts
    cut: ClassVar[Cut] = "anywhere"
    has_time: ClassVar[bool] = True
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}
    scores: ClassVar[tuple[Score, ...]] = (
        Score("ser_either", "SER either", "Slot error rate of what no reference agrees with.",
              "low", ("all", "compare"), take="ser", needs_several=True),
    )  # fmt: skip

    final: Final = "drop"
    axis: Axis = WORDS

    def count(self, candidate: Segmentation, panel: Panel) -> EitherCounts:
        """Count what no reference has, and what every reference has and the candidate lacks."""
        self.axis.require_comparable(candidate, panel.members[0])
        placed = Positions.from_one(candidate.positions(self.final))
        boundaries = sum(member.positions(self.final).size for member in panel.members)
        places = self.axis.places(panel, self.final)
        found = _without_company(placed, places, self.axis, len(panel), np.array([boundaries]))
        return found.each()[0]

    def count_each(self, candidate: SegmentationBatch, panel: PanelBatch) -> EitherCounts:
        """Count many documents, on words."""
        require_one_length_each(candidate, panel.places)
        placed, places = candidate.positions(self.final), WORDS.places_each(panel, self.final)
        boundaries = places.positions.sums(places.votes)
        return _without_company(placed, places, WORDS, len(panel), boundaries)


def _without_company(
    placed: Positions, places: Places, axis: Axis, references: int, boundaries: IntArray
) -> EitherCounts:
    everyone = places.positions.some(places.votes == references)
    fp = placed.tally(~axis.is_near(placed.at, places.boundaries.at))
    fn = everyone.tally(~axis.is_near(everyone.at, placed.at))
    return of_arrays(EitherCounts, fp, fn, references * (fp + fn), boundaries)


@dataclass(frozen=True, slots=True)
class TolerantCounts(Counts):
    """Matches of boundaries up to some words apart, each boundary matched at most once."""

    matches: int
    placed: int
    wanted: int

    @property
    def precision(self) -> float:
        """Matches / candidate boundaries."""
        return ratio(self.matches, self.placed)

    @property
    def recall(self) -> float:
        """Matches / reference boundaries."""
        return ratio(self.matches, self.wanted)

    @property
    def f1(self) -> float:
        """2·matches / (candidate + reference boundaries)."""
        return ratio(2 * self.matches, self.placed + self.wanted)

    @property
    def score(self) -> float:
        """F1."""
        return self.f1


@dataclass(frozen=True, slots=True)
class Tolerant(PairMeasure):
    """Precision, recall and F1 with a tolerance in words and as many matches as possible."""

    name: ClassVar[str] = "tolerant"
    counts: ClassVar[type[Counts]] = TolerantCounts
    cut: ClassVar[Cut] = "spans"
    scores: ClassVar[tuple[Score, ...]] = (
        Score("tolerant_precision", "tolerant P", "Precision with a tolerance.", take="precision"),
        Score("tolerant_recall", "tolerant R", "Recall with a tolerance.", take="recall"),
        Score("tolerant_f1", "tolerant F1", "F1; boundaries match up to `tolerance` words apart.",
              views=("mean", "compare", "sweep"), take="f1", heading="F1 ±{tolerance}",
              option="tolerance"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 2
    final: Final = "drop"

    def count(self, candidate: Segmentation, reference: Segmentation) -> TolerantCounts:
        """Count one candidate against one reference."""
        return self.count_each(
            SegmentationBatch.from_one(candidate), SegmentationBatch.from_one(reference)
        ).each()[0]

    def count_each(
        self, candidate: SegmentationBatch, reference: SegmentationBatch
    ) -> TolerantCounts:
        """Count many documents."""
        require_one_length_each(candidate, reference)
        reach = candidate.reach(self.tolerance)
        placed, wanted = (each.positions(self.final, reach) for each in (candidate, reference))
        matches = most_matches(placed, wanted, reach)
        return of_arrays(TolerantCounts, matches, placed.sizes, wanted.sizes)

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: boundaries that may match."""
        placed, wanted = candidate.positions(self.final), reference.positions(self.final)
        return matching(placed, wanted, self.tolerance)
