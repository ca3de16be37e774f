"""Plans: what is given to `evaluate`, as the cases of a task and the options that count them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from caesura.api.sources import Given, detectors, gold_source, named_sides, sources
from caesura.core.profile import Profile
from caesura.core.task import Task
from caesura.errors import UsageError, option
from caesura.run.cases import (
    Case,
    Source,
    match,
    not_matched,
    require_distinct,
    require_one_stdin,
    with_distinct_names,
)

Missing = Literal["error", "skip"]
SYSTEMS_ONLY = ("tolerance", "k", "consensus")
"""What has no effect without systems; a tolerance only if boundaries are compared by words."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Systems, and what they are scored against; a task says in `against` what it needs."""

    systems: Given = ()
    references: Given = ()
    gold: Any = None
    phones: Any = None
    words: Any = None
    docids: Any = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The task, what counts it, its cases, and the names of systems and references."""

    task: Task
    counter: Any
    cases: list[Case]
    systems: list[str]
    references: list[str]
    profile: Profile | None = None
    skipped: Mapping[str, str] = field(default_factory=dict)


def transcripts(task: Task, sides: Sides, missing: Missing, options: dict[str, Any]) -> Plan:
    """Versions of documents, against one or several references, or references alone."""
    from caesura.api.values import as_document
    from caesura.formats import recordings

    systems, references = named_sides(sides.systems, sides.references)
    runs = detectors(options.pop("run", None))
    counter = task.counter_class.from_given({**options, "runs": tuple(runs.items())})
    read = partial(as_document, input=counter.input, units=counter.units, marks=counter.marks)
    parts = partial(recordings, input=counter.input, encoding=counter.encoding, **counter.of_format)
    ours = sources(systems, read, parts)
    theirs = sources(references, read, parts, name="reference")
    if not theirs:
        raise UsageError("no references; give at least one")
    ours, theirs = _distinct(ours, theirs, runs)
    cases, skipped = match(ours, theirs, missing=missing), not_matched([*ours, *theirs])
    names = [*(source.name for source in ours), *runs], [source.name for source in theirs]
    require_distinct([*names[0], *names[1]])
    if not names[0]:
        if len(theirs) == 1:
            raise UsageError(
                "agreement needs at least two references; give another, or a system to score"
            )
        _require_no(SYSTEMS_ONLY if counter.axis == "words" else SYSTEMS_ONLY[1:], options)
        task = task.alone.it if task.alone else task
    return Plan(task, counter, cases, *names, skipped=skipped)


def _require_no(names: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise an error if options of systems are given where agreement is measured."""
    for name in names:
        if options.get(name):
            raise UsageError(f"{option(name, '…')} has no effect on agreement; drop it")


def against_gold(task: Task, sides: Sides, missing: Missing, options: dict[str, Any]) -> Plan:
    """Systems against one gold version."""
    systems, gold = named_sides(sides.systems, sides.gold, "gold")
    counter = task.counter_class.from_given(options)
    assert task.value is not None, task.name
    read = partial(task.value.it, task=counter)
    ours, (theirs,) = _distinct(sources(systems, read), [gold_source(gold, read)])
    cases, skipped = match(ours, [theirs], missing=missing), not_matched([*ours, theirs])
    names = [source.name for source in ours], [theirs.name]
    return Plan(task, counter, cases, *names, skipped=skipped)


def in_segments(task: Task, sides: Sides, missing: Missing, options: dict[str, Any]) -> Plan:
    """Texts in the segments of the only reference."""
    from caesura.api.segments import as_lines, in_documents_of

    systems, references = named_sides(sides.systems, sides.references)
    counter = task.counter_class.from_given(options)
    read = partial(as_lines, encoding=counter.encoding)
    ours, theirs = sources(systems, read), sources(references, read, name="reference")
    if len(theirs) != 1:
        raise UsageError(
            f"{len(theirs)} references; give one, into whose segments the texts are put"
        )
    ours, theirs = _distinct(ours, theirs)
    if sides.docids is not None:
        ours, theirs = in_documents_of(ours, theirs[0], sides.docids, counter.encoding)
    cases, skipped = match(ours, theirs, missing=missing), not_matched([*ours, *theirs])
    names = [each.name for each in ours], [theirs[0].name]
    return Plan(task, counter, cases, *names, skipped=skipped)


def corpus(task: Task, sides: Sides, missing: Missing, options: dict[str, Any]) -> Plan:  # noqa: ARG001
    """Terms that systems found in speech, whose phones and words are known."""
    from caesura.api.values import as_clusters, as_intervals
    from caesura.tasks.terms import CORPUS

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


def _distinct(
    systems: Sequence[Source], references: Sequence[Source], runs: Collection[str] = ()
) -> tuple[list[Source], list[Source]]:
    """Systems and references with names that are distinct, also from those of detectors."""
    found = with_distinct_names([*systems, *references], runs)
    return found[: len(systems)], found[len(systems) :]
