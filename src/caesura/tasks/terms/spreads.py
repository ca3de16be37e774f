"""Spreads: the scores of parts and talkers of a corpus, their means and standard deviations."""

from __future__ import annotations

import math
from functools import partial

from caesura.core.counts import NAN
from caesura.core.mean import mean
from caesura.core.results import Spread
from caesura.core.row import Portion
from caesura.core.score import Scores
from caesura.core.table import CountTable
from caesura.scores.catalog import Catalog
from caesura.scores.rules import system_scores
from caesura.scores.summarize import mean_scores, over, undefined
from caesura.scores.systems import dicts

SPREADS = {"part": "parts", "talker": "within_talker"}


def _name_in(scope: str, document: str, portion: Portion) -> str | None:
    """The name of a unit of a scope."""
    return document if portion.scope == scope else None


def spreads_of(
    table: CountTable, systems: list[str], scores: Catalog
) -> dict[str, dict[str, Spread]]:
    """For each system the scores of parts and talkers."""
    found: dict[str, dict[str, Spread]] = {name: {} for name in systems}
    for scope, title in SPREADS.items():
        each = table.sum(partial(_name_in, scope))
        columns = system_scores(each, systems, (), scores) if len(each) else {}
        rates = {key: column for key, column in columns.items() if not is_count(key, scores)}
        for at, name in enumerate(systems) if rates else ():
            own = dicts({key: column[at] for key, column in rates.items()}, len(each))
            found[name][title] = _spread(dict(zip(each.documents, own, strict=True)))
    return found


def is_count(key: str, scores: Catalog) -> bool:
    """Whether the value of a key is a count, not a rate."""
    return scores.systems[key].score.is_count


def _spread(each: dict[str, Scores]) -> Spread:
    """The mean and the standard deviation (of the population)."""
    parts = list(each.values())
    return Spread(
        mean=mean_scores(parts), std=over(parts, _deviation), undefined=undefined(parts), each=each
    )


def _deviation(values: list[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return NAN
    middle = mean(defined)
    return math.sqrt(mean([(value - middle) ** 2 for value in defined]))
