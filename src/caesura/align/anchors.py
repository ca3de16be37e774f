"""Anchors: rare strings that two long sequences share, as many as ascend in both."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import IntArray
from caesura.core.text import Units

ANCHOR_WORDS, WORD_SAMPLE = 6, 8
"""The words of an anchor; one in WORD_SAMPLE strings of words is looked at."""
ANCHOR_CHARACTERS, CHARACTER_SAMPLE = 24, 16
"""A run of this many equal characters is not a coincidence."""
CHUNK = 1 << 20
"""The characters that are hashed at a time."""
FACTOR = np.uint64(0x9E3779B97F4A7C15)
Hashes = npt.NDArray[np.uint64]
Sample = tuple[Hashes, IntArray]
"""Hashes of some strings of a sequence, and the places where the strings begin."""


def word_anchors(a: IntArray, b: IntArray) -> IntArray:
    """Where strings of words begin that occur once in each side: (anchors, 2), in a and in b."""
    return _longest_rise(_once_in_each(_word_sample(a), _word_sample(b)))


def character_anchors(
    a: Units, b: Units, span_a: tuple[int, int], span_b: tuple[int, int]
) -> IntArray:
    """Where strings of characters begin that occur once in each side: (anchors, 2)."""
    frequencies = _frequencies(a[slice(*span_a)], b[slice(*span_b)])
    places = _once_in_each(
        _character_sample(a, frequencies, *span_a), _character_sample(b, frequencies, *span_b)
    )
    is_equal = np.ones(len(places), np.bool_)  # not only their hashes are
    for shift in range(ANCHOR_CHARACTERS):
        is_equal &= a[places[:, 0] + shift] == b[places[:, 1] + shift]
    return _longest_rise(places[is_equal])


def _word_sample(words: IntArray) -> Sample:
    numbers = words.astype(np.uint64)
    hashes = np.zeros(max(0, words.size - ANCHOR_WORDS + 1), dtype=np.uint64)
    for shift in range(ANCHOR_WORDS):
        hashes += numbers[shift : shift + hashes.size]
        hashes *= FACTOR
        hashes ^= hashes >> np.uint64(29)
    places = np.flatnonzero(hashes % np.uint64(WORD_SAMPLE) == 0)
    return hashes[places], places


def _frequencies(a: Units, b: Units) -> Hashes:
    """How often each character occurs, which stands for it, so that renaming changes nothing."""
    counts = np.zeros(1 + max(int(stream.max(initial=0)) for stream in (a, b)), dtype=np.uint64)
    for stream in (a, b):
        for start in range(0, stream.size, CHUNK):
            chunk = np.bincount(stream[start : start + CHUNK])
            counts[: chunk.size] += chunk.astype(np.uint64)
    return counts


def _character_sample(stream: Units, frequencies: Hashes, start: int, end: int) -> Sample:
    """Hash the strings from one place up to another, chunk by chunk."""
    powers = FACTOR ** np.arange(1, ANCHOR_CHARACTERS + 1, dtype=np.uint64)
    hashes, places = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
    for first in range(start, end - ANCHOR_CHARACTERS + 1, CHUNK):
        values = frequencies[stream[first : min(first + CHUNK + ANCHOR_CHARACTERS - 1, end)]]
        sums = np.zeros(values.size - ANCHOR_CHARACTERS + 1, dtype=np.uint64)
        for shift, power in enumerate(powers):
            sums += values[shift : shift + sums.size] * power
        sums ^= sums >> np.uint64(29)
        chosen = np.flatnonzero(sums % np.uint64(CHARACTER_SAMPLE) == 0)
        hashes.append(sums[chosen])
        places.append(chosen + first)
    return np.concatenate(hashes), np.concatenate(places)


def _once_in_each(a: Sample, b: Sample) -> IntArray:
    """The places of strings that occur once in each sample: (strings, 2), ascending in a."""
    distinct, positions = [], []
    for hashes, places in (a, b):
        values, first, number = np.unique(hashes, return_index=True, return_counts=True)
        distinct.append(values[number == 1])
        positions.append(places[first[number == 1]])
    once_a, once_b = distinct
    _, in_a, in_b = np.intersect1d(once_a, once_b, assume_unique=True, return_indices=True)
    pairs = np.stack((positions[0][in_a], positions[1][in_b]), axis=1)
    return pairs[np.argsort(pairs[:, 0])]


def _longest_rise(pairs: IntArray) -> IntArray:
    """The longest chain of pairs, which ascend in a, that ascends in b, too (patience sorting)."""
    if (np.diff(pairs[:, 1]) > 0).all():
        return pairs
    tops: list[int] = []  # (piles,) the least last place in b of a chain of each length
    top_index: list[int] = []
    before: list[int] = []  # (pairs,) the pair before each in its chain, -1 for none
    for index, place in enumerate(pairs[:, 1].tolist()):
        pile = bisect_left(tops, place)
        before.append(top_index[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [place]
        top_index[pile : pile + 1] = [index]
    chain, index = [], top_index[-1] if top_index else -1
    while index >= 0:
        chain.append(index)
        index = before[index]
    return pairs[chain[::-1]]
