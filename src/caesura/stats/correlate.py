"""Correlations of scores across documents and systems, from rows only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations

import numpy as np

from caesura import __version__
from caesura.core.counts import NAN
from caesura.core.results import Coefficient, CorrelatedPair, Correlations, Resampled
from caesura.core.segmentation import IntArray
from caesura.errors import UsageError, number
from caesura.stats.confidence import signed
from caesura.stats.contest import Contest
from caesura.stats.correlation import COEFFICIENTS
from caesura.stats.draws import FloatArray, generator, weights
from caesura.stats.resampling import Resampling
from caesura.stats.sample import Sample, sample_of
from caesura.stats.scorer import CEILING

LARGEST = 1000
LEAST = 3


def correlate(contest: Contest, how: Resampling, measures: Sequence[str] = ()) -> Correlations:
    """The result of `caesura correlate`."""
    how = replace(how, unit="document")
    sample = sample_of(contest.rows, contest.systems, contest.references, contest.task, how.unit)
    if len(sample) < LEAST:
        raise UsageError(
            f"a correlation needs at least {LEAST} documents, not {len(sample)}; score more"
        )
    of_systems, of_references = _values(sample)
    known = {**of_systems, **of_references}
    catalog = sample.scorer.catalog
    chosen = [catalog.find(name, known) for name in measures]
    kept = _kept(len(sample), max(1, len(sample.systems)), how.seed)
    usual = list(catalog.shown("correlate", references=len(contest.references)))
    groups = [_chosen(usual, of_systems), _chosen(usual, of_references)]
    if measures:
        groups = [list(dict.fromkeys(chosen))]
    pairs = tuple(
        _pair((a, b), known[a], known[b], kept, how)
        for group in groups
        for a, b in combinations(group, 2)
    )
    told = how.told(sample)
    return Correlations(
        caesura=__version__,
        of=contest.task,
        signature=signed(contest.signature, told),
        references=contest.references,
        documents=sample.documents,
        systems=contest.systems,
        confidence=replace(told, notes=_notes(told, len(kept), sample)),
        pairs=pairs,
    )


def _chosen(wanted: Sequence[str], known: dict[str, FloatArray]) -> list[str]:
    return [name for name in wanted if name in known and not np.isnan(known[name]).all()]


def _values(sample: Sample) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """The scores of each document: systems × documents, and 1 × documents for the references."""
    each = [sample.each(name) for name in sample.systems]
    of_systems = {
        score: np.stack([scores[score] for scores in each])
        for score in (each[0] if each else ())
        if not score.startswith(CEILING)
    }
    of_references = {
        score: values[None, :]
        for score, values in sample.each(None).items()
        if not score.startswith(CEILING)
    }
    return of_systems, of_references


def _kept(documents: int, systems: int, seed: int) -> IntArray:
    """The documents to use: all, or a sample that gives 1,000 points."""
    most = max(LEAST, LARGEST // systems)
    if documents <= most:
        return np.arange(documents)
    return np.sort(generator(seed, "documents").permutation(documents)[:most])


def _pair(
    keys: tuple[str, str], x: FloatArray, y: FloatArray, kept: IntArray, how: Resampling
) -> CorrelatedPair:
    """Every coefficient of two scores with its interval; undefined points are left out."""
    x, y = np.broadcast_arrays(x[:, kept], y[:, kept])
    defined = ~np.isnan(x + y)
    document = np.broadcast_to(np.arange(kept.size), x.shape)[defined]
    x, y = x[defined], y[defined]
    if x.size < LEAST:
        found = dict.fromkeys(COEFFICIENTS, Coefficient(value=NAN, low=NAN, high=NAN))
        return CorrelatedPair(measures=keys, points=int(x.size), **found)
    size = kept.size
    values: dict[str, list[FloatArray]] = {name: [] for name in COEFFICIENTS}
    drawn = weights(size, how.resamples, how.seed)
    for rows in chain((np.ones((1, size)), 1 - np.eye(size)), drawn):
        for name, coefficient in COEFFICIENTS.items():
            values[name].append(coefficient(x, y, rows[:, document]))
    found = {name: _coefficient(how, *each) for name, each in values.items()}
    return CorrelatedPair(measures=keys, points=int(x.size), **found)


def _coefficient(
    how: Resampling, estimate: FloatArray, left_out: FloatArray, *draws: FloatArray
) -> Coefficient:
    value = float(estimate[0])
    ends = how.interval(value, np.concatenate(draws), left_out)
    return Coefficient(value=value, low=ends.low, high=ends.high)


def _notes(told: Resampled, kept: int, sample: Sample) -> tuple[str, ...]:
    systems = number(len(sample.systems), "system")
    said = [
        f"Over {number(told.documents, 'document')} and {systems}; "
        f"{told.level:.0%} intervals: bootstrap over documents, "
        f"{number(told.resamples, 'resample')}, seed {told.seed}."
    ]
    if kept < told.documents:
        said.append(f"Of the documents {kept:,} were drawn, for no more than {LARGEST:,} points.")
    if kept < 10:
        said.append(f"Only {number(kept, 'document')}: intervals are unreliable.")
    return tuple(said)
