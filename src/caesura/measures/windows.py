"""Pk and WindowDiff: a window of k + 1 words slid over both segmentations.

Beeferman et al. (1999), Statistical models for text segmentation; Pevzner and Hearst (2002), A
critique and improvement of an evaluation metric for text segmentation.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from caesura.core.counts import Counts, ratio
from caesura.core.score import Score
from caesura.core.segmentation import IntArray, Segmentation, is_dense, require_one_length
from caesura.measures.base import PairMeasure


@dataclass(frozen=True, slots=True)
class WindowCounts(Counts):
    """The windows that Pk and WindowDiff count as errors."""

    pk_errors: int
    windowdiff_errors: int
    windows: int

    @property
    def pk(self) -> float:
        """Windows in which only one of the two has a boundary / windows."""
        return ratio(self.pk_errors, self.windows)

    @property
    def windowdiff(self) -> float:
        """Windows in which the two have different numbers of boundaries / windows."""
        return ratio(self.windowdiff_errors, self.windows)


@dataclass(frozen=True, slots=True)
class Windows(PairMeasure):
    """Pk and WindowDiff over windows of k gaps; 0 stands for half the mean reference unit.

    The end of the transcript lies in no gap, so `final` makes no difference.
    """

    name: ClassVar[str] = "windows"
    counts: ClassVar[type[Counts]] = WindowCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("pk", "Pk", "Windows in which only one side has a boundary / windows.", "low",
              ("each", "mean", "compare")),
        Score("windowdiff", "WD", "WindowDiff: windows with different numbers of boundaries.",
              "low", ("each", "mean", "compare", "correlate", "sweep"), option="k"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"k": 0}

    k: int = 0

    def count(self, candidate: Segmentation, reference: Segmentation) -> WindowCounts:
        """Count one candidate against one reference."""
        require_one_length(candidate, reference)
        k = self.k or default_k(reference)
        total = max(0, reference.length - k)
        if not total:
            return WindowCounts.zero()
        placed, wanted = candidate.positions(), reference.positions()
        if k < 256 and is_dense(total, placed, wanted):
            return _each_window(placed, wanted, k, total)
        return _each_piece(placed, wanted, k, total)


def default_k(reference: Segmentation) -> int:
    """Half the mean length of the reference's units, rounded half to even, and at least 2."""
    return mean_k(reference.length, reference.boundaries.size)


def mean_k(words: int, units: int) -> int:
    """The same where only the numbers of words and units are known."""
    return max(2, round(words / (2 * max(1, units))))


def _each_window(placed: IntArray, wanted: IntArray, k: int, total: int) -> WindowCounts:
    """Count window by window, with a byte for each: best where boundaries are many."""
    ours, theirs = (_sums(positions, k, total) for positions in (placed, wanted))
    return WindowCounts(
        pk_errors=int(np.count_nonzero(np.logical_xor(ours, theirs))),
        windowdiff_errors=int(np.count_nonzero(ours != theirs)),
        windows=total,
    )


def _sums(positions: IntArray, k: int, total: int) -> npt.NDArray[np.uint8]:
    """How many boundaries each window sees: sums over k neighbouring gaps.

    They are put together from sums over 1, 2, 4 … gaps, according to the binary digits of k.
    """
    sums = np.zeros(total + k - 1, dtype=np.uint8)
    sums[positions] = 1
    held = np.zeros(total, dtype=np.uint8)
    width, seen = 1, 0
    while seen < k:
        if k & width:
            held += sums[seen : seen + total]
            seen += width
        sums = sums[:-width] + sums[width:]
        width *= 2
    return held


def _each_piece(placed: IntArray, wanted: IntArray, k: int, total: int) -> WindowCounts:
    """Count by pieces of windows in which nothing changes: best where boundaries are few.

    The window that starts at i sees the gaps i … i + k - 1, so a boundary at j enters at
    j - k + 1 and leaves at j + 1.
    """
    both = np.concatenate((placed, wanted))
    cuts = np.concatenate((both - k + 1, both + 1, np.zeros(1, np.int64)))
    starts = np.sort(cuts[(cuts >= 0) & (cuts < total)])
    widths = np.diff(starts, append=total)
    ours, theirs = (
        np.searchsorted(positions, starts + k) - np.searchsorted(positions, starts)
        for positions in (placed, wanted)
    )
    return WindowCounts(
        pk_errors=int(widths[(ours > 0) != (theirs > 0)].sum()),
        windowdiff_errors=int(widths[ours != theirs].sum()),
        windows=total,
    )
