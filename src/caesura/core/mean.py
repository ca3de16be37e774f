"""The mean of scores: exact, so that it does not depend on the order of what is averaged."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import Numeric
from caesura.core.counts import NAN, ratio

FloatArray = npt.NDArray[np.float64]
FEW, MANY = 3, 256
"""Fewer values are added at most once; more sums than these are faster all at once."""
SAFE = 4.01
"""A sum is certain if less than its last bit, divided by this, is missing.

A half would do, but below a power of two the bits are half as large, and the error is rounded.
"""


def mean(values: list[float]) -> float:
    """The mean of the defined values; undefined if there are none."""
    if any(isinstance(value, np.ndarray) for value in values):
        return means(np.stack(np.broadcast_arrays(*values)))  # type: ignore[no-any-return]
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else NAN


def means(values: object, axis: int = 0) -> Numeric:
    """The means along an axis of an array, bit for bit those that `mean` has of each list."""
    every = np.moveaxis(np.asarray(values, np.float64), axis, 0)
    known = ~np.isnan(every)
    return ratio(_sums(np.where(known, every, 0.0)), np.count_nonzero(known, axis=0))


def weighted_means(values: Numeric, weights: Numeric, axis: int = 0) -> Numeric:
    """The means of the defined values along an axis, each with a weight.

    Weights are divided by the largest of what is defined, so that equal ones are 1 and the result
    has the bits of `means`; each product is rounded alone, so that the order does not matter.
    """
    every, weight = (
        np.moveaxis(np.asarray(each, np.float64), axis, 0)
        for each in np.broadcast_arrays(values, weights)
    )
    share = np.where(np.isnan(every), 0.0, weight)
    largest: Numeric = share.max(axis=0, initial=0.0)
    share = np.asarray(ratio(share, largest, 0.0))  # type: ignore[arg-type]
    return ratio(_sums(np.where(share > 0, every * share, 0.0)), _sums(share))


def _sums(values: FloatArray) -> Numeric:
    """The correctly rounded sums along the first axis."""
    filled = values.reshape(len(values), math.prod(values.shape[1:]))
    add = sums_by_row if len(filled) < FEW or filled.shape[1] > MANY else sums_by_column
    return add(filled).reshape(values.shape[1:])


def sums_by_column(values: FloatArray) -> FloatArray:
    """The correctly rounded sum of each column, one column after another: for few, long ones."""
    return np.array([math.fsum(column) for column in values.T.tolist()], np.float64)


def sums_by_row(values: FloatArray) -> FloatArray:
    """The correctly rounded sum of each column, all columns at once: for many short ones.

    `total` + `error` is the sum without rounding (Knuth's two-sum, twice), but for at most `rest`.
    Where that could change the last bit, which is almost nowhere, `fsum` decides: it is some 15
    times as slow. The twin is `sums_by_column`.
    """
    if len(values) < FEW:  # one addition rounds once
        return np.asarray(values.sum(axis=0))
    total = values[0].copy()
    error, rest = np.zeros_like(total), np.zeros_like(total)
    for row in values[1:]:
        total, lost = two_sum(total, row)
        error, least = two_sum(error, lost)
        rest += np.abs(least)
    rounded, left = two_sum(total, error)
    is_open = (rest > 0) & (np.abs(left) + rest >= np.spacing(np.abs(rounded)) / SAFE)
    doubtful = np.flatnonzero(is_open | ~np.isfinite(rounded))
    rounded[doubtful] = sums_by_column(values[:, doubtful])
    return rounded


def two_sum(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rounded sum of two numbers, and what rounding took away (Knuth 1969, 4.2.2)."""
    total = one + other
    part = total - one
    return total, (one - (total - part)) + (other - part)
