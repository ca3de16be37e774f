"""From words to probabilities of the marks after them, and on to boundaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from caesura.core.registry import Registry
from caesura.core.segmentation import Document, IntArray, Segmentation
from caesura.detect import weights as files
from caesura.detect.thresholds import HALF, Cut, Threshold
from caesura.detect.vocabulary import Vocabulary, distinct
from caesura.detect.weights import FloatArray, Weights
from caesura.errors import CaesuraError, FormatError, UsageError

MARKS = ("", ",", ".", "?")
KINDS: Registry[Any] = Registry(
    {
        "cnn": "caesura.detect.cnn:Cnn",
        "rnn": "caesura.detect.rnn:Rnn",
        "former": "caesura.detect.former:Former",
    }
)
"""The networks that a model may name."""


class Network(Protocol):
    """A network on vectors of words; right for words with `margin` others on both sides."""

    @property
    def margin(self) -> int:
        """The number of words of context on each side."""

    @property
    def step(self) -> int:
        """The preferred number of words to process at once."""

    def logits(self, vectors: FloatArray) -> FloatArray:
        """The logits of all words but the `margin` first and last."""


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
            for part in _cut(piece, step):
                kept = np.concatenate((kept, self.vectors(part)))
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
            odds = _softmax(self.network.logits(vectors))
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


def _cut(words: Sequence[str], step: int) -> Iterator[Sequence[str]]:
    for first in range(0, len(words), step):
        yield words[first : first + step]


def _softmax(logits: FloatArray) -> FloatArray:
    odds: FloatArray = np.exp(logits - logits.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return odds
