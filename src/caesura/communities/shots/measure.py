"""Shots of a video as TransNetV2 and AutoShot score them: transitions, and the best threshold.

Souček and Lokoč (2020), TransNet V2; Zhu et al. (2023), AutoShot. A transition lies between the
last frame of a shot and the first of the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

import caesura
from caesura.core.counts import Counts, Matches
from caesura.core.labels import Labels
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Score
from caesura.core.segmentation import BoolArray, Document, IntArray, ScoreArray, Track, edges_of
from caesura.measures.geometry import matched_in_order
from caesura.measures.ranking import NONE, RankingCounts, best_scores, levels_of

if TYPE_CHECKING:
    from caesura.core.json_values import Json


class Transitions(NamedTuple):
    """Frames from the last one of a shot to the one before the next shot, in order."""

    start: IntArray  # (transitions,) the last frame of the shot before
    end: IntArray  # (transitions,) the last frame before the shot after

    @classmethod
    def from_document(cls, document: Document) -> Transitions:
        """What lies between neighbouring shots; points are the first frames of shots."""
        if document.form == "times" and document.track.start is not None:
            return cls(document.track.start - 1, document.track.start - 1)
        shots = Labels.from_document(document)
        shots.require_apart(document.source)
        return cls(shots.ends[:-1] - 1, shots.starts[1:] - 1)

    def within_reach(self, tolerance: int) -> Transitions:
        """The frames of which a run has to have one to be right."""
        return Transitions(self.start - tolerance, self.end + tolerance)


def shots_above(scores: ScoreArray, threshold: float) -> Track:
    """The shots of frames with scores: a run that reaches the threshold is a transition."""
    between = runs(scores >= np.float32(threshold))
    start = np.append(0, between.end + 1)
    end = np.append(between.start + 1, scores.size)
    return Track(start, end, edges=edges_of(start, end))


@dataclass(frozen=True, slots=True)
class Shots(DocumentMeasure):
    """Precision, recall and F1 of transitions between shots, up to `tolerance` frames apart."""

    name: ClassVar[str] = "shots"
    counts: ClassVar[type[Counts]] = Matches
    has_words: ClassVar[bool] = False
    ranking: ClassVar[str] = "shot_ranking"
    above_threshold: ClassVar[Callable[..., Track] | None] = staticmethod(shots_above)
    scores: ClassVar[tuple[Score, ...]] = (
        Score("shot_tp", "shot TP", "Transitions between shots that are right.", None, ("profile",),
              take="tp", is_count=True),
        Score("shot_fp", "shot FP", "Transitions that the reference lacks.", None, ("profile",),
              take="fp", is_count=True),
        Score("shot_fn", "shot FN", "Transitions that the system lacks.", None, ("profile",),
              take="fn", is_count=True),
        Score("shot_precision", "shot P", "Precision of transitions between shots.",
              take="precision"),
        Score("shot_recall", "shot R", "Recall of transitions between shots.", take="recall"),
        Score("shot_f1", "shot F1", "F1 of transitions between shots.", take="f1"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 2

    def count(self, candidate: Document, reference: Document) -> Matches:
        """Match transitions in order, which matches as many one to one as possible."""
        ours = Transitions.from_document(candidate)
        theirs = Transitions.from_document(reference).within_reach(self.tolerance)
        first = np.searchsorted(theirs.end, ours.start)  # (ours,) of those that share a frame
        beyond = np.searchsorted(theirs.start, ours.end, side="right")
        right = int(np.count_nonzero(matched_in_order(first, beyond)))
        return Matches.from_totals(right, ours.start.size, theirs.start.size)


class RunCounts(RankingCounts):
    """For each score by how much the runs of frames with at least that score change, and the right.

    Unlike places, runs may become fewer as the threshold falls, so a change may be negative.
    """

    __slots__ = ()
    least: ClassVar[int] = -(1 << 62)


@dataclass(frozen=True, slots=True)
class ShotRanking(DocumentMeasure):
    """The best F1 of transitions over all thresholds, where a system scores each frame.

    A transition is a run of frames that reach the threshold and touch neither end of the video.
    """

    name: ClassVar[str] = "shot_ranking"
    counts: ClassVar[type[Counts]] = RunCounts
    is_implied: ClassVar[bool] = True
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = best_scores("shot_", "shot ")

    tolerance: int = 2

    def count(self, candidate: Document, reference: Document) -> RunCounts:
        """Count runs at every threshold; the slow twin is in tests/support/reference_shots.py."""
        if candidate.segmentation.scores is None:
            return RunCounts.zero()
        levels = levels_of(candidate.segmentation.scores)
        goals = Transitions.from_document(reference)
        placed, placed_by = _changes_of_runs(levels)
        found, found_by = _changes_of_matches(levels, goals.within_reach(self.tolerance))
        changed = np.concatenate(([NONE], placed, found))
        level, row = np.unique(changed, return_inverse=True)  # NONE, the lowest, is the first
        values = np.zeros((3, level.size), np.int64)  # right, places and hits of each level
        np.add.at(values[0], row[placed.size + 1 :], found_by)
        np.add.at(values[1], row[1 : placed.size + 1], placed_by)
        values[:, 0] = goals.start.size - values[0, 1:].sum(), 0, 0
        kept = np.flatnonzero(values.any(axis=0) | (level == NONE))
        return RunCounts.from_levels(level[kept], values[:, kept], np.zeros_like(kept), ())


def runs(is_on: BoolArray) -> Transitions:
    """Runs of frames that touch neither end.

    >>> runs(np.array([1, 0, 1, 1, 0, 0, 1, 0, 1], np.bool_))
    Transitions(start=array([2, 6]), end=array([3, 6]))
    """
    steps = np.diff(is_on.astype(np.int8))
    start, beyond = np.flatnonzero(steps == 1) + 1, np.flatnonzero(steps == -1) + 1
    beyond = beyond[int(is_on[:1].any()) :]
    return Transitions(start[: beyond.size], beyond - 1)


def _changes_of_runs(levels: IntArray) -> tuple[IntArray, IntArray]:
    """The levels at which the number of runs changes as the threshold falls, and by how much.

    A run begins at a frame for the thresholds above the level of the frame before, up to its own;
    that which touches the end is none, unless it touches both, which begins at no frame but 0.
    """
    rises = np.flatnonzero(np.diff(levels) > 0)
    at = levels[rises + 1], levels[rises], levels[-1:], levels.min(keepdims=True)
    signs = np.repeat([1, -1, -1, 1], [each.size for each in at])
    return np.concatenate(at), signs


def _changes_of_matches(levels: IntArray, goals: Transitions) -> tuple[IntArray, IntArray]:
    """The levels at which the number of matched runs may change, and by how much it does.

    Frames far from all goals only join runs: of each stretch of them, the lowest is kept. All
    thresholds are then matched at once, frame by frame: each run with the first free goal.
    """
    inside = (goals.end >= 0) & (goals.start < levels.size)
    low, high = np.maximum(goals.start[inside], 0), np.minimum(goals.end[inside], levels.size - 1)
    depth = np.bincount(low, minlength=levels.size + 1)
    depth -= np.bincount(high + 1, minlength=levels.size + 1)
    is_near = np.cumsum(depth)[:-1] > 0
    first = np.flatnonzero(is_near | np.append(True, is_near[:-1]))  # (cells,) their first frames
    lowest = np.minimum.reduceat(levels, first)  # (cells,)
    # (cells,) the level up to which what is on here touches the beginning or the end
    prefix, suffix = (np.minimum.accumulate(each) for each in (lowest, lowest[::-1]))
    edge = np.maximum(prefix, suffix[::-1])
    thresholds = np.unique(lowest)
    cells = zip(
        np.searchsorted(thresholds, edge, side="right").tolist(),
        np.searchsorted(thresholds, lowest, side="right").tolist(),
        np.searchsorted(high, first).tolist(),
        np.where(is_near[first], np.searchsorted(low, first, side="right"), 0).tolist(),
        strict=True,
    )
    free = np.zeros(thresholds.size, np.int32)  # (thresholds,) the first goal not yet matched
    matches = np.zeros(thresholds.size, np.int64)
    is_used = np.zeros(thresholds.size, np.bool_)  # whether the run that is on is matched
    for bottom, top, goal, beyond in cells:
        is_used[top:] = False
        if goal < beyond and bottom < top:
            on = slice(bottom, top)  # the thresholds at which a run that counts is on
            np.maximum(free[on], goal, out=free[on])
            hits = (free[on] < beyond) & ~is_used[on]
            is_used[on] |= hits
            free[on] += hits
            matches[on] += hits
    return thresholds, -np.diff(matches, append=0)


def figures(data: Json) -> Iterator[tuple[str, str, str, float]]:
    """What AutoShot's program counts over its test videos; a video is as long as its last shot."""
    ours, theirs = (
        {
            video: caesura.labels(
                [(first, last + 1) for first, last in sides[side]],
                n=max(shots[-1][1] for shots in sides) + 1,
            )
            for video, sides in data["videos"].items()
        }
        for side in (1, 0)
    )
    found = caesura.evaluate({"AutoShot": ours}, gold=theirs, profile="shots")
    micro = found.systems["AutoShot"].micro
    for key, printed in data["printed"].items():
        yield "200 videos", key, str(printed), micro[key]
