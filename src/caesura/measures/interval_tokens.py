"""Intervals in time, such as words: right where both of their edges are, with a tolerance.

Kamper and van Niekerk (2021), Towards unsupervised phone and word segmentation using
self-supervised vector-quantized neural networks; their program is vqwordseg.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.arrays import sorted_distinct
from caesura.core.batch import Positions
from caesura.core.counts import Counts, Matches
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Score
from caesura.core.segmentation import Document, IntArray, Track
from caesura.errors import FormatError
from caesura.measures.geometry import matched_in_order, most_matches
from caesura.measures.hits import HitScores, hit_scores, scores_of_hits


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Where the intervals of a document begin and end, in microseconds; both ascend."""

    starts: IntArray  # (intervals,)
    ends: IntArray  # (intervals,)

    @classmethod
    def from_document(cls, document: Document) -> Edges:
        """Take the intervals of a document that lie in its regions, if it has some."""
        start, end = document.track.start, document.track.end
        if start is None or end is None or (end == Track.UNKNOWN).any():
            cure = "give a tier, .phn or .ctm"
            raise FormatError(document.source, "no intervals with times", cure)
        order = np.lexsort((end, start))
        found = cls(start[order], end[order])
        if (np.diff(found.ends) < 0).any():
            cure = "do not add tokens or kamper, or give intervals that do not overlap"
            raise FormatError(document.source, "an interval inside another", cure)
        return found if document.regions is None else found._within(document.regions)

    def _within(self, regions: IntArray) -> Edges:
        """What lies in one region from beginning to end."""
        at = np.searchsorted(regions[:, 0], self.starts, side="right") - 1
        kept = (at >= 0) & (self.ends <= regions[at, 1])
        return Edges(self.starts[kept], self.ends[kept])

    @property
    def by_ends(self) -> Edges:
        """The stretches from 0 to the first end, and from each end to the next."""
        return Edges(np.append(0, self.ends)[:-1], self.ends)

    def until(self, last: int) -> Edges:
        """What lies before a time, the last stretch cut there."""
        ends = sorted_distinct(np.minimum(self.ends, last))
        return Edges(self.starts[: ends.size], ends)

    def matches(self, others: Edges, tolerance: int) -> int:
        """How many can be matched one to one, with both edges at most `tolerance` apart."""
        return int(np.count_nonzero(matched_in_order(*self._reach(others, tolerance))))

    def _reach(self, others: Edges, tolerance: int) -> tuple[IntArray, IntArray]:
        """The first of the others that each may match, and the first beyond those."""
        sides = ((self.starts, others.starts), (self.ends, others.ends))
        low = [np.searchsorted(theirs, ours - tolerance) for ours, theirs in sides]
        high = [np.searchsorted(theirs, ours + tolerance, "right") for ours, theirs in sides]
        return np.maximum(*low), np.minimum(*high)


@dataclass(frozen=True, slots=True)
class IntervalMeasure(DocumentMeasure):
    """A measure of intervals in time, with a tolerance in microseconds."""

    has_words: ClassVar[bool] = False
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 20_000


@dataclass(frozen=True, slots=True)
class IntervalTokens(IntervalMeasure):
    """P, R and F1 of intervals, right if both of their edges are; each is matched at most once."""

    name: ClassVar[str] = "tokens"
    counts: ClassVar[type[Counts]] = Matches
    scores: ClassVar[tuple[Score, ...]] = tuple(
        Score(f"interval_{key}", f"interval {label}", f"{formula} of intervals.", take=key)
        for key, label, formula in (
            ("precision", "P", "TP / (TP + FP)"),
            ("recall", "R", "TP / (TP + FN)"),
            ("f1", "F1", "2·TP / (2·TP + FP + FN)"),
        )
    )

    def count(self, candidate: Document, reference: Document) -> Matches:
        """Count one document against a reference."""
        ours, theirs = Edges.from_document(candidate), Edges.from_document(reference)
        right = ours.matches(theirs, self.tolerance)
        return Matches.from_totals(right, ours.ends.size, theirs.ends.size)


@dataclass(frozen=True, slots=True)
class KamperCounts(Counts):
    """Boundaries and tokens that are right, and how many there are on either side."""

    hits: int
    placed: int
    wanted: int
    token_hits: int
    token_placed: int
    token_wanted: int

    @property
    def boundary(self) -> HitScores:
        """The scores of boundaries."""
        return hit_scores((self.hits, self.hits), (self.placed, self.wanted))

    @property
    def token(self) -> HitScores:
        """The scores of tokens."""
        sizes = self.token_placed, self.token_wanted
        return hit_scores((self.token_hits, self.token_hits), sizes)

    @property
    def score(self) -> object:
        """The R-value of boundaries."""
        return self.boundary.r_value


@dataclass(frozen=True, slots=True)
class Kamper(IntervalMeasure):
    """The scores of vqwordseg: boundaries and word tokens, from the ends of intervals.

    A boundary is the end of an interval, and a token reaches from one end to the next, the first
    from 0, so that a gap is part of the token after it. What the reference has after the last end
    of the system is left out.
    """

    name: ClassVar[str] = "kamper"
    counts: ClassVar[type[Counts]] = KamperCounts
    scores: ClassVar[tuple[Score, ...]] = (
        *scores_of_hits("kamper", "boundary", "Kamper", "the ends of intervals"),
        Score("over_segmentation_kamper", "OS (Kamper)", "R/P - 1 of the ends of intervals.", None,
              take="boundary.over_segmentation"),
        *scores_of_hits("tokens_kamper", "token", "Kamper, tokens", "stretches between ends")[:3],
        Score("over_segmentation_tokens_kamper", "OS (Kamper, tokens)",
              "R/P - 1 of stretches between ends.", None, take="token.over_segmentation"),
    )  # fmt: skip

    def count(self, candidate: Document, reference: Document) -> KamperCounts:
        """Count one document against a reference."""
        ours, theirs = (Edges.from_document(each).by_ends for each in (candidate, reference))
        last = int(ours.ends.max(initial=0))
        placed, wanted = ours.ends[:-1], theirs.ends[theirs.ends < last]
        sides = Positions.from_one(placed), Positions.from_one(wanted)
        (hits,) = most_matches(*sides, self.tolerance).tolist()
        theirs = theirs.until(last)
        tokens = ours.matches(theirs, self.tolerance), ours.ends.size, theirs.ends.size
        return KamperCounts(hits, placed.size, wanted.size, *tokens)
