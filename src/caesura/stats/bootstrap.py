"""Intervals of a score from its bootstrap draws: percentile and BCa.

Efron (1987), Better bootstrap confidence intervals; DiCiccio and Efron (1996), Bootstrap
confidence intervals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from caesura.core.counts import NAN
from caesura.core.resampling_defaults import LEVEL, METHOD
from caesura.stats.draws import FloatArray

Method = Literal["bca", "percentile"]
NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval; undefined where there are too few units."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def interval(
    estimate: float,
    draws: FloatArray,
    jackknife: FloatArray,
    *,
    level: float = LEVEL,
    method: Method = METHOD,
) -> Interval:
    """The interval of a score that has this estimate, these draws and leave-one-out values.

    Draws in which the score is undefined are left out. At least two units are needed.
    """
    defined = draws[~np.isnan(draws)]
    if math.isnan(estimate) or not defined.size or jackknife.size < 2:
        return Interval(NAN, NAN)
    tails = (1 - level) / 2, (1 + level) / 2
    if method == "bca":
        tails = _adjusted(tails, estimate, defined, jackknife[~np.isnan(jackknife)])
    low, high = np.quantile(defined, tails).tolist()
    return Interval(low, high)


def _adjusted(
    tails: tuple[float, float], estimate: float, draws: FloatArray, jackknife: FloatArray
) -> tuple[float, float]:
    """The tails corrected for bias and skewness, as they are where that is impossible."""
    share = float(np.mean(draws < estimate) + np.mean(draws <= estimate)) / 2
    if not 0 < share < 1:
        return tails
    bias, skew = NORMAL.inv_cdf(share), acceleration(jackknife)
    shifted = [bias + NORMAL.inv_cdf(tail) for tail in tails]
    if any(skew * each >= 1 for each in shifted):
        return tails
    low, high = (NORMAL.cdf(bias + each / (1 - skew * each)) for each in shifted)
    return low, high


def acceleration(jackknife: FloatArray) -> float:
    """A sixth of the skewness of the units' influence; 0 where no unit has any."""
    if not jackknife.size:
        return 0.0
    influence = jackknife.mean() - jackknife
    squares = float((influence**2).sum())
    return float((influence**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0


def standard_error(jackknife: FloatArray) -> float:
    """The jackknife's standard error of a score."""
    defined = jackknife[~np.isnan(jackknife)]
    if defined.size < 2:
        return NAN
    return math.sqrt((defined.size - 1) * float(np.var(defined)))
