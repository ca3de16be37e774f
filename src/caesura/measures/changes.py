"""Changes of speaker as pyannote.metrics matches them: ends of segments, the nearest pair first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.counts import Counts, harmonic, ratio
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Score
from caesura.core.segmentation import BoolArray, Document, IntArray, within_regions
from caesura.matching.one_to_one import nearest_first
from caesura.measures.speakers import Turns


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
