"""Systems against one gold, from end to end: what text, trees, corrections and morphemes share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from caesura.core.measure import GroupMeasure
from caesura.core.option import OptionValues
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.output.tables import shown
from caesura.run.given import Sides, against_gold
from caesura.scores.read_forms import Problems
from caesura.scores.summarize import Counted, summary_of_scores, with_groups
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared


def score_against_gold(
    task: Task, convert: Callable[..., Any], sides: Sides, given: OptionValues, shared: Shared
) -> Evaluation:
    """Score systems against one gold; `convert` takes values of Python, and the options."""
    options = task.parts.counter.from_given(given)
    read = partial(convert, task=options)
    plan = prepared(against_gold(task, options, read, sides, shared.missing), shared)
    with counting(plan, shared) as run:
        return run.finished(task.parts.summary(run.counted))


def summary_of(
    counted: Counted, *, problems: Problems | None = None, groups: type[GroupMeasure] | None = None
) -> Summary:
    """Everything that is shown, from counts alone.

    `problems` say what signs in files warn of; `groups` is the measure that counts groups.
    """
    documents = counted.table.by_document()
    summary = summary_of_scores(counted, documents, problems)
    return with_groups(summary, documents.total, groups) if groups and documents else summary


def unaligned_notes(summary: Summary) -> tuple[str, ...]:
    """How much of each system could not be aligned, which is said below tables."""
    return tuple(
        f"{system.name}: {shown(100 * (1 - system.micro['aligned']))}% of the characters "
        "could not be aligned with the gold text."
        for system in summary.systems
        if system.micro["aligned"] < 1
    )
