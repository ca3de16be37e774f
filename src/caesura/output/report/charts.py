"""Charts: what the page draws that is in no summary, from the boundaries of its readings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from caesura.core.segmentation import IntArray, Panel, Segmentation
from caesura.measures.wisebe import Wisebe, WisebeCounts
from caesura.output.report.readings import Reading

LIMITS = (0, 1, 2, 3, 4, 5, 6, 8, 10)
FARTHEST = 10
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def transcript_charts(readings: Sequence[Reading]) -> dict[str, Any]:
    """Scores by window limit, how far boundaries are off, and how long units are."""
    if not readings:
        return {}
    charts: dict[str, Any] = {"lengths": _lengths(readings)}
    if readings[0].systems:
        charts["offsets"] = _offsets(readings)
        charts["windows"] = _windows(readings)
    return charts


def _windows(readings: Sequence[Reading]) -> dict[str, Any]:
    """The micro scores of each system for each limit of the windows."""
    names = dict.fromkeys(name for reading in readings for name in reading.systems)
    counts = {name: _counts_by_limit(name, readings) for name in names}
    return {
        "limits": list(LIMITS),
        "wisebe": {name: [each.score for each in own] for name, own in counts.items()},
        "window_f1": {name: [each.f1 for each in own] for name, own in counts.items()},
    }


def _counts_by_limit(name: str, readings: Sequence[Reading]) -> list[WisebeCounts]:
    """Count all documents of a system at once, one after the other on a long axis.

    Between two of them lies more than any limit, so that no window reaches over; the end of the
    axis, which is nobody's boundary, is dropped.
    """
    own = [reading for reading in readings if name in reading.systems]
    sizes = np.array([reading.length + LIMITS[-1] for reading in own])
    starts, length = np.cumsum(sizes) - sizes, int(sizes.sum()) + 1
    people = dict.fromkeys(person for reading in own for person in reading.references)

    def joined(positions: Sequence[IntArray]) -> Segmentation:
        moved = [each + start for each, start in zip(positions, starts.tolist(), strict=True)]
        return Segmentation.from_positions(np.concatenate(moved), length)

    candidate = joined([reading.systems[name] for reading in own])
    members = [joined([reading.references[person] for reading in own]) for person in people]
    panel = Panel(tuple(members))
    return [Wisebe(limit, "drop").count(candidate, panel) for limit in LIMITS]


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
