"""Correlations over resampled points: Pearson, Spearman, Kendall's τ-b.

Points have weights: how often each was drawn, resamples × points. A point that was drawn twice
ties with itself. Values that differ from one resample to the next are resamples × points, too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from caesura.core.counts import ratio
from caesura.stats.draws import FloatArray

Coefficient = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
FLAT = 1e-14


def pearson(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Pearson's correlation; undefined where one side does not vary."""
    return _pearson(np.broadcast_to(x, weights.shape), np.broadcast_to(y, weights.shape), weights)


def spearman(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Pearson's correlation of the ranks; equal values share the mean of their ranks."""
    return _pearson(_ranks(x, weights), _ranks(y, weights), weights)


def kendall(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Kendall's τ-b: concordant minus discordant pairs, of those without a tie."""
    a, b = (np.sign(values[..., :, None] - values[..., None, :]) for values in (x, y))
    together, ours, theirs = (
        (_weighted(weights, signs) * weights).sum(axis=1) for signs in (a * b, np.abs(a), np.abs(b))
    )
    return _ratio(together, np.sqrt(ours * theirs))


COEFFICIENTS: dict[str, Coefficient] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def _ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The rank of each point in each resample, but for a constant."""
    one, other = values[..., :, None], values[..., None, :]
    return _weighted(weights, (one < other) + 0.5 * (one == other))


def _weighted(weights: FloatArray, pairs: FloatArray) -> FloatArray:
    """The sum over the points of each resample: of all the same pairs, or of its own."""
    sums: FloatArray = (
        weights @ pairs if pairs.ndim == 2 else (weights[:, None, :] @ pairs)[:, 0, :]
    )
    return sums


def _pearson(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    size = np.maximum(weights.sum(axis=1, keepdims=True), 1)  # no point may be drawn at all
    x, y = (side - (weights * side).sum(axis=1, keepdims=True) / size for side in (x, y))
    xy, xx, yy = ((weights * product).sum(axis=1) for product in (x * y, x * x, y * y))
    flat = (xx <= FLAT * size[:, 0]) | (yy <= FLAT * size[:, 0])
    return _ratio(np.where(flat, 0, xy), np.where(flat, 0, np.sqrt(xx * yy)))


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    result: FloatArray = ratio(part, whole)  # type: ignore[arg-type,assignment]
    return result
