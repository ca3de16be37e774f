"""Actions in videos as MS-TCN scores them: edit score, F1 by overlap, and accuracy of frames.

Lea et al. (2017), Temporal convolutional networks; Farha and Gall (2019), MS-TCN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caesura.communities.events.events import LabelSpans, Overlay, labelled
from caesura.core.batch import ranges
from caesura.core.counts import Counts, Matches, ratio
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Score
from caesura.core.segmentation import Document, FloatArray, IntArray

PART = 10**12
"""The parts in which the edit score of a video is kept, so that counts are whole and add."""
OVERLAPS = (10, 25, 50)
"""The percentages of overlap from which on a segment is right."""


@dataclass(frozen=True, slots=True)
class ActionCounts(Counts):
    """Segments of both sides and the right ones; the sum of edit scores; places that are right."""

    videos: int
    edit_parts: int
    placed: int
    wanted: int
    right_10: int
    right_25: int
    right_50: int
    right_frames: int
    frames: int

    @property
    def edit(self) -> float:
        """The mean over videos of 100 · (1 - edits / longer sequence)."""
        return 100 * ratio(self.edit_parts, PART * self.videos)

    def at(self, overlap: int) -> Matches:
        """Segments that overlap by at least this percentage."""
        return Matches.from_totals(getattr(self, f"right_{overlap}"), self.placed, self.wanted)

    @property
    def frame_accuracy(self) -> float:
        """The share of frames, or of the time, with the same labels."""
        return ratio(self.right_frames, self.frames)

    @property
    def score(self) -> float:
        """F1 with half of a segment overlapping."""
        return self.at(50).f1


def _f1(overlap: int) -> Score:
    take: Any = lambda counts: counts.at(overlap).f1  # noqa: E731
    return Score(f"action_f1_{overlap}", f"F1@{overlap}",
                 f"F1 of segments of which {overlap}% overlap (IoU).", take=take)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Actions(DocumentMeasure):
    """Edit score, F1 by overlap and accuracy of frames; the label `background` is no action."""

    name: ClassVar[str] = "actions"
    counts: ClassVar[type[Counts]] = ActionCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        Score("action_edit", "edit", "Edit score: 100·(1 - edits of labels / longer sequence).",
              take="edit", scale=100),
        *map(_f1, OVERLAPS),
        Score("frame_accuracy", "frame accuracy", "Frames, or time, with the same labels / all."),
    )  # fmt: skip

    background: str = "background"

    def count(self, candidate: Document, reference: Document) -> ActionCounts:
        """Count one video; the slow twin is `actions` of tests/support/reference_events.py."""
        ours, theirs, names = labelled(candidate, reference, self.background)
        over = Overlay.from_spans(ours, theirs, len(names))
        differs = (over.added > 0) | (over.missed > 0)
        extent = max(candidate.extent, reference.extent, *(int(each.end.max(initial=0))
                     for each in (ours, theirs)))  # fmt: skip
        one, other = _joined(ours), _joined(theirs)
        longer = max(one.label.size, other.label.size)
        parts = round(PART * (1 - _edits(one.label, other.label) / longer)) if longer else 0
        best, overlap = _best(one, other)
        right = (np.unique(best[overlap >= percent / 100]).size for percent in OVERLAPS)
        wrong = int(over.length[differs].sum())
        segments = one.label.size, other.label.size
        return ActionCounts(*(int(longer > 0), parts, *segments, *right, extent - wrong, extent))


def _joined(spans: LabelSpans) -> LabelSpans:
    """Segments as frames have them: those that follow each other with one label are one."""
    is_new = np.ones(spans.start.size, np.bool_)
    is_new[1:] = (np.diff(spans.label) != 0) | (spans.start[1:] > spans.end[:-1])
    first = np.flatnonzero(is_new)
    end = np.maximum.reduceat(spans.end, first) if first.size else spans.end
    return LabelSpans(spans.start[first], end, spans.label[first])


def _edits(one: IntArray, other: IntArray) -> int:
    """The Levenshtein distance of two sequences of labels."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(one.tolist(), other.tolist())


def _best(ours: LabelSpans, theirs: LabelSpans) -> tuple[IntArray, FloatArray]:
    """For segments that overlap one with their label, the one with the highest IoU, and that IoU.

    A segment can overlap only those that begin before it ends, from the first on that, or any
    before it, ends after it begins.
    """
    span = int(max(ours.end.max(initial=0), theirs.end.max(initial=0))) + 1
    (start, end), (low, high) = (
        (each.start + each.label * span, each.end + each.label * span) for each in (ours, theirs)
    )
    order = np.argsort(low, kind="stable")
    first = np.searchsorted(np.maximum.accumulate(high[order]), start, side="right")
    sizes = np.maximum(np.searchsorted(low[order], end) - first, 0)
    of, near = np.repeat(np.arange(start.size), sizes), order[ranges(first, sizes)]
    shared = np.minimum(end[of], high[near]) - np.maximum(start[of], low[near])
    joined = np.maximum(end[of], high[near]) - np.minimum(start[of], low[near])
    overlap = np.maximum(shared, 0) / np.maximum(joined, 1)
    ranked = np.lexsort((near, -overlap, of))
    chosen = ranked[np.flatnonzero(np.diff(of[ranked], prepend=-1))]
    return near[chosen], overlap[chosen]
