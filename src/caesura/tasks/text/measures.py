"""Older scores of tokens and sentences, by characters: beside the joint counts, to compare them.

Jo et al. (2024), section 2: accuracy and error rate over all characters, the Levenshtein distance
of two segmentations, and scores of the characters that begin a unit (the B of BIO). All of them
reward a unit that is only partly right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from caesura.align.points import Points
from caesura.core.counts import Counts, Matches, ratio
from caesura.core.score import Score, View, matches
from caesura.core.segmentation import IntArray
from caesura.measures.joint import AlignedTexts, TextMeasure

VIEWS: tuple[View, ...] = ("other",)


@dataclass(frozen=True, slots=True)
class Begins(Matches):
    """Characters that begin a unit: on both sides, or on one only; and all of the gold."""

    characters: int

    @property
    def distance(self) -> int:
        """Boundaries to insert or to delete."""
        return self.fp + self.fn

    @property
    def error(self) -> float:
        """Characters with the wrong label / characters."""
        return ratio(self.distance, self.characters)

    @property
    def accuracy(self) -> float:
        """Characters with the right label / characters."""
        return ratio(self.characters - self.distance, self.characters)


@dataclass(frozen=True, slots=True)
class ClassicCounts(Counts):
    """Characters of the gold; and for sentences and tokens how many begin on both sides."""

    characters: int
    sentence_both: int
    sentence_system: int
    sentence_gold: int
    token_both: int
    token_system: int
    token_gold: int

    @property
    def sentence_begins(self) -> Begins:
        """Characters that begin a sentence."""
        both = self.sentence_both
        return Begins(both, self.sentence_system - both, self.sentence_gold - both, self.characters)

    @property
    def token_begins(self) -> Begins:
        """Characters that begin a token."""
        both = self.token_both
        return Begins(both, self.token_system - both, self.token_gold - both, self.characters)


def _scores(unit: str) -> tuple[Score, ...]:
    """The scores of one kind of unit."""
    group = f"classic.{unit}s"
    begins = matches(
        f"{unit}_begins", f"classic_{unit}", f"characters that begin a {unit}", views=VIEWS
    )
    return (
        Score(f"classic_{unit}_accuracy", f"{unit} accuracy", f"Characters of which both sides say "
              f"the same, whether they begin a {unit} / characters.", views=VIEWS,
              take=f"{unit}_begins.accuracy", heading="accuracy", group=group, short="accuracy"),
        Score(f"classic_{unit}_error", f"{unit} error rate", "1 − accuracy.", "low", VIEWS,
              take=f"{unit}_begins.error", heading="error rate", group=group, short="error_rate"),
        Score(f"classic_{unit}_distance", f"{unit} distance", f"Levenshtein distance: {unit} "
              "boundaries to insert or to delete.", None, VIEWS, take=f"{unit}_begins.distance",
              heading="distance", group=group, short="distance", is_count=True),
        *(replace(score, group=group) for score in begins),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Classic(TextMeasure):
    """Accuracy, error rate, Levenshtein distance and BIO-style scores, by characters."""

    name: ClassVar[str] = "classic"
    counts: ClassVar[type[Counts]] = ClassicCounts
    scores: ClassVar[tuple[Score, ...]] = (*_scores("sentence"), *_scores("token"))

    def count_parts(
        self, texts: AlignedTexts, system_ends: IntArray, gold_ends: IntArray
    ) -> list[ClassicCounts]:
        """Count between neighbouring points, which are numbers of sentences on both sides.

        The slow twin is `counted` of tests/tasks/text/test_measures.py.
        """
        sides = (texts.system, system_ends, True), (texts.gold, gold_ends, False)
        edges = [np.append(0, text.sentence_ends)[at] for text, at, _ in sides]
        columns = [np.append(0, texts.gold.token_ends)[edges[1]]]
        for unit in ("sentence_offsets", "token_ends"):
            # (units of a side,) the points at which units begin; -1 for none
            ours, theirs = (
                Points.from_offsets(
                    np.append(0, getattr(text, unit))[:-1], texts.runs, is_a=is_a
                ).point
                for text, _, is_a in sides
            )
            is_first = np.zeros(theirs.size, np.bool_)
            is_first[np.unique(theirs, return_index=True)[1]] = True
            is_both = is_first & (theirs >= 0) & np.isin(theirs, ours)
            numbers = (system_ends, gold_ends) if unit == "sentence_offsets" else edges
            columns += [np.append(0, np.cumsum(is_both))[numbers[1]], *numbers]
        rows = np.diff(np.stack(columns)).T.tolist()
        return [ClassicCounts(*row) for row in rows]
