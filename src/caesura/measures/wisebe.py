"""WiSeBE: boundaries against several references at once, through windows of agreement.

González-Gallardo and Torres-Moreno (2018), WiSeBE: Window-based Sentence Boundary Evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caesura.core.batch import PanelBatch, Positions, SegmentationBatch
from caesura.core.counts import NAN, Counts, harmonic, of_arrays, ratio
from caesura.core.measure import Cut, PanelMeasure, Spans
from caesura.core.score import Score
from caesura.core.segmentation import BoolArray, Final, IntArray, Panel, Segmentation
from caesura.measures.geometry import WORDS, Axis, ClockAxis, require_comparable

FAR = np.int64(2**60)
"""How far a window is that is not there."""


@dataclass(frozen=True, slots=True)
class WisebeCounts(Counts):
    """The counts of WiSeBE for a document.

    Of `candidates` boundaries, `inside` lie in a window; of `windows`, `hit` hold one; `distance`
    is the sum of the distances of the others to the nearest window, -1 by time, where it would
    depend on the unit of time and smooth scores are undefined. `rgpb` and `rgha` are the
    references' agreement and its maximum; both are 0 for fewer than two references.
    """

    inside: int
    candidates: int
    hit: int
    windows: int
    rgpb: int
    rgha: int
    distance: int

    @property
    def precision(self) -> float:
        """Candidate boundaries inside any window / candidate boundaries."""
        return ratio(self.inside, self.candidates)

    @property
    def recall(self) -> float:
        """Windows that hold a candidate boundary / windows."""
        return ratio(self.hit, self.windows)

    @property
    def f1(self) -> float:
        """F1_RW, the harmonic mean of the two."""
        return harmonic(self.precision, self.recall)

    @property
    def agreement(self) -> float:
        """RGAR, the general agreement ratio of the references: RGPB / RGHA."""
        return ratio(self.rgpb, self.rgha)

    @property
    def score(self) -> float:
        """WiSeBE = F1_RW · RGAR."""
        return self.f1 * self.agreement

    @property
    def smooth_precision(self) -> float:
        """Precision in which the boundaries outside count 1/D each, D their summed distance."""
        outside = self.candidates - self.inside
        return ratio(self.inside + self._smooth(outside), self.candidates)

    @property
    def smooth_recall(self) -> float:
        """Recall in which the windows missed count 1/D each."""
        return ratio(self.hit + self._smooth(self.windows - self.hit), self.windows)

    @property
    def smooth_f1(self) -> float:
        """The harmonic mean of the smooth precision and recall."""
        return harmonic(self.smooth_precision, self.smooth_recall)

    @property
    def smooth_score(self) -> float:
        """Smooth F1_RW · RGAR."""
        return self.smooth_f1 * self.agreement

    def _smooth(self, count: int) -> float:
        share: Any = np.where(np.less(self.distance, 0), NAN, ratio(count, self.distance, 0.0))
        return share if np.ndim(share) else float(share)


@dataclass(frozen=True, slots=True)
class Wisebe(PanelMeasure[WisebeCounts]):
    """WiSeBE with a window limit: gaps longer than `window` start a new window.

    A boundary is in the nearest window if it is within the axis' tolerance of it: on words, if it
    is inside.
    """

    name: ClassVar[str] = "wisebe"
    counts: ClassVar[type[Counts]] = WisebeCounts
    cut: ClassVar[Cut] = "spans"
    has_time: ClassVar[bool] = True
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}
    scores: ClassVar[tuple[Score, ...]] = (
        Score("wisebe", "WiSeBE", "F1 over windows × agreement of the references.", take="score",
              views=("all", "ceiling", "document", "compare", "headline", "correlate")),
        Score("window_f1", "F1 RW", "Harmonic mean of window precision and recall.", take="f1",
              views=("all", "ceiling", "document", "compare", "correlate")),
        Score("window_precision", "P RW", "Boundaries inside a window / boundaries.",
              views=("all",), take="precision"),
        Score("window_recall", "R RW", "Windows with a boundary / windows.", views=("all",),
              take="recall"),
        Score("rgar", "RGAR", "Agreement of the references: shared boundaries / all possible.",
              None, ("document", "correlate"), take="agreement"),
        Score("wisebe_smooth", "smooth WiSeBE", "Smooth F1 over windows × agreement.",
              take="smooth_score"),
        Score("window_precision_smooth", "smooth P RW", "P RW with partial credit outside windows.",
              take="smooth_precision"),
        Score("window_recall_smooth", "smooth R RW", "R RW with partial credit for missed windows.",
              take="smooth_recall"),
        Score("window_f1_smooth", "smooth F1 RW", "Harmonic mean of smooth P RW and R RW.",
              take="smooth_f1"),
        Score("inside", "inside", "Boundaries inside a window.", None, is_count=True),
        Score("candidates", "candidates", "Boundaries of the system.", None, is_count=True),
        Score("hit", "hit", "Windows with a boundary.", None, is_count=True),
        Score("windows", "windows", "Windows of the references.", None, is_count=True),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"window": 0}

    window: int = 2
    final: Final = "drop"
    axis: Axis = WORDS

    def count_each(self, candidate: SegmentationBatch, panel: PanelBatch) -> WisebeCounts:
        """Count many documents; the slow twin is `wisebe` of reference_transcript.py."""
        axis, window = self.axis.within(candidate), candidate.reach(self.window)
        require_comparable(axis, candidate, panel.places)
        reach = max(axis.tolerance, window)
        placed = candidate.positions(self.final, reach)
        places = axis.places(panel, self.final, reach)
        begins, ends = _windows(places.boundaries, window)
        window_index, is_inside = _last_windows(placed, begins, ends)
        outside = np.flatnonzero(~is_inside)
        before, after = _distances(placed, outside, window_index[outside], begins, ends)
        distance = np.minimum(before, after)
        if axis.tolerance:
            near = (distance <= axis.tolerance) & (placed.spread(begins.sizes, outside) > 0)
            is_inside[outside[near]] = True
            window_index[outside[near]] += (after < before)[near]
            distance, outside = distance[~near], outside[~near]
        without = placed.at_numbers(outside)
        is_hit = np.zeros(ends.size, np.bool_)
        is_hit[window_index[is_inside]] = True
        candidates = placed.sizes - without.sizes, placed.sizes
        hits = begins.tally(is_hit), begins.sizes
        is_clock = isinstance(axis, ClockAxis) and not axis.of_samples
        distances = np.full_like(begins.sizes, -1) if is_clock else without.sums(distance)
        return of_arrays(WisebeCounts, *candidates, *hits, *places.agreement(len(panel)), distances)

    def spans(self, candidates: Sequence[Segmentation], panel: Panel) -> Iterator[Spans]:
        """What must not be cut: windows, and what lies between boundaries and the nearest one."""
        begins, ends = _windows(Positions.from_one(panel.positions(self.final)), self.window)
        yield begins.at, ends
        for candidate in candidates if ends.size else ():
            placed = Positions.from_one(candidate.positions(self.final))
            window_index, is_inside = _last_windows(placed, begins, ends)
            outside = np.flatnonzero(~is_inside)
            before, after = _distances(placed, outside, window_index[outside], begins, ends)
            yield (
                placed.at[outside] - np.where(before <= after, before, 0),
                placed.at[outside] + np.where(before <= after, 0, after),
            )


def _windows(positions: Positions, limit: int) -> tuple[Positions, IntArray]:
    """The first and the last position of each window; documents lie farther apart than `limit`."""
    if not positions.at.size:
        return positions, positions.at
    wide = np.flatnonzero(np.diff(positions.at) > limit)
    first, last = np.concatenate(([0], wide + 1)), np.append(wide, positions.at.size - 1)
    offsets = np.searchsorted(first, positions.offsets)
    return Positions(positions.at[first], offsets), positions.at[last]


def _last_windows(
    placed: Positions, begins: Positions, ends: IntArray
) -> tuple[IntArray, BoolArray]:
    """The last window that begins at or before each boundary, -1 for none; and if it is in it."""
    window_index = np.searchsorted(begins.at, placed.at, side="right") - 1
    is_inside = window_index >= 0
    is_inside[is_inside] = placed.at[is_inside] <= ends[window_index[is_inside]]
    return window_index, is_inside


def _distances(
    placed: Positions, outside: IntArray, window_index: IntArray, begins: Positions, ends: IntArray
) -> tuple[IntArray, IntArray]:
    """How far boundaries are from the window before, and from the one after it.

    Windows of other documents do not count; both are 0 where a document has none.
    """
    at, size = placed.at[outside], ends.size
    if not size or not at.size:
        return np.zeros_like(at), np.zeros_like(at)
    offsets = begins.offsets
    low, high = (placed.spread(edges, outside) for edges in (offsets[:-1], offsets[1:]))
    none = np.where(low < high, FAR, 0)  # where there is no window on that side
    before = np.where(window_index >= low, at - ends[np.maximum(window_index, 0)], none)
    following = window_index + 1
    after = np.where(following < high, begins.at[np.minimum(following, size - 1)] - at, none)
    return before, after
