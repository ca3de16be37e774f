"""Boundaries in time as programs of phone segmentation count them: lenient hits, one to one hits.

Kreuk, Keshet and Adi (2020), Self-supervised contrastive learning for unsupervised phoneme
segmentation: UnsupSeg. Strgar and Harwath (2022), Phoneme segmentation using self-supervised speech
models. Both add a little to denominators, here as there.
Kamper and van Niekerk (2021), Towards unsupervised phone and word segmentation using
self-supervised vector-quantized neural networks: vqwordseg, which counts intervals, too.

And how far matched boundaries are from each other in time: their mean and spread.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import methodcaller
from typing import Any, ClassVar, NamedTuple

import numpy as np

from caesura.communities.phones import LABELS
from caesura.core.arrays import Numeric, sorted_distinct
from caesura.core.batch import Positions
from caesura.core.counts import NAN, Counts, Matches, ratio
from caesura.core.measure import Cut, DocumentMeasure, PairMeasure
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import Document, Final, IntArray, Segmentation, Track
from caesura.errors import FormatError
from caesura.matching import nearest_first
from caesura.measures.geometry import ClockAxis, matched_in_order, most_matches

UNSUPSEG = (1e-5, 1e-7)
STRGAR = (1e-8, 1e-8)
"""What is added to denominators, and to the precision below recall in over-segmentation."""
NAMES = {"precision": "Precision", "recall": "Recall", "f1": "F1", "r_value": "R-value"}
"""The scores of hits, as they are called in a sentence."""


class HitScores(NamedTuple):
    """Precision, recall, F1, over-segmentation and R-value: numbers, or arrays of them."""

    precision: object
    recall: object
    f1: object
    over_segmentation: object
    r_value: object


def hit_scores(
    hits: tuple[Any, Any], sizes: tuple[object, object], added: tuple[float, float] = (0, 0)
) -> HitScores:
    """Compute the scores of hits among a system's boundaries, and among those of the gold.

    They are undefined if the gold has no boundary, where the programs stop.
    """
    more, least = added
    placed, wanted = (np.asarray(each, np.float64) for each in sizes)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = hits[0] / (placed + more), hits[1] / (wanted + more)
        f1 = 2 * (precision * recall) / (precision + recall + more)
        over = recall / (precision + least) - 1
        to_best = np.sqrt(np.square(1 - recall) + np.square(over))
        to_diagonal = (-over + recall - 1) / np.sqrt(2)
    scores = precision, recall, f1, over, 1 - (to_best + np.abs(to_diagonal)) / 2
    known = [np.where(wanted > 0, each, NAN) for each in scores]
    return HitScores(*(each if each.ndim else float(each) for each in known))


def scores_of_hits(name: str, program: str, what: str) -> tuple[Score, ...]:
    """Declare precision, recall, F1 and R-value under the name of a program."""
    return tuple(
        Score(
            f"{key}_{name}",
            f"{LABELS[key]} ({program})",
            f"{long} of {what}.",
            take=f"{name}.{key}",
        )
        for key, long in NAMES.items()
    )


@dataclass(frozen=True, slots=True)
class HitCounts(Counts):
    """Boundaries with one of the other side in reach, and how many there are on either side.

    `near` are the candidate's, `reached` the reference's; `matches` can be paired one to one.
    """

    near: int
    reached: int
    matches: int
    placed: int
    wanted: int

    @property
    def unsupseg(self) -> HitScores:
        """The scores of UnsupSeg."""
        return hit_scores((self.near, self.reached), (self.placed, self.wanted), UNSUPSEG)

    @property
    def lenient(self) -> HitScores:
        """The lenient scores of Strgar and Harwath."""
        return hit_scores((self.near, self.reached), (self.placed, self.wanted), STRGAR)

    @property
    def harsh(self) -> HitScores:
        """The harsh scores of Strgar and Harwath."""
        return hit_scores((self.matches, self.matches), (self.placed, self.wanted), STRGAR)


@dataclass(frozen=True, slots=True)
class HitMeasure(PairMeasure[HitCounts]):
    """A measure of boundaries in time that have one of the other side at most `tolerance` away."""

    counts: ClassVar[type[Counts]] = HitCounts
    cut: ClassVar[Cut] = "whole"
    has_time: ClassVar[bool] = True
    has_words: ClassVar[bool] = False
    asked_by: ClassVar[str] = ALSO
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}

    tolerance: int = 20_000
    final: Final = "drop"

    def count(self, candidate: Segmentation, reference: Segmentation) -> HitCounts:
        """Count one candidate against one reference."""
        axis = ClockAxis(self.tolerance)
        ours, theirs = (each.positions(self.final) for each in (candidate, reference))
        (matches,) = axis.matches(Positions.from_one(ours), Positions.from_one(theirs)).tolist()
        near = int(np.count_nonzero(axis.is_near(ours, theirs)))
        reached = int(np.count_nonzero(axis.is_near(theirs, ours)))
        return HitCounts(near, reached, matches, ours.size, theirs.size)


@dataclass(frozen=True, slots=True)
class UnsupSeg(HitMeasure):
    """UnsupSeg's scores: a boundary is right if any of the other side is in reach."""

    name: ClassVar[str] = "unsupseg"
    scores: ClassVar[tuple[Score, ...]] = scores_of_hits(
        "unsupseg", "UnsupSeg", "boundaries with any of the other side in reach"
    )


