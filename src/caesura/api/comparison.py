"""Comparison: two systems on the same documents, from scores or results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from caesura.api.result import Result
from caesura.core.counts import ratio
from caesura.core.resampling_defaults import LEVEL, RESAMPLES, SEED
from caesura.errors import UsageError, number
from caesura.output.tables import shown
from caesura.stats.resampling import (
    FloatArray,
    effect_size,
    exact_sums,
    flips,
    interval,
    is_exact,
    p_value,
    require_resamples,
    weights,
)

Scored = Result[Any] | float
Score = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """The scores of two systems, their difference, its interval and its p-value."""

    ours: float
    theirs: float
    difference: float
    low: float
    high: float
    p: float
    effect_size: float
    units: int
    level: float = LEVEL

    @property
    def is_significant(self) -> bool:
        """Whether the difference is significant: p < 1 - level."""
        return self.p < 1 - self.level

    def __repr__(self) -> str:
        return f"<Comparison: {self}>"

    def __str__(self) -> str:
        ends = f"{self.level:.0%} {shown(self.low)} to {shown(self.high)}"
        verdict = "significant" if self.is_significant else "not significant"
        scores = f"{shown(self.ours)} against {shown(self.theirs)}"
        over = f"p = {self.p:.3g} over {number(self.units, 'document')}"
        return f"{scores}: difference {shown(self.difference)}, {ends}, {over}: {verdict}"


def compare(
    ours: Iterable[Scored],
    theirs: Iterable[Scored],
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Compare two systems on the same documents, in the same order.

    Numbers are scores of documents, whose means are compared on the documents where both are
    defined; results of one measure are compared
    by the score of their sum.

    >>> found = compare([0.5, 0.6, 0.7, 0.4, 0.5, 0.6], [0.4, 0.5, 0.5, 0.4, 0.3, 0.5])
    >>> round(found.difference, 3), found.p
    (0.117, 0.0625)
    """
    require_resamples(resamples, seed)
    (mine, yours), score = _matrices(_each(ours), _each(theirs))
    sums = mine.sum(axis=0), yours.sum(axis=0)
    units = len(mine)

    def gap(a: FloatArray, b: FloatArray) -> FloatArray:
        return score(a) - score(b)

    one, other = (float(score(each[None, :])[0]) for each in sums)
    left_out = gap(sums[0] - mine, sums[1] - yours)
    drawn = [gap(w @ mine, w @ yours) for w in weights(units, resamples, seed)]
    moved = yours - mine
    shifts = (flip @ moved for flip in flips(units, resamples, seed))
    turned = [gap(sums[0] + shift, sums[1] - shift) for shift in shifts]
    low, high = interval(one - other, np.concatenate(drawn), left_out, level=level)
    p = p_value(one - other, np.concatenate(turned), exact=is_exact(units, resamples))
    effect = effect_size(one - other, left_out)
    return Comparison(one, other, one - other, low, high, p, effect, units, level)


def _each(given: Iterable[Scored]) -> list[Scored]:
    """Scores or results, one for each document."""
    found = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [None]
    if not all(isinstance(each, Result | Number) for each in found):
        raise UsageError("give two lists, each with a score or a result for every document")
    return found


def _matrices(
    ours: list[Scored], theirs: list[Scored]
) -> tuple[tuple[FloatArray, FloatArray], Score]:
    """Documents × counts of both sides, and what makes scores of sums of them."""
    if len(ours) != len(theirs) or not ours:
        raise UsageError(
            f"{len(ours)} against {len(theirs)} documents; give both systems the same ones"
        )
    results = [each for each in (*ours, *theirs) if isinstance(each, Result)]
    if not results:
        return _of_scores(ours, theirs), _mean
    kinds = {(each.measure, each.headline) for each in results}
    if len(results) != len(ours) + len(theirs) or len(kinds) > 1:
        raise UsageError("only results of one measure, with the same options, can be compared")
    return _of_results(results, len(ours))


def _of_scores(ours: Sequence[object], theirs: Sequence[object]) -> tuple[FloatArray, FloatArray]:
    """Scores and ones of the documents where both scores are defined."""
    values = np.array([ours, theirs], dtype=np.float64).T
    values = values[~np.isnan(values).any(axis=1)]
    rounded = exact_sums(values)
    mine, yours = (np.stack((each, np.ones(len(values))), axis=1) for each in rounded.T)
    return mine, yours


def _mean(sums: FloatArray) -> FloatArray:
    means: Any = ratio(sums[:, 0], sums[:, 1])  # type: ignore[arg-type]
    found: FloatArray = means
    return found


def _of_results(
    results: list[Result[Any]], half: int
) -> tuple[tuple[FloatArray, FloatArray], Score]:
    flat = [each.counts.items() for each in results]
    names = list(dict.fromkeys(name for each in flat for name in each))
    every = np.array([[each.get(name, 0) for name in names] for each in flat], dtype=np.float64)
    first, kind = results[0], type(results[0].counts)

    def score(sums: FloatArray) -> FloatArray:
        counts = kind.from_items(dict(zip(names, sums.T, strict=True)))
        found: FloatArray = np.broadcast_to(first.value_of(counts), len(sums))
        return found

    return (every[:half], every[half:]), score
