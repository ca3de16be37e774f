"""From words to probabilities of the marks after them, and on to boundaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from caesura.core.segmentation import BoolArray, Document, IntArray, Segmentation
from caesura.detect import weights as files
from caesura.detect.networks import KINDS, Network
from caesura.detect.vocabulary import Vocabulary, distinct
from caesura.detect.weights import FloatArray, Weights
from caesura.errors import CaesuraError, FormatError, UsageError

MARKS = ("", ",", ".", "?")
"""The classes of a network, in the order of its logits: no mark, and these."""

BLOCK = 1 << 12
"""The words that are decided on together, where the threshold is that of the expected F1."""
STEPS = 1000
"""The thresholds that are tried: thousandths."""


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
            taken, right = (np.cumsum(numbers[::-1])[::-1] for numbers in (counts, sums))
            expected_f1 = (1 + right) / (2 + taken + right[0])  # of each step as the threshold
            yield chances, step >= 1 + int(np.argmax(expected_f1[1:]))


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


@dataclass(frozen=True, slots=True, eq=False)
class Detector:
    """A network with its vocabulary, its vectors and how it decides."""

    network: Network
    vocabulary: Vocabulary
    table: FloatArray
    cut: Cut
    about: Mapping[str, object]

    @classmethod
    def from_file(cls, path: str) -> Detector:
        """Read a model, and try it on silence."""
        stored = files.read(path)
        try:
            found = cls.from_weights(stored)
            found.require_sound()
        except Exception:
            cure = "give a model written by this version of `caesura train`"
            raise FormatError(path, "a model that this version cannot run", cure) from None
        return found

    @classmethod
    def from_weights(cls, stored: Weights) -> Detector:
        """Make the network a model describes."""
        network = KINDS[stored.about["kind"]].from_weights(stored)
        vocabulary = Vocabulary(stored.words, stored.about["buckets"])
        cut = Threshold(float(stored.about.get("threshold", 0.5)))
        return cls(network, vocabulary, stored.arrays["table"], cut, stored.about)

    def require_sound(self) -> None:
        """Raise an error of any kind unless its parts fit together and give numbers."""
        silence = np.zeros((2 * self.network.margin + 1, self.table.shape[1]), np.float32)
        with np.errstate(all="ignore"):
            logits = self.network.logits(silence)
        if logits.shape != (1, len(MARKS)) or not np.isfinite(logits).all():
            raise ValueError("it gives no probability of each mark")
        if type(self.vocabulary.buckets) is not int or self.vocabulary.buckets < 1:
            raise ValueError("it has no buckets for rare words")
        if len(self.table) != self.vocabulary.size or self.network.step < 1:
            raise ValueError("it has not a vector for each word")
        Threshold.parse(str(self.about.get("threshold", 0.5)), "")

    def probabilities(self, words: Sequence[str]) -> FloatArray:
        """The probabilities of no mark, comma, period and question mark after each word."""
        found = list(self.stream([words]))
        return np.concatenate(found) if found else np.zeros((0, len(MARKS)), np.float32)

    def stream(self, pieces: Iterable[Sequence[str]]) -> Iterator[FloatArray]:
        """The probabilities of words that arrive piece by piece, as soon as they are known.

        What is kept is one step of words and its margins, however many words there are.
        """
        margin, step = self.network.margin, self.network.step
        size = self.table.shape[1]
        kept = np.zeros((margin, size), np.float32)
        for piece in pieces:
            for first in range(0, len(piece), step):
                kept = np.concatenate((kept, self.vectors(piece[first : first + step])))
                while len(kept) >= step + 2 * margin:
                    yield self._odds(kept[: step + 2 * margin])
                    kept = kept[step:]
        if len(kept) > margin:
            kept = np.concatenate((kept, np.zeros((margin, size), np.float32)))
        while len(kept) > 2 * margin:
            yield self._odds(kept[: step + 2 * margin])
            kept = kept[step:]

    def _odds(self, vectors: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            logits = self.network.logits(vectors)
            odds: FloatArray = np.exp(logits - logits.max(axis=1, keepdims=True))  # softmax
            odds /= odds.sum(axis=1, keepdims=True)
        if not np.isfinite(odds).all():
            raise CaesuraError("the model gives some words no probability; train it again")
        return odds

    def segment(self, document: Document) -> Segmentation:
        """Place boundaries after the words of a document."""
        return segment(self.probabilities(document.words), self.cut)

    def vectors(self, words: Sequence[str]) -> FloatArray:
        """The vector of each word: the sum of its rows, made once for each distinct word."""
        different, which = distinct(words)
        rows = self.vocabulary.rows(different)
        table = self.table[rows[:, 0]]
        for column in rows.T[1:]:
            rare = np.flatnonzero(column)
            table[rare] += self.table[column[rare]]
        return table[which]


def ends_of(odds: FloatArray) -> FloatArray:
    """The probability that a unit ends after each word: of a period or a question mark."""
    both: FloatArray = odds[:, 2] + odds[:, 3]
    return both


def segment(odds: FloatArray, cut: Cut = HALF, *, mean: float | None = None) -> Segmentation:
    """Boundaries where a period or question mark is probable, or as many as give a mean length."""
    length = len(odds)
    end = ends_of(odds)
    if mean is not None:
        boundaries = _most_probable(end, mean)
    else:
        decided = [ends for _, ends in cut.decide([end])]
        boundaries = np.flatnonzero(np.concatenate([*decided, np.zeros(0, np.bool_)]))
    whole = Segmentation.from_positions(boundaries, length)
    marks = np.where(odds[:, 3] > odds[:, 2], MARKS[3], MARKS[2])[whole.boundaries]
    return Segmentation(length, whole.boundaries, marks)


def _most_probable(end: FloatArray, mean: float) -> IntArray:
    """The most probable ends, as many as make units of a mean length; the last word is one."""
    if not mean >= 1:
        raise UsageError(f"a mean length of {mean} words; give 1 or more")
    if not end.size:
        return np.zeros(0, np.int64)
    wanted = min(end.size, max(1, round(end.size / mean))) - 1
    order = np.argsort(-end[:-1], kind="stable")
    return np.sort(order[:wanted])
