"""TextMeasure: what is counted of two aligned texts where it is asked for by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.counts import Counts
from caesura.core.measure import Measure
from caesura.core.segmentation import IntArray
from caesura.measures.joint import AlignedTexts


@dataclass(frozen=True, slots=True)
class TextMeasure(Measure):
    """A measure of aligned texts; `title` is that of its table, unless the task has one for it."""

    kind: ClassVar[str] = "aligned"
    is_optional: ClassVar[bool] = True
    title: ClassVar[str] = ""

    def count(self, texts: AlignedTexts) -> Counts:
        """Count two texts as a whole."""
        ends = texts.system.sentence_ends.size, texts.gold.sentence_ends.size
        return self.count_parts(texts, *(np.array([0, end]) for end in ends))[0]

    def count_parts(
        self, texts: AlignedTexts, system_ends: IntArray, gold_ends: IntArray
    ) -> Sequence[Counts]:
        """Count between neighbouring points, which are numbers of sentences on both sides."""
        raise NotImplementedError
