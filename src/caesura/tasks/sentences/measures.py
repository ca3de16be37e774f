"""Sentences of a text in the segments of a reference: word and character error rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.align.resegmentation import Resegmented
from caesura.core.counts import Counts, ratio
from caesura.core.measure import Measure
from caesura.core.score import Score, View
from caesura.core.segmentation import IntArray

MAIN: tuple[View, ...] = ("all", "document", "compare", "headline", "correlate")


@dataclass(frozen=True, slots=True)
class SentenceCounts(Counts):
    """Segments, words and characters of the reference, and the edits between both sides."""

    segments: int
    words: int
    edits: int
    characters: int
    character_edits: int

    @property
    def wer(self) -> float:
        """Word edits / reference words."""
        return ratio(self.edits, self.words)

    @property
    def cer(self) -> float:
        """Character edits / reference characters."""
        return ratio(self.character_edits, self.characters)

    @property
    def score(self) -> float:
        """The word error rate."""
        return self.wer


@dataclass(frozen=True, slots=True)
class Sentences(Measure):
    """Word and character error rates of sentences, each against its reference segment."""

    name: ClassVar[str] = "sentences"
    kind: ClassVar[str] = "sentences"
    counts: ClassVar[type[Counts]] = SentenceCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("segments", "segments", "Reference segments.", None, ("all", "document"),
              is_count=True),
        Score("words", "words", "Words of the reference.", None, ("all", "document"),
              is_count=True),
        Score("edits", "edits", "Word insertions, deletions and substitutions.", None,
              ("all", "document"), is_count=True),
        Score("wer", "WER", "Word error rate: edits / words.", "low", MAIN),
        Score("cer", "CER", "Character error rate: character edits / characters.", "low", MAIN),
    )  # fmt: skip

    tokens: str = "lower"
    units: str = "auto"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "tokens": ("exact", "lower", "bare"),
        "units": ("auto", "words", "characters"),
    }

    def count(self, found: Resegmented) -> SentenceCounts:
        """Count the errors of all segments."""
        return self.count_parts(found, np.array([0, found.fit.cuts.size]))[0]

    @staticmethod
    def count_parts(found: Resegmented, edges: IntArray) -> list[SentenceCounts]:
        """Count between neighbouring numbers of segments."""
        errors, characters = found.character_edits
        words = np.array([stop - start for start, stop in found.full_spans()[1]], np.int64)
        columns = [words, found.full_edits, characters, errors]
        before = np.searchsorted(found.full, edges)
        sums = [edges, *(np.append(0, np.cumsum(each))[before] for each in columns)]
        return [SentenceCounts(*row) for row in np.diff(np.stack(sums)).T.tolist()]
