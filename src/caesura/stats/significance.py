"""Significance tests: systems compared in pairs, and with annotators, from rows only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from caesura import __version__
from caesura.core.comparisons import Compared, Comparisons, Contrast, Difference
from caesura.core.results import Intervals, Mean, Resampled, System
from caesura.errors import UsageError, number
from caesura.scores.panels import varies
from caesura.stats.confidence import by_mean, intervals_of, signed
from caesura.stats.draws import flips, is_exact, weights
from caesura.stats.matrix import Figures, Name, Sample, difference, joined, sample_of
from caesura.stats.permutation import effect_size, holm, p_value, tally
from caesura.stats.resampling import Resampling
from caesura.stats.saved_runs import Contest, Pair
from caesura.stats.scorer import CEILING

TIE = 1e-12


def compare(contest: Contest, how: Resampling, baseline: str | None = None) -> Comparisons:
    """The result of `caesura compare`."""
    if len(contest.systems) < 2 and len(contest.references) < 3:
        raise UsageError(
            f"there is only one system, {contest.systems[0]}; give rows of another to compare"
        )
    sample = sample_of(contest.table, contest.systems, contest.scorer, how.unit)
    told = replace(how.told(sample), exact=is_exact(len(sample), how.resamples))
    found = _compared(sample, contest.pairs(baseline), how)
    ceiling = None
    if contest.of.has_ceiling and len(contest.references) > 2:
        others = contest.with_people
        panel = sample_of(others.table, others.systems, others.scorer, sample.unit)
        ceiling = _compared(panel, others.pairs(others.systems[0]), how)
    return Comparisons(
        caesura=__version__,
        of=contest.of.kind,
        signature=signed(contest.signature, told),
        references=contest.references,
        documents=sample.documents,
        confidence=replace(
            told, notes=(*_shared_notes(contest, sample), *told.notes, *_test_notes(told))
        ),
        baseline=baseline,
        systems=found.systems,
        comparisons=found.comparisons,
        ceiling=ceiling,
    )


def defined_labels(
    labels: dict[str, str], systems: Sequence[System], mean: Mean = "micro"
) -> dict[str, str]:
    """The scores, with their labels, that some system has."""
    return {
        key: label
        for key, label in labels.items()
        if any(not math.isnan(getattr(each, mean).get(key, math.nan)) for each in systems)
    }


def _compared(sample: Sample, pairs: Sequence[Pair], how: Resampling) -> Compared:
    """Scores with intervals, and differences with intervals and p-values."""
    draws: dict[str | None, Figures] = {}
    ends: dict[str | None, dict[Mean, Intervals]] = {}
    groups = sample.at_once(sample.systems, how.resamples)
    for names in groups:
        draws.clear()
        draws |= sample.resampled(names, weights(len(sample), how.resamples, how.seed))
        ends |= {name: by_mean(intervals_of(sample, name, draws[name], how)) for name in names}
    if len(groups) > 1:
        draws.clear()
    systems = []
    for name in sample.systems:
        scores: dict[Mean, dict[str, float]] = {}
        for (mean, key), value in sample.estimates(name).items():
            scores.setdefault(mean, {})[key] = value
        systems.append(
            System(
                name=name,
                micro=scores.get("micro", {}),
                macro=scores.get("macro", {}),
                confidence=ends[name],
            )
        )
    each = _corrected([_pair(sample, pair, draws, how) for pair in pairs])
    contrasts = [
        Contrast(systems=pair, micro=_of("micro", found), macro=_of("macro", found))
        for pair, found in zip(pairs, each, strict=True)
    ]
    return Compared(systems=tuple(systems), comparisons=tuple(contrasts))


Differences = dict[Name, Difference]


def _of(mean: Mean, found: Differences) -> dict[str, Difference]:
    return {key: each for (kind, key), each in found.items() if kind == mean}


def _corrected(each: list[Differences]) -> list[Differences]:
    """Apply Holm's correction for the number of pairs, score by score."""
    keys = each[0] if each else ()
    holms = {name: holm([found[name].p for found in each]) for name in keys}
    return [
        {name: replace(value, p_holm=holms[name][at]) for name, value in found.items()}
        for at, found in enumerate(each)
    ]


def _pair(
    sample: Sample, pair: Pair, draws: dict[str | None, Figures], how: Resampling
) -> Differences:
    """The difference of two systems, score by score; macro, over units that have both scores.

    They are drawn anew where `draws` are of other units, or were too many to keep.
    """
    one, other = pair
    units = sample.each(one), sample.each(other)
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
        ends = how.interval(gap, drawn[name], jackknife)
        signs = -signs if entries[key].score.better == "low" else signs
        better, equal, worse = tally(np.where(np.abs(signs) < TIE, 0.0, signs))
        p = p_value(gap, permuted[name], exact=is_all)
        found[name] = Difference(
            difference=gap,
            low=ends.low,
            high=ends.high,
            p=p,
            effect_size=effect_size(gap, jackknife),
            better=better,
            equal=equal,
            worse=worse,
            p_holm=p,
        )
    return found


def _shared_notes(contest: Contest, sample: Sample) -> list[str]:
    """On how many documents systems are compared, where some lack some."""
    every, shared = len({*contest.table.documents}), len(sample.documents)
    of = f"{shared:,} of {number(every, 'document')}"
    is_told = varies(contest.table) and shared < every
    return [f"Compared on {of}, those that all systems have."] if is_told else []


def _test_notes(told: Resampled) -> list[str]:
    tried = number(2**told.units if told.exact else told.resamples, "permutation")
    how = f"all {tried}" if told.exact else f"{tried} at random"
    said = [f"p-values: paired randomization over the same units, {how}, two-sided."]
    least = 2.0 ** (1 - told.units)
    if least > 1 - told.level:
        said.append(
            f"With so few units no p-value can be below {least:.3g}: nothing can be significant."
        )
    return said


def is_significant(values: Difference, level: float) -> bool:
    """Whether a difference is significant."""
    return bool(values.p_holm < 1 - level)


def in_words(pair: Pair, label: str, values: Difference, told: Resampled, *, lower: bool) -> str:
    """One comparison as a sentence; its numbers point to where its word does."""
    one, other = pair
    gap = values.difference
    if math.isnan(gap):
        return f"{one} and {other} cannot be compared on {label}: it is undefined."
    if abs(gap) < TIE:
        return f"{one} and {other} are equal on {label}."
    word = "worse" if (gap < 0) != lower else "better"
    ends = (values.low, values.high) if gap > 0 else (-values.high, -values.low)
    low, high = (pointed(end, digits=3) for end in ends)
    verdict = "significant" if is_significant(values, told.level) else "not significant"
    return (
        f"{one} is {word} than {other} on {label} by {pointed(abs(gap), digits=3)}, "
        f"{told.level:.0%} {low} to {high}, {p_words(values.p_holm)}: {verdict}."
    )


def pointed(value: float, *, digits: int) -> str:
    """A number without the zero before its point, with a true minus.

    >>> pointed(-0.0213, digits=3), pointed(0.0114, digits=3)
    ('−.021', '.011')
    """
    if math.isnan(value):
        return "–"
    text = f"{abs(value):.{digits}f}"
    return ("−" if value < 0 and float(text) else "") + text.removeprefix("0")


def p_words(value: float) -> str:
    """A p-value as printed.

    >>> p_words(0.5512), p_words(0.0002)
    ('p = .551', 'p < .001')
    """
    if math.isnan(value):
        return "p undefined"
    if value < 0.001:
        return "p < .001"
    return f"p = {pointed(value, digits=4 if round(value, 3) == 0.05 else 3)}"