@dataclass(frozen=True, slots=True)
class Strgar(HitMeasure):
    """The scores of Strgar and Harwath: harsh, one to one, and lenient, as UnsupSeg's."""

    name: ClassVar[str] = "strgar"
    scores: ClassVar[tuple[Score, ...]] = (
        *scores_of_hits("harsh", "harsh", "boundaries matched one to one"),
        *scores_of_hits("lenient", "lenient", "boundaries with any of the other side in reach"),
    )


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
        start, end = start[order], end[order]
        if (np.diff(end) < 0).any():
            cure = "do not add tokens or kamper, or give intervals that do not overlap"
            raise FormatError(document.source, "an interval inside another", cure)
        if document.regions is not None:
            region = np.searchsorted(document.regions[:, 0], start, side="right") - 1
            is_inside = (region >= 0) & (end <= document.regions[region, 1])
            start, end = start[is_inside], end[is_inside]
        return cls(start, end)

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
        sides = ((self.starts, others.starts), (self.ends, others.ends))
        # the first of the others that each may match, and the first beyond those
        low = [np.searchsorted(theirs, ours - tolerance) for ours, theirs in sides]
        high = [np.searchsorted(theirs, ours + tolerance, "right") for ours, theirs in sides]
        return int(np.count_nonzero(matched_in_order(np.maximum(*low), np.minimum(*high))))


@dataclass(frozen=True, slots=True)
class IntervalTokens(DocumentMeasure):
    """P, R and F1 of intervals, right if both of their edges are; each is matched at most once."""

    name: ClassVar[str] = "tokens"
    counts: ClassVar[type[Counts]] = Matches
    has_words: ClassVar[bool] = False
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}
    scores: ClassVar[tuple[Score, ...]] = tuple(
        Score(f"interval_{key}", f"interval {label}", f"{formula} of intervals.", take=key)
        for key, label, formula in (
            ("precision", "P", "TP / (TP + FP)"),
            ("recall", "R", "TP / (TP + FN)"),
            ("f1", "F1", "2·TP / (2·TP + FP + FN)"),
        )
    )

    tolerance: int = 20_000

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
    def kamper(self) -> HitScores:
        """The scores of boundaries."""
        return hit_scores((self.hits, self.hits), (self.placed, self.wanted))

    @property
    def tokens_kamper(self) -> HitScores:
        """The scores of tokens."""
        sizes = self.token_placed, self.token_wanted
        return hit_scores((self.token_hits, self.token_hits), sizes)


@dataclass(frozen=True, slots=True)
class Kamper(DocumentMeasure):
    """The scores of vqwordseg: boundaries and word tokens, from the ends of intervals.

    A boundary is the end of an interval, and a token reaches from one end to the next, the first
    from 0, so that a gap is part of the token after it. What the reference has after the last end
    of the system is left out.
    """

    name: ClassVar[str] = "kamper"
    counts: ClassVar[type[Counts]] = KamperCounts
    has_words: ClassVar[bool] = False
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}
    scores: ClassVar[tuple[Score, ...]] = (
        *scores_of_hits("kamper", "Kamper", "the ends of intervals"),
        Score("over_segmentation_kamper", "OS (Kamper)", "R/P - 1 of the ends of intervals.", None,
              take="kamper.over_segmentation"),
        *scores_of_hits("tokens_kamper", "Kamper, tokens", "stretches between ends")[:3],
        Score("over_segmentation_tokens_kamper", "OS (Kamper, tokens)",
              "R/P - 1 of stretches between ends.", None, take="tokens_kamper.over_segmentation"),
    )  # fmt: skip

    tolerance: int = 20_000

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


