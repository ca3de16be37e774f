"""Bits: sets of positions as rows of bits, so that many sets are compared in a few operations.

A `BitArray` has shape (sets, words): bit p % 64 of word p // 64 says whether a set has position p.
B of all pairs of 1,000 references on 1,000 words takes .3 s with it, .9 s with Python's integers
as sets and 3.5 s with batches of positions. The slow twins are `boundary` and `edits` of
tests/support/reference_transcript.py; tests/core/test_batch.py has those of single functions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import IntArray

BitArray = npt.NDArray[np.uint64]
WIDTH = 64


def bits_of(sets: Sequence[IntArray], length: int) -> BitArray:
    """A row for each set of positions below `length`.

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
    numbers: IntArray = np.bitwise_count(bits).sum(axis=-1, dtype=np.int64)
    return numbers


def moved_up(bits: BitArray, by: int) -> BitArray:
    """Add `by` to all positions; those beyond the last word are lost."""
    words, rest = divmod(by, WIDTH)
    kept = bits[..., : max(0, bits.shape[-1] - words)]
    result = np.zeros_like(bits)
    np.left_shift(kept, np.uint64(rest), out=result[..., words:])
    if rest:  # the highest bits of a word become the lowest of the next
        result[..., words + 1 :] |= kept[..., :-1] >> np.uint64(WIDTH - rest)
    return result


def moved_down(bits: BitArray, by: int) -> BitArray:
    """Subtract `by` from all positions; those below 0 are lost."""
    words, rest = divmod(by, WIDTH)
    kept = bits[..., words:]
    result = np.zeros_like(bits)
    size = kept.shape[-1]
    np.right_shift(kept, np.uint64(rest), out=result[..., :size])
    if rest:  # the lowest bits of a word become the highest of the one before
        result[..., : max(0, size - 1)] |= kept[..., 1:] << np.uint64(WIDTH - rest)
    return result


def alternate(bits: BitArray, step: int) -> BitArray:
    """Of positions in chains, each `step` after the one before, the first, third, fifth …

    A position is taken if the chain up to it has an odd number of positions. Rounds look at its
    last 2, 4, 8 … of them: `chained` says whether there are that many, `odd` whether the number of
    these, or of all if there are fewer, is odd. So a chain of n takes log n rounds.
    """
    chained = bits & moved_up(bits, step)
    odd, reach = bits ^ chained, 2 * step
    while chained.any():
        odd ^= chained & moved_up(odd, reach)
        chained &= moved_up(chained, reach)
        reach *= 2
    return odd
