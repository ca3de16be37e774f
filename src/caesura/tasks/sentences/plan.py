"""Plan: texts that are given, in the segments of the only reference, as cases."""

from __future__ import annotations

from functools import partial

from caesura.core.task import Task
from caesura.errors import UsageError
from caesura.run.given import named_sides, sources
from caesura.run.inputs import (
    match,
    not_matched,
)
from caesura.run.plans import Missing, Plan, Sides, distinct_sides


def in_segments(task: Task, sides: Sides, missing: Missing, options: dict[str, object]) -> Plan:
    """Texts in the segments of the only reference."""
    from caesura.tasks.sentences.values import as_lines, in_documents_of

    systems, references = named_sides(sides.systems, sides.references)
    counter = task.counter_class.from_given(options)
    read = partial(as_lines, encoding=counter.encoding)
    ours, theirs = sources(systems, read), sources(references, read, name="reference")
    if len(theirs) != 1:
        raise UsageError(
            f"{len(theirs)} references; give one, into whose segments the texts are put"
        )
    ours, theirs = distinct_sides(ours, theirs)
    if sides.docids is not None:
        ours, theirs = in_documents_of(ours, theirs[0], sides.docids, counter.encoding)
    cases, skipped = match(ours, theirs, missing=missing), not_matched([*ours, *theirs])
    names = [each.name for each in ours], [theirs[0].name]
    return Plan(task, counter, cases, *names, skipped=skipped)
