"""Thresholds of systems with scores: given, chosen on the documents of a run, or on others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from caesura.core.place_scores import short
from caesura.errors import SourceError, UsageError, option
from caesura.run.given import Plan
from caesura.run.run import run
from caesura.steps.shared import Shared
from caesura.tasks.transcript.thresholds import Thresholds, best_thresholds, ranking_of
from caesura.tasks.transcript.written_options import BEST, FROM, threshold_rules


def with_thresholds(plan: Plan, shared: Shared) -> Plan:
    """The plan with the threshold of each system; to choose the best, scores are counted alone."""
    if BEST in str(plan.counter.threshold) and shared.shard:
        raise UsageError(
            f"{option('threshold', BEST)} looks at all documents, {option('shard', '…')} at some; "
            f"give a number, or {option('threshold', 'from=ROWS')}"
        )
    rules = threshold_rules(plan.counter.threshold, plan.systems)
    chosen: Thresholds = {}
    for name, rule in rules.items():
        if rule.startswith(FROM):
            chosen[name] = _from_rows(rule.removeprefix(FROM), name, len(plan.systems), shared)
        elif rule != BEST:
            chosen[name] = short(float(rule))
    if BEST in rules.values():
        chosen |= _best(plan, [name for name in rules if name not in chosen], shared)
    return replace(plan, counter=replace(plan.counter, thresholds=tuple(chosen.items())))


def _from_rows(path: str, system: str, systems: int, shared: Shared) -> float:
    """The best threshold of a system on the documents of saved rows.

    The only system of a run takes that of the only one in the rows, whatever its name.
    """
    file = shared.rows_at(path)
    names = sorted(filter(None, file.table.systems_of(ranking_of(file.table))))
    own = names[0] if len(names) == 1 == systems else system
    if own not in names:
        cure = (
            f"it has those of {', '.join(names)}" if names else "save rows of systems with scores"
        )
        raise SourceError(path, f"no scores of the system '{system}'", cure)
    return best_thresholds(file.table, [own], file.header.references)[own]


def _best(plan: Plan, systems: list[str], shared: Shared) -> Thresholds:
    """Count the scores alone, and choose the threshold of each system with the highest F1."""
    counter: Any = plan.counter
    first = replace(counter, ranks_only=True, blocks=False)
    once = replace(shared.running, resume=False)
    table = run(plan.cases, first, once, watch=shared.watch, measures=plan.task.measures).table
    return best_thresholds(table, systems, plan.references)
