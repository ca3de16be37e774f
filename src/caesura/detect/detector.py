"""From words to probabilities of the marks after them, and on to boundaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import BoolArray, Document, IntArray, Segmentation
from caesura.detect import weights as files
from caesura.detect.networks import KINDS, Network
from caesura.detect.weights import FloatArray, Weights
from caesura.errors import CaesuraError, FormatError, UsageError

MARKS = ("", ",", ".", "?")
"""The classes of a network, in the order of its logits: no mark, and these."""

PARTS = 4
"""The rows of a word that is not frequent."""
_FIRST, _SHARES = 4, (4, 3, 2)
_SEEDS = (0x811C9DC5, 0x9E3779B9, 0x85EBCA6B, 0xC2B2AE35)
_PRIME = np.uint32(0x01000193)
BLOCK = 1 << 12
"""The words that are decided on together, where the threshold is that of the expected F1."""
STEPS = 1000
"""The thresholds that are tried: thousandths."""


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Words as rows of a table of vectors: frequent words have their own, any other has four parts.

    Row 0 is silence (all zeros). A word that is not frequent is the sum of the rows of its first
    four letters, its last four, its last three and its last two, which are hashed into buckets; so
    no word is unknown. Digits count as one and the same letter.
    """

    words: tuple[str, ...]
    buckets: int
    _row: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_row", {word: at for at, word in enumerate(self.words, 1)})

    @property
    def size(self) -> int:
        """The number of rows of the table."""
        return 1 + len(self.words) + self.buckets

    def unknown(self, words: Sequence[str]) -> int:
        """How many words are not among the frequent ones.

        >>> Vocabulary(("so", "yes"), 100).unknown(["yes", "ja", "so", "ja"])
        2
        """
        return len(words) - sum(map(self._row.__contains__, words))

    def rows(self, words: Sequence[str]) -> IntArray:
        """The rows of each word, filled up with 0.

        >>> Vocabulary(("so", "yes"), 100).rows(["yes", "so"]).tolist()
        [[2, 0, 0, 0], [1, 0, 0, 0]]
        """
        rows = np.zeros((len(words), PARTS), np.int64)
        rows[:, 0] = np.fromiter(map(self._row.get, words, [0] * len(words)), np.int64, len(words))
        rare = np.flatnonzero(rows[:, 0] == 0)
        rows[rare] = self.parts([words[index] for index in rare.tolist()])
        return rows

    def parts(self, words: Sequence[str]) -> IntArray:
        """The rows of the four parts of each word, as if none were frequent."""
        first = _hash([word[:_FIRST] for word in words], _FIRST, _SEEDS[0])
        last = [
            _hash([word[-share:] for word in words], share, seed)
            for share, seed in zip(_SHARES, _SEEDS[1:], strict=True)
        ]
        hashed = np.stack([first, *last], axis=1) % self.buckets
        return hashed.astype(np.int64) + 1 + len(self.words)


def distinct(words: Iterable[str]) -> tuple[list[str], IntArray]:
    """The distinct words in the order of their first use, and for each word which it is.

    >>> distinct("so it is it".split())
    (['so', 'it', 'is'], array([0, 1, 2, 1]))
    """
    words = list(words)
    index = {word: at for at, word in enumerate(dict.fromkeys(words))}
    return list(index), np.fromiter(map(index.__getitem__, words), np.int64, len(words))


def _hash(shares: Sequence[str], width: int, seed: int) -> npt.NDArray[np.uint32]:
    """FNV-1a over the letters of short strings, all strings at once, mixed at the end."""
    letters = np.array(shares, dtype=f"<U{width}").view("<u4").reshape(len(shares), width)
    letters = np.where((letters >= ord("0")) & (letters <= ord("9")), np.uint32(ord("0")), letters)
    hashed = np.full(len(shares), seed, np.uint32)
    for column in letters.T:
        hashed = (hashed ^ column) * _PRIME
    return hashed ^ (hashed >> np.uint32(15))


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
        """The probabilities of all words in pieces, and which are ends: each is decided alone."""
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
        """The same, decided one block of words after the other, however the pieces are cut."""
        counts, sums = np.zeros(STEPS + 1), np.zeros(STEPS + 1)
        for chances in _blocks(pieces, self.block):
            step = (chances * np.float32(STEPS)).astype(np.int64)
            counts += np.bincount(step, minlength=STEPS + 1)
            sums += np.bincount(step, chances, minlength=STEPS + 1)
            taken, right = (np.cumsum(numbers[::-1])[::-1] for numbers in (counts, sums))
            expected_f1 = (1 + right) / (2 + taken + right[0])  # of each step as the threshold
            yield chances, step >= 1 + int(np.argmax(expected_f1[1:]))


Cut = Threshold | ExpectedF1
"""A way to decide."""


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
            detector = cls.from_weights(stored)
            detector.require_sound()
        except Exception:
            cure = "give a model written by this version of `caesura train`"
            raise FormatError(path, "a model that this version cannot run", cure) from None
        return detector

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
        pieces = list(self.stream([words]))
        return np.concatenate(pieces) if pieces else np.zeros((0, len(MARKS)), np.float32)

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
