"""Typed boundaries: the right place with the right mark, as in punctuation restoration.

And the places at which all references, or most, have the same mark. Boháč et al. (2012) take the
marks that enough of their annotators share as a consensus, and those that all share as an absolute
one; Kolář and Lamel (2012) compare annotators mark by mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import ClassVar, Self

import numpy as np

from caesura.core.arrays import Array, isin_sorted
from caesura.core.batch import PanelBatch, SegmentationBatch, require_one_length_each
from caesura.core.counts import Counts, GroupedCounts, Items, Matches, ratio
from caesura.core.measure import PairMeasure, ReferenceMeasure
from caesura.core.score import Score
from caesura.core.segmentation import Final, IntArray, MarkArray

NONE = "none"
UNMARKED = "unmarked"
KINDS = ("places", "most", "all")
"""The places at which any reference has a mark, most have it, and all do."""
PLACES = ("places",)
"""The places at which any reference has a boundary, whatever its mark."""


@dataclass(frozen=True, slots=True)
class MarkCounts(GroupedCounts):
    """How often a reference mark met a candidate mark; `none` is no boundary on that side."""

    confusion: tuple[tuple[str, str, int], ...]

    def items(self) -> Items:
        """How often each pair of marks met."""
        return {(a, b): n for a, b, n in self.confusion}

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned."""
        return cls(tuple((a, b, n) for (a, b), n in items.items()))

    @property
    def marks(self) -> list[str]:
        """The marks that occur on either side."""
        return sorted({mark for a, b, _ in self.confusion for mark in (a, b)} - {NONE})

    @property
    def correct(self) -> int:
        """Right places with the right mark."""
        return sum(n for a, b, n in self.confusion if a == b)

    @property
    def substitutions(self) -> int:
        """Right places with a wrong mark."""
        return sum(n for a, b, n in self.confusion if a != b and NONE not in (a, b))

    @property
    def deletions(self) -> int:
        """Reference boundaries that the candidate lacks."""
        return sum(n for _, b, n in self.confusion if b == NONE)

    @property
    def insertions(self) -> int:
        """Candidate boundaries that the reference lacks."""
        return sum(n for a, _, n in self.confusion if a == NONE)

    @property
    def ser(self) -> float:
        """(substitutions + deletions + insertions) / reference boundaries."""
        errors = self.substitutions + self.deletions + self.insertions
        return ratio(errors, self.correct + self.substitutions + self.deletions)

    @property
    def overall(self) -> Matches:
        """All marks together: only a right place with the right mark is right."""
        wrong_place, missed = self.insertions, self.deletions
        return Matches(self.correct, wrong_place + self.substitutions, missed + self.substitutions)

    def of(self, mark: str) -> Matches:
        """One mark: where either side has it."""
        wanted = sum(n for a, _, n in self.confusion if a == mark)
        placed = sum(n for _, b, n in self.confusion if b == mark)
        tp = sum(n for a, b, n in self.confusion if a == b == mark)
        return Matches(tp, placed - tp, wanted - tp)


