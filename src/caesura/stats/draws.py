"""Draws: the units of a resample, and the units that a permutation swaps.

The same seed gives the same draws, bit for bit, whatever they are used for, on any number of
cores. They come in pieces, so that memory stays small.
"""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
PIECE = 1 << 22


def generator(seed: int, purpose: str) -> np.random.Generator:
    """Random numbers of one seed for one purpose."""
    sequence = np.random.SeedSequence([seed, crc32(purpose.encode())])
    return np.random.Generator(np.random.Philox(sequence))


def pieces(resamples: int, units: int) -> Iterator[int]:
    """Sizes of pieces that add up to the number of resamples."""
    most = max(1, PIECE // max(1, units))
    for start in range(0, resamples, most):
        yield min(most, resamples - start)


def weights(units: int, resamples: int, seed: int, size: int | None = None) -> Iterator[FloatArray]:
    """Bootstrap: how often each unit is drawn, resamples × units.

    `size` units are drawn, by default as many as there are.
    """
    draw, drawn = generator(seed, "bootstrap"), units if size is None else size
    for rows in pieces(resamples, max(units, drawn)):
        chosen = (draw.random((rows, drawn)) * units).astype(np.int64)
        chosen += units * np.arange(rows)[:, None]
        counted = np.bincount(chosen.ravel(), minlength=rows * units)
        yield counted.reshape(rows, units).astype(np.float64)


def is_exact(units: int, resamples: int) -> bool:
    """Whether every permutation is evaluated: there are no more of them than resamples."""
    return units <= 62 and 2**units <= resamples


def flips(units: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Permutations: a 1 for each unit at which two systems are swapped, resamples × units.

    Every one of them where that is not more work, else as many at random.
    """
    if is_exact(units, resamples):
        every = np.arange(2**units, dtype=np.int64)
        yield (every[:, None] >> np.arange(units) & 1).astype(np.float64)
        return
    draw = generator(seed, "permutation")
    for rows in pieces(resamples, units):
        yield (draw.random((rows, units)) < 0.5).astype(np.float64)


def exact_sums(values: FloatArray) -> FloatArray:
    """Round values so that sums over all rows are exact in any order.

    Whole numbers are exact already; rates lose what is beyond some twelve digits.
    """
    largest = np.abs(values).max(axis=0, initial=0.0, keepdims=True) * max(1, len(values)) * 4
    unit = np.exp2(np.ceil(np.log2(np.maximum(largest, 1.0))) - 52)
    rounded: FloatArray = np.round(values / unit) * unit
    return rounded
