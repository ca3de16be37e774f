"""Planning: the units and annotators needed for a significant difference."""

from __future__ import annotations

import numpy as np

from caesura.core.comparisons import Power
from caesura.core.measure import Measure
from caesura.core.option import OptionValues
from caesura.core.score import Score
from caesura.scores.rules import values
from caesura.stats.draws import FloatArray
from caesura.stats.matrix import Name, Sample, difference
from caesura.stats.power import annotators_needed, power, pseudo_values, units_needed
from caesura.stats.resampling import Resampling
from caesura.stats.saved_runs import Pair
from caesura.stats.scorer import SYSTEM

DRAWS = 2000


def power_of(
    sample: Sample, pair: Pair, scores: list[str], references: tuple[str, ...], how: Resampling
) -> dict[str, Power]:
    """For micro scores of two systems: the power, and the sample size for 80%."""
    one, other = pair
    mine, yours = sample.estimates(one), sample.estimates(other)
    left_out = difference(sample.left_out(one), sample.left_out(other))
    options: OptionValues = {
        "level": how.level,
        "resamples": min(DRAWS, how.resamples),
        "seed": how.seed,
    }
    found = {}
    for score in scores:
        key: Name = "micro", score
        pseudo = pseudo_values(mine[key] - yours[key], left_out[key])
        entry = sample.scorer.catalog.systems[score]
        people = None
        if entry.measure.kind == "pair" and len(references) > 1:
            each = _by_reference(sample, pair, entry.measure, entry.score, references)
            people = annotators_needed(each, **options)
        found[score] = Power(
            units=len(sample),
            power=power(pseudo, len(sample), **options),
            units_needed=units_needed(pseudo, **options),
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
    """The share of each unit in the difference against each reference, units × references."""
    sides = []
    for name in pair:
        table = sample.tables[name]
        codes = table.names.grid([SYSTEM], references)[0]
        each = [
            values(own, measure, [score], codes)[score]
            for own in (table.weighted(np.ones((1, len(sample)))), table.without_each())
        ]
        sides.append(np.concatenate(each, axis=1).T)
    gaps = sides[0] - sides[1]
    return np.stack([pseudo_values(float(column[0]), column[1:]) for column in gaps.T], axis=1)
