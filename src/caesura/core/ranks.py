"""Ranks: how many places of an array are set before any place, from one bit for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import BoolArray, IntArray

CHUNK = 1 << 14
_WIDTH = 64


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Places that are set, as bits in words of 64, and how many are set before each word.

    It answers as `np.searchsorted` of the places that are set, from an eighth of a byte a place.
    """

    bits: npt.NDArray[np.uint64]
    before: IntArray

    @classmethod
    def from_flags(cls, flags: BoolArray) -> Ranks:
        """Take a flag for each place."""
        packed = np.packbits(flags, bitorder="little")
        bits = np.zeros(flags.size // _WIDTH + 1, dtype="<u8")
        bits.view(np.uint8)[: packed.size] = packed
        before = np.zeros(bits.size + 1, dtype=np.int64)
        np.cumsum(np.bitwise_count(bits), out=before[1:])
        return cls(bits, before)

    @classmethod
    def from_places(cls, places: IntArray, size: int) -> Ranks:
        """Take the places that are set, of `size`."""
        flags = np.zeros(size, dtype=np.bool_)
        flags[places] = True
        return cls.from_flags(flags)

    @property
    def total(self) -> int:
        """How many places are set."""
        return int(self.before[-1])

    def at(self, places: IntArray) -> IntArray:
        """For each place, how many are set before it; the end is a place too.

        >>> Ranks.from_flags(np.array([False, True, True])).at(np.array([0, 1, 2, 3])).tolist()
        [0, 0, 1, 2]
        """
        if places.size > CHUNK:
            parts = (places[start : start + CHUNK] for start in range(0, places.size, CHUNK))
            return np.concatenate([self.at(part) for part in parts])
        word, bit = places >> 6, (places & (_WIDTH - 1)).astype(np.uint64)
        lower = self.bits[word] & ((np.uint64(1) << bit) - np.uint64(1))
        found: IntArray = self.before[word] + np.bitwise_count(lower)
        return found
