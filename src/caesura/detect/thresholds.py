"""Cuts: from the probability that a unit ends after each word to a decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from caesura.core.segmentation import BoolArray
from caesura.detect.weights import FloatArray
from caesura.errors import UsageError

BLOCK = 1 << 12
STEPS = 1000


class Cut(Protocol):
    """A way to decide."""

    def decide(self, pieces: Iterable[FloatArray]) -> Iterator[tuple[FloatArray, BoolArray]]:
        """The probabilities of all words in pieces, and which are ends, however they are cut."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A unit ends where its probability is at least this."""

    least: float

    @classmethod
    def parse(cls, text: str, name: str) -> Threshold:
        """Take what follows the name of a detector: `best:0.5`."""
        try:
            least = float(text)
        except ValueError:
            least = -1.0
        if not 0 <= least <= 1:
            problem = f"'{name}:{text}' is not a detector"
            raise UsageError(f"{problem}; give a threshold between 0 and 1, such as {name}:0.5")
        return cls(least)

    def decide(self, pieces: Iterable[FloatArray]) -> Iterator[tuple[FloatArray, BoolArray]]:
        """Decide on every word alone."""
        for chances in pieces:
            yield chances, chances >= self.least


HALF = Threshold(0.5)


@dataclass(frozen=True, slots=True)
class ExpectedF1:
    """The threshold with the highest expected F1, if the probabilities are right.

    Of the n words that reach a threshold t, Σ_{p ≥ t} p are expected to be right, of Σ p ends in
    all: F1 = 2 Σ_{p ≥ t} p / (n + Σ p). The end of the text is one more, which is sure. The
    threshold is chosen among thousandths, anew for each block of words, from all words up to the
    end of the block: so a stream is decided as it comes, just as a document is.
    """

    block: int = BLOCK

    def decide(self, pieces: Iterable[FloatArray]) -> Iterator[tuple[FloatArray, BoolArray]]:
        """Decide on one block of words after the other."""
        counts, sums = np.zeros(STEPS + 1), np.zeros(STEPS + 1)
        for chances in _blocks(pieces, self.block):
            step = (chances * np.float32(STEPS)).astype(np.int64)
            counts += np.bincount(step, minlength=STEPS + 1)
            sums += np.bincount(step, chances, minlength=STEPS + 1)
            yield chances, step >= _best_step(counts, sums)


def _best_step(counts: np.ndarray, sums: np.ndarray) -> int:
    """The step from which on words are ends, given how many words each has and their sums."""
    taken, right = (np.cumsum(each[::-1])[::-1] for each in (counts, sums))
    expected = (1 + right) / (2 + taken + right[0])
    return 1 + int(np.argmax(expected[1:]))


def _blocks(pieces: Iterable[FloatArray], size: int) -> Iterator[FloatArray]:
    """Regroup pieces of an array into blocks of one size; the last may be smaller."""
    kept = np.zeros(0, np.float32)
    for piece in pieces:
        kept = np.concatenate((kept, piece))
        while kept.size >= size:
            yield kept[:size]
            kept = kept[size:]
    if kept.size:
        yield kept
