"""Edit distances of all pairs within clusters, over distinct strings, in batches."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist, cpdist

from caesura.core.segmentation import IntArray
from caesura.tasks.terms.speech import Discovered

BATCH = 1 << 18
SMALL = 64


def edit_distances(found: Discovered) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The number of pairs, and the sum of their edit distances by the length of the longer.

    The slow twin is `ned` of tests/support/reference_terms.py.
    """
    number, texts = _texts(found)
    sums: dict[int, int] = {}
    members = np.bincount(found.cluster) if found.cluster.size else found.cluster
    pairs = int((members * (members - 1) // 2).sum())
    cluster, text, times = _tally(found.cluster, number, len(texts))
    empty = texts.index("") if "" in texts else -1
    blank = times[text == empty]
    _add(sums, np.ones(blank.size, np.int64), blank * (blank - 1) // 2)
    for left, right, weight in _unequal(cluster, text, times):
        mine, yours = ([texts[at] for at in side.tolist()] for side in (left, right))
        distance = cpdist(mine, yours, scorer=Levenshtein.distance, dtype=np.int32)
        longer = np.maximum(_lengths(mine), _lengths(yours))
        _add(sums, longer, distance.astype(np.int64) * weight)
    for strings, weights in _crowds(cluster, text, times, texts):
        _add_crowd(sums, strings, weights)
    return pairs, tuple(sorted((length, total) for length, total in sums.items() if total))


def _texts(found: Discovered) -> tuple[IntArray, list[str]]:
    """The distinct strings, silence left out, and which of them each interval has."""
    labels = found.gold.phones.labels
    silence = labels.index("SIL") if "SIL" in labels else -1
    _, first, which = np.unique(found.spans.types, return_index=True, return_inverse=True)
    known: dict[str, int] = {}
    codes = [known.setdefault(found.spans.text(at, silence), len(known)) for at in first.tolist()]
    return np.array(codes, dtype=np.int64)[which] if codes else which, list(known)


def _tally(cluster: IntArray, text: IntArray, kinds: int) -> tuple[IntArray, IntArray, IntArray]:
    """How often each string stands in each cluster."""
    keys = np.sort(cluster * max(1, kinds) + text)
    first = np.flatnonzero(np.concatenate(([True], np.diff(keys) != 0))[: keys.size])
    keys, times = keys[first], np.diff(first, append=keys.size)
    return keys // max(1, kinds), keys % max(1, kinds), times


def _lengths(strings: list[str]) -> IntArray:
    return np.fromiter(map(len, strings), dtype=np.int64, count=len(strings))


def _add(sums: dict[int, int], lengths: IntArray, totals: IntArray) -> None:
    for length in np.flatnonzero(np.bincount(lengths)).tolist():
        sums[length] = sums.get(length, 0) + int(totals[lengths == length].sum())


def _unequal(
    cluster: IntArray, text: IntArray, times: IntArray
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Pairs of different strings of small clusters, in batches, with their number.

    Clusters of as many strings are taken together, as rows of the same pairs.
    """
    begin = np.flatnonzero(np.diff(cluster, prepend=-1))
    size = np.diff(begin, append=cluster.size)
    for kinds in np.unique(size[(size > 1) & (size <= SMALL)]).tolist():
        i, j = np.triu_indices(kinds, 1)  # (pairs of a cluster,)
        of_size = begin[size == kinds]  # (clusters,) the first string of each
        step = max(1, BATCH // i.size)
        for at in range(0, of_size.size, step):
            left = (of_size[at : at + step, None] + i).ravel()
            right = (of_size[at : at + step, None] + j).ravel()
            yield text[left], text[right], times[left] * times[right]


def _crowds(
    cluster: IntArray, text: IntArray, times: IntArray, texts: list[str]
) -> Iterator[tuple[list[str], IntArray]]:
    """The strings of large clusters."""
    begin = np.flatnonzero(np.diff(cluster, prepend=-1))
    size = np.diff(begin, append=cluster.size)
    for start, kinds in zip(begin[size > SMALL].tolist(), size[size > SMALL].tolist(), strict=True):
        here = slice(start, start + kinds)
        yield [texts[at] for at in text[here].tolist()], times[here]


def _add_crowd(sums: dict[int, int], strings: list[str], times: IntArray) -> None:
    """Add all pairs of a large cluster; matrices are some rows × the strings from there on."""
    lengths = _lengths(strings)
    rows = max(1, BATCH * 8 // len(strings))
    for start in range(0, len(strings), rows):
        some = slice(start, start + rows)
        distance = cdist(
            strings[some], strings[start:], scorer=Levenshtein.distance, dtype=np.int32, workers=-1
        )
        above = np.arange(len(strings) - start)[None, :] > np.arange(distance.shape[0])[:, None]
        longer = np.maximum(lengths[some][:, None], lengths[start:][None, :])
        weight = times[some][:, None] * times[start:][None, :]
        totals = np.bincount(longer[above], weights=(distance * weight)[above])
        for length in np.flatnonzero(totals).tolist():
            sums[length] = sums.get(length, 0) + round(totals[length])
