"""Morphemes from end to end: words divided into morphs, against one gold."""

from __future__ import annotations

from functools import partial
from typing import Any

from caesura.core.option import OptionValues
from caesura.core.score import View
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.output.tables import Page
from caesura.output.tables.pages import plain_page
from caesura.run.given import Sides, against_gold
from caesura.scores.summarize import Counted, summary_of_scores, with_groups
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.morphemes.counting import MorphemesTask
from caesura.tasks.morphemes.measures import Categories
from caesura.tasks.morphemes.values import as_morphs

PROBLEMS = {
    "odd_morphs": (
        "line",
        "with an empty morph, or with @@ at the beginning; they count as written, as in "
        "evaluate.py",
    ),
    "other_words": ("line", "of other words than the gold's, paired by their numbers"),
}
"""Signs of what looks misread: what is counted, and what the warning says."""
TABLES: dict[View, tuple[str, str]] = {
    "unit": ("morphs", "Morphs"),
    "other": ("boundaries", "Boundaries of surface morphs"),
}
"""The tables by view, with id and title."""


def score_morphemes(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score words divided into morphs against one gold."""
    options = MorphemesTask.from_given(given)
    read = partial(as_morphs, task=options)
    plan = prepared(against_gold(task, options, read, sides, shared.missing), shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of morphemes."""
    documents = counted.table.by_document()
    summary = summary_of_scores(counted, documents, PROBLEMS)
    return with_groups(summary, documents.total, Categories) if documents else summary


def page_of(summary: Summary, **details: Any) -> Page:
    """The tables."""
    return plain_page(summary, TABLES, **details)
