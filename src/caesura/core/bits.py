"""Bits: sets of positions as rows of bits, so that many sets are compared in a few operations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import IntArray

BitArray = npt.NDArray[np.uint64]
WIDTH = 64


def bits_of(sets: Sequence[IntArray], length: int) -> BitArray:
    """A row for each set: bit p % 64 of word p // 64 is position p.

    >>> bits_of([np.array([0, 3]), np.array([64])], 70).tolist()
    [[9, 0], [0, 1]]
    """
    words = -(-length // WIDTH)
    rows = np.zeros((len(sets), words), "<u8")
    for row, positions in zip(rows, sets, strict=True):
        present = np.zeros(words * WIDTH, np.bool_)
        present[positions] = True
        row[:] = np.packbits(present, bitorder="little").view("<u8")
    return rows.astype(np.uint64, copy=False)


def sizes(bits: BitArray) -> IntArray:
    """How many positions each row has."""
    found: IntArray = np.bitwise_count(bits).sum(axis=-1, dtype=np.int64)
    return found


def moved_up(bits: BitArray, by: int) -> BitArray:
    """All positions, greater by some; those beyond the last word are lost."""
    words, rest = divmod(by, WIDTH)
    result = np.zeros_like(bits)
    if words < bits.shape[-1]:
        kept = bits[..., : bits.shape[-1] - words]
        result[..., words:] = kept << np.uint64(rest)
        if rest:
            result[..., words + 1 :] |= kept[..., :-1] >> np.uint64(WIDTH - rest)
    return result


def moved_down(bits: BitArray, by: int) -> BitArray:
    """All positions, less by some; those below 0 are lost."""
    words, rest = divmod(by, WIDTH)
    result = np.zeros_like(bits)
    if words < bits.shape[-1]:
        kept, size = bits[..., words:], bits.shape[-1] - words
        result[..., :size] = kept >> np.uint64(rest)
        if rest:
            result[..., : size - 1] |= kept[..., 1:] << np.uint64(WIDTH - rest)
    return result


def alternate(bits: BitArray, step: int) -> BitArray:
    """Of positions in chains, each `step` after the one before, the first, third, fifth …

    A position is taken if the chain up to it has an odd number of links. `chained` says whether
    there are 1, 2, 4 … links before a position, `odd` whether their number up to there is odd.
    """
    odd, chained, reach = bits, bits, step
    while True:
        before = moved_up(chained, reach)
        before &= chained
        if not before.any():
            return odd ^ (chained & moved_up(odd, reach))
        odd = odd ^ (chained & moved_up(odd, reach))
        chained, reach = before, 2 * reach
