"""Trees from end to end: constituency trees, against one gold."""

from __future__ import annotations

from functools import partial

from caesura.core.option import OptionValues
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.run.given import Sides, against_gold
from caesura.scores.summarize import Counted, summary_of_scores, with_groups
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.trees.brackets import Breakdown
from caesura.tasks.trees.counting import TreesTask, as_trees


def score_trees(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score constituency trees against one gold."""
    options = TreesTask.from_given(given)
    read = partial(as_trees, task=options)
    plan = prepared(against_gold(task, options, read, sides, shared.missing), shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of trees."""
    documents = counted.table.by_document()
    summary = summary_of_scores(counted, documents)
    return with_groups(summary, documents.total, Breakdown) if documents else summary
