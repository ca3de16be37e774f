"""Curves of systems that give scores: precision, recall and F1 by threshold, and calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.mean import means
from caesura.core.results import CalibrationBin, RankingCurve
from caesura.core.table import CountTable
from caesura.measures.ranking import BINS, RankingCounts, bins_of
from caesura.tasks.transcript.thresholds import ranking_of

MOST = 200
"""The most thresholds that are drawn; of more, those at equal steps of rank."""
FloatArray = npt.NDArray[np.float64]


def ranking_curves(
    table: CountTable, systems: Sequence[str], references: Sequence[str], used: dict[str, float]
) -> tuple[RankingCurve, ...]:
    """The curve of each system that has scores; over several references the mean of each."""
    total, measure = table.total, ranking_of(table)
    known = total.systems_of(measure)
    curves = []
    for name in systems:
        if name in known:
            codes = total.names.grid([name], list(references))[0]
            each = [total.counts(measure, codes[at : at + 1])[0] for at in range(codes.size)]
            curves.append(_curve(name, each, used.get(name)))
    return tuple(curves)


def _curve(name: str, each: Sequence[RankingCounts], used: float | None) -> RankingCurve:
    levels = np.unique(np.concatenate([own.curve.scores for own in each]))[::-1]
    if levels.size > MOST:
        levels = levels[np.unique(np.linspace(0, levels.size - 1, MOST).astype(np.int64))]
    rates = np.array([_rates(own, levels) for own in each])  # references × 3 × thresholds
    precision, recall, f1 = (np.asarray(means(rates[:, at], axis=0)) for at in range(3))
    return RankingCurve(
        name=name,
        used=used,
        thresholds=tuple(levels.tolist()),
        precision=tuple(precision.tolist()),
        recall=tuple(recall.tolist()),
        f1=tuple(f1.tolist()),
        bins=tuple(_bins([own for own in each if not own.least])),
    )


def _rates(counts: RankingCounts, levels: FloatArray) -> FloatArray:
    """Precision, recall and F1 at thresholds, which descend."""
    curve, wanted = counts.curve, counts.right.sum()
    at = np.searchsorted(-curve.scores, -levels, side="right")
    found, placed = (np.insert(own, 0, 0)[at] for own in (curve.found, curve.placed))
    with np.errstate(invalid="ignore", divide="ignore"):
        rates: Any = found / placed, found / wanted, 2 * found / (placed + wanted)
    return np.array(rates, np.float64)


def _bins(each: Sequence[RankingCounts]) -> Iterator[CalibrationBin]:
    """The bins that hold places: their mean score, and the share at which boundaries are."""
    sums = np.zeros((3, BINS))  # scores, hits and places, of all references
    for own in each:
        kept = ~np.isnan(own.scores)
        scores, counted = own.scores[kept], own.places[kept]
        every = scores * counted, own.hits[kept], counted
        sums += [np.bincount(bins_of(scores), values, BINS) for values in every]
    for score, hits, places in sums.T.tolist():
        if places:
            yield CalibrationBin(
                score=score / places, share=hits / places, places=round(places / len(each))
            )
