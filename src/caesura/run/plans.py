"""Plans: what is given to `evaluate`, as the cases of a task and the options that count them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from caesura.core.task import Task
from caesura.run.given import Given, Read, gold_source, named_sides, sources
from caesura.run.inputs import (
    Case,
    Source,
    match,
    not_matched,
    with_distinct_names,
)

Missing = Literal["error", "skip", "vary"]
"""What becomes of documents that some systems or references lack."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Systems, and what they are scored against; a task says in `against` what it needs."""

    systems: Given = ()
    references: Given = ()
    gold: Any = None
    phones: object = None
    words: object = None
    docids: object = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The task, what counts it, its cases, and the names of systems and references."""

    task: Task
    counter: Any
    cases: list[Case]
    systems: list[str]
    references: list[str]
    skipped: Mapping[str, str] = field(default_factory=dict)
    considered: int = 0
    """The number of documents of all shards together."""


def against_gold(task: Task, counter: Any, read: Read, sides: Sides, missing: Missing) -> Plan:
    """Systems against one gold version; `read` makes documents of what is given in memory."""
    systems, gold = named_sides(sides.systems, sides.gold, "gold")
    ours, (theirs,) = distinct_sides(sources(systems, read), [gold_source(gold, read)])
    cases, skipped = match(ours, [theirs], missing=missing), not_matched([*ours, theirs])
    names = [source.name for source in ours], [theirs.name]
    return Plan(task, counter, cases, *names, skipped=skipped)


def distinct_sides(
    systems: Sequence[Source], references: Sequence[Source], runs: Collection[str] = ()
) -> tuple[list[Source], list[Source]]:
    """Systems and references with names that are distinct, also from those of detectors."""
    found = with_distinct_names([*systems, *references], runs)
    return found[: len(systems)], found[len(systems) :]
