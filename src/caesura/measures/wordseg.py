"""Word segmentation of utterances: tokens, types and boundaries, as in the wordseg package.

Bernard et al. (2020), WordSeg: standardizing unsupervised word form segmentation from text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.cells import sorted_distinct, string_codes
from caesura.core.counts import Counts, Matches
from caesura.core.score import Score, matches
from caesura.core.segmentation import isin_sorted
from caesura.core.text import Text, code_units
from caesura.errors import SegmentationError
from caesura.measures.base import Cut, Measure
from caesura.measures.joint import AlignedTexts

KINDS = {
    "token": "words",
    "type": "distinct words",
    "boundary_all": "boundaries, the ends of utterances included",
    "boundary_noedge": "boundaries inside utterances",
}


@dataclass(frozen=True, slots=True)
class WordsegCounts(Counts):
    """Hits, words and gold words of each kind; `edges` are the two ends of each utterance."""

    token_hits: int
    token_found: int
    token_gold: int
    type_hits: int
    type_found: int
    type_gold: int
    boundary_hits: int
    boundary_found: int
    boundary_gold: int
    edges: int

    @property
    def token(self) -> Matches:
        """Words with both edges right."""
        return Matches.from_totals(self.token_hits, self.token_found, self.token_gold)

    @property
    def type(self) -> Matches:
        """Distinct words that occur in the gold."""
        return Matches.from_totals(self.type_hits, self.type_found, self.type_gold)

    @property
    def boundary_noedge(self) -> Matches:
        """Boundaries inside utterances."""
        return Matches.from_totals(self.boundary_hits, self.boundary_found, self.boundary_gold)

    @property
    def boundary_all(self) -> Matches:
        """The same with the ends of utterances, which are always right."""
        inner = (self.boundary_hits, self.boundary_found, self.boundary_gold)
        return Matches.from_totals(*(number + self.edges for number in inner))

    @property
    def score(self) -> float:
        """F1 of the tokens."""
        return self.token.f1


@dataclass(frozen=True, slots=True)
class Wordseg(Measure):
    """Tokens, types and boundaries, with and without the edges, of segmented utterances."""

    name: ClassVar[str] = "wordseg"
    kind: ClassVar[str] = "utterances"
    counts: ClassVar[type[Counts]] = WordsegCounts
    cut: ClassVar[Cut] = "whole"
    scores: ClassVar[tuple[Score, ...]] = tuple(
        score for kind, what in KINDS.items() for score in matches(kind, kind, what)
    )

    def count(self, system: Text, gold: Text) -> WordsegCounts:
        """Count segmented utterances against gold ones, which have the same characters."""
        same = np.array_equal(system.sentence_offsets, gold.sentence_offsets)
        if system.stream != gold.stream or not same:
            raise SegmentationError(
                "the characters of the utterances differ from those of the gold"
            )
        ours, theirs = _inner(system), _inner(gold)
        mine, yours = _types(system), _types(gold)
        return WordsegCounts(
            AlignedTexts.from_texts(system, gold).right_tokens,
            system.token_ends.size,
            gold.token_ends.size,
            int(np.count_nonzero(np.isin(mine, yours))),
            mine.size,
            yours.size,
            int(np.count_nonzero(isin_sorted(ours, theirs))),
            ours.size,
            theirs.size,
            2 * gold.sentence_ends.size,
        )


def _inner(text: Text) -> np.typing.NDArray[np.int64]:
    return np.delete(text.token_ends, text.sentence_ends - 1)


def _types(text: Text) -> np.typing.NDArray[np.uint64]:
    (units,) = code_units(text.stream)
    ends = text.token_ends.astype(np.int64) * units.itemsize
    return sorted_distinct(string_codes(units.view(np.uint8), np.append(0, ends)[:-1], ends))
