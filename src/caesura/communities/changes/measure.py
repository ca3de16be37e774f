"""Change points of a series as TCPDBench scores them: F1 with a margin, and covering.

Van den Burg and Williams (2020), An evaluation of change point detection algorithms; the covering
is that of Arbeláez et al. (2010).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

import caesura
from caesura.core.arrays import sorted_distinct
from caesura.core.counts import Counts, harmonic, ratio
from caesura.core.measure import Cut, PanelMeasure
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import IntArray, Panel, Segmentation
from caesura.measures.geometry import PAST

if TYPE_CHECKING:
    from caesura.core.json_values import Json

RECALL, PART = 10**12, 10**9
"""The parts in which recall and covering are counted, so that counts are whole and add."""


@dataclass(frozen=True, slots=True)
class ChangePointCounts(Counts):
    """What was found of a series.

    `right` of `placed` points match one of any annotator; `recalled` is the sum over `series` of
    the mean recall, in parts of 10⁻¹², and `covered` that of the mean covering times the length, of
    `samples`, in parts of 10⁻⁹.
    """

    right: int
    placed: int
    recalled: int
    series: int
    covered: int
    samples: int

    @property
    def precision(self) -> float:
        """Points that match one of any annotator / points."""
        return ratio(self.right, self.placed)

    @property
    def recall(self) -> float:
        """The share of an annotator's points that are matched, mean over annotators."""
        return ratio(self.recalled, self.series)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return harmonic(self.precision, self.recall)

    @property
    def cover(self) -> float:
        """How far segments of annotators are covered by segments of the system."""
        return ratio(self.covered, self.samples)


@dataclass(frozen=True, slots=True)
class ChangePoints(PanelMeasure[ChangePointCounts]):
    """Precision, recall, F1 and covering of TCPDBench; 0 is a point of everyone.

    Points of an annotator are matched in order, each with the nearest free one of the system that
    is at most `tolerance` away.
    """

    name: ClassVar[str] = "change_points"
    counts: ClassVar[type[Counts]] = ChangePointCounts
    cut: ClassVar[Cut] = "whole"
    has_time: ClassVar[bool] = True
    has_words: ClassVar[bool] = False
    asked_by: ClassVar[str] = ALSO
    needs_length: ClassVar[str] = "covering"
    is_of_several: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        Score("change_point_precision", "change point P",
              "Points that match one of any annotator / points.", take="precision"),
        Score("change_point_recall", "change point R",
              "Share of an annotator's points that are matched, mean over annotators.",
              take="recall"),
        Score("change_point_f1", "change point F1", "Harmonic mean of both.", take="f1"),
        Score("change_point_cover", "covering", "How far segments of annotators are covered.",
              take="cover"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 5

    def count(self, candidate: Segmentation, panel: Panel) -> ChangePointCounts:
        """Count one series; the slow twin is `tcpd` of tests/support/reference_signals.py."""
        extent = candidate.length - PAST
        starts = []  # where segments begin: 0, and the points before the end
        for version in (candidate, *panel.members):
            points = version.positions()
            starts.append(np.append(0, points[(points > 0) & (points < extent)]))
        ours, *theirs = starts
        anyone = sorted_distinct(np.concatenate(theirs))
        recalls = [matched(points, ours, self.tolerance) / points.size for points in theirs]
        covers = [covering(points, ours, extent) for points in theirs]
        return ChangePointCounts(
            matched(anyone, ours, self.tolerance),
            ours.size,
            round(RECALL * sum(recalls) / len(recalls)),
            RECALL,
            round(PART * extent * (sum(covers) / len(covers))),
            PART * extent,
        )


def matched(wanted: IntArray, placed: IntArray, margin: int) -> int:
    """How many points, in order, find a free one of the others within the margin, nearest first.

    >>> matched(np.array([0, 10]), np.array([0, 6, 14]), 5)
    2
    """
    before: list[int] = []  # the free ones up to a point, the nearest last
    after = placed[::-1].tolist()  # the free ones beyond it, the nearest last
    matches = 0
    for point in wanted.tolist():
        while after and after[-1] <= point:
            before.append(after.pop())
        left = point - before[-1] if before else margin + 1
        right = after[-1] - point if after else margin + 1
        if min(left, right) <= margin:
            (before if left <= right else after).pop()
            matches += 1
    return matches


def covering(theirs: IntArray, ours: IntArray, extent: int) -> float:
    """The mean over samples of the best overlap of their segment with one of ours (IoU)."""
    edges = sorted_distinct(np.concatenate((theirs, ours)))  # each piece is in one segment of both
    pieces = np.diff(edges, append=extent)
    one = np.searchsorted(theirs, edges, side="right") - 1
    other = np.searchsorted(ours, edges, side="right") - 1
    sizes, sizes_of_ours = np.diff(theirs, append=extent), np.diff(ours, append=extent)
    overlap = pieces / (sizes[one] + sizes_of_ours[other] - pieces)
    best = np.maximum.reduceat(overlap, np.searchsorted(one, np.arange(theirs.size)))
    return float((sizes * best).sum() / extent)


def figures(data: Json) -> Iterator[tuple[str, str, str, float]]:
    """What TCPDBench publishes for the methods on three series; covers are counted in integers."""
    for name, series in data.items():
        methods = {method: printed["points"] for method, printed in series["methods"].items()}
        people, systems = (
            {who: {name: caesura.times(sorted({*points}), n=series["n"])} for who, points in side}
            for side in (series["annotations"].items(), methods.items())
        )
        found = caesura.evaluate(systems, gold=people, profile="changes")
        for method, printed in series["methods"].items():
            micro = found.systems[method].micro
            for key in ("f1", "precision", "recall", "cover"):
                yield f"{name}/{method}", key, f"{printed[key]:.10f}", micro[key]