MILLISECOND = 1000
LIMITS = (5, 10, 20, 50)
"""Up to how many milliseconds matched boundaries are counted."""


@dataclass(frozen=True, slots=True)
class DeviationCounts(Counts):
    """Matched boundaries, and the sums of how much later the candidate's are, in microseconds.

    `shift` is the sum with signs, `distance` that without, `squares` that of the squares;
    `within_5` … are the matches at most some milliseconds apart.
    """

    matches: int
    shift: int
    distance: int
    squares: int
    within_5: int
    within_10: int
    within_20: int
    within_50: int

    @property
    def mean(self) -> float:
        """The mean deviation in milliseconds, above 0 where the candidate is late."""
        return ratio(self.shift, self.matches) / MILLISECOND

    @property
    def absolute(self) -> float:
        """The mean distance in milliseconds."""
        return ratio(self.distance, self.matches) / MILLISECOND

    @property
    def spread(self) -> float:
        """The standard deviation of the deviations, in milliseconds."""
        square: Numeric = ratio(self.squares, self.matches) / MILLISECOND**2
        spread: float = np.maximum(square - self.mean**2, 0.0) ** 0.5
        return spread

    def share(self, limit: int) -> float:
        """The share of the matches at most some milliseconds apart."""
        return ratio(getattr(self, f"within_{limit}"), self.matches)


@dataclass(frozen=True, slots=True)
class Deviation(PairMeasure[DeviationCounts]):
    """Mean and spread of the deviation of boundaries in time, matched one to one, nearest first.

    `unit` is how many microseconds the axis counts; a sample counts as a millisecond.
    """

    name: ClassVar[str] = "deviation"
    counts: ClassVar[type[Counts]] = DeviationCounts
    cut: ClassVar[Cut] = "whole"
    has_time: ClassVar[bool] = True
    has_words: ClassVar[bool] = False
    asked_by: ClassVar[str] = ALSO
    scores: ClassVar[tuple[Score, ...]] = (
        Score("deviation", "deviation", "Mean deviation of matched boundaries in ms; late is +.",
              None, take="mean"),
        Score("deviation_absolute", "|deviation|",
              "Mean absolute deviation of matched boundaries in ms.", "low", take="absolute"),
        Score("deviation_sd", "SD", "Standard deviation of the deviation in ms.", "low",
              take="spread"),
        *(Score(f"deviation_within_{limit}", f"≤{limit} ms",
                f"Share of the matched boundaries at most {limit} ms apart.",
                take=methodcaller("share", limit))
          for limit in LIMITS),
        Score("deviation_matches", "matched", "Boundaries matched, the nearest first.", None,
              take="matches", is_count=True),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 0}
    task_options: ClassVar[dict[str, str]] = {"unit": "deviation_unit"}

    tolerance: int = 20 * MILLISECOND
    final: Final = "drop"
    unit: int = 1

    def count(self, candidate: Segmentation, reference: Segmentation) -> DeviationCounts:
        """Count one candidate against one reference."""
        ours, theirs = (each.positions(self.final) for each in (candidate, reference))
        wanted, found = nearest_first(theirs, ours, self.tolerance)
        late = self.unit * (ours[found] - theirs[wanted])
        apart = np.abs(late)
        within = [int(np.count_nonzero(apart <= each * MILLISECOND)) for each in LIMITS]
        return DeviationCounts(
            late.size, int(late.sum()), int(apart.sum()), _sum_of_squares(apart), *within
        )


def _sum_of_squares(values: IntArray) -> int:
    """The sum of squares, exact where 64 bits are too few."""
    most = int(values.max(initial=0))
    if most * most * values.size < 2**63:
        return int(np.dot(values, values))
    return sum(each * each for each in values.tolist())
