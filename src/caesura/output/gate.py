"""Gates: scores that a release must reach, and rows that it must not be worse than."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from caesura.core.profile import Profile, with_parameter
from caesura.core.results import Mean
from caesura.core.score import ALSO
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.core.task import Task
from caesura.errors import CaesuraError, UsageError, number, option
from caesura.output.tables import shown
from caesura.scores.catalog import Catalog, catalog

if TYPE_CHECKING:
    from caesura.stats.resampling import Resampling
    from caesura.stats.saved_runs import Contest


MEANS: tuple[Mean, ...] = ("micro", "macro")
WORSE = {"under": "low", "over": "high"}
"""The direction of scores for which a limit would fail what is good."""


class GateError(CaesuraError):
    """A score that does not pass its gate."""

    status: ClassVar[int] = 3


@dataclass(frozen=True, slots=True)
class Limit:
    """One score and its limit; an undefined score never passes."""

    score: str
    value: float
    word: str
    mean: Mean = "micro"

    @classmethod
    def parse(cls, text: str, word: str, catalog: Catalog) -> Limit:
        """Take `MEASURE=VALUE`, the measure by its key or its label, after `macro:` its mean."""
        name, _, value = text.partition("=")
        mean: Mean = catalog.kind.mean
        for chosen in MEANS:
            if name.startswith(f"{chosen}:"):
                mean, name = chosen, name.removeprefix(f"{chosen}:")
        rates = {key: each for key, each in catalog.systems.items() if not each.score.is_count}
        key = catalog.find(name, rates)
        try:
            limit = cls(key, float(value), word, mean)
        except ValueError:
            limit = cls(key, math.nan, word, mean)
        if not math.isfinite(limit.value):
            raise UsageError(f"'{text}' is not MEASURE=VALUE; for example {name}=0.35")
        better = rates[key].score.better
        if better == WORSE[word]:
            other = next(each for each in WORSE if each != word)
            raise UsageError(f"{better}er is better for {key}; use --fail-{other} {text}")
        return limit

    def __str__(self) -> str:
        return f"macro:{self.score}" if self.mean == "macro" else self.score

    def is_met(self, value: float) -> bool:
        """Whether a score meets the limit."""
        return value >= self.value if self.word == "under" else value <= self.value


@dataclass(frozen=True, slots=True)
class Gate:
    """Several limits that the score of every system must meet."""

    limits: tuple[Limit, ...]

    @classmethod
    def parse(
        cls, under: Sequence[str], over: Sequence[str], task: Task, profile: Profile | None = None
    ) -> Gate:
        """Take what `--fail-under` and `--fail-over` were given, of the scores of a task."""
        given = [(text, "under") for text in under] + [(text, "over") for text in over]
        named = with_parameter((*under, *over), profile)
        also = (*task.measures.asked_for, *task.measures.named(named)) if named else None
        return cls(tuple(Limit.parse(*each, catalog(task, profile, also)) for each in given))

    def check(self, summary: Summary) -> None:
        """Raise an error that names every system and score that fails."""
        failures = [
            f"{system.name}: {limit} {_failure(limit, float(value), summary)}"
            for system in summary.systems
            for limit in self.limits
            for value in [getattr(system, limit.mean).get(limit.score, math.nan)]
            if not limit.is_met(value)
        ]
        if failures:
            raise GateError("; ".join(failures))


def _failure(limit: Limit, value: float, summary: Summary) -> str:
    """How a score fails its limit."""
    if not math.isnan(value):
        return f"{shown(value)} is {limit.word} {limit.value:g}"
    known = catalog(*summary.kind).systems
    entry = known.get(limit.score) or catalog(summary.task, summary.profile).systems[limit.score]
    if limit.score not in known:
        return f"is not computed; add {option(ALSO, entry.measure.name)}"
    needs_more = entry.is_of_several and len(summary.references) == 1
    return "is undefined" + (" with one reference" if needs_more else "")


def check_no_worse(before: Contest, summary: Summary, table: CountTable, how: Resampling) -> None:
    """Raise an error that names every system that is significantly worse than it was before.

    A system is compared with the one of the same name, or with the file's only one, on the main
    scores of the task.
    """
    from caesura.stats.saved_runs import Contest

    now = replace(Contest.from_summary(summary, table), path="the new rows")
    failures = []
    for system in [name for name in now.systems if name in table.systems]:
        if system not in before.systems and len(before.systems) != 1:
            raise UsageError(
                f"{before.path} has no system '{system}', only {', '.join(before.systems)}; "
                "use the same names"
            )
        partner = system if system in before.systems else before.systems[0]
        failures += _significantly_worse(now.only(system), before.only(partner), how)
    if failures:
        raise GateError(" ".join(failures))


def _significantly_worse(now: Contest, before: Contest, how: Resampling) -> list[str]:
    """The main scores on which the only system of a file is significantly worse, in words."""
    from caesura.output.statistics import in_words, is_significant
    from caesura.stats.samples import scorer
    from caesura.stats.saved_runs import put_together
    from caesura.stats.significance import compare

    old = f"{before.path}'s {before.systems[0]}"
    contest = put_together([now, before.renamed(old)])
    found = compare(contest, how, old)
    told, ((new, _),) = found.confidence, contest.pairs(old)
    if 2.0 ** (1 - told.units) > 1 - how.level:
        raise UsageError(
            f"{number(told.units, told.unit)} in common with {before.path}: too few for any "
            "difference to be significant; save large documents with --confidence, which splits "
            "them into blocks, or score more documents"
        )
    scores = scorer(contest.of, contest.references)
    known, labels, compared = scores.catalog, scores.labels, found.comparisons[0].micro
    return [
        in_words((new, old), labels[key], compared[key], how.level, lower=lower)
        for key in known.shown("headline")
        if key in labels and key in compared and is_significant(compared[key], how.level)
        for lower in [known.is_lower_better(key)]
        if (compared[key].difference < 0) != lower
    ]
