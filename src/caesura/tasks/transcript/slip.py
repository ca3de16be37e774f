"""Slips: long stretches in which boundaries fit the references much better one word off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import IntArray, Segmentation

LEAST = 20
"""The number of boundaries that fit one word off and do not fit where they are."""
TIMES = 3
"""How much better they must fit: this many times as many."""
SHARE = 0.3
"""The share of the boundaries of the stretch that must fit one word off."""
SIDES = {"late": 1, "early": -1}

Votes = npt.NDArray[np.integer[Any]]


class Slip(NamedTuple):
    """A stretch, from one word to another, whose boundaries look one word late or early."""

    side: str
    start: int
    end: int

    @property
    def signs(self) -> dict[str, int]:
        """The words, counted from 1, as signs of a document."""
        return {f"{self.side}_from": self.start + 1, f"{self.side}_to": self.end + 1}


def slips(
    systems: Mapping[str, Segmentation], references: Mapping[str, Segmentation]
) -> Iterator[tuple[str, Slip]]:
    """The slip of each version, on one axis, against all references, or all others if it is one.

    >>> gold = Segmentation.from_masses([3] * 30)
    >>> late = Segmentation.from_masses([4, *[3] * 28, 2])
    >>> dict(slips({"ours": late}, {"gold": gold}))["ours"]
    Slip(side='late', start=3, end=87)
    """
    everyone = {**systems, **references}
    if not everyone or max(each.boundaries.size for each in everyone.values()) <= LEAST:
        return
    length = next(iter(everyone.values())).length
    votes = np.zeros(length + 2, np.int32)
    for each in references.values():
        votes[each.boundaries[:-1] + 1] += 1
    for name, each in everyone.items():
        own = each.boundaries[:-1]
        votes[own + 1] -= name in references
        found = _slip(own, votes) if own.size >= LEAST else None
        votes[own + 1] += name in references
        if found is not None:
            yield name, found


def _slip(own: IntArray, votes: Votes) -> Slip | None:
    """The stretch of the most boundaries that fit one word off; `votes` begin one word early."""
    here = votes[own + 1] > 0  # (boundaries,) those that fit where they are
    for side, by in SIDES.items():
        there = votes[own + 1 - by] > 0
        if np.count_nonzero(there & ~here) < LEAST:
            continue
        start, end = _best(there.astype(np.int64) - here)
        hits, misses = (int(np.count_nonzero(each[start:end])) for each in (there, here))
        if hits - misses >= LEAST and hits >= max(TIMES * misses, SHARE * (end - start)):
            return Slip(side, int(own[start]), int(own[end - 1]))
    return None


def _best(gains: IntArray) -> tuple[int, int]:
    """The range with the largest sum, the shortest of several."""
    sums = np.concatenate(([0], np.cumsum(gains)))
    end = int(np.argmax(sums - np.minimum.accumulate(sums)))
    start = end - int(np.argmin(sums[end::-1]))
    return start, end
