"""The adjusted Rand index: units as clusters of items, corrected for chance.

Hubert and Arabie (1985), Comparing partitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.arrays import Numeric, union
from caesura.core.batch import SegmentationBatch, offsets_of, require_one_length_each
from caesura.core.counts import NAN, Counts, of_arrays, ratio
from caesura.core.measure import Cut, PairMeasure, Spans
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import IntArray, Segmentation
from caesura.measures.spans import between_common_ends

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
        both, placed, wanted, length = map(_exact, self.to_dict().values())
        every, by_chance = length * (length - 1) // 2, placed * wanted
        above = 2 * (both * every - by_chance)
        found = ratio(above, every * (placed + wanted) - 2 * by_chance, 1.0)
        if isinstance(found, np.ndarray):
            found[length == 0] = NAN
            return found
        return found if length else NAN

    @property
    def score(self) -> float:
        """The index."""
        return self.adjusted_rand_index


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
        found = (pairs_together(ends + 1, stops) for ends in (shared, ours, theirs))
        return of_arrays(RandCounts, *found, candidate.lengths - candidate.is_open)

    def spans(self, candidate: Segmentation, reference: Segmentation) -> Spans:
        """What must not be cut: anything but where a unit of both ends."""
        return between_common_ends(candidate, reference)


def pairs_together(ends: IntArray, stops: IntArray) -> IntArray:
    """The pairs of items in one unit, up to each stop; units end before `ends`."""
    sizes = np.diff(ends, prepend=0)
    pairs = offsets_of(sizes * (sizes - 1) // 2)
    return np.diff(pairs[np.searchsorted(ends, stops, side="right")], prepend=0)


def _exact(values: object) -> Numeric:
    """Numbers whose products do not overflow."""
    return values.astype(object) if isinstance(values, np.ndarray) else values
