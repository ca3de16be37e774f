"""Sentences from end to end: texts in the segments of the only reference."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from caesura.core.option import OptionValues
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.errors import UsageError
from caesura.run.given import Plan, Sides, distinct_sides, named_sides, sources
from caesura.run.inputs import match, not_matched
from caesura.scores.read_forms import reference_words
from caesura.scores.summarize import Counted, summary_of_scores
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.sentences.counting import SentencesTask
from caesura.tasks.sentences.values import as_lines, in_documents_of


def score_sentences(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score translations or recognised speech in the segments of the only reference."""
    systems, references = named_sides(sides.systems, sides.references)
    options = SentencesTask.from_given(given)
    read = partial(as_lines, encoding=options.encoding)
    ours, theirs = sources(systems, read), sources(references, read, name="reference")
    if len(theirs) != 1:
        raise UsageError(
            f"{len(theirs)} references; give one, into whose segments the texts are put"
        )
    ours, theirs = distinct_sides(ours, theirs)
    if sides.docids is not None:
        ours, theirs = in_documents_of(ours, theirs[0], sides.docids, options.encoding)
    cases, skipped = match(ours, theirs, missing=shared.missing), not_matched([*ours, *theirs])
    names = [each.name for each in ours], [theirs[0].name]
    plan = prepared(Plan(task, options, cases, *names, skipped=skipped), shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of sentences."""
    documents = counted.table.by_document()
    summary = summary_of_scores(counted, documents)
    return replace(summary, words=reference_words(documents, {}, summary.references))
