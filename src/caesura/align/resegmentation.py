"""Resegmentation: a text put into the segments of a reference, at the least edit cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.align.segment_fit import SCALE, Fit, fitted
from caesura.align.wording import Compared, Level, Wording, are_full, level_of, stretches
from caesura.core.segmentation import IntArray
from caesura.errors import number

Span = tuple[int, int]
STRANGE, FAR = 0.9, 1.3
"""The word error rate from which on a document looks like another, and how far above others."""


def looks_strange(rate: float, usual: float) -> bool:
    """Whether a document with a word error rate may be another; `usual` is the median of all."""
    return rate >= max(STRANGE, FAR * usual)


@dataclass(frozen=True, repr=False)
class Resegmented:
    """A text and a reference in words, and where the text is cut to fit the segments.

    `given` are its lines, if these are the segments.
    """

    text: Wording
    reference: Wording
    fit: Fit
    given: Sequence[str] | None = None

    @classmethod
    def from_lines(
        cls, lines: Sequence[str], segments: Sequence[str], tokens: Compared, level: Level
    ) -> Resegmented:
        """Put lines, however they are cut, into segments."""
        text, reference = _wordings(lines, segments, tokens, level)
        known: dict[str, int] = {}
        own, other = (
            np.array([known.setdefault(word, len(known)) for word in side.compared], np.int64)
            for side in (text, reference)
        )
        alike = partial(_similarities, text.compared, reference.compared)
        return cls(text, reference, fitted(own, other, reference.line_ends, text.places, alike))

    @classmethod
    def as_they_are(
        cls, lines: Sequence[str], segments: Sequence[str], tokens: Compared, level: Level
    ) -> Resegmented:
        """Take each line for the segment of its number."""
        text, reference = _wordings(lines, segments, tokens, level)
        return cls(text, reference, Fit(text.line_ends, -1, is_certain=True), lines)

    def __repr__(self) -> str:
        errors = int(self.full_edits.sum())
        about = f"{number(len(self.text), 'word')} in {number(self.fit.cuts.size, 'segment')}"
        return f"<Resegmented: {about}, {number(errors, 'edit')}>"

    @property
    def spans(self) -> list[Span]:
        """The first word of the text in each segment, and where it ends."""
        return list(pairwise([0, *self.fit.cuts.tolist()]))

    @property
    def segments(self) -> list[Span]:
        """The same of the reference."""
        return list(pairwise([0, *self.reference.line_ends.tolist()]))

    @cached_property
    def full(self) -> IntArray:
        """The numbers of the segments where either side has text; of blank ones there may be many.

        The first is always one of them: it gets a text of which nothing is compared.
        """
        is_full = are_full(self.fit.cuts) if self.given is None else self.text.has_words.copy()
        is_full |= self.reference.has_words
        is_full[:1] = True
        return np.flatnonzero(is_full)

    @cached_property
    def full_lines(self) -> list[str]:
        """The text of each segment that is not blank."""
        if self.given is None:
            return self.text.pieces(self.fit.cuts, self.full)
        return [" ".join(self.given[at].split()) for at in self.full.tolist()]

    @cached_property
    def lines(self) -> list[str]:
        """The text, one line for each segment."""
        lines = [""] * self.fit.cuts.size
        for at, line in zip(self.full.tolist(), self.full_lines, strict=True):
            lines[at] = line
        return lines

    @cached_property
    def edits(self) -> IntArray:
        """The word errors of each segment."""
        edits = np.zeros(self.fit.cuts.size, np.int64)
        edits[self.full] = self.full_edits
        return edits

    @cached_property
    def full_edits(self) -> IntArray:
        """The word errors of each segment that is not blank."""
        own, other = self.text.compared, self.reference.compared
        pairs = zip(*self.full_spans(), strict=True)
        errors = [_distance(own[a:b], other[c:d]) for (a, b), (c, d) in pairs]
        return np.array(errors, np.int64)

    @cached_property
    def character_edits(self) -> tuple[IntArray, IntArray]:
        """The character errors of each segment that is not blank, and its reference's size."""
        ours = self.text.compared_pieces(self.fit.cuts, self.full)
        theirs = self.reference.compared_pieces(self.reference.line_ends, self.full)
        errors = [_distance(a, b) for a, b in zip(ours, theirs, strict=True)]
        return np.array(errors, np.int64), np.array([len(each) for each in theirs], np.int64)

    def full_spans(self) -> tuple[list[Span], list[Span]]:
        """Where the words of each segment that is not blank begin and end: text and reference."""
        ours, theirs = self.fit.cuts, self.reference.line_ends
        return stretches(ours, self.full), stretches(theirs, self.full)

    def slack(self) -> list[tuple[int, int]]:
        """How many words each cut could move left and right at no cost, while the others stay.

        That of the last cut, at the end of the text, is none.
        """
        own, other = self.text.compared, self.reference.compared
        slack: list[Span] = []
        ours, theirs = pairwise(self.spans), pairwise(self.segments)
        for ((start, cut), (_, stop)), ((begin, middle), (_, end)) in zip(
            ours, theirs, strict=True
        ):
            before = _distances(own[start:stop], other[begin:middle])
            after = _distances(own[start:stop][::-1], other[middle:end][::-1])[::-1]
            at = cut - start
            wrong = np.flatnonzero(before + after != before[at] + after[at])
            low = wrong[wrong < at].max(initial=-1) + 1
            high = wrong[wrong > at].min(initial=before.size) - 1
            slack.append((int(at - low), int(high - at)))
        return [*slack, (0, 0)] if self.fit.cuts.size else []


def _wordings(
    lines: Sequence[str], segments: Sequence[str], tokens: Compared, level: Level
) -> tuple[Wording, Wording]:
    """Both sides in words, or in characters if most of the reference is."""
    level = level_of("\n".join(segments)) if level == "auto" else level
    return Wording.from_lines(lines, tokens, level), Wording.from_lines(segments, tokens, level)


def _distances(own: Sequence[str], other: Sequence[str]) -> IntArray:
    """The edit distances of the first none, one, two … words of a text to all of another."""
    known: dict[str, int] = {}
    words = np.array([known.setdefault(word, len(known)) for word in own], np.int64)
    slope = np.arange(words.size + 1)
    row = slope.copy()
    for word in other:
        least = row + 1
        np.minimum(least[1:], row[:-1] + (words != known.get(word, -1)), out=least[1:])
        row = np.minimum.accumulate(least - slope) + slope
    return row


def _similarities(own: Sequence[str], other: Sequence[str], *span: int) -> npt.NDArray[np.uint8]:
    """How alike words are in their characters, by the normalised Indel similarity."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    start, stop, begin, end = span
    found: npt.NDArray[np.uint8] = cdist(
        own[start:stop],
        other[begin:end],
        scorer=Indel.normalized_similarity,
        dtype=np.uint8,
        score_multiplier=SCALE,
    )
    return found


def _distance(one: Any, other: Any) -> int:
    from rapidfuzz.distance import Levenshtein

    return int(Levenshtein.distance(one, other))
