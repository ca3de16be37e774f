"""What it would take to show the differences seen: units, and annotators, by resampling."""

from __future__ import annotations

from typing import Any

import numpy as np

from caesura.scores.scorers import SYSTEM
from caesura.scores.transcript import MEANS
from caesura.stats.confidence import Resampling
from caesura.stats.contest import Pair
from caesura.stats.draws import FloatArray
from caesura.stats.power import annotators_needed, power, pseudo_values, units_needed
from caesura.stats.sample import Sample, difference, ledger_of

DRAWS = 2000


def power_of(
    sample: Sample, pair: Pair, scores: list[str], references: tuple[str, ...], how: Resampling
) -> dict[str, dict[str, Any]]:
    """For micro scores of two systems: the power there is, and what it takes to have 80%."""
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
        key = "micro", score
        values = pseudo_values(mine[key] - yours[key], left_out[key])
        found[score] = {
            "units": len(sample),
            "power": power(values, len(sample), **options),
            "units_needed": units_needed(values, **options),
            "annotators": len(references),
            "annotators_needed": None,
        }
        if score in MEANS and len(references) > 1:
            each = _by_reference(sample, pair, MEANS[score], references)
            found[score]["annotators_needed"] = annotators_needed(each, **options)
    return found


def _by_reference(sample: Sample, pair: Pair, key: str, references: tuple[str, ...]) -> FloatArray:
    """What each unit contributes to the difference against each reference, units × references."""
    sides = []
    for name in pair:
        matrix = sample.matrices[name]
        total = matrix.sum(axis=0)
        sums = np.concatenate((total[None, :], total - matrix))
        ledger = ledger_of(sample.layouts[name], sums)
        sides.append(
            np.stack(
                [np.broadcast_to(ledger.against(SYSTEM, r)[key], len(sums)) for r in references],
                axis=1,
            )
        )
    gaps = sides[0] - sides[1]
    return np.stack([pseudo_values(float(column[0]), column[1:]) for column in gaps.T], axis=1)
