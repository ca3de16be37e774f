"""Corrections from end to end: edits of sentences, against one gold."""

from __future__ import annotations

from functools import partial

from caesura.core.option import OptionValues
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.run.given import Sides, against_gold
from caesura.scores.summarize import Counted, summary_of_scores, with_groups
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.corrections.counting import CorrectionsTask, as_corrections
from caesura.tasks.corrections.measures import Types

PROBLEMS = {
    "outside_edits": ("edit", "whose span the sentence does not have; ignored"),
    "overlapping_edits": (
        "edit",
        "at a place that the same annotator edits already; each counts, as in ERRANT",
    ),
    "annotators_missing": (
        "sentence",
        "without some of the annotators, who are not chosen there; write a noop for those who "
        "change nothing",
    ),
}
"""Signs of what looks misread: what is counted, and what the warning says."""


def score_corrections(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score edits of sentences against one gold."""
    options = CorrectionsTask.from_given(given)
    read = partial(as_corrections, task=options)
    plan = prepared(against_gold(task, options, read, sides, shared.missing), shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of corrections."""
    documents = counted.table.by_document()
    summary = summary_of_scores(counted, documents, PROBLEMS)
    return with_groups(summary, documents.total, Types) if documents else summary
