"""Pk and WindowDiff: a window of k + 1 words slid over both segmentations.

Beeferman et al. (1999), Statistical models for text segmentation; Pevzner and Hearst (2002), A
critique and improvement of an evaluation metric for text segmentation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import is_dense, stretched
from caesura.core.batch import (
    Positions,
    SegmentationBatch,
    offsets_of,
    require_one_length_each,
)
from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.measure import PairMeasure
from caesura.core.score import Score
from caesura.core.segmentation import IntArray
from caesura.measures.geometry import CellGrid, on_grid


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
class Windows(PairMeasure[WindowCounts]):
    """Pk and WindowDiff over windows of k gaps; 0 means half the mean reference unit.

    The end of the transcript is in no gap, so `final` makes no difference.
    """

    name: ClassVar[str] = "windows"
    counts: ClassVar[type[Counts]] = WindowCounts
    has_time: ClassVar[bool] = True
    scores: ClassVar[tuple[Score, ...]] = (
        Score("pk", "Pk", "Windows in which only one side has a boundary / windows.", "low",
              ("each", "mean", "compare")),
        Score("windowdiff", "WD", "WindowDiff: windows with different numbers of boundaries.",
              "low", ("each", "mean", "compare", "correlate")),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"k": 0}

    k: int = 0
    grid: CellGrid | None = None

    def count_each(
        self, candidate: SegmentationBatch, reference: SegmentationBatch
    ) -> WindowCounts:
        """Count many documents."""
        candidate, reference = on_grid(self.grid, candidate, reference)
        require_one_length_each(candidate, reference)
        if self.k:
            k = np.full(len(reference), self.k)
        else:  # `mean_k` of each document
            units = np.maximum(1, reference.sizes)
            halves: IntArray = np.rint(reference.lengths / (2 * units)).astype(np.int64)
            k = np.maximum(halves, 2)
        return count_windows(candidate.positions(), reference.positions(), reference.lengths, k)


def count_windows(
    placed: Positions, wanted: Positions, lengths: IntArray, k: IntArray
) -> WindowCounts:
    """Count documents of some lengths, laid end to end, each with its own k.

    There are three ways, each the fastest somewhere: for a million words with 100,000 boundaries,
    bytes take .7 ms, running sums 20 ms and pieces 70 ms; pieces win where boundaries are few, and
    need no memory for words. The slow twins are `pk` and `window_diff` of
    tests/support/reference_transcript.py.
    """
    if not is_dense(int(lengths.sum()), placed.at, wanted.at):
        return _each_piece(placed, wanted, lengths, k)
    if lengths.size == 1 and k[0] < 256:
        return _each_window(placed.at, wanted.at, int(lengths[0]), int(k[0]))
    return _many_windows(placed, wanted, lengths, k)


def mean_k(words: int, units: int) -> int:
    """Half the mean length of the reference's units, rounded half to even, and at least 2."""
    return max(2, round(words / (2 * max(1, units))))


def _each_window(placed: IntArray, wanted: IntArray, length: int, k: int) -> WindowCounts:
    """Count window by window, with a byte for each: best where boundaries are many."""
    total = max(0, length - k)
    ours, theirs = (_sums(positions, k, total) for positions in (placed, wanted))
    pk, windowdiff = np.logical_xor(ours, theirs), ours != theirs
    errors = [np.array([np.count_nonzero(which)]) for which in (pk, windowdiff)]
    return of_arrays(WindowCounts, *errors, np.array([total]))


def _many_windows(
    placed: Positions, wanted: Positions, lengths: IntArray, k: IntArray
) -> WindowCounts:
    """Count window by window in many documents, each of which has its own k."""
    total = np.maximum(0, lengths - k)
    # Where windows begin, document after document, and the word after each window.
    windows = Positions(stretched(offsets_of(lengths)[:-1], total), offsets_of(total))
    beyond = windows.at + np.repeat(k, total)
    words = int(lengths.sum())
    ours, theirs = (_between(each.at, windows.at, beyond, words) for each in (placed, wanted))
    pk, windowdiff = (ours > 0) != (theirs > 0), ours != theirs
    return of_arrays(WindowCounts, windows.tally(pk), windows.tally(windowdiff), total)


def _between(
    positions: IntArray, low: IntArray, high: IntArray, words: int
) -> npt.NDArray[np.int32]:
    """How many positions there are from each low to before each high, on an axis of words."""
    before = np.zeros(words + 1, np.int32)  # how many positions lie before each word
    before[positions + 1] = 1
    np.cumsum(before, out=before)
    between: npt.NDArray[np.int32] = before[high] - before[low]
    return between


def _sums(positions: IntArray, k: int, total: int) -> npt.NDArray[np.uint8]:
    """How many boundaries each window sees: sums over k neighbouring gaps.

    They are put together from sums over 1, 2, 4 … gaps, according to the binary digits of k: .3 ms
    for a million words, where a running sum takes 2.3 ms.
    """
    sums = np.zeros(total + k, dtype=np.uint8)  # boundaries in the next 1, 2, 4 … gaps of each
    sums[positions] = 1
    held = np.zeros(total, dtype=np.uint8)  # (windows,) boundaries in the gaps added so far
    width, seen = 1, 0
    while seen < k:
        if k & width:
            held += sums[seen : seen + total]
            seen += width
        sums = sums[:-width] + sums[width:]
        width *= 2
    return held


def _each_piece(
    placed: Positions, wanted: Positions, lengths: IntArray, k: IntArray
) -> WindowCounts:
    """Count by pieces of windows in which nothing changes: best where boundaries are few.

    The window that starts at i sees the gaps i … i + k - 1, so a boundary at j enters at
    j - k + 1 and leaves at j + 1.
    """
    # (documents,) the first window, the number of windows, and the first beyond them
    starts, total = offsets_of(lengths)[:-1], np.maximum(0, lengths - k)
    stops = starts + total
    cuts = [starts[total > 0]]  # windows that a piece begins with; empty pieces do no harm
    for each in (placed, wanted):
        low, high, back = (np.repeat(edge, each.sizes) for edge in (starts, stops, k - 1))
        cuts += [cut[(cut >= low) & (cut < high)] for cut in (each.at - back, each.at + 1)]
    begins = np.sort(np.concatenate(cuts))
    pieces = Positions(begins, np.append(np.searchsorted(begins, starts), begins.size))
    following = np.append(begins[1:], 0)  # (pieces,) the window after each
    following[pieces.offsets[1:][total > 0] - 1] = stops[total > 0]
    widths, beyond = following - begins, begins + np.repeat(k, pieces.sizes)
    ours, theirs = (
        np.searchsorted(each.at, beyond) - np.searchsorted(each.at, begins)
        for each in (placed, wanted)
    )
    pk, windowdiff = (ours > 0) != (theirs > 0), ours != theirs
    return of_arrays(
        WindowCounts, pieces.sums(widths * pk), pieces.sums(widths * windowdiff), total
    )
