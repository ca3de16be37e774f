"""Plan: terms that systems found, and the phones and words of the speech, as one case."""

from __future__ import annotations

from collections.abc import Mapping

from caesura.core.task import Task
from caesura.run.given import sources
from caesura.run.inputs import (
    Case,
    require_distinct,
    require_one_stdin,
    with_distinct_names,
)
from caesura.run.plans import Missing, Plan, Sides


def corpus(task: Task, sides: Sides, missing: Missing, options: dict[str, object]) -> Plan:  # noqa: ARG001
    """Terms that systems found in speech, whose phones and words are known."""
    from caesura.tasks.terms.counting import CORPUS
    from caesura.tasks.terms.values import as_clusters, as_intervals

    systems = sides.systems
    if isinstance(systems, Mapping):
        systems = {n: as_clusters(v) if isinstance(v, Mapping) else v for n, v in systems.items()}
    every = with_distinct_names(
        [each for source in sources(systems, as_clusters) for each in source.each()]
    )
    tiers = {"phones": sides.phones, "words": sides.words}
    gold = {tier: as_intervals(each, tier) for tier, each in tiers.items()}
    paths = [source.path for source in every if source.value is None]
    require_one_stdin([*paths, *(each for each in gold.values() if isinstance(each, str))])
    names = [source.name for source in every]
    require_distinct(names)
    case = Case(CORPUS, {source.name: source.version for source in every}, gold)
    return Plan(task, task.counter_class.from_given(options), [case], names, ["gold"])
