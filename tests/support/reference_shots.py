"""Slow twins of shots: scenes of a threshold frame by frame, transitions matched by trial."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from support.reference_matching import largest

Scenes = list[tuple[int, int]]
"""The first and the last frame of each shot."""


def scenes_at(scores: Sequence[float], threshold: float) -> Scenes:
    """Shots between runs of frames that reach the threshold; a run at either end is no transition.

    A shot ends with the first frame of a run.
    """
    runs = [(is_on, len(list(own))) for is_on, own in groupby(each >= threshold for each in scores)]
    scenes, first, at = [], 0, 0
    for is_on, size in runs:
        if is_on and at > 0 and at + size < len(scores):
            scenes.append((first, at))
            first = at + size
        at += size
    return [*scenes, (first, len(scores) - 1)]


def transitions(scenes: Scenes, tolerance: int) -> list[tuple[float, float]]:
    """From when to when a shot changes into the next, in frames, widened by the tolerance."""
    wider = tolerance / 2
    return [(one[1] + 0.5 - wider, other[0] - 0.5 + wider) for one, other in pairwise(scenes)]


def matches(ours: Scenes, theirs: Scenes, tolerance: int) -> tuple[int, int, int]:
    """TP, FP and FN of transitions that overlap, as many matched one to one as possible."""
    placed, wanted = (transitions(each, tolerance) for each in (ours, theirs))
    right = largest(
        [
            [at for at, (low, high) in enumerate(wanted) if start <= high and low <= end]
            for start, end in placed
        ]
    )
    return right, len(placed) - right, len(wanted) - right


def best_f1(scores: Sequence[float], theirs: Scenes, tolerance: int) -> tuple[float, float] | None:
    """The highest F1 of all thresholds, and the highest one that reaches it."""
    found = []
    for threshold in {*scores}:
        tp, fp, fn = matches(scenes_at(scores, threshold), theirs, tolerance)
        if tp + fp + fn:
            found.append((2 * tp / (2 * tp + fp + fn), threshold))
    return max(found) if found else None
