"""A table of counts into the summary of a task: what is printed, drawn and written as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from caesura import __version__
from caesura.core.alignment_scores import ALIGNMENT
from caesura.core.mean import mean
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
from caesura.scores.read_forms import Place, Problems
from caesura.scores.systems import alignment_of, dicts, scored_systems

Names = Sequence[str]


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of a run, or saved ones, and what they are of; `place` names files in warnings."""

    kind: Kind
    table: CountTable
    systems: Names
    references: Names
    options: Options
    place: Place | None = None


def summarize(
    task: Task,
    rows: CountTable | Iterable[Row],
    systems: Names,
    references: Names,
    options: Options,
    *,
    place: Place | None = None,
    profile: Profile | None = None,
) -> Summary:
    """The summary of a task, from counts alone."""
    kind = Kind(task, profile, tuple(options.given.get(ALSO) or ()))
    table = CountTable.from_rows(rows)
    summary: Summary = task.parts.summary(Counted(kind, table, systems, references, options, place))
    return summary


def summary_of_scores(
    counted: Counted, documents: CountTable, problems: Problems | None = None
) -> Summary:
    """What the summaries of all tasks have: the scores of systems, and what was read.

    `documents` are the counts by document; `problems` say what the signs of this task warn of.
    """
    kind, options, references = counted.kind, counted.options, counted.references
    read = documents.systems_of(SOURCE)
    names = [name for name in (*references, *counted.systems) if name in read]
    keeps_end = getattr(options, "final", "") == "keep"
    told = notes(documents, references, counted.place, kind.task, problems, keeps_end=keeps_end)
    forms = _read(documents.total, "form")
    systems: tuple[System, ...] = ()
    if documents:
        systems = scored_systems(documents, counted.systems, references, catalog(*kind))
    return Summary(
        caesura=__version__,
        task=kind.task,
        profile=kind.profile,
        signature=_signature(kind, options, forms, documents, references),
        options=options.given,
        references=tuple(references),
        documents=tuple(documents.documents),
        sources=_versions(documents, names),
        systems=systems,
        notes=told.read,
        warnings=(*told.warnings, *options.advice(forms)),
    )


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
    kind: Kind, options: Options, forms: tuple[str, ...], documents: CountTable, references: Names
) -> str:
    task, profile = kind.task, kind.profile
    fields = {"caesura": __version__, "task": SCORE if profile else task.name}
    fields |= {"profile": profile.name} if profile else {}
    varies = getattr(options, "varies", False)
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
    told = fields | options.signature(read)
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
    rates = [score.key for score in ALIGNMENT if not score.is_count]
    found = {}
    for at, name in enumerate(names):
        columns = alignment_of(documents, name)
        each = {key: columns[key][None] for key in rates if key in columns}
        found[name] = Version(
            words=int(read.words[at, 0]),
            units=int(read.units[at, 0]),
            alignment=dicts(alignment_of(documents.total, name), 1)[0],
            by_document=DocumentScores(documents.documents if columns else (), each),
        )
    return found


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


def with_groups(summary: Summary, total: CountTable, measure: Any) -> Summary:
    """Add to each system the scores of its groups, if there is one gold."""
    if len(summary.references) != 1 or SOURCE not in total.measures:
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
