"""Planning: the units and annotators needed for a significant difference."""

from __future__ import annotations

from typing import Any

import numpy as np

from caesura.core.results import Power
from caesura.core.score import Score
from caesura.measures.base import Measure
from caesura.stats.contest import Pair
from caesura.stats.draws import FloatArray
from caesura.stats.power import annotators_needed, power, pseudo_values, units_needed
from caesura.stats.resampling import Resampling
from caesura.stats.sample import Name, Sample, difference, ledger_of
from caesura.stats.scorer import SYSTEM

DRAWS = 2000


def power_of(
    sample: Sample, pair: Pair, scores: list[str], references: tuple[str, ...], how: Resampling
) -> dict[str, Power]:
    """For micro scores of two systems: the power, and the sample size for 80%."""
    one, other = pair
    mine, yours = sample.estimates(one), sample.estimates(other)
    left_out = difference(sample.left_out(one), sample.left_out(other))
    options: dict[str, Any] = {
        "level": how.level,
        "resamples": min(DRAWS, how.resamples),
        "seed": how.seed,
    }
    found = {}
    for score in scores:
        key: Name = "micro", score
        values = pseudo_values(mine[key] - yours[key], left_out[key])
        entry = sample.scorer.catalog.systems[score]
        people = None
        if entry.measure.kind == "pair" and len(references) > 1:
            each = _by_reference(sample, pair, entry.measure, entry.score, references)
            people = annotators_needed(each, **options)
        found[score] = Power(
            units=len(sample),
            power=power(values, len(sample), **options),
            units_needed=units_needed(values, **options),
            annotators=len(references),
            annotators_needed=people,
        )
    return found


def _by_reference(
    sample: Sample,
    pair: Pair,
    measure: type[Measure],
    score: Score,
    references: tuple[str, ...],
) -> FloatArray:
    """What each unit contributes to the difference against each reference, units × references."""
    sides = []
    for name in pair:
        matrix = sample.matrices[name]
        total = matrix.sum(axis=0)
        sums = np.concatenate((total[None, :], total - matrix))
        ledger = ledger_of(sample.layouts[name], sums)
        each = [score.value(ledger.get(measure, SYSTEM, name)) for name in references]
        sides.append(np.stack([np.broadcast_to(value, len(sums)) for value in each], axis=1))
    gaps = sides[0] - sides[1]
    return np.stack([pseudo_values(float(column[0]), column[1:]) for column in gaps.T], axis=1)
