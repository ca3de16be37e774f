"""Text from end to end: tokens and sentences, against one gold."""

from __future__ import annotations

from functools import partial

from caesura.core.option import OptionValues
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.run.given import Sides, against_gold
from caesura.scores.summarize import Counted, summary_of_scores
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.text.counting import TextTask, as_text


def score_text(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score tokens and sentences against one gold."""
    options = TextTask.from_given(given)
    read = partial(as_text, task=options)
    plan = prepared(against_gold(task, options, read, sides, shared.missing), shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of text."""
    return summary_of_scores(counted, counted.table.by_document())
