"""Transcripts from end to end: boundaries, against one or several references; and agreement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from os import PathLike
from typing import Any

import numpy as np

from caesura.core.alignment_scores import ALIGNED
from caesura.core.consensus import votes_needed
from caesura.core.format import AxisName
from caesura.core.option import OptionValues
from caesura.core.results import ReferencePair
from caesura.core.segmentation import BoolArray, Document, Segmentation
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.core.task import Task
from caesura.errors import UsageError, number, option
from caesura.formats.transcripts import recordings
from caesura.measures.boundary import Boundary
from caesura.run.given import Missing, Plan, Sides, detectors, distinct_sides, named_sides, sources
from caesura.run.inputs import match, not_matched, require_distinct, without_reference
from caesura.scores.catalog import catalog
from caesura.scores.panels import panel_sizes, who_has
from caesura.scores.read_forms import reference_words
from caesura.scores.summarize import Counted, summary_of_scores, with_groups
from caesura.scores.systems import scored_ceiling, scored_references
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.transcript.counting import Transcript
from caesura.tasks.transcript.options import VARY, ranked, require_consensus

SYSTEMS_ONLY = ("tolerance", "k", "consensus")
"""What has no effect without systems; a tolerance only if boundaries are compared by words."""
NAMED = 3
"""How many pairs a warning names."""
MANY = 5
"""How many boundaries two annotators have in common if it is odd that they have no other."""


def score_transcripts(
    task: Task, alone: Task, sides: Sides, given: OptionValues, shared: Shared
) -> Evaluation:
    """Score boundaries against one or several references; without systems, `alone` is the task.

    Documents are matched by name, read, put on one axis and counted (`Transcript.count`), here or
    in other processes; scores are made of the sums.
    """
    plan = prepared(_plan(task, alone, sides, shared.missing, given), shared)
    if plan.counter.threshold:
        from caesura.tasks.transcript.thresholds import with_thresholds

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
        from caesura.tasks.transcript.thresholds import ranking_curves

        used = dict(summary.options.get("thresholds") or ())
        curves = ranking_curves(documents, systems, references, used)
        summary = replace(summary, curves=curves)
    return _with_panels(summary, documents) if varies else summary


def _plan(task: Task, alone: Task, sides: Sides, missing: Missing, given: OptionValues) -> Plan:
    """Versions of documents, against one or several references, or references alone."""
    systems, references = named_sides(sides.systems, sides.references)
    runs = detectors(given.pop("run", None))
    varies = missing == VARY
    more = {"runs": tuple(runs.items()), **({"missing": VARY} if varies else {})}
    options = Transcript.from_given({**given, **more})
    form = {"input": options.input, "units": options.units, "marks": options.marks}
    read = partial(_document, **form, axis=options.axis)
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
        for name in SYSTEMS_ONLY[1:] if options.is_on_signal else SYSTEMS_ONLY:
            if given.get(name):
                raise UsageError(f"{option(name, '…')} has no effect on agreement; drop it")
        task = alone
    return Plan(task, options, cases, *names, skipped=skipped)


def _document(value: Any, *, axis: AxisName, source: str, **form: Any) -> Document:
    """A document that is given in memory; on an axis without words, numbers are places."""
    from caesura.tasks.transcript.values import as_document, signal

    if axis != "words" and not isinstance(value, str | PathLike | Document | Segmentation):
        return signal(value, axis, source=source)
    return as_document(value, source=source, **form)


def _axes(documents: CountTable) -> dict[str, str]:
    """For each document, the reference that gave its words."""
    aligned = documents.measures[ALIGNED]
    keys = documents.names.keys(aligned.keys)
    return {
        name: str(keys[np.flatnonzero(is_counted)[-1]].reference)
        for name, is_counted in zip(documents.documents, aligned.is_counted().T, strict=True)
        if is_counted.any()
    }


# --- Annotators that vary -------------------------------------------------------------


def _with_panels(summary: Summary, documents: CountTable) -> Summary:
    """The summary with who has which documents, and with notes and warnings of it."""
    references = summary.references
    names = (*references, *(system.name for system in summary.systems))
    has = who_has(documents, names)
    who = dict(zip(names, map(tuple, has.tolist()), strict=True))
    panels = panel_sizes(documents, references)
    warnings = (
        *summary.warnings,
        *_left_out(summary, panels, who),
        *_not_shared(references, has[: len(references)], has_systems=bool(summary.systems)),
        *_copied(summary, documents),
    )
    return replace(summary, panels=panels, who=who, warnings=warnings)


def _left_out(
    summary: Summary, panels: dict[int, int], who: dict[str, tuple[bool, ...]]
) -> Iterator[str]:
    """Warnings of documents that a score, or a system, is not of."""
    all_documents = number(len(summary.documents), "document")
    rule = summary.options["consensus"]
    left = sum(times for size, times in panels.items() if votes_needed(rule, size) > size)
    if left and summary.systems:
        fewer = f"fewer than {number(rule, 'reference')}"
        yield f"{left:,} of {all_documents} with {fewer}, left out of consensus scores"
    for system in summary.systems:
        if (scored := sum(who[system.name])) < len(summary.documents):
            yield f"{system.name} is scored on {scored:,} of {all_documents}, those that it has"


def _not_shared(references: Sequence[str], has: BoolArray, *, has_systems: bool) -> Iterator[str]:
    """Warnings of annotators who share nothing, or who are not connected."""
    is_shared = has.astype(np.int64) @ has.T > 0
    apart = [(a, b) for a, b in combinations(range(len(references)), 2) if not is_shared[a, b]]
    if apart:
        named = ", ".join(f"{references[a]} and {references[b]}" for a, b in apart[:NAMED])
        more = f" and {number(len(apart) - NAMED, 'other pair')}" if len(apart) > NAMED else ""
        yield f"no document is shared by {named}{more}; they have no agreement of their own"
    groups = []  # of annotators who share documents, directly or through others
    left = [*range(len(references))]
    while left:
        group = {left[0]}
        while new := {at for at in left if is_shared[[*group], at].any()} - group:
            group |= new
        groups.append(", ".join(references[at] for at in sorted(group)))
        left = [at for at in left if at not in group]
    if len(groups) > 1:
        more = " | …" if len(groups) > NAMED else ""
        yield (
            f"the annotators are {len(groups)} groups that share no document "
            f"({' | '.join(groups[:NAMED])}{more}); "
            f"{'only the systems link them' if has_systems else 'nothing compares them'}"
        )


def _copied(summary: Summary, documents: CountTable) -> Iterator[str]:
    """A warning of annotators who have all boundaries in common, as if one were copied."""
    pairs: Sequence[ReferencePair] = summary.agreement.pairs if summary.agreement else ()
    same = [pair.references for pair in pairs if pair.scores.get("f1") == 1.0]
    if not same:
        return
    codes = np.array([documents.names.grid([a], [b])[0, 0] for a, b in same])
    counts, _ = documents.total.counts(Boundary.name, codes)
    named = [f"{a} and {b}" for (a, b), tp in zip(same, counts.tp[:, 0], strict=True) if tp >= MANY]
    if named:
        shown = ", ".join(named[:NAMED]) + (" …" if len(named) > NAMED else "")
        yield f"{shown} have the same boundaries; a copied annotation raises RGAR and the ceiling"