@dataclass(frozen=True, slots=True)
class Marks(PairMeasure[MarkCounts]):
    """P, R and F1 by mark and overall, and SER with wrong marks as substitutions."""

    name: ClassVar[str] = "marks"
    counts: ClassVar[type[Counts]] = MarkCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("typed_precision", "typed P", "Precision of boundaries with the right mark.",
              take="overall.precision"),
        Score("typed_recall", "typed R", "Recall of boundaries with the right mark.",
              take="overall.recall"),
        Score("typed_f1", "typed F1", "F1 of boundaries with the right mark.", take="overall.f1"),
        Score("typed_ser", "typed SER", "Slot error rate with wrong marks as substitutions.", "low",
              take="ser"),
    )  # fmt: skip
    by_mark: ClassVar[tuple[Score, ...]] = (
        Score("tp", "TP", "Correct boundaries with this mark.", None, ("mark",), is_count=True),
        Score("fp", "FP", "This mark where the reference has another or none.", None, ("mark",),
              is_count=True),
        Score("fn", "FN", "Missed reference boundaries with this mark.", None, ("mark",),
              is_count=True),
        Score("precision", "P", "TP / (TP + FP).", views=("mark",)),
        Score("recall", "R", "TP / (TP + FN).", views=("mark",)),
        Score("f1", "F1", "2·TP / (2·TP + FP + FN).", views=("mark",)),
    )  # fmt: skip

    final: Final = "drop"

    def count_each(self, candidate: SegmentationBatch, reference: SegmentationBatch) -> MarkCounts:
        """Count many documents; the slow twin is `confusion` of reference_transcript.py."""
        require_one_length_each(candidate, reference)
        ours, theirs = candidate.marks_at(self.final), reference.marks_at(self.final)
        if ours is None or theirs is None:
            return MarkCounts.zero()
        placed, wanted = candidate.positions(self.final), reference.positions(self.final)
        shared, met = isin_sorted(placed.at, wanted.at), isin_sorted(wanted.at, placed.at)
        names, (our, their) = numbered(ours, theirs)
        none, size = len(names), len(names) + 1
        # a cell of the table for each boundary: reference's mark · size + candidate's mark
        missed, added = their[~met] * size + none, none * size + our[~shared]
        codes = np.concatenate((their[met] * size + our[shared], missed, added))
        if len(candidate) > 1:
            owners = wanted.owners[met], wanted.owners[~met], placed.owners[~shared]
            # how often each code occurs in each document; nothing where a side has no marks
            is_marked, document = candidate.is_marked_with(reference), np.concatenate(owners)
            known = is_marked[document]
            distinct, numbers = np.unique(codes[known], return_inverse=True)
            shape = distinct.size, len(candidate)
            cells = numbers * len(candidate) + document[known]
            counted = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
            table = dict(zip(distinct.tolist(), counted, strict=True))
        else:
            total = np.bincount(codes)
            table = {pair: total[pair, None] for pair in np.flatnonzero(total).tolist()}
        names.append(NONE)
        named = {(names[i // size], names[i % size]): values for i, values in table.items()}
        return MarkCounts.from_items(dict(sorted(named.items(), key=itemgetter(0))))


def numbered(*arrays: MarkArray) -> tuple[list[str], list[IntArray]]:
    """The names of the marks, and the arrays with numbers for marks."""
    joined = np.concatenate(arrays)
    width = max(1, joined.dtype.itemsize // 4)
    codes: Array = joined.view(np.uint32) if width == 1 else joined
    kinds, numbers = np.unique(codes, return_inverse=True)
    names = kinds.view("<U1") if width == 1 else kinds
    parts = np.split(numbers.astype(np.int64), np.cumsum([each.size for each in arrays])[:-1])
    return [mark or UNMARKED for mark in names.tolist()], parts


@dataclass(frozen=True, slots=True)
class Shared(Counts):
    """Places at which any reference has a mark, at which most have it, and at which all do."""

    places: int
    most: int
    all: int

    @property
    def typed(self) -> float:
        """Places at which most have it / places at which any has it."""
        return ratio(self.most, self.places)

    @property
    def absolute(self) -> float:
        """Places at which all have it / places at which any has it."""
        return ratio(self.all, self.places)


@dataclass(frozen=True, slots=True)
class MarkConsensusCounts(GroupedCounts):
    """Places at which any reference has a boundary; for each mark those of any, most and all."""

    places: int
    marks: tuple[tuple[str, int, int, int], ...]

    def items(self) -> dict[object, int]:
        """All places, and those of each mark."""
        items: dict[object, int] = {PLACES: self.places}
        for mark, *numbers in self.marks:
            items |= {(mark, kind): n for kind, n in zip(KINDS, numbers, strict=True)}
        return items

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned; what is not there is 0."""
        marks = sorted({item[0] for item in items if item != PLACES})
        table = ((mark, *(items.get((mark, kind), 0) for kind in KINDS)) for mark in marks)
        return cls(items.get(PLACES, 0), tuple(table))

    @property
    def overall(self) -> Shared:
        """All marks together: places with a boundary, and those where most and all agree on one."""
        most = sum(most for _, _, most, _ in self.marks)
        return Shared(self.places, most, sum(every for _, _, _, every in self.marks))

    @property
    def by_mark(self) -> dict[str, Shared]:
        """Each mark by itself."""
        return {mark: Shared(*own) for mark, *own in self.marks}


@dataclass(frozen=True, slots=True)
class MarkConsensus(ReferenceMeasure[MarkConsensusCounts]):
    """The share of places at which all references, or most of them, have the same mark."""

    name: ClassVar[str] = "mark_consensus"
    counts: ClassVar[type[Counts]] = MarkConsensusCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("typed_consensus", "typed consensus",
              "Of the places with any boundary, those where most annotators have the same mark.",
              take="overall.typed", has_time=False),
        Score("absolute_consensus", "absolute consensus",
              "Of the places with any boundary, those where all annotators have the same mark.",
              take="overall.absolute", has_time=False),
    )  # fmt: skip
    by_mark: ClassVar[tuple[Score, ...]] = (
        Score("places", "places", "Places where any annotator has this mark.", None,
              ("consensus",), is_count=True),
        Score("most", "most", "Places where most annotators have this mark.", None,
              ("consensus",), is_count=True),
        Score("all", "all", "Places where all annotators have this mark.", None,
              ("consensus",), is_count=True),
        Score("typed_consensus", "typed consensus", "Most / places.", views=("consensus",),
              take="typed"),
        Score("absolute_consensus", "absolute consensus", "All / places.", views=("consensus",),
              take="absolute"),
    )  # fmt: skip

    final: Final = "drop"

    def count_each(self, panel: PanelBatch) -> MarkConsensusCounts:
        """Count many documents, on words."""
        marks = [member.marks_at(self.final) for member in panel.members]
        known = [codes for codes in marks if codes is not None]
        if len(panel) < 2 or len(known) < len(panel):
            return MarkConsensusCounts.from_items({PLACES: np.zeros(len(panel.places), np.int64)})
        places, is_marked = panel.places.positions(self.final), panel.is_marked
        items: dict[object, IntArray] = {PLACES: places.sizes * is_marked}
        names, numbers = numbered(*known)
        # for each reference, (boundaries,) the places of its boundaries among all places
        at = [np.searchsorted(places.at, each.positions(self.final).at) for each in panel.members]
        for number, mark in enumerate(names):
            votes = np.zeros(places.at.size, np.int64)  # how many references have it at each place
            for own, codes in zip(at, numbers, strict=True):
                votes[own[codes == number]] += 1
            chosen = votes > 0, 2 * votes > len(panel), votes == len(panel)
            for kind, which in zip(KINDS, chosen, strict=True):
                items[mark, kind] = places.tally(which) * is_marked
        return MarkConsensusCounts.from_items(items)
