"""Power: how many units, or annotators, are needed to detect the observed difference.

The jackknife's pseudo-values stand for what each unit contributes to a difference (Efron and
Tibshirani 1993, An introduction to the bootstrap, chapter 11). Samples of other sizes are drawn
from them, and the share of those that a t-test would find different is the power.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from caesura.core.counts import NAN
from caesura.stats.bootstrap import NORMAL
from caesura.stats.draws import FloatArray, generator

AIM = 0.8
MOST = 1000
MOST_ANNOTATORS = 100


def pseudo_values(estimate: float, left_out: FloatArray) -> FloatArray:
    """Jackknife pseudo-values, one per unit; their mean is the bias-corrected estimate."""
    size = left_out.size
    values: FloatArray = size * estimate - (size - 1) * left_out
    return values


def power(values: FloatArray, size: int, *, level: float, resamples: int, seed: int) -> float:
    """The share of samples of a given size whose mean is significantly different from 0."""
    if values.size < 2 or size < 2 or np.isnan(values).any():
        return NAN
    draw = generator(seed, "power")
    drawn = draw.multinomial(size, np.full(values.size, 1 / values.size), resamples)
    means, squares = (drawn @ (values**degree) / size for degree in (1, 2))
    errors = np.sqrt(np.maximum(0, squares - means**2) / (size - 1))
    reach = t_quantile((1 + level) / 2, size - 1)
    return float(np.mean(np.abs(means) > reach * errors + 1e-12))


def units_needed(
    values: FloatArray, *, level: float, resamples: int, seed: int, aim: float = AIM
) -> int | None:
    """The least number of units with a power of `aim`; None if it is beyond 1,000 times as many."""

    def is_enough(size: int) -> bool:
        return power(values, size, level=level, resamples=resamples, seed=seed) >= aim

    return least(is_enough, 2, MOST * values.size)


def annotators_needed(
    values: FloatArray, *, level: float, resamples: int, seed: int, aim: float = AIM
) -> int | None:
    """The number of annotators needed for a power of `aim`, from units × annotators.

    Units and annotators are drawn, and a difference is significant if it is farther from 0 than the
    normal distribution's limit of standard deviations of what was drawn. None if 100 annotators are
    not enough.
    """
    units, annotators = values.shape
    if units < 2 or annotators < 2 or np.isnan(values).any():
        return None
    draw = generator(seed, "annotators")
    chosen = draw.multinomial(units, np.full(units, 1 / units), resamples) / units
    each = chosen @ values
    reach = NORMAL.inv_cdf((1 + level) / 2)

    def is_enough(size: int) -> bool:
        drawn = generator(seed, f"annotators {size}")
        shares = drawn.multinomial(size, np.full(annotators, 1 / annotators), resamples) / size
        means = (each * shares).sum(axis=1)
        return float(np.mean(np.abs(means) > reach * means.std() + 1e-12)) >= aim

    return least(is_enough, 1, MOST_ANNOTATORS)


def least(is_enough: Callable[[int], bool], low: int, high: int) -> int | None:
    """The least number that is enough, found by doubling and halving; None if `high` is not."""
    if is_enough(low):
        return low
    top = low
    while not is_enough(top := min(2 * top, high)):
        if top == high:
            return None
    low = max(low, top // 2)
    while top - low > 1:
        middle = (low + top) // 2
        low, top = (low, middle) if is_enough(middle) else (middle, top)
    return top


def t_quantile(share: float, freedom: int) -> float:
    """The quantile of Student's t: exact for 1 and 2 degrees of freedom, else by expansion.

    Abramowitz and Stegun (1964), Handbook of mathematical functions, 26.7.5.
    """
    if freedom == 1:
        return math.tan(math.pi * (share - 0.5))
    if freedom == 2:
        return (2 * share - 1) * math.sqrt(2 / (4 * share * (1 - share)))
    z = NORMAL.inv_cdf(share)
    terms: tuple[float, ...] = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum((z, *(term / freedom**degree for degree, term in enumerate(terms, 1))))
