"""Words as a teacher spells them: each distinct word is a few pieces of a fixed vocabulary.

Piece 0 fills up, one other piece stands for the silence between documents, and one hides a piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray
from caesura.detect.training.data import SILENCE, UNKNOWN, LabelledCorpus

MOST = 6
"""The pieces of a word after the sixth are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class WordPieces:
    """The pieces of distinct words in one row, and how many each word has; word 0 is silence."""

    flat: IntArray
    counts: IntArray
    begin: int
    silence: int
    hidden: int

    @classmethod
    def from_spelling(
        cls, spelled: Sequence[Sequence[int]], begin: int, silence: int, hidden: int
    ) -> WordPieces:
        """Take the spelling of each distinct word, and the pieces with a meaning of their own."""
        short = [[silence], *(one[:MOST] for one in spelled)]
        counts = np.array([len(one) for one in short], np.int64)
        return cls(np.concatenate(short).astype(np.int64), counts, begin, silence, hidden)

    @property
    def size(self) -> int:
        """The number of different pieces."""
        return int(self.flat.max()) + 1

    @property
    def offsets(self) -> IntArray:
        """Where the pieces of each word begin."""
        begins: IntArray = np.cumsum(self.counts) - self.counts
        return begins

    def spell(self, corpus: LabelledCorpus) -> tuple[LabelledCorpus, BoolArray]:
        """A corpus of words as one of pieces, and which pieces are the last of a word.

        Silence between documents becomes one piece; the class of a word is that of its last piece.
        """
        ids = corpus.ids
        silent = ids == SILENCE
        counts = np.where(silent & np.concatenate(([False], silent[:-1])), 0, self.counts[ids])
        ends = np.cumsum(counts)
        word = np.repeat(np.arange(ids.size), counts)
        within = np.arange(word.size) - (ends - counts)[word]
        row = self.flat[self.offsets[ids[word]] + within].astype(np.int32)
        last = ends[~silent] - 1
        labels = np.full(row.size, UNKNOWN, np.uint8)
        labels[last] = corpus.labels[~silent]
        is_last = np.zeros(row.size, bool)
        is_last[last] = True
        return LabelledCorpus([], row, labels, (ends - counts)[corpus.starts]), is_last
