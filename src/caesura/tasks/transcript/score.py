"""Transcripts from end to end: boundaries, against one or several references; and agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from typing import Any

import numpy as np

from caesura.core.alignment_scores import ALIGNED
from caesura.core.format import AxisName
from caesura.core.option import OptionValues
from caesura.core.segmentation import Document, Segmentation
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.core.task import Task
from caesura.errors import UsageError, option
from caesura.formats.transcripts import recordings
from caesura.run.given import Missing, Plan, Sides, detectors, distinct_sides, named_sides, sources
from caesura.run.inputs import match, not_matched, require_distinct, without_reference
from caesura.scores.catalog import catalog
from caesura.scores.read_forms import reference_words
from caesura.scores.summarize import Counted, summary_of_scores, with_groups
from caesura.scores.systems import scored_ceiling, scored_references
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.transcript.counting import Transcript
from caesura.tasks.transcript.options import VARY, ranked
from caesura.tasks.transcript.written_options import require_consensus

SYSTEMS_ONLY = ("tolerance", "k", "consensus")
"""What has no effect without systems; a tolerance only if boundaries are compared by words."""


def score_transcripts(
    task: Task, alone: Task, sides: Sides, given: OptionValues, shared: Shared
) -> Evaluation:
    """Score boundaries against one or several references; without systems, `alone` is the task.

    Documents are matched by name, read, put on one axis and counted (`Transcript.count`), here or
    in other processes; scores are made of the sums.
    """
    plan = prepared(_plan(task, alone, sides, shared.missing, given), shared)
    if plan.counter.threshold:
        from caesura.tasks.transcript.threshold_choice import with_thresholds

        plan = with_thresholds(plan, shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of transcripts: scores, agreement, the human ceiling, streams."""
    documents, known = counted.table.by_document(), catalog(*counted.kind)
    summary = summary_of_scores(counted, documents)
    if not documents:
        return summary
    systems, references = counted.systems, counted.references
    axes = _axes(documents) if ALIGNED in documents.measures else {}
    varies = counted.options.given.get("missing") == VARY
    has_ceiling = len(references) > 2
    summary = replace(
        summary,
        words=reference_words(documents, axes, references),
        axes=axes,
        agreement=scored_references(documents, references, known, varies=varies),
        ceiling=scored_ceiling(documents, systems, references, known) if has_ceiling else None,
    )
    for measure in known.measures:
        if measure.name in documents.measures and hasattr(measure, "of_group"):
            summary = with_groups(summary, documents.total, measure)
    if systems and (summary.options["streams"] or summary.options["by"]):
        from caesura.scores.streams import streams_of

        summary = replace(summary, streams=streams_of(summary, counted.table, known))
    if ranked(documents):
        from caesura.tasks.transcript.curves import ranking_curves

        used = dict(summary.options.get("thresholds") or ())
        curves = ranking_curves(documents, systems, references, used)
        summary = replace(summary, curves=curves)
    if varies:
        from caesura.tasks.transcript.varying import with_panels

        summary = with_panels(summary, documents)
    return summary


def _plan(task: Task, alone: Task, sides: Sides, missing: Missing, given: OptionValues) -> Plan:
    """Versions of documents, against one or several references, or references alone."""
    systems, references = named_sides(sides.systems, sides.references)
    runs = detectors(given.pop("run", None))
    varies = missing == VARY
    more = {"runs": tuple(runs.items())} | ({"missing": VARY} if varies else {})
    options = Transcript.from_given({**given, **more})
    how = {"input": options.input, "units": options.units, "marks": options.marks}
    read = partial(_document, **how, axis=options.axis)
    parts = partial(recordings, input=options.input, encoding=options.encoding, **options.of_format)
    ours = sources(systems, read, parts)
    theirs = sources(references, read, parts, name="reference")
    if not theirs:
        raise UsageError("no references; give at least one")
    ours, theirs = distinct_sides(ours, theirs, runs)
    cases = match(ours, theirs, missing=missing, may_vary=True)
    skipped = without_reference(ours, theirs) if varies else not_matched([*ours, *theirs])
    names = [*(source.name for source in ours), *runs], [source.name for source in theirs]
    if varies:
        require_consensus(options.consensus, len(theirs))
    require_distinct([*names[0], *names[1]])
    if not names[0]:
        if len(theirs) == 1:
            raise UsageError(
                "agreement needs at least two references; give another, or a system to score"
            )
        _require_no(SYSTEMS_ONLY[1:] if options.is_on_signal else SYSTEMS_ONLY, given)
        task = alone
    return Plan(task, options, cases, *names, skipped=skipped)


def _document(value: Any, *, axis: AxisName, source: str, **how: Any) -> Document:
    """A document that is given in memory; on an axis without words, numbers are places."""
    from caesura.tasks.transcript.values import as_document, signal

    if axis != "words" and not isinstance(value, str | PathLike | Document | Segmentation):
        return signal(value, axis, source=source)
    return as_document(value, source=source, **how)


def _require_no(names: Sequence[str], options: Mapping[str, object]) -> None:
    """Raise an error if options of systems are given where agreement is measured."""
    for name in names:
        if options.get(name):
            raise UsageError(f"{option(name, '…')} has no effect on agreement; drop it")


def _axes(documents: CountTable) -> dict[str, str]:
    """For each document, the reference that gave its words."""
    own = documents.measures[ALIGNED]
    keys = documents.names.keys(own.keys)
    there = own.is_counted()
    return {
        name: str(keys[np.flatnonzero(column)[-1]].reference)
        for name, column in zip(documents.documents, there.T, strict=True)
        if column.any()
    }
