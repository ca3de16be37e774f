"""Paired tests: approximate randomization, Holm's correction, and effect size.

Noreen (1989), Computer-intensive methods for testing hypotheses; Phipson and Smyth (2010),
Permutation p-values should never be zero; Holm (1979), A simple sequentially rejective multiple
test procedure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from caesura.core.counts import NAN, ratio
from caesura.stats.bootstrap import standard_error
from caesura.stats.draws import FloatArray

SLACK = 1e-12


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
