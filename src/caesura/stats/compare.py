"""Which differences are real: systems compared pair by pair, and with people, from rows alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from caesura import __version__
from caesura.errors import UsageError, number
from caesura.scores.scorers import NEUTRAL, is_lower_better, shown_titles
from caesura.stats.confidence import Resampling, by_kind, intervals_of, notes, signed
from caesura.stats.contest import Contest, Pair
from caesura.stats.draws import flips, is_exact, weights
from caesura.stats.paired import effect_size, holm, p_value, tally
from caesura.stats.planning import power_of
from caesura.stats.sample import Figures, Name, Sample, difference, sample_of


def compare_summary(
    contest: Contest, how: Resampling, baseline: str | None = None, *, power: bool = False
) -> dict[str, Any]:
    """The result of `caesura compare`, as its JSON."""
    if len(contest.systems) < 2 and len(contest.references) < 3:
        raise UsageError("nothing to compare with: there is one system; give rows of two or more")
    sample = sample_of(contest.rows, contest.systems, contest.references, contest.task, how.unit)
    told = how.told(sample) | {"exact": is_exact(len(sample), how.resamples)}
    summary: dict[str, Any] = {
        "caesura": __version__,
        "task": "compare",
        "of": contest.task,
        "signature": signed(contest.signature, told),
        "references": list(contest.references),
        "documents": list(sample.documents),
        "confidence": {**told, "notes": [*notes(told), *_test_notes(told)]},
        "baseline": baseline,
        **_compared(sample, contest.pairs(baseline), how),
    }
    if power:
        titles = list(shown_titles(sample.scorer.titles, [s["micro"] for s in summary["systems"]]))
        for pair, found in zip(contest.pairs(baseline), summary["comparisons"], strict=True):
            found["power"] = power_of(sample, pair, titles, contest.references, how)
    if contest.task == "transcript" and len(contest.references) > 2:
        others = contest.with_people
        panel = sample_of(others.rows, others.systems, others.references, others.task, sample.unit)
        summary["ceiling"] = _compared(panel, others.pairs(others.systems[0]), how)
    return summary


def _compared(sample: Sample, pairs: Sequence[Pair], how: Resampling) -> dict[str, Any]:
    """Scores with intervals, and differences with intervals and p-values."""
    names = sample.systems
    draws = sample.resampled(names, weights(len(sample), how.resamples, how.seed))
    systems = []
    for name in names:
        scores: dict[str, dict[str, float]] = {}
        for (kind, score), value in sample.estimates(name).items():
            scores.setdefault(kind, {})[score] = value
        ends = by_kind(intervals_of(sample, name, draws[name], how))
        systems.append({"name": name, **scores, "confidence": ends})
    each = [_pair(sample, pair, draws, how) for pair in pairs]
    for key in each[0] if each else ():
        corrected = holm([found[key]["p"] for found in each])
        for found, value in zip(each, corrected, strict=True):
            found[key]["p_holm"] = value
    return {
        "systems": systems,
        "comparisons": [
            {"systems": list(pair), **_kinds(found)}
            for pair, found in zip(pairs, each, strict=True)
        ],
    }


Comparison = dict[Name, dict[str, Any]]


def _pair(
    sample: Sample, pair: Pair, draws: dict[str | None, Figures], how: Resampling
) -> Comparison:
    """All about the difference of one system and another, score by score."""
    one, other = pair
    drawn = difference(draws[one], draws[other])
    mine, yours = sample.estimates(one), sample.estimates(other)
    left_out = difference(sample.left_out(one), sample.left_out(other))
    permuted = sample.exchanged(one, other, flips(len(sample), how.resamples, how.seed))
    units = sample.each(one), sample.each(other)
    is_all = is_exact(len(sample), how.resamples)
    found: Comparison = {}
    for key, value in mine.items():
        score = key[1]
        if score in NEUTRAL or score.startswith("ceiling_"):
            continue
        gap = value - yours[key]
        ends = how.interval(gap, drawn[key], left_out[key])
        signs = (units[0][score] - units[1][score]) * (-1 if is_lower_better(score) else 1)
        better, equal, worse = tally(np.where(np.abs(signs) < 1e-12, 0.0, signs))
        found[key] = {
            "difference": gap,
            "low": ends.low,
            "high": ends.high,
            "p": p_value(gap, permuted[key], exact=is_all),
            "effect_size": effect_size(gap, left_out[key]),
            "better": better,
            "equal": equal,
            "worse": worse,
        }
    return found


def _kinds(found: Comparison) -> dict[str, dict[str, Any]]:
    result: dict[str, dict[str, Any]] = {}
    for (kind, score), values in found.items():
        result.setdefault(kind, {})[score] = values
    return result


def _test_notes(told: dict[str, Any]) -> list[str]:
    tried = number(2 ** told["units"] if told["exact"] else told["resamples"], "permutation")
    how = f"all {tried}" if told["exact"] else f"{tried} at random"
    said = [f"p-values: paired randomization over the same units, {how}, two-sided."]
    least = 2.0 ** (1 - told["units"])
    if least > 1 - told["level"]:
        said.append(f"With so few units no p-value can be below {least:.3g}: nothing can be shown.")
    return said


def is_shown(values: dict[str, Any], level: float) -> bool:
    """Whether a difference is shown: chance seldom makes one as great."""
    return bool(values["p_holm"] < 1 - level)


def in_words(
    pair: Pair, title: str, score: str, values: dict[str, Any], told: dict[str, Any]
) -> str:
    """One comparison as a sentence; its numbers point to where its word does."""
    one, other = pair
    gap = values["difference"]
    if math.isnan(gap):
        return f"{one} and {other} cannot be compared on {title}: it is undefined."
    if abs(gap) < 1e-12:
        return f"{one} and {other} are equal on {title}."
    word = "worse" if (gap < 0) != is_lower_better(score) else "better"
    ends = (values["low"], values["high"]) if gap > 0 else (-values["high"], -values["low"])
    low, high = (pointed(end, digits=3) for end in ends)
    verdict = "shown" if is_shown(values, told["level"]) else "not shown"
    return (
        f"{one} is {word} than {other} on {title} by {pointed(abs(gap), digits=3)}, "
        f"{told['level']:.0%} {low} to {high}, {p_words(values['p_holm'])}: {verdict}."
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
    """A p-value as it is written in print.

    >>> p_words(0.5512), p_words(0.0002)
    ('p = .551', 'p < .001')
    """
    if math.isnan(value):
        return "p undefined"
    if value < 0.001:
        return "p < .001"
    return f"p = {pointed(value, digits=4 if round(value, 3) == 0.05 else 3)}"
