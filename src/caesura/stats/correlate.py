"""Correlations of scores over documents and systems, from rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from caesura import __version__
from caesura.core.segmentation import IntArray
from caesura.errors import UnknownNameError, UsageError, number
from caesura.scores.scorers import CORRELATED
from caesura.stats.confidence import Resampling, signed
from caesura.stats.contest import Contest
from caesura.stats.correlation import COEFFICIENTS
from caesura.stats.draws import FloatArray, generator, weights
from caesura.stats.sample import Sample, sample_of

LARGEST = 1000
LEAST = 3


def correlate_summary(
    contest: Contest, how: Resampling, measures: Sequence[str] = ()
) -> dict[str, Any]:
    """The result of `caesura correlate`, as its JSON."""
    how = replace(how, unit="document")
    sample = sample_of(contest.rows, contest.systems, contest.references, contest.task, how.unit)
    if len(sample) < LEAST:
        raise UsageError(
            f"a correlation needs {LEAST} documents or more, not {len(sample)}; score more of them"
        )
    of_systems, of_references = _values(sample)
    known = {**of_systems, **of_references}
    for name in measures:
        if name not in known:
            raise UnknownNameError("score", name, known)
    kept = _kept(len(sample), max(1, len(sample.systems)), how.seed)
    groups = [_chosen(CORRELATED, of_systems), _chosen(CORRELATED, of_references)]
    if measures:
        groups = [list(dict.fromkeys(measures))]
    pairs = [
        _pair(known[a], known[b], kept, how) | {"measures": [a, b]}
        for group in groups
        for a, b in combinations(group, 2)
    ]
    told = how.told(sample)
    return {
        "caesura": __version__,
        "task": "correlate",
        "of": contest.task,
        "signature": signed(contest.signature, told),
        "references": list(contest.references),
        "documents": list(sample.documents),
        "systems": list(contest.systems),
        "confidence": {**told, "notes": _notes(told, len(kept), sample)},
        "pairs": pairs,
    }


def _chosen(wanted: Sequence[str], known: dict[str, FloatArray]) -> list[str]:
    return [name for name in wanted if name in known and not np.isnan(known[name]).all()]


def _values(sample: Sample) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """The scores of each document: systems × documents, and 1 × documents for the references."""
    each = [sample.each(name) for name in sample.systems]
    of_systems = {
        score: np.stack([scores[score] for scores in each])
        for score in (each[0] if each else ())
        if not score.startswith("ceiling_")
    }
    of_references = {
        score: values[None, :]
        for score, values in sample.each(None).items()
        if not score.startswith("ceiling_")
    }
    return of_systems, of_references


def _kept(documents: int, systems: int, seed: int) -> IntArray:
    """The documents that are looked at: all, or so many that there are 1,000 points."""
    most = max(LEAST, LARGEST // systems)
    if documents <= most:
        return np.arange(documents)
    return np.sort(generator(seed, "documents").permutation(documents)[:most])


def _pair(x: FloatArray, y: FloatArray, kept: IntArray, how: Resampling) -> dict[str, Any]:
    """Every coefficient of two scores with its interval; undefined points are left out."""
    x, y = np.broadcast_arrays(x[:, kept], y[:, kept])
    defined = ~np.isnan(x + y)
    document = np.broadcast_to(np.arange(kept.size), x.shape)[defined]
    x, y = x[defined], y[defined]
    found: dict[str, Any] = {"points": int(x.size)}
    size = kept.size
    rows = [np.ones((1, size)), 1 - np.eye(size), *weights(size, how.resamples, how.seed)]
    for name, coefficient in COEFFICIENTS.items():
        if x.size < LEAST:
            found[name] = {"value": float("nan"), "low": float("nan"), "high": float("nan")}
            continue
        (estimate,), left_out, *draws = (coefficient(x, y, row[:, document]) for row in rows)
        ends = how.interval(float(estimate), np.concatenate(draws), left_out)
        found[name] = {"value": float(estimate), "low": ends.low, "high": ends.high}
    return found


def _notes(told: dict[str, Any], kept: int, sample: Sample) -> list[str]:
    systems = number(len(sample.systems), "system")
    said = [
        f"Over {number(told['documents'], 'document')} and {systems}; "
        f"{told['level']:.0%} intervals: bootstrap over documents, "
        f"{number(told['resamples'], 'resample')}, seed {told['seed']}."
    ]
    if kept < told["documents"]:
        said.append(f"Of the documents {kept:,} were drawn, for no more than {LARGEST:,} points.")
    if kept < 10:
        said.append(f"Only {number(kept, 'document')}: intervals of so few are not to be trusted.")
    return said
