"""WiSeBE: boundaries against several references at once, through windows of agreement.

González-Gallardo and Torres-Moreno (2018), WiSeBE: Window-based Sentence Boundary Evaluation.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.counts import Counts, harmonic, ratio
from caesura.core.score import Score
from caesura.core.segmentation import BoolArray, Final, IntArray, Panel, Segmentation
from caesura.measures.axis import WORDS, Axis
from caesura.measures.base import PanelMeasure


@dataclass(frozen=True, slots=True)
class WisebeCounts(Counts):
    """The counts of WiSeBE for a document.

    Of `candidates` boundaries, `inside` lie in a window; of `windows`, `hit` hold one; `distance`
    is the sum of the distances of the others to the nearest window. `rgpb` and `rgha` are the
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
        return ratio(count, self.distance, 0.0)


@dataclass(frozen=True, slots=True)
class Wisebe(PanelMeasure):
    """WiSeBE with a window limit: gaps longer than `window` start a new window.

    A boundary is in the nearest window if it is within the axis' tolerance of it: on words, if it
    is inside.
    """

    name: ClassVar[str] = "wisebe"
    counts: ClassVar[type[Counts]] = WisebeCounts
    has_time: ClassVar[bool] = True
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}
    scores: ClassVar[tuple[Score, ...]] = (
        Score("wisebe", "WiSeBE", "F1 over windows × agreement of the references.", take="score",
              views=("all", "ceiling", "document", "compare", "headline", "plot", "correlate",
                     "sweep"),
              needs_several=True, option="window"),
        Score("window_f1", "F1 RW", "Harmonic mean of window precision and recall.", take="f1",
              views=("all", "ceiling", "document", "compare", "plot", "correlate", "sweep"),
              option="window"),
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

    def count(self, candidate: Segmentation, panel: Panel) -> WisebeCounts:
        """Count one candidate against all references."""
        self.axis.require_comparable(candidate, panel.members[0])
        placed, places = candidate.positions(self.final), self.axis.places(panel, self.final)
        starts, ends = windows(places.boundaries, self.window)
        at = np.searchsorted(starts, placed, side="right") - 1
        is_inside = _is_inside(placed, at, ends)
        outside = np.flatnonzero(~is_inside)
        before, after = _distances(placed[outside], at[outside], starts, ends)
        distance = np.minimum(before, after)
        if self.axis.tolerance and starts.size:
            near = distance <= self.axis.tolerance
            is_inside[outside[near]] = True
            at[outside[near]] += (after < before)[near]
            distance = distance[~near]
        inside = np.flatnonzero(is_inside)
        rgpb, rgha = places.agreement(len(panel))
        return WisebeCounts(
            inside=inside.size,
            candidates=placed.size,
            hit=_distinct(at[inside]),
            windows=starts.size,
            rgpb=rgpb,
            rgha=rgha,
            distance=int(distance.sum()),
        )


def windows(positions: IntArray, limit: int) -> tuple[IntArray, IntArray]:
    """The first and last positions of windows, which are separated by gaps greater than the limit.

    >>> [edge.tolist() for edge in windows(np.array([3, 5, 9, 10, 20]), 2)]
    [[3, 9, 20], [5, 10, 20]]
    """
    if not positions.size:
        return positions, positions
    wide = np.flatnonzero(np.diff(positions) > limit)
    starts = positions[np.concatenate(([0], wide + 1))]
    return starts, positions[np.concatenate((wide, [positions.size - 1]))]


def _is_inside(placed: IntArray, at: IntArray, ends: IntArray) -> BoolArray:
    if not ends.size:
        return np.zeros(placed.size, dtype=np.bool_)
    return (at >= 0) & (placed <= ends[np.maximum(at, 0)])


def _distinct(ascending: IntArray) -> int:
    return int(np.count_nonzero(np.diff(ascending))) + min(1, ascending.size)


def _distances(
    outside: IntArray, at: IntArray, starts: IntArray, ends: IntArray
) -> tuple[IntArray, IntArray]:
    """How far the window before, at `at`, and the one after it are; 0 if there are no windows."""
    if not starts.size or not outside.size:
        return np.zeros_like(outside), np.zeros_like(outside)
    far = np.int64(2**62)
    before = np.where(at >= 0, outside - ends[np.maximum(at, 0)], far)
    after = np.where(at + 1 < starts.size, starts[np.minimum(at + 1, starts.size - 1)], far)
    return before, after - outside
