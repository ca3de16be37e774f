"""Pk and WindowDiff as other programs count them.

They differ in how wide a window is, how many there are, whether the end of the document is a place
for a boundary, and what is counted, sentences or words. NLTK 3: `nltk.metrics.segmentation`;
segeval 2: `segeval.pk` and `segeval.window_diff`; Choi's JBeeferman, with which the figures of Choi
(2000) were made.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.align.words import project
from caesura.core.batch import Positions, SegmentationBatch, require_one_length_each
from caesura.core.counts import Counts, of_arrays, ratio, single
from caesura.core.measure import Cut, DocumentMeasure, PairMeasure
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import NO_BREAK, Document, Final, IntArray
from caesura.measures.windows import Windows, count_windows


@dataclass(frozen=True, slots=True)
class ConventionCounts(Counts):
    """The windows that are errors, by program, and how many windows each has."""

    nltk_pk_errors: int
    nltk_windowdiff_errors: int
    nltk_windows: int
    segeval_pk_errors: int
    segeval_windowdiff_errors: int
    segeval_windows: int

    @property
    def pk_nltk(self) -> float:
        """Pk as in NLTK."""
        return ratio(self.nltk_pk_errors, self.nltk_windows)

    @property
    def windowdiff_nltk(self) -> float:
        """WindowDiff as in NLTK."""
        return ratio(self.nltk_windowdiff_errors, self.nltk_windows)

    @property
    def pk_segeval(self) -> float:
        """Pk as in segeval."""
        return ratio(self.segeval_pk_errors, self.segeval_windows)

    @property
    def windowdiff_segeval(self) -> float:
        """WindowDiff as in segeval."""
        return ratio(self.segeval_windowdiff_errors, self.segeval_windows)

    @property
    def score(self) -> float:
        """NLTK's WindowDiff."""
        return self.windowdiff_nltk


@dataclass(frozen=True, slots=True)
class Conventions(PairMeasure[ConventionCounts]):
    """Pk and WindowDiff of NLTK and of segeval; k is as wide as they make it, if it is 0.

    NLTK takes a symbol for each item, a 1 where a unit ends after it; `final` says whether the last
    one is a 1, too.
    """

    name: ClassVar[str] = "conventions"
    counts: ClassVar[type[Counts]] = ConventionCounts
    cut: ClassVar[Cut] = "whole"
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (
        Score("pk_nltk", "Pk (NLTK)", "Pk as in NLTK: N - k + 1 windows over N symbols, the last "
              "item among them; k without a minimum.", "low"),
        Score("windowdiff_nltk", "WD (NLTK)", "WindowDiff as in NLTK: N - k + 1 windows over N "
              "symbols; k as in NLTK's Pk.", "low"),
        Score("pk_segeval", "Pk (segeval)", "Pk as in segeval: n - k windows.", "low"),
        Score("windowdiff_segeval", "WD (segeval)", "WindowDiff as in segeval: n - k windows.",
              "low"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"k": 0}

    k: int = 0
    final: Final = "drop"

    def count_each(
        self, candidate: SegmentationBatch, reference: SegmentationBatch
    ) -> ConventionCounts:
        """Count many documents."""
        require_one_length_each(candidate, reference)
        placed, wanted = (each.positions(self.final, 1) for each in (candidate, reference))
        k = _half_up_to_even(reference.lengths, wanted.sizes)
        k = np.full_like(k, self.k) if self.k else k
        nltk = count_windows(placed, wanted, reference.lengths + 1, k)
        segeval = Windows(self.k).count_each(candidate, reference)
        return of_arrays(
            ConventionCounts,
            nltk.pk_errors,
            nltk.windowdiff_errors,
            nltk.windows,
            segeval.pk_errors,
            segeval.windowdiff_errors,
            segeval.windows,
        )


def _half_up_to_even(lengths: IntArray, ones: IntArray) -> IntArray:
    """Half the symbols for each 1 among them, rounded half to even."""
    halves: IntArray = np.rint(lengths / (2.0 * np.maximum(1, ones))).astype(np.int64)
    return halves


@dataclass(frozen=True, slots=True)
class ChoiCounts(Counts):
    """The windows over words that Choi's Pk counts as errors."""

    errors: int
    windows: int

    @property
    def score(self) -> float:
        """Windows in which only one of the two has a boundary / windows."""
        return ratio(self.errors, self.windows)


@dataclass(frozen=True, slots=True)
class Choi(DocumentMeasure):
    """Pk as in Choi's program: over words, where the items are sentences.

    k is half the mean reference unit in words, rounded half up, without a minimum. Where no words
    are known, every item counts as one. The boundaries of a candidate whose sentences differ are
    projected onto those of the reference.
    """

    name: ClassVar[str] = "choi"
    counts: ClassVar[type[Counts]] = ChoiCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("pk_choi", "Pk (Choi)", "Pk as in Choi's program: windows over the words of the "
              "sentences, k rounded half up.", "low", take="score"),
    )  # fmt: skip

    def count(self, candidate: Document, reference: Document) -> ChoiCounts:
        """Count one document against a reference."""
        ours, theirs = project(candidate, reference).document.segmentation, reference.segmentation
        if not theirs.length:
            return ChoiCounts(0, 0)
        sides = [each.boundaries for each in (ours, theirs)]
        worded = reference if reference.text else candidate
        if worded.text is not None and NO_BREAK in worded.text:
            before = np.cumsum([word.count(NO_BREAK) + 1 for word in worded.words])
            sides = [before[each] - 1 for each in sides]
        length, units = int(sides[1][-1]) + 1, theirs.boundaries.size
        k = (length + units) // (2 * units)
        placed, wanted = (Positions.from_one(each[:-1]) for each in sides)
        found = single(count_windows(placed, wanted, np.array([length]), np.array([k])))
        return ChoiCounts(found.pk_errors, found.windows)
