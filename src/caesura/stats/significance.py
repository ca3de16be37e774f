"""Intervals of every score, and significance tests of systems in pairs, from rows only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from caesura import __version__
from caesura.core.comparisons import Compared, Comparisons, Contrast, Difference
from caesura.core.resampling_defaults import FEW
from caesura.core.results import CeilingIntervals, Interval, Intervals, Mean, Resampled, System
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.errors import UsageError, number
from caesura.scores.catalog import catalog
from caesura.scores.panels import varies
from caesura.stats.resampling import (
    Resampling,
    effect_size,
    flips,
    holm,
    is_exact,
    p_value,
    tally,
    weights,
)
from caesura.stats.samples import (
    CEILING,
    Figures,
    Name,
    Sample,
    difference,
    joined,
    sample_of,
    scorer,
)
from caesura.stats.saved_runs import Contest, Pair

TIE = 1e-12
T = TypeVar("T")
Found = dict[Name, Interval]
Differences = dict[Name, Difference]


def intervals(sample: Sample, how: Resampling) -> dict[str | None, Found]:
    """The interval of every score, of each system and of the references."""
    found: dict[str | None, Found] = {}
    for names in sample.at_once(list(sample.tables), how.resamples):
        draws = sample.resampled(names, weights(len(sample), how.resamples, how.seed))
        found |= {name: _intervals_of(sample, name, draws.pop(name), how) for name in names}
    return found


def _intervals_of(sample: Sample, name: str | None, draws: Figures, how: Resampling) -> Found:
    """The interval of every score of one system, from its draws."""
    estimates, left_out = sample.estimates(name), sample.left_out(name)
    return {key: how.interval(value, draws[key], left_out[key]) for key, value in estimates.items()}


def add_confidence(summary: Summary, table: CountTable, how: Resampling) -> Summary:
    """The summary with intervals: of each system, of the agreement and of the ceiling."""
    systems = [system.name for system in summary.systems]
    of = scorer(catalog(*summary.kind), summary.references)
    sample = sample_of(table, systems, of, how.unit, is_shared=False)
    found = intervals(sample, how)
    resampled = resampled_from(sample, how)
    return replace(
        summary,
        confidence=resampled,
        signature=signed(summary.signature, resampled),
        systems=tuple(
            replace(system, confidence=_by_mean(found[system.name])) for system in summary.systems
        ),
        agreement=summary.agreement
        and replace(summary.agreement, confidence=_by_mean(found[None])),
        ceiling=summary.ceiling and replace(summary.ceiling, confidence=_ceiling(found)),
    )


def _by_mean(found: Found) -> dict[Mean, Intervals]:
    """Low and high ends under `micro` and `macro`, the ceiling left out."""
    result: dict[Mean, Intervals] = {}
    for (kind, score), each in found.items():
        if not score.startswith(CEILING):
            result.setdefault(kind, {})[score] = each
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
            place[key] = ends
    return result


def resampled_from(sample: Sample, how: Resampling) -> Resampled:
    """What was resampled and how, with a note on it, and a warning if there are few units."""
    unit = sample.scorer.catalog.task.resampled if sample.unit == "document" else sample.unit
    units = number(len(sample), unit)
    if unit == "block":
        units += f" of {number(len(sample.documents), 'document')}"
    method = "BCa" if how.method == "bca" else "percentile"
    notes = [
        f"{how.level:.0%} intervals: bootstrap over {units}, "
        f"{number(how.resamples, 'resample')}, {method}, seed {how.seed}."
    ]
    if len(sample) < FEW:
        notes.append(
            f"Only {units}: intervals and p-values from fewer than {FEW} units are unreliable."
        )
    return Resampled(
        level=how.level,
        method=how.method,
        unit=unit,
        units=len(sample),
        documents=len(sample.documents),
        resamples=how.resamples,
        seed=how.seed,
        notes=tuple(notes),
    )


def signed(signature: str, resampled: Resampled) -> str:
    """The signature with what changes intervals and p-values."""
    fields = {
        "confidence": resampled.level,
        "interval": resampled.method,
        "drawn": f"{resampled.unit}/{resampled.units}",
        "resamples": resampled.resamples,
        "seed": resampled.seed,
    }
    present = {field.partition(":")[0] for field in signature.split("|")}
    added = [f"{name}:{value}" for name, value in fields.items() if name not in present]
    return "|".join([signature, *added])


def compare(contest: Contest, how: Resampling, baseline: str | None = None) -> Comparisons:
    """The result of `caesura compare`."""
    if len(contest.systems) < 2 and len(contest.references) < 3:
        raise UsageError(
            f"there is only one system, {contest.systems[0]}; give rows of another to compare"
        )
    sample = sample_of(contest.table, contest.systems, contest.scorer, how.unit)
    every, shared = len({*contest.table.documents}), len(sample.documents)
    notes = []
    if varies(contest.table) and shared < every:
        both = f"{shared:,} of {number(every, 'document')}"
        notes.append(f"Compared on {both}, those that all systems have.")
    resampled = resampled_from(sample, how)
    notes += [*resampled.notes, *_test_notes(sample, how)]
    is_all = is_exact(len(sample), how.resamples)
    resampled = replace(resampled, exact=is_all, notes=tuple(notes))
    compared = _compared(sample, contest.pairs(baseline), how)
    ceiling = None
    if contest.of.has_ceiling and len(contest.references) > 2:
        others = contest.with_people
        panel = sample_of(others.table, others.systems, others.scorer, sample.unit)
        ceiling = _compared(panel, others.pairs(others.systems[0]), how)
    return Comparisons(
        caesura=__version__,
        of=contest.of.kind,
        signature=signed(contest.signature, resampled),
        references=contest.references,
        documents=sample.documents,
        confidence=resampled,
        baseline=baseline,
        systems=compared.systems,
        comparisons=compared.comparisons,
        ceiling=ceiling,
    )


def _test_notes(sample: Sample, how: Resampling) -> list[str]:
    """How p-values are computed, and a warning if none can be small."""
    is_all = is_exact(len(sample), how.resamples)
    tried = number(2 ** len(sample) if is_all else how.resamples, "permutation")
    orders = f"all {tried}" if is_all else f"{tried} at random"
    notes = [f"p-values: paired randomization over the same units, {orders}, two-sided."]
    least = 2.0 ** (1 - len(sample))
    if least > 1 - how.level:
        notes.append(
            f"With so few units no p-value can be below {least:.3g}: nothing can be significant."
        )
    return notes


def _compared(sample: Sample, pairs: Sequence[Pair], how: Resampling) -> Compared:
    """Scores with intervals, and differences with intervals and p-values."""
    draws: dict[str | None, Figures] = {}
    ends: dict[str | None, dict[Mean, Intervals]] = {}
    groups = sample.at_once(sample.systems, how.resamples)
    for names in groups:
        draws.clear()
        draws |= sample.resampled(names, weights(len(sample), how.resamples, how.seed))
        ends |= {name: _by_mean(_intervals_of(sample, name, draws[name], how)) for name in names}
    if len(groups) > 1:
        draws.clear()
    systems = []
    for name in sample.systems:
        scores = sample.estimates(name)
        micro, macro = _of_mean("micro", scores), _of_mean("macro", scores)
        systems.append(System(name=name, micro=micro, macro=macro, confidence=ends[name]))
    each = [_pair(sample, pair, draws, how) for pair in pairs]
    for score in each[0] if each else ():  # Holm's correction for the number of pairs
        for found, p in zip(each, holm([found[score].p for found in each]), strict=True):
            found[score] = replace(found[score], p_holm=p)
    contrasts = [
        Contrast(systems=pair, micro=_of_mean("micro", found), macro=_of_mean("macro", found))
        for pair, found in zip(pairs, each, strict=True)
    ]
    return Compared(systems=tuple(systems), comparisons=tuple(contrasts))


def _of_mean(mean: Mean, values: Mapping[Name, T]) -> dict[str, T]:
    return {key: value for (kind, key), value in values.items() if kind == mean}


def _pair(
    sample: Sample, pair: Pair, draws: dict[str | None, Figures], how: Resampling
) -> Differences:
    """The difference of two systems, score by score; macro, over units that have both scores.

    They are drawn anew where `draws` are of other units, or were too many to keep.
    """
    one, other = pair
    units = sample.each[one], sample.each[other]
    every, sample = sample, sample.paired(one, other)
    if sample is every and draws:
        drawn = difference(draws[one], draws[other])
    else:
        pieces = weights(len(sample), how.resamples, how.seed)
        drawn = joined(difference(*(sample.drawn(name, some) for name in pair)) for some in pieces)
    mine, yours = sample.estimates(one), sample.estimates(other)
    left_out = difference(sample.left_out(one), sample.left_out(other))
    permuted = sample.exchanged(one, other, flips(len(sample), how.resamples, how.seed))
    is_all = is_exact(len(sample), how.resamples)
    entries = sample.scorer.catalog.systems
    found: Differences = {}
    for name, value in mine.items():
        mean, key = name
        if key.startswith(CEILING) or entries[key].score.better is None:
            continue
        gap = value - yours[name]
        signs = units[0][key] - units[1][key]
        jackknife = np.where(np.isnan(signs) & (mean == "macro"), np.nan, left_out[name])
        low, high = how.interval(gap, drawn[name], jackknife)
        signs = -signs if entries[key].score.better == "low" else signs
        better, equal, worse = tally(np.where(np.abs(signs) < TIE, 0.0, signs))
        p = p_value(gap, permuted[name], exact=is_all)
        found[name] = Difference(
            difference=gap,
            low=low,
            high=high,
            p=p,
            effect_size=effect_size(gap, jackknife),
            better=better,
            equal=equal,
            worse=worse,
            p_holm=p,
        )
    return found
