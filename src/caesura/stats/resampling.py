"""Resampling: its options, the draws of units, and the intervals and p-values of what was drawn.

The same seed gives the same draws, bit for bit, whatever they are used for, on any number of
cores. They come in pieces, so that memory stays small.

Efron (1987), Better bootstrap confidence intervals; DiCiccio and Efron (1996), Bootstrap
confidence intervals; Noreen (1989), Computer-intensive methods for testing hypotheses; Phipson and
Smyth (2010), Permutation p-values should never be zero; Holm (1979), A simple sequentially
rejective multiple test procedure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import numpy as np
import numpy.typing as npt

from caesura.core.counts import NAN, ratio
from caesura.core.resampling_defaults import LEVEL, METHOD, RESAMPLES, SEED, UNIT
from caesura.core.results import Interval
from caesura.errors import UsageError, option

FloatArray = npt.NDArray[np.float64]
Method = Literal["bca", "percentile"]
MOST = 1_000_000
"""The most resamples; the scores of one system in all of them are in memory."""
PIECE = 1 << 22
SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Resampling:
    """How units are drawn; every option that can change an interval or a p-value."""

    resamples: int = RESAMPLES
    seed: int = SEED
    level: float = LEVEL
    method: Method = METHOD
    unit: Literal["auto", "document", "block"] = UNIT

    def __post_init__(self) -> None:
        require_resamples(self.resamples, self.seed)
        if not 0 < self.level < 1:
            raise UsageError(f"level cannot be {self.level}; choose one between 0 and 1")

    def interval(self, estimate: float, draws: FloatArray, left_out: FloatArray) -> Interval:
        """The interval of one score."""
        return interval(estimate, draws, left_out, level=self.level, method=self.method)


def require_resamples(resamples: int, seed: int) -> None:
    """Raise an error for a number of resamples, or a seed, with which nothing can be drawn."""
    if not 1 <= resamples <= MOST:
        raise UsageError(f"resamples cannot be {resamples}; choose 1 to {MOST:,}")
    if seed < 0:
        raise UsageError(f"{option('seed', seed)} is negative; choose 0 or more")


def generator(seed: int, purpose: str) -> np.random.Generator:
    """Random numbers of one seed for one purpose."""
    sequence = np.random.SeedSequence([seed, crc32(purpose.encode())])
    return np.random.Generator(np.random.Philox(sequence))


def pieces(resamples: int, units: int) -> Iterator[int]:
    """Sizes of pieces that add up to the number of resamples."""
    most = max(1, PIECE // max(1, units))
    for start in range(0, resamples, most):
        yield min(most, resamples - start)


def weights(units: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Bootstrap: how often each unit is drawn, resamples × units."""
    draw = generator(seed, "bootstrap")
    for rows in pieces(resamples, units):
        chosen = (draw.random((rows, units)) * units).astype(np.int64)
        chosen += units * np.arange(rows)[:, None]
        counted = np.bincount(chosen.ravel(), minlength=rows * units)
        yield counted.reshape(rows, units).astype(np.float64)


def is_exact(units: int, resamples: int) -> bool:
    """Whether every permutation is evaluated: there are no more of them than resamples."""
    return units <= 62 and 2**units <= resamples


def flips(units: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Permutations: a 1 for each unit at which two systems are swapped, resamples × units.

    Every one of them where that is not more work, else as many at random.
    """
    if is_exact(units, resamples):
        every = np.arange(2**units, dtype=np.int64)
        yield (every[:, None] >> np.arange(units) & 1).astype(np.float64)
        return
    draw = generator(seed, "permutation")
    for rows in pieces(resamples, units):
        yield (draw.random((rows, units)) < 0.5).astype(np.float64)


def exact_sums(values: FloatArray) -> FloatArray:
    """Round values so that sums over all rows are exact in any order.

    Whole numbers are exact already; rates lose what is beyond some twelve digits.
    """
    largest = np.abs(values).max(axis=0, initial=0.0, keepdims=True) * max(1, len(values)) * 4
    unit = np.exp2(np.ceil(np.log2(np.maximum(largest, 1.0))) - 52)
    rounded: FloatArray = np.round(values / unit) * unit
    return rounded


def interval(
    estimate: float,
    draws: FloatArray,
    jackknife: FloatArray,
    *,
    level: float = LEVEL,
    method: Method = METHOD,
) -> Interval:
    """The ends of the interval of a score with this estimate, draws and leave-one-out values.

    Draws in which the score is undefined are left out. At least two units are needed.
    """
    defined = draws[~np.isnan(draws)]
    if math.isnan(estimate) or not defined.size or jackknife.size < 2:
        return NAN, NAN
    tails = (1 - level) / 2, (1 + level) / 2
    if method == "bca":
        tails = _adjusted(tails, estimate, defined, jackknife[~np.isnan(jackknife)])
    low, high = np.quantile(defined, tails).tolist()
    return low, high


def _adjusted(
    tails: tuple[float, float], estimate: float, draws: FloatArray, jackknife: FloatArray
) -> tuple[float, float]:
    """The tails corrected for bias and skewness, as they are where that is impossible."""
    share = float(np.mean(draws < estimate) + np.mean(draws <= estimate)) / 2
    if not 0 < share < 1:
        return tails
    from statistics import NormalDist

    normal = NormalDist()
    bias, skew = normal.inv_cdf(share), acceleration(jackknife)
    shifted = [bias + normal.inv_cdf(tail) for tail in tails]
    if any(skew * each >= 1 for each in shifted):
        return tails
    low, high = (normal.cdf(bias + each / (1 - skew * each)) for each in shifted)
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


def p_value(observed: float, permuted: FloatArray, *, exact: bool) -> float:
    """The two-sided p-value of a difference under random permutation.

    Among all permutations it is their share; among c of R random ones it is (c + 1) / (R + 1), for
    the order that was observed is a permutation, too. Permutations in which the difference is
    undefined count as at least as great.
    """
    if math.isnan(observed):
        return NAN
    reach = abs(observed) - SLACK * max(1.0, abs(observed))
    great = int(np.count_nonzero(~(np.abs(permuted) < reach)))
    return great / permuted.size if exact else (great + 1) / (permuted.size + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Holm's correction of several p-values; undefined ones do not count.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(
        (at for at, value in enumerate(values) if not math.isnan(value)), key=lambda at: values[at]
    )
    corrected, worst = [NAN] * len(values), 0.0
    for rank, at in enumerate(order):
        worst = max(worst, min(1.0, (len(order) - rank) * values[at]))
        corrected[at] = worst
    return corrected


def effect_size(difference: float, jackknife: FloatArray) -> float:
    """The difference in standard deviations of what one unit contributes to it.

    For a difference of means over units it is Cohen's d of paired values, mean / deviation.
    """
    defined = jackknife[~np.isnan(jackknife)]
    deviation = standard_error(jackknife) * math.sqrt(max(1, defined.size))
    return ratio(difference, deviation) if deviation > SLACK or math.isnan(deviation) else NAN


def tally(differences: FloatArray) -> tuple[int, int, int]:
    """On how many units one is better, equal, worse; where one is undefined it is none of them."""
    above, below = (int(np.count_nonzero(side)) for side in (differences > 0, differences < 0))
    return above, int(np.count_nonzero(differences == 0)), below
