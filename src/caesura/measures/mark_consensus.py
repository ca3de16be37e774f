"""The consensus of the references on marks: the places at which all, or most, have the same mark.

Boháč et al. (2012) take the marks that enough of their annotators share as a consensus, and those
that all share as an absolute one; Kolář and Lamel (2012) compare annotators mark by mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from caesura.core.batch import PanelBatch, Positions
from caesura.core.counts import Counts, Items, ratio
from caesura.core.measure import ReferenceMeasure
from caesura.core.score import Score
from caesura.core.segmentation import Final, IntArray, MarkArray
from caesura.measures.mark_scores import numbered

KINDS = ("places", "most", "all")


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
class MarkConsensusCounts(Counts):
    """Places at which any reference has a boundary; for each mark those of any, most and all."""

    places: int
    marks: tuple[tuple[str, int, int, int], ...]

    @classmethod
    def zero(cls) -> Self:
        """All zero."""
        return cls(0, ())

    def items(self) -> dict[object, int]:
        """All places, and those of each mark."""
        found: dict[object, int] = {"places": self.places}
        for mark, *own in self.marks:
            found |= {(mark, kind): n for kind, n in zip(KINDS, own, strict=True)}
        return found

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned; what is not there is 0."""
        marks = sorted({item[0] for item in items if item != "places"})
        own = [[items.get((mark, kind), 0) for kind in KINDS] for mark in marks]
        table = tuple((mark, *each) for mark, each in zip(marks, own, strict=True))
        return cls(items.get("places", 0), table)

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, MarkConsensusCounts):
            return NotImplemented
        ours, theirs = self.items(), other.items()
        every = {**ours, **theirs}
        return self.from_items({item: ours.get(item, 0) + theirs.get(item, 0) for item in every})

    @property
    def overall(self) -> Shared:
        """All marks together: places with a boundary, and those where most and all agree on one."""
        most = sum(most for _, _, most, _ in self.marks)
        return Shared(self.places, most, sum(every for _, _, _, every in self.marks))

    @property
    def by_mark(self) -> dict[str, Shared]:
        """Each mark by itself."""
        return {mark: Shared(*own) for mark, *own in self.marks}

    @property
    def score(self) -> float:
        """The absolute consensus."""
        return self.overall.absolute


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
        known = [each for each in marks if each is not None]
        if len(panel) < 2 or len(known) < len(panel):
            return MarkConsensusCounts.from_items({"places": np.zeros(len(panel.places), np.int64)})
        places, is_marked = panel.places.positions(self.final), panel.is_marked
        items: dict[object, IntArray] = {"places": places.sizes * is_marked}
        for mark, votes in self._votes(panel, places, known):
            some = votes > 0, 2 * votes > len(panel), votes == len(panel)
            for kind, which in zip(KINDS, some, strict=True):
                items[mark, kind] = places.tally(which) * is_marked
        return MarkConsensusCounts.from_items(items)

    def _votes(
        self, panel: PanelBatch, places: Positions, marks: list[MarkArray]
    ) -> Iterator[tuple[str, IntArray]]:
        """For each mark, how many references have it at each place."""
        names, codes = numbered(*marks)
        at = [np.searchsorted(places.at, each.positions(self.final).at) for each in panel.members]
        for number, name in enumerate(names):
            votes = np.zeros(places.at.size, np.int64)
            for own, code in zip(at, codes, strict=True):
                votes[own[code == number]] += 1
            yield name, votes
