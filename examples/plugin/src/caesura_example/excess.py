"""A measure: how many boundaries a system places for each boundary of the reference."""

from dataclasses import dataclass
from typing import ClassVar

from caesura.core.counts import Counts, ratio
from caesura.core.measure import PairMeasure
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class ExcessCounts(Counts):
    """Boundaries of both sides. Counts are integers, so that those of documents add up."""

    placed: int
    wanted: int

    @property
    def score(self) -> float:
        """The ratio; undefined if the reference has no boundary."""
        return ratio(self.placed, self.wanted)


@dataclass(frozen=True, slots=True)
class Excess(PairMeasure[ExcessCounts]):
    """Boundaries of the system for each one of the reference."""

    name: ClassVar[str] = "excess"
    counts: ClassVar[type[Counts]] = ExcessCounts
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (
        Score("excess", "excess", "Boundaries placed / boundaries of the reference.", None,
              take="score"),
    )  # fmt: skip

    def count(self, candidate: Segmentation, reference: Segmentation) -> ExcessCounts:
        """Count one document; the end of the document is not a boundary."""
        return ExcessCounts(len(candidate.positions()), len(reference.positions()))
