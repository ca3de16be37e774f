"""Plan: transcripts that are given, as cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike
from typing import Any

from caesura.core.format import AxisName
from caesura.core.option import OptionValues
from caesura.core.segmentation import Document, Segmentation
from caesura.core.task import Task
from caesura.errors import UsageError, option
from caesura.run.given import detectors, named_sides, sources
from caesura.run.inputs import (
    match,
    not_matched,
    require_distinct,
    without_reference,
)
from caesura.run.plans import Missing, Plan, Sides, distinct_sides
from caesura.tasks.transcript.options import VARY
from caesura.tasks.transcript.written_options import require_consensus

SYSTEMS_ONLY = ("tolerance", "k", "consensus")
"""What has no effect without systems; a tolerance only if boundaries are compared by words."""


def transcripts(task: Task, sides: Sides, missing: Missing, options: OptionValues) -> Plan:
    """Versions of documents, against one or several references, or references alone."""
    from caesura.formats.transcripts import recordings

    systems, references = named_sides(sides.systems, sides.references)
    runs = detectors(options.pop("run", None))
    varies = missing == VARY
    more = {"runs": tuple(runs.items())} | ({"missing": VARY} if varies else {})
    counter = task.counter_class.from_given({**options, **more})
    how = {"input": counter.input, "units": counter.units, "marks": counter.marks}
    read = partial(_document, **how, axis=counter.axis)
    parts = partial(recordings, input=counter.input, encoding=counter.encoding, **counter.of_format)
    ours = sources(systems, read, parts)
    theirs = sources(references, read, parts, name="reference")
    if not theirs:
        raise UsageError("no references; give at least one")
    ours, theirs = distinct_sides(ours, theirs, runs)
    cases = match(ours, theirs, missing=missing, may_vary=task.may_vary)
    skipped = without_reference(ours, theirs) if varies else not_matched([*ours, *theirs])
    names = [*(source.name for source in ours), *runs], [source.name for source in theirs]
    if varies:
        require_consensus(counter.consensus, len(theirs))
    require_distinct([*names[0], *names[1]])
    if not names[0]:
        if len(theirs) == 1:
            raise UsageError(
                "agreement needs at least two references; give another, or a system to score"
            )
        _require_no(SYSTEMS_ONLY[1:] if counter.is_on_signal else SYSTEMS_ONLY, options)
        task = task.alone.it if task.alone else task
    return Plan(task, counter, cases, *names, skipped=skipped)


def _document(value: Any, *, axis: AxisName, source: str, **how: Any) -> Document:
    """A document that is given in memory; on an axis without words, numbers are places."""
    if axis != "words" and not isinstance(value, str | PathLike | Document | Segmentation):
        from caesura.tasks.transcript.signals import signal

        return signal(value, axis, source=source)
    from caesura.tasks.transcript.values import as_document

    return as_document(value, source=source, **how)


def _require_no(names: Sequence[str], options: Mapping[str, object]) -> None:
    """Raise an error if options of systems are given where agreement is measured."""
    for name in names:
        if options.get(name):
            raise UsageError(f"{option(name, '…')} has no effect on agreement; drop it")
