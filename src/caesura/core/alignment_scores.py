"""Scores of how the words of versions were aligned."""

from __future__ import annotations

from dataclasses import dataclass

from caesura.core.counts import Counts, ratio
from caesura.core.score import Score


@dataclass(frozen=True, slots=True)
class AlignmentCounts(Counts):
    """Word errors of a version against the axis, and what became of its boundaries.

    `hits` and `substitutions` are words of the axis that a word is aligned with, `deletions`
    those with none, `insertions` words that the axis lacks. Of the boundaries, `merged` landed
    where another did and `lost` had no aligned word before them. `uncertain` counts alignments that
    were too long to make sure that no other has fewer errors. `characters` of the axis, and errors
    in them, are counted where characters are tokens; see `caesura.core.tokens`.
    """

    hits: int
    substitutions: int
    deletions: int
    insertions: int
    merged: int
    lost: int
    uncertain: int
    characters: int = 0
    character_errors: int = 0

    @property
    def words(self) -> int:
        """The words of the axis."""
        return self.hits + self.substitutions + self.deletions

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def word_error_rate(self) -> float:
        """(substitutions + deletions + insertions) / words of the axis."""
        return ratio(self.errors, self.words)

    @property
    def character_error_rate(self) -> float:
        """Errors of the same alignment in characters / characters of the axis."""
        return ratio(self.character_errors, self.characters)

    @property
    def coverage(self) -> float:
        """Words of the axis with which a word is aligned / words of the axis."""
        return ratio(self.hits + self.substitutions, self.words)


ALIGNED = "alignment"
"""The measure of how words were aligned."""


CHARACTERS = "character_error_rate"
"""The score that there is only where characters are tokens."""
ALIGNMENT: tuple[Score, ...] = (
    Score("word_error_rate", "WER", "Word errors / words of the axis.", "low", ("alignment",)),
    Score(CHARACTERS, "CER", "Errors in characters / characters of the axis, where characters are "
          "tokens.", "low", ("alignment",)),
    Score("coverage", "coverage", "Words of the axis that are aligned / words of the axis.",
          views=("alignment",)),
    Score("substitutions", "substitutions", "Words aligned with others.", None, is_count=True),
    Score("deletions", "deletions", "Words of the axis with none.", None, is_count=True),
    Score("insertions", "insertions", "Words that the axis lacks.", None, is_count=True),
    Score("merged", "merged", "Boundaries that landed where another did.", None, ("alignment",),
          is_count=True),
    Score("lost", "lost", "Boundaries with no aligned word before them.", None, ("alignment",),
          is_count=True),
    Score("uncertain", "uncertain", "Alignments that might not have the fewest errors.", None,
          is_count=True),
)  # fmt: skip
