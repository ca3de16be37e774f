"""The longest common subsequence of two lists of words, in memory that grows like their length.

A row of lengths rises by 0 or 1 from column to column, so it is kept as the bits of one number, and
the next row takes a few operations on numbers (Hyyrö 2004, Bit-parallel LCS-length computation
revisited). Only some rows are kept; those between two of them are made again when they are needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import isqrt

CACHED = 4096


def common(gold: Sequence[str], system: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The longest common subsequence; of equal ways the one that leaves gold words first.

    >>> list(common(["a", "b", "c"], ["b", "x", "a"]))
    [(1, 0)]
    """
    if gold == system:
        yield from ((at, at) for at in range(len(gold)))
        return
    if set(gold).isdisjoint(system):
        return
    lengths = _Lengths(gold, system)
    i = j = 0
    while i < len(gold) and j < len(system):
        if gold[i] == system[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif lengths.at(i, j) == lengths.at(i + 1, j):
            i += 1
        else:
            j += 1


class _Lengths:
    """How long the common subsequence is of what follows any two places; asked for in order."""

    def __init__(self, gold: Sequence[str], system: Sequence[str]) -> None:
        self.gold, self.size = gold, len(system)
        self.places: dict[str, list[int]] = defaultdict(list)
        for bit, word in enumerate(reversed(system)):
            self.places[word].append(bit)
        self.bits: dict[str, int] = {}
        self.step = isqrt(len(gold)) + 1
        self.stored = {len(gold): 0}
        self.rows: dict[int, int] = {}
        for at, row in self._before(len(gold), 0):
            if at % self.step == 0:
                self.stored[at] = row

    def at(self, i: int, j: int) -> int:
        """The length for the gold words from i on and the system's from j on."""
        if i not in self.rows:
            last = min((i // self.step + 1) * self.step, len(self.gold))
            first = i // self.step * self.step
            self.rows = {last: self.stored[last], **dict(self._before(last, first))}
        return (self.rows[i] & ((1 << self.size - j) - 1)).bit_count()

    def _before(self, last: int, first: int) -> Iterator[tuple[int, int]]:
        """The rows from before one to another, each made of the one after it."""
        full = (1 << self.size) - 1
        flat = full ^ self.stored[last]
        for at in reversed(range(first, last)):
            met = flat & self._bits(self.gold[at])
            flat = ((flat + met) | (flat - met)) & full
            yield at, full ^ flat

    def _bits(self, word: str) -> int:
        """Where the system has a word, from its end."""
        if word not in self.bits:
            if len(self.bits) == CACHED:
                self.bits.clear()
            self.bits[word] = sum(1 << bit for bit in self.places.get(word, ()))
        return self.bits[word]
