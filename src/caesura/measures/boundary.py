"""Boundaries counted one by one: true positives, false alarms and misses.

Slot error rate: Makhoul et al. (1999); NIST SU error: Rich Transcription (2004); either and mean
of several references: Kolář and Lamel (2012); consensus k-of-m: Boháč et al. (2012);
over-segmentation and R-value: Räsänen, Laine and Altosaar (2009).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from caesura.core.batch import PanelBatch, SegmentationBatch, require_one_length_each
from caesura.core.bits import bits_of, sizes
from caesura.core.consensus import MAJORITY, Rule, votes_needed
from caesura.core.counts import Counts, Matches, of_arrays, ratio, root
from caesura.core.measure import Cut, PairMeasure, PanelMeasure, Spans
from caesura.core.panel_counts import PanelCounts
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import Final, Segmentation
from caesura.errors import SegmentationError
from caesura.measures.geometry import (
    WORDS,
    Axis,
    CellGrid,
    matching,
    most_matches,
    require_comparable,
)

if TYPE_CHECKING:
    from caesura.core.json_values import JsonObject

UNIT = CellGrid(1)


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
        to_best = root(missed * missed + more * more)
        to_diagonal = abs(more + missed) / 2**0.5
        value: float = 1 - (to_best + to_diagonal) / 2
        return value

    def swapped(self) -> BoundaryCounts:
        """The same with candidate and reference swapped."""
        return BoundaryCounts(self.tp, self.fn, self.fp, self.slots)


@dataclass(frozen=True, slots=True)
class Boundary(PairMeasure[BoundaryCounts]):
    """Precision, recall, F1, SER and CER against one reference."""

    name: ClassVar[str] = "boundary"
    counts: ClassVar[type[Counts]] = BoundaryCounts
    has_time: ClassVar[bool] = True
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}
    of_references: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("tp", "TP", "Correct boundaries.", None, ("each",), is_count=True),
        Score("fp", "FP", "Boundaries that the reference lacks.", None, ("each",), is_count=True),
        Score("fn", "FN", "Missed boundaries of the reference.", None, ("each",), is_count=True),
        Score("cohen_kappa", "Cohen κ", "Agreement of two annotators beyond chance.",
              views=("pair", "agreement", "headline"), take="kappa", of="references",
              has_time=False, keys=(("agreement", "cohen_kappa_mean"),)),
        Score("precision", "P", "TP / (TP + FP).", views=("each", "mean", "document", "compare")),
        Score("recall", "R", "TP / (TP + FN).", views=("each", "mean", "document", "compare")),
        Score(
            "f1", "F1", "2·TP / (2·TP + FP + FN).", of="both",
            views=("each", "mean", "agreement", "pair", "ceiling", "document", "compare",
                   "headline", "correlate"),
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

    def count_each(
        self, candidate: SegmentationBatch, reference: SegmentationBatch
    ) -> BoundaryCounts:
        """Count many documents."""
        axis = self.axis.within(candidate)
        require_comparable(axis, candidate, reference)
        placed, wanted = (
            each.positions(self.final, axis.tolerance) for each in (candidate, reference)
        )
        tp, slots = axis.matches(placed, wanted), axis.slots(reference, self.final)
        return of_arrays(BoundaryCounts, tp, placed.sizes - tp, wanted.sizes - tp, slots)

    def count_pairs(self, members: Sequence[Segmentation]) -> Iterator[BoundaryCounts]:
        """Count each version of one document against all after it.

        On words, bits take .03 s for 1,000 references of 1,000 words, batches 2 s.
        """
        if not self.axis.has_slots:
            yield from PairMeasure.count_pairs(self, members)
            return
        sets = [member.positions(self.final) for member in members]
        placed, bits = np.array([each.size for each in sets]), bits_of(sets, len(members[0]))
        for at in range(len(members) - 1):
            tp = sizes(bits[at] & bits[at + 1 :])
            slots = np.full(tp.size, members[0].slots(self.final))
            yield of_arrays(BoundaryCounts, tp, placed[at] - tp, placed[at + 1 :] - tp, slots)


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


@dataclass(frozen=True, slots=True)
class Consensus(PanelMeasure[BoundaryCounts]):
    """Precision, recall and F1 against boundaries that at least `least` references share.

    0 stands for the majority, floor(m/2) + 1, and `2/3` for that share of them.
    """

    name: ClassVar[str] = "consensus"
    counts: ClassVar[type[Counts]] = BoundaryCounts
    has_time: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("consensus_precision", "consensus P", "Precision against the references' consensus.",
              take="precision"),
        Score("consensus_recall", "consensus R", "Recall against the references' consensus.",
              take="recall"),
        Score("consensus_f1", "consensus F1", "F1 against the references' consensus.",
              views=("all", "compare"), take="f1"),
    )  # fmt: skip
    task_options: ClassVar[dict[str, str]] = {"least": "consensus", "axis": "counted_axis"}

    least: Rule = MAJORITY
    final: Final = "drop"
    axis: Axis = WORDS

    def count_each(self, candidate: SegmentationBatch, panel: PanelBatch) -> BoundaryCounts:
        """Count many documents."""
        least, axis = votes_needed(self.least, len(panel)), self.axis.within(candidate)
        if not 1 <= least <= len(panel):
            raise SegmentationError(f"a consensus of {least} among {len(panel)} references")
        require_comparable(axis, candidate, panel.places)
        places = axis.places(panel, self.final)
        is_wanted = places.votes >= least
        placed = candidate.positions(self.final, axis.tolerance)
        low, high = places.near
        tp = placed.tally(axis.taken(placed.at, low[is_wanted], high[is_wanted]))
        wanted, slots = places.positions.tally(is_wanted), axis.slots(candidate, self.final)
        return of_arrays(BoundaryCounts, tp, placed.sizes - tp, wanted - tp, slots)

    def is_possible(self, references: int) -> bool:
        """Whether a panel has as many references as a boundary needs."""
        return votes_needed(self.least, references) <= references


@dataclass(frozen=True, slots=True)
class EitherCounts(PanelCounts):
    """Decisions that match no reference.

    `errors` is fp + fn and `boundaries` the mean number of reference boundaries, both times the
    number of references, so that they stay whole. Where that differs, they are kept for each;
    `references` is 0 there, and where nothing varies.
    """

    sized: ClassVar[tuple[str, ...]] = ("errors", "boundaries")

    fp: int
    fn: int
    errors: int
    boundaries: int
    references: int = field(default=0, repr=False)
    by_size: tuple[tuple[int, ...], ...] = field(default=(), repr=False)

    @classmethod
    def _plain(cls) -> list[str]:
        return ["fp", "fn"]

    @classmethod
    def _of_size(cls, size: int) -> dict[str, int]:
        return {"references": size}

    @property
    def size(self) -> int:
        """The number of references, if it is the same everywhere and known."""
        return self.references

    def to_dict(self) -> JsonObject:
        """The counts as plain JSON; the number of references only where it is known."""
        values = PanelCounts.to_dict(self)
        return {name: each for name, each in values.items() if each or name != "references"}

    @property
    def ser(self) -> float:
        """(fp + fn) / mean number of reference boundaries."""
        errors, boundaries = (self.scaled(name, lambda m: m) for name in self.sized)
        return ratio(errors, boundaries)


@dataclass(frozen=True, slots=True)
class Either(PanelMeasure[EitherCounts]):
    """Slot error rate in which an error is a decision that no reference agrees with."""

    name: ClassVar[str] = "either"
    counts: ClassVar[type[Counts]] = EitherCounts
    has_time: ClassVar[bool] = True
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}
    scores: ClassVar[tuple[Score, ...]] = (
        Score("ser_either", "SER either", "Slot error rate of what no reference agrees with.",
              "low", ("all", "compare"), take="ser"),
    )  # fmt: skip

    final: Final = "drop"
    axis: Axis = WORDS
    varies: bool = False

    def count_each(self, candidate: SegmentationBatch, panel: PanelBatch) -> EitherCounts:
        """Count what no reference has, and what every reference has and the candidate lacks.

        The slow twin on a clock is `either` of tests/support/reference_signals.py.
        """
        axis = self.axis.within(candidate)
        require_comparable(axis, candidate, panel.places)
        placed = candidate.positions(self.final, axis.tolerance)
        places, references = axis.places(panel, self.final), len(panel)
        fp = placed.tally(~axis.taken(placed.at, *places.around))
        low, high = places.near
        is_missed = placed.at.searchsorted(low) == placed.at.searchsorted(high, "right")
        fn = places.positions.tally(is_missed & (places.votes == references))
        boundaries = places.positions.sums(places.votes)
        size = references * self.varies
        return of_arrays(EitherCounts, fp, fn, references * (fp + fn), boundaries, size)


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


@dataclass(frozen=True, slots=True)
class Tolerant(PairMeasure[TolerantCounts]):
    """Precision, recall and F1 with a tolerance in words and as many matches as possible."""

    name: ClassVar[str] = "tolerant"
    counts: ClassVar[type[Counts]] = TolerantCounts
    cut: ClassVar[Cut] = "spans"
    scores: ClassVar[tuple[Score, ...]] = (
        Score("tolerant_precision", "tolerant P", "Precision with a tolerance.", take="precision"),
        Score("tolerant_recall", "tolerant R", "Recall with a tolerance.", take="recall"),
        Score("tolerant_f1", "tolerant F1", "F1; boundaries match up to `tolerance` words apart.",
              views=("mean", "compare"), take="f1", heading="F1 ±{tolerance}"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 2
    final: Final = "drop"

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
