"""Segments in time as pyannote.metrics scores them: changes of speaker, purity and coverage.

Bredin (2017), pyannote.metrics. Changes are ends of segments, matched one to one, the nearest
pair first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.communities.speakers.turns import Turns
from caesura.core.arrays import sorted_distinct
from caesura.core.counts import Counts, harmonic, ratio
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Score
from caesura.core.segmentation import BoolArray, Document, IntArray, within_regions
from caesura.matching.one_to_one import nearest_first


@dataclass(frozen=True, slots=True)
class ChangeCounts(Counts):
    """Changes of both sides, and those that match, for precision and for recall.

    Which pair of those that are equally near comes first is decided by the reference's changes for
    precision and by the candidate's for recall, as pyannote.metrics does.
    """

    right: int
    placed: int
    found: int
    wanted: int

    @property
    def precision(self) -> float:
        """Matches / changes of the candidate."""
        return ratio(self.right, self.placed)

    @property
    def recall(self) -> float:
        """Matches / changes of the reference."""
        return ratio(self.found, self.wanted)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return harmonic(self.precision, self.recall)

    @property
    def score(self) -> float:
        """F1."""
        return self.f1


@dataclass(frozen=True, slots=True)
class Changes(DocumentMeasure):
    """Precision, recall and F1 of changes of speaker up to `tolerance` microseconds apart.

    A change is the end of a segment other than the last one, by its beginning; segments at the
    same times are one.
    """

    name: ClassVar[str] = "changes"
    counts: ClassVar[type[Counts]] = ChangeCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        Score("change_precision", "change P", "Precision of changes, matched nearest first.",
              take="precision"),
        Score("change_recall", "change R", "Recall of changes, matched nearest first.",
              take="recall"),
        Score("change_f1", "change F1", "F1 of changes, matched nearest first.", take="f1"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 500_000

    def count(self, candidate: Document, reference: Document) -> ChangeCounts:
        """Count one document against a reference."""
        ours, theirs = (changes_of(each) for each in (candidate, reference))
        right = nearest_first(theirs, ours, self.tolerance)[0].size
        found = nearest_first(ours, theirs, self.tolerance)[0].size
        return ChangeCounts(right, ours.size, found, theirs.size)


def changes_of(document: Document) -> IntArray:
    """When segments end, in the order in which they begin, but for the last one."""
    turns = Turns.from_document(document)
    ends = turns.end[_is_new(turns)][:-1]
    return ends if document.regions is None else ends[within_regions(ends, document.regions)]


def _is_new(turns: Turns) -> BoolArray:
    """Which segments have other times than the one before."""
    changes = (np.diff(turns.start) != 0) | (np.diff(turns.end) != 0)
    return np.asarray(np.concatenate(([True], changes))[: turns.start.size])


@dataclass(frozen=True, slots=True)
class PurityCounts(Counts):
    """Microseconds of speech, and how much of it is the largest common stretch of each segment.

    `pure` sums these over the candidate's segments, `covered` over the reference's.
    """

    speech: int
    pure: int
    covered: int

    @property
    def purity(self) -> float:
        """How much of the candidate's segments is in one segment of the reference."""
        return ratio(self.pure, self.speech)

    @property
    def coverage(self) -> float:
        """How much of the reference's segments is in one segment of the candidate."""
        return ratio(self.covered, self.speech)

    @property
    def f1(self) -> float:
        """The harmonic mean of purity and coverage."""
        return harmonic(self.purity, self.coverage)

    @property
    def score(self) -> float:
        """F1."""
        return self.f1


@dataclass(frozen=True, slots=True)
class Purity(DocumentMeasure):
    """Purity and coverage; pauses of a speaker shorter than `tolerance` microseconds are filled."""

    name: ClassVar[str] = "purity"
    counts: ClassVar[type[Counts]] = PurityCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        Score("purity", "purity", "Duration of segments that is in one reference segment."),
        Score("coverage", "coverage", "Duration of reference segments that is in one segment."),
        Score("purity_coverage_f1", "F purity, coverage",
              "Harmonic mean of purity and coverage.", take="f1"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 500_000

    def count(self, candidate: Document, reference: Document) -> PurityCounts:
        """Count one document against a reference."""
        ours, theirs = (
            Turns.from_document(each).within(each.regions) for each in (candidate, reference)
        )
        return purity_of(ours, theirs.filled(self.tolerance))


def purity_of(ours: Turns, theirs: Turns) -> PurityCounts:
    """Count segments against those of a reference.

    Both sides are cut at all of their edges, and count where the reference has speech and the
    candidate has begun and not ended. The edges of both make pieces; as segments are stretches
    of time, each piece is all that two of them share. A loop over the pieces takes seven times as
    long (.7 s for 100,000 segments a side). The slow twin is `purity` of
    tests/support/reference_times.py.
    """
    placed, wanted = (
        sorted_distinct(np.concatenate((each.start, each.end))) for each in (ours, theirs)
    )
    if not placed.size or not wanted.size:
        return PurityCounts.zero()
    edges = sorted_distinct(np.concatenate((placed, wanted)))
    start, length = edges[:-1], np.diff(edges)  # (pieces,) in order
    counted = (start >= placed[0]) & (start < placed[-1]) & (theirs.voices(start) > 0)
    start, length = start[counted], length[counted]
    of_theirs = np.searchsorted(wanted, start, side="right")  # (pieces,) which segment each is of
    # A segment of the candidate is cut where the reference has no speech
    breaks = np.cumsum(np.concatenate(([0], start[1:] != (start + length)[:-1])))[: start.size]
    of_ours = np.searchsorted(placed, start, side="right") + breaks
    return PurityCounts(
        int(length.sum()), _largest_parts(length, of_ours), _largest_parts(length, of_theirs)
    )


def _largest_parts(length: IntArray, owner: IntArray) -> int:
    """The sum of the longest piece of each owner, whose pieces are one after another."""
    if not length.size:
        return 0
    first = np.flatnonzero(np.diff(owner, prepend=owner[0] - 1))
    return int(np.maximum.reduceat(length, first).sum())
