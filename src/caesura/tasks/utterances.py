"""Word segmentation of utterances: tokens, types, boundaries, clusters, as in the wordseg package.

Bernard et al. (2020), WordSeg: standardizing unsupervised word form segmentation from text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from caesura.core.arrays import isin_sorted, union
from caesura.core.counts import Counts, Matches
from caesura.core.measure import Measure
from caesura.core.score import Score, matches
from caesura.core.segmentation import IntArray
from caesura.core.text import Text
from caesura.errors import SegmentationError, shortened
from caesura.measures.joint import AlignedTexts
from caesura.measures.units import ADJUSTED_RAND_INDEX, RandCounts, pairs_together

KINDS = {
    "token": "words",
    "type": "distinct words",
    "boundary_all": "boundaries, the ends of utterances included",
    "boundary_noedge": "boundaries inside utterances",
}


@dataclass(frozen=True, slots=True)
class WordsegCounts(Counts):
    """Hits, words and gold words of each kind; `edges` are the two ends of each utterance.

    For pairs of units (characters, unless others are given) in one word, hits are those that are so
    on both sides; `units` is the number of units.
    """

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
    pair_hits: int
    pair_found: int
    pair_gold: int
    units: int

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
    def adjusted_rand_index(self) -> float:
        """The adjusted Rand index of the words as clusters of units."""
        pairs = self.pair_hits, self.pair_found, self.pair_gold
        return RandCounts(*pairs, self.units).adjusted_rand_index

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
    scores: ClassVar[tuple[Score, ...]] = (
        *(score for kind, what in KINDS.items() for score in matches(kind, kind, what)),
        replace(
            ADJUSTED_RAND_INDEX, help="Pairs of units in one word or not, corrected for chance."
        ),
    )

    def count(self, system: Text, gold: Text, units: Text | None = None) -> WordsegCounts:
        """Count segmented utterances against gold ones, which have the same characters.

        `units` are the same utterances in units that words are made of, such as phones.
        """
        _require_alike(system, gold, "those of the gold")
        ours, theirs = (
            np.delete(text.token_ends, text.sentence_ends - 1) for text in (system, gold)
        )
        mine, yours = (set(text.tokens(0, text.token_ends.size)) for text in (system, gold))
        lasts = [_last_units(text, units) for text in (system, gold)]
        length = int(lasts[0][-1]) + 1 if lasts[0].size else 0
        both, _ = union(length, lasts)
        stops = np.array([length])
        hits, found, wanted = (pairs_together(last + 1, stops)[0] for last in (both, *lasts))
        return WordsegCounts(
            AlignedTexts.from_texts(system, gold).right_tokens,
            system.token_ends.size,
            gold.token_ends.size,
            len(mine & yours),
            len(mine),
            len(yours),
            int(np.count_nonzero(isin_sorted(ours, theirs))),
            ours.size,
            theirs.size,
            2 * gold.sentence_ends.size,
            int(hits),
            int(found),
            int(wanted),
            length,
        )


def _require_alike(text: Text, other: Text, whose: str) -> None:
    same = np.array_equal(text.sentence_offsets, other.sentence_offsets)
    if text.stream != other.stream or not same:
        raise SegmentationError(f"the characters of the utterances differ from {whose}")


def _last_units(text: Text, units: Text | None) -> IntArray:
    """The last unit of each word."""
    ends = text.token_ends.astype(np.int64)
    if units is None:
        return ends - 1
    _require_alike(text, units, "those of the units")
    last = np.searchsorted(units.token_ends, ends)
    for index in np.flatnonzero(units.token_ends[last] != ends)[:1].tolist():
        (word,) = text.tokens(index, index + 1)
        raise SegmentationError(
            f"the word '{shortened(word)}' ends inside a unit; give units that words are made of"
        )
    return last
