"""Anchors: rare strings that two streams of characters share, for where no match is near."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.text import Units

SURE = 24
"""A run of this many equal characters is not a coincidence."""
SAMPLE = 16
CHUNK = 1 << 20
Hashes = npt.NDArray[np.uint64]


def anchors(
    a: Units, b: Units, span_a: tuple[int, int], span_b: tuple[int, int]
) -> list[tuple[int, int]]:
    """Strings that occur once in each stream, in the longest order that both share."""
    values = _frequencies(a[slice(*span_a)], b[slice(*span_b)])
    places_a, places_b = _rare(a, values, *span_a), _rare(b, values, *span_b)
    _, at_a, at_b = np.intersect1d(places_a[0], places_b[0], True, return_indices=True)  # noqa: FBT003
    pairs = np.stack((places_a[1][at_a], places_b[1][at_b]), axis=1)
    pairs = pairs[_is_equal(a, b, pairs)]
    return _longest_rise(pairs[np.argsort(pairs[:, 0])].tolist())


def _frequencies(a: Units, b: Units) -> Hashes:
    """How often each character occurs, which stands for it, so that renaming changes nothing."""
    counts = np.zeros(1 + max(int(each.max(initial=0)) for each in (a, b)), dtype=np.uint64)
    for stream in (a, b):
        for at in range(0, stream.size, CHUNK):
            found = np.bincount(stream[at : at + CHUNK])
            counts[: found.size] += found.astype(np.uint64)
    return counts


def _rare(stream: Units, values: Hashes, start: int, end: int) -> tuple[Hashes, IntArray]:
    """Hashes of strings that occur once, and their places, of one place in SAMPLE."""
    if end - start < SURE:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    powers = np.uint64(0x9E3779B97F4A7C15) ** np.arange(1, SURE + 1, dtype=np.uint64)
    found = [
        _sampled(values[stream[at : min(at + CHUNK + SURE - 1, end)]], powers, at)
        for at in range(start, end - SURE + 1, CHUNK)
    ]
    hashes, places = (np.concatenate(part) for part in zip(*found, strict=True))
    known, index, number = np.unique(hashes, return_index=True, return_counts=True)
    return known[number == 1], places[index[number == 1]]


def _sampled(stream: Hashes, powers: Hashes, offset: int) -> tuple[Hashes, IntArray]:
    hashes = np.zeros(stream.size - SURE + 1, dtype=np.uint64)
    for shift, power in enumerate(powers):
        hashes += stream[shift : shift + hashes.size] * power
    hashes ^= hashes >> np.uint64(29)
    places = np.flatnonzero(hashes % np.uint64(SAMPLE) == 0)
    return hashes[places], places + offset


def _is_equal(a: Units, b: Units, pairs: IntArray) -> BoolArray:
    """Whether the strings at pairs of places are equal, and not only their hashes."""
    equal = np.ones(len(pairs), dtype=np.bool_)
    for shift in range(SURE):
        equal &= a[pairs[:, 0] + shift] == b[pairs[:, 1] + shift]
    return equal


def _longest_rise(pairs: list[list[int]]) -> list[tuple[int, int]]:
    """The longest chain in which both places rise (patience sorting)."""
    tops: list[int] = []
    top_at: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        before.append(top_at[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            top_at.append(index)
        else:
            tops[pile], top_at[pile] = place, index
    chain, index = [], top_at[-1] if top_at else -1
    while index >= 0:
        chain.append((pairs[index][0], pairs[index][1]))
        index = before[index]
    return chain[::-1]
