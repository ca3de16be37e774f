"""Boundaries in time as programs of phone segmentation count them: lenient hits, one to one hits.

Kreuk, Keshet and Adi (2020), Self-supervised contrastive learning for unsupervised phoneme
segmentation: UnsupSeg. Strgar and Harwath (2022), Phoneme segmentation using self-supervised speech
models. Both add a little to denominators, here as there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from caesura.core.batch import Positions
from caesura.core.counts import NAN, Counts
from caesura.core.measure import Cut, PairMeasure
from caesura.core.score import ALSO, Score
from caesura.core.segmentation import Final, Segmentation
from caesura.measures.geometry import ClockAxis

UNSUPSEG = (1e-5, 1e-7)
STRGAR = (1e-8, 1e-8)
"""What is added to denominators, and to the precision below recall in over-segmentation."""
NAMES = {
    "precision": ("P", "Precision"),
    "recall": ("R", "Recall"),
    "f1": ("F", "F1"),
    "r_value": ("R-value", "R-value"),
}
"""The scores of hits: their labels, and what they are called in a sentence."""


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


def scores_of_hits(name: str, group: str, program: str, what: str) -> tuple[Score, ...]:
    """Declare precision, recall, F1 and R-value under the name of a program."""
    return tuple(
        Score(f"{key}_{name}", f"{label} ({program})", f"{long} of {what}.", take=f"{group}.{key}")
        for key, (label, long) in NAMES.items()
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
        return self._lenient(UNSUPSEG)

    @property
    def lenient(self) -> HitScores:
        """The lenient scores of Strgar and Harwath."""
        return self._lenient(STRGAR)

    @property
    def harsh(self) -> HitScores:
        """The harsh scores of Strgar and Harwath."""
        return hit_scores((self.matches, self.matches), (self.placed, self.wanted), STRGAR)

    @property
    def score(self) -> object:
        """The R-value of UnsupSeg."""
        return self.unsupseg.r_value

    def _lenient(self, added: tuple[float, float]) -> HitScores:
        return hit_scores((self.near, self.reached), (self.placed, self.wanted), added)


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
        "unsupseg", "unsupseg", "UnsupSeg", "boundaries with any of the other side in reach"
    )


@dataclass(frozen=True, slots=True)
class Strgar(HitMeasure):
    """The scores of Strgar and Harwath: harsh, one to one, and lenient, as UnsupSeg's."""

    name: ClassVar[str] = "strgar"
    scores: ClassVar[tuple[Score, ...]] = (
        *scores_of_hits("harsh", "harsh", "harsh", "boundaries matched one to one"),
        *scores_of_hits(
            "lenient", "lenient", "lenient", "boundaries with any of the other side in reach"
        ),
    )
