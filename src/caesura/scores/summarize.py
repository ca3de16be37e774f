"""A table of counts into the summary of a task: what is printed, drawn and written as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from caesura import __version__
from caesura.core.alignment_scores import ALIGNMENT
from caesura.core.mean import mean
from caesura.core.measure import GroupMeasure
from caesura.core.option import Options, Read
from caesura.core.profile import Profile
from caesura.core.results import DocumentScores, System, Version
from caesura.core.row import SOURCE, Row
from caesura.core.score import ALSO, Scores, values
from caesura.core.summary import Summary
from caesura.core.table import CountTable, Key
from caesura.core.task import SCORE, Kind, Task
from caesura.scores.catalog import catalog
from caesura.scores.notes import left_out, notes
from caesura.scores.panels import panel_sizes
from caesura.scores.read_forms import Place
from caesura.scores.rules import Columns
from caesura.scores.systems import alignment_of, dicts, scored_systems

Names = Sequence[str]


def summarize(
    task: Task,
    rows: CountTable | Iterable[Row],
    systems: Names,
    references: Names,
    counter: Options,
    *,
    place: Place | None = None,
    profile: Profile | None = None,
) -> Summary:
    """The summary of a task, from counts alone; `place` names files in warnings."""
    options = counter.given
    kind = Kind(task, profile, tuple(options.get(ALSO) or ()))
    scores, table = catalog(*kind), CountTable.from_rows(rows)
    documents = table.by_document()
    read = documents.systems_of(SOURCE)
    names = [name for name in (*references, *systems) if name in read]
    keeps_end = getattr(counter, "final", "") == "keep"
    told = notes(documents, references, place, task, keeps_end=keeps_end)
    forms = _read(documents.total, "form")
    summary = Summary(
        caesura=__version__,
        task=task,
        profile=profile,
        signature=_signature(task, counter, forms, documents, references, profile),
        options=options,
        references=tuple(references),
        documents=tuple(documents.documents),
        sources=_versions(documents, names),
        systems=scored_systems(documents, systems, references, scores) if documents else (),
        notes=told.read,
        warnings=(*told.warnings, *counter.advice(forms)),
    )
    if not documents:
        return summary
    if task.grouped and (task.grouped_if or SOURCE) in documents.measures:
        summary = _with_groups(summary, documents.total, task.grouped.it)
    return task.extras.it(summary, table, documents, scores) if task.extras else summary


def with_skipped(
    summary: Summary, missing: Mapping[str, str], failed: Mapping[str, str] | None = None
) -> Summary:
    """The summary with the documents that are left out, and with warnings of those missing.

    Those that failed are reported one by one, as errors are.
    """
    skipped = {**missing, **(failed or {})}
    told = left_out(missing, len(summary.documents) + len(skipped) - len(missing))
    return replace(summary, skipped=skipped, warnings=(*told, *summary.warnings))


def _signature(
    task: Task,
    counter: Options,
    forms: tuple[str, ...],
    documents: CountTable,
    references: Names,
    profile: Profile | None,
) -> str:
    fields = {"caesura": __version__, "task": SCORE if profile else task.name}
    fields |= {"profile": profile.name} if profile else {}
    varies = getattr(counter, "varies", False)
    sizes = tuple(panel_sizes(documents, references)) if varies else ()
    panels = sizes if sizes and sizes != (len(references),) else ()
    read = Read(
        forms,
        len(references),
        len(documents),
        has_systems=task.has_systems,
        panels=panels,
        signs=_read(documents.total, "sign"),
    )
    told = fields | counter.signature(read)
    return "|".join(f"{name}:{value}" for name, value in told.items())


def _read(total: CountTable, wanted: str) -> tuple[str, ...]:
    """The forms in which files came, or the signs that some file has."""
    read = total.measures.get(SOURCE)
    there: Any = read.values.any(axis=1) if read else ()
    every = zip(read.fields, there, strict=True) if read else ()
    named = [item for item, is_there in every if isinstance(item, tuple) and is_there]
    return tuple(sorted(name for kind, name in named if kind == wanted))


def _versions(documents: CountTable, names: Names) -> dict[str, Version]:
    """The size of each version, and how its words were aligned."""
    if not names:
        return {}
    read, _ = documents.total.counts(SOURCE, documents.names.grid(names)[:, 0])
    every = zip(names, read.words[:, 0].tolist(), read.units[:, 0].tolist(), strict=True)
    return {name: _version(documents, name, *size) for name, *size in every}


def _version(documents: CountTable, name: str, words: int, units: int) -> Version:
    each = {key: column[None] for key, column in alignment_of(documents, name).items()}
    return Version(
        words=words,
        units=units,
        alignment=dicts(alignment_of(documents.total, name), 1)[0],
        by_document=DocumentScores(documents.documents if each else (), _rates(each)),
    )


def _rates(columns: Columns) -> Columns:
    rates = [score.key for score in ALIGNMENT if not score.is_count]
    return {key: columns[key] for key in rates if key in columns}


def mean_scores(each: Sequence[Scores]) -> Scores:
    """The mean of every score where it is defined."""
    return over(each, mean)


def undefined(each: Sequence[Scores]) -> dict[str, int]:
    """The number of undefined values of each score that has any."""
    counted = over(each, lambda values: sum(math.isnan(value) for value in values))
    return {name: number for name, number in counted.items() if number}


def over(each: Sequence[Scores], reduce: Callable[[list[float]], Any]) -> Scores:
    """Reduce the values of every score with a function."""
    return {name: reduce([scores[name] for scores in each]) for name in each[0]} if each else {}


def _with_groups(summary: Summary, total: CountTable, measure: type[GroupMeasure]) -> Summary:
    """Add to each system the scores of its groups, if there is one gold."""
    if len(summary.references) != 1:
        return summary
    (gold,) = summary.references

    def grouped(system: System) -> dict[str, dict[str, Scores]]:
        kinds = measure.groups(total.counted(measure, Key(system.name, gold)))
        return {
            f"by_{kind}": {name: values(measure.of_group, each) for name, each in groups.items()}
            for kind, groups in kinds.items()
        }

    systems = tuple(replace(system, groups=grouped(system)) for system in summary.systems)
    return replace(summary, systems=systems)
