"""Intervals for every score of a summary, by resampling the units of its rows."""

from __future__ import annotations

from dataclasses import replace

from caesura.core.results import CeilingIntervals, Intervals, Mean, Resampled
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.scores.catalog import catalog
from caesura.stats.bootstrap import Interval
from caesura.stats.draws import weights
from caesura.stats.matrix import Figures, Name, Sample, sample_of
from caesura.stats.resampling import Resampling
from caesura.stats.scorer import CEILING, scorer

Found = dict[Name, Interval]


def intervals(sample: Sample, how: Resampling) -> dict[str | None, Found]:
    """The interval of every score, of each system and of the references."""
    found: dict[str | None, Found] = {}
    for names in sample.at_once(list(sample.tables), how.resamples):
        draws = sample.resampled(names, weights(len(sample), how.resamples, how.seed))
        found |= {name: intervals_of(sample, name, draws.pop(name), how) for name in names}
    return found


def intervals_of(sample: Sample, name: str | None, draws: Figures, how: Resampling) -> Found:
    """The interval of every score of one system, from its draws."""
    estimates, left_out = sample.estimates(name), sample.left_out(name)
    return {key: how.interval(value, draws[key], left_out[key]) for key, value in estimates.items()}


def add_confidence(summary: Summary, table: CountTable, how: Resampling) -> Summary:
    """The summary with intervals: of each system, of the agreement and of the ceiling."""
    systems = [system.name for system in summary.systems]
    of = scorer(catalog(*summary.kind), summary.references)
    sample = sample_of(table, systems, of, how.unit, is_shared=False)
    found = intervals(sample, how)
    told = how.told(sample)
    return replace(
        summary,
        confidence=told,
        signature=signed(summary.signature, told),
        systems=tuple(
            replace(system, confidence=by_mean(found[system.name])) for system in summary.systems
        ),
        agreement=summary.agreement and replace(summary.agreement, confidence=by_mean(found[None])),
        ceiling=summary.ceiling and replace(summary.ceiling, confidence=_ceiling(found)),
    )


def by_mean(found: Found) -> dict[Mean, Intervals]:
    """Low and high ends under `micro` and `macro`, the ceiling left out."""
    result: dict[Mean, Intervals] = {}
    for (kind, score), each in found.items():
        if not score.startswith(CEILING):
            result.setdefault(kind, {})[score] = each.low, each.high
    return result


def _ceiling(found: dict[str | None, Found]) -> CeilingIntervals:
    """The intervals of the ceiling, arranged as the ceiling is: human, annotators and systems."""
    result = CeilingIntervals(human={}, annotators={}, systems={})
    for name, each in found.items():
        for (kind, score), ends in each.items():
            if kind != "micro" or not score.startswith(CEILING):
                continue
            key, _, person = score.removeprefix(CEILING).partition(":")
            if name is not None:
                place = result.systems.setdefault(name, {})
            else:
                place = result.annotators.setdefault(person, {}) if person else result.human
            place[key] = ends.low, ends.high
    return result


def signed(signature: str, told: Resampled) -> str:
    """The signature with what changes intervals and p-values."""
    fields = {
        "confidence": told.level,
        "interval": told.method,
        "drawn": f"{told.unit}/{told.units}",
        "resamples": told.resamples,
        "seed": told.seed,
    }
    present = {field.partition(":")[0] for field in signature.split("|")}
    added = [f"{name}:{value}" for name, value in fields.items() if name not in present]
    return "|".join([signature, *added])
