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
from caesura.align.wording import Compared, Level, Wording, level_of
from caesura.core.segmentation import IntArray
from caesura.errors import number

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
        level = level_of("\n".join(segments)) if level == "auto" else level
        own, other = (Wording.from_lines(each, tokens, level) for each in (lines, segments))
        ours, theirs = _numbered(own.compared, other.compared)
        alike = partial(_similarities, own.compared, other.compared)
        fit = fitted(ours, theirs, other.line_ends, own.places, alike)
        return cls(own, other, fit)

    @classmethod
    def as_they_are(
        cls, lines: Sequence[str], segments: Sequence[str], tokens: Compared, level: Level
    ) -> Resegmented:
        """Take each line for the segment of its number."""
        level = level_of("\n".join(segments)) if level == "auto" else level
        own, other = (Wording.from_lines(each, tokens, level) for each in (lines, segments))
        return cls(own, other, Fit(own.line_ends, -1, is_certain=True), lines)

    def __repr__(self) -> str:
        errors = int(self.edits.sum())
        about = f"{number(len(self.text), 'word')} in {number(len(self.lines), 'segment')}"
        return f"<Resegmented: {about}, {number(errors, 'edit')}>"

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The first word of the text in each segment, and where it ends."""
        return list(pairwise([0, *self.fit.cuts.tolist()]))

    @property
    def segments(self) -> list[tuple[int, int]]:
        """The same of the reference."""
        return list(pairwise([0, *self.reference.line_ends.tolist()]))

    @cached_property
    def lines(self) -> list[str]:
        """The text, one line for each segment."""
        if self.given is None:
            return self.text.pieces(self.fit.cuts)
        return [" ".join(line.split()) for line in self.given]

    @cached_property
    def edits(self) -> IntArray:
        """The word errors of each segment."""
        ours, theirs = self._words()
        return np.array([_distance(a, b) for a, b in zip(ours, theirs, strict=True)], np.int64)

    @cached_property
    def character_edits(self) -> tuple[IntArray, IntArray]:
        """The character errors of each segment, and how many characters the reference has there."""
        ours = self.text.compared_pieces(self.fit.cuts)
        theirs = self.reference.compared_pieces(self.reference.line_ends)
        errors = [_distance(a, b) for a, b in zip(ours, theirs, strict=True)]
        return np.array(errors, np.int64), np.array([len(each) for each in theirs], np.int64)

    def _words(self) -> tuple[list[list[str]], list[list[str]]]:
        """The words of each segment, as they are compared."""
        return (
            [self.text.compared[a:b] for a, b in self.spans],
            [self.reference.compared[a:b] for a, b in self.segments],
        )

    def slack(self) -> list[tuple[int, int]]:
        """How many words each cut could move left and right at no cost, while the others stay.

        That of the last cut, at the end of the text, is none.
        """
        found = [self._slack(at) for at in range(len(self.spans) - 1)]
        return [*found, (0, 0)] if self.spans else []

    def _slack(self, at: int) -> tuple[int, int]:
        (start, cut), (_, stop) = self.spans[at : at + 2]
        (begin, middle), (_, end) = self.segments[at : at + 2]
        own, other = self.text.compared, self.reference.compared
        before = _distances(own[start:stop], other[begin:middle])
        after = _distances(own[start:stop][::-1], other[middle:end][::-1])[::-1]
        is_free = before + after == before[cut - start] + after[cut - start]
        wrong = np.flatnonzero(~is_free)
        low = wrong[wrong < cut - start].max(initial=-1) + 1
        high = wrong[wrong > cut - start].min(initial=is_free.size) - 1
        return int(cut - start - low), int(high - (cut - start))


def _distances(own: Sequence[str], other: Sequence[str]) -> IntArray:
    """The edit distances of the first none, one, two … words of a text to all of another."""
    known = {word: at for at, word in enumerate(dict.fromkeys(own))}
    words = np.array([known[word] for word in own], np.int64)
    slope = np.arange(words.size + 1)
    row = slope.copy()
    for word in other:
        least = row + 1
        np.minimum(least[1:], row[:-1] + (words != known.get(word, -1)), out=least[1:])
        row = np.minimum.accumulate(least - slope) + slope
    return row


def _numbered(own: Sequence[str], other: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Words as numbers, the same for equal ones."""
    known = {word: at for at, word in enumerate(dict.fromkeys((*own, *other)))}
    ours, theirs = (
        np.fromiter(map(known.__getitem__, each), np.int64, len(each)) for each in (own, other)
    )
    return ours, theirs


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
