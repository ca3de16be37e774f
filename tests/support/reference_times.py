"""Slow twins of what is measured in time: by every pair of moments, and by cells of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

Span = tuple[int, int, str]


def nearest_first(rows: Sequence[int], columns: Sequence[int], tolerance: int) -> list[list[int]]:
    """Match the nearest pair, the first in the order of rows and columns, until none is left."""
    free = [(i, j) for i in range(len(rows)) for j in range(len(columns))]
    found = []
    while free:
        i, j = min(free, key=lambda pair: abs(rows[pair[0]] - columns[pair[1]]))
        if abs(rows[i] - columns[j]) > tolerance:
            break
        found.append([i, j])
        free = [pair for pair in free if pair[0] != i and pair[1] != j]
    return found


def filled(spans: Sequence[Span], shortest: int) -> dict[str, set[int]]:
    """When each speaker speaks, cell by cell, with pauses shorter than `shortest` filled."""
    spoken: dict[str, set[int]] = {}
    for on, off, who in spans:
        spoken.setdefault(who, set()).update(range(on, off))
    for cells in spoken.values():
        for one, other in pairwise(sorted(cells)):
            if other - one - 1 < shortest:
                cells.update(range(one, other))
    return spoken


def edges(spoken: dict[str, set[int]]) -> set[int]:
    """Where somebody begins or stops."""
    return {
        cell
        for cells in spoken.values()
        for at in cells
        for cell, other in ((at, at - 1), (at + 1, at + 1))
        if other not in cells
    }


def purity(ours: Sequence[Span], theirs: Sequence[Span], shortest: int) -> tuple[int, int, int]:
    """Cells that are counted, and the most frequent partner of each part of either side."""
    spoken = filled(theirs, shortest)
    speech = set().union(*spoken.values())
    cuts = {"ours": {edge for on, off, _ in ours for edge in (on, off)}, "theirs": edges(spoken)}
    first, last = min(cuts["ours"]), max(cuts["ours"])
    part = {"ours": 0, "theirs": 0}
    shared: Counter[tuple[int, int]] = Counter()
    for cell in range(max(speech) + 1):
        for side, places in cuts.items():
            part[side] += cell in places or cell - 1 not in speech
        if cell in speech and first <= cell < last:
            shared[part["ours"], part["theirs"]] += 1
    most: list[Counter[int]] = [Counter(), Counter()]
    for pair, size in shared.items():
        for best, name in zip(most, pair, strict=True):
            best[name] = max(best[name], size)
    return shared.total(), most[0].total(), most[1].total()
