"""Charts: what the page draws that is in no summary, from the boundaries of its readings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from caesura.measures.wisebe import Wisebe, WisebeCounts
from caesura.report.readings import Reading
from caesura.segmentation import Final, IntArray, Panel, Segmentation

LIMITS = (0, 1, 2, 3, 4, 5, 6, 8, 10)
FARTHEST = 10
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def transcript_charts(readings: Sequence[Reading], final: Final) -> dict[str, Any]:
    """Scores by window limit, how far boundaries are off, and how long units are."""
    if not readings:
        return {}
    charts: dict[str, Any] = {"lengths": _lengths(readings)}
    if readings[0].systems:
        charts["offsets"] = _offsets(readings)
        charts["windows"] = _windows(readings, final)
    return charts


def _windows(readings: Sequence[Reading], final: Final) -> dict[str, Any]:
    """The micro scores of each system for each limit of the windows."""
    counts: dict[str, list[WisebeCounts]] = {}
    for reading in readings:
        panel = Panel(tuple(_axis(each, reading) for each in reading.references.values()))
        for name, positions in reading.systems.items():
            candidate = _axis(positions, reading)
            found = [Wisebe(limit, final).count(candidate, panel) for limit in LIMITS]
            before = counts.get(name, [WisebeCounts.zero()] * len(LIMITS))
            counts[name] = [a + b for a, b in zip(before, found, strict=True)]
    return {
        "limits": list(LIMITS),
        "wisebe": {name: [each.score for each in own] for name, own in counts.items()},
        "window_f1": {name: [each.f1 for each in own] for name, own in counts.items()},
    }


def _axis(positions: IntArray, reading: Reading) -> Segmentation:
    return Segmentation.from_positions(positions, reading.length)


def _offsets(readings: Sequence[Reading]) -> dict[str, Any]:
    """How many boundaries of each system lie so many words after the nearest of any reference."""
    size = 2 * FARTHEST + 1
    totals: dict[str, IntArray] = {}
    for reading in readings:
        wanted = np.unique(np.concatenate([np.empty(0, np.int64), *reading.references.values()]))
        for name, placed in reading.systems.items():
            off = np.clip(_nearest(placed, wanted), -FARTHEST, FARTHEST) + FARTHEST
            found = np.bincount(off, minlength=size)
            totals[name] = totals.get(name, np.zeros(size, np.int64)) + found
    return {"farthest": FARTHEST, "counts": {name: each.tolist() for name, each in totals.items()}}


def _nearest(placed: IntArray, wanted: IntArray) -> IntArray:
    """The signed distance to the nearest of the wanted positions; of two, the one before."""
    if not wanted.size:
        return np.full(placed.size, FARTHEST)
    at = np.searchsorted(wanted, placed)
    before = placed - wanted[np.maximum(at - 1, 0)]
    after = placed - wanted[np.minimum(at, wanted.size - 1)]
    return np.where(np.abs(after) < np.abs(before), after, before)


def _lengths(readings: Sequence[Reading]) -> dict[str, Any]:
    """The units of each version: how many, their mean length and its quantiles."""
    masses: dict[str, list[IntArray]] = {}
    for reading in readings:
        for name, positions in {**reading.references, **reading.systems}.items():
            masses.setdefault(name, []).append(_axis(positions, reading).masses)
    return {name: _spread(np.concatenate(each)) for name, each in masses.items()}


def _spread(masses: IntArray) -> dict[str, Any]:
    quantiles = np.quantile(masses, QUANTILES, method="inverted_cdf").tolist()
    return {"units": masses.size, "mean": float(masses.mean()), "quantiles": quantiles}
