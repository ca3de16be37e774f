"""Words as rows of a table of vectors: frequent words have their own, any other has four parts.

Row 0 is silence (all zeros). A word that is not frequent is the sum of the rows of its first four
letters, its last four, its last three and its last two, which are hashed into buckets; so no word
is unknown. Digits count as one and the same letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import IntArray

PARTS = 4
_FIRST, _SHARES = 4, (4, 3, 2)
_SEEDS = (0x811C9DC5, 0x9E3779B9, 0x85EBCA6B, 0xC2B2AE35)
_PRIME = np.uint32(0x01000193)


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The frequent words in their order, and the number of buckets for the parts of all others."""

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
        own = np.fromiter(map(self._row.get, words, [0] * len(words)), np.int64, len(words))
        rows = np.zeros((len(words), PARTS), np.int64)
        rows[:, 0] = own
        rare = np.flatnonzero(own == 0)
        rows[rare] = self.parts([words[at] for at in rare.tolist()])
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
