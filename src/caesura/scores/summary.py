"""Rows into the summary of a task: what is printed, drawn and written as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from caesura import __version__
from caesura.core.counts import mean
from caesura.core.option import Options, Read
from caesura.core.profile import Profile
from caesura.core.results import Summary, Version
from caesura.core.row import Row, SourceCounts
from caesura.core.rows import Rows
from caesura.core.score import Scores
from caesura.core.task import ALSO, SCORE, Kind, Task
from caesura.scores.book import Book, by_document
from caesura.scores.catalog import catalog
from caesura.scores.ledger import Ledger
from caesura.scores.notes import left_out, notes
from caesura.scores.reading import Place
from caesura.scores.systems import alignment, alignment_of_each, scored_systems

Names = Sequence[str]


def summarize(  # noqa: PLR0913
    task: Task,
    rows: Sequence[Row],
    systems: Names,
    references: Names,
    counter: Options,
    *,
    place: Place | None = None,
    profile: Profile | None = None,
) -> Summary:
    """The summary of a task, from rows alone; `place` names files in warnings."""
    options = counter.given
    kind = Kind(task, profile, tuple(options.get(ALSO) or ()))
    scores, kept = catalog(*kind), Rows.from_rows(rows)
    book = Book.from_rows(kept, by_document)
    ledger = Ledger(book.counts)
    names = [name for name in (*references, *systems) if ledger.named("source", name)]
    keeps_end = getattr(counter, "final", "") == "keep"
    told = notes(book.sheet, references, place, task, keeps_end=keeps_end)
    summary = Summary(
        caesura=__version__,
        task=task,
        profile=profile,
        signature=_signature(task, counter, book, references, profile),
        options=options,
        references=tuple(references),
        documents=book.labels,
        sources={name: _version(book, ledger, name) for name in names},
        systems=scored_systems(book, ledger, systems, references, scores),
        notes=told.read,
        warnings=(*told.warnings, *counter.advice(_forms(book))),
    )
    return task.extras.it(summary, kept, book, scores) if task.extras else summary


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
    task: Task, counter: Options, book: Book, references: Names, profile: Profile | None
) -> str:
    fields = {"caesura": __version__, "task": SCORE if profile else task.name}
    fields |= {"profile": profile.name} if profile else {}
    read = Read(_forms(book), len(references), len(book), has_systems=task.has_systems)
    told = fields | counter.signature(read)
    return "|".join(f"{name}:{value}" for name, value in told.items())


def _forms(book: Book) -> tuple[str, ...]:
    """The forms in which files came."""
    read = book.total.tallies.get(SourceCounts)
    every: Any = sum(read.each() if read else (), SourceCounts.zero())
    forms: tuple[str, ...] = every.forms
    return forms


def _version(book: Book, ledger: Ledger, name: str) -> Version:
    read = sum(ledger.named("source", name), SourceCounts.zero())
    return Version(
        words=read.words,
        units=read.units,
        alignment=alignment(name, ledger),
        by_document=alignment_of_each(name, book),
    )


def mean_scores(each: Sequence[Scores]) -> Scores:
    """The mean of every score where it is defined."""
    return over(each, mean)


def undefined(each: Sequence[Scores]) -> dict[str, int]:
    """How often scores are undefined, for those that are."""
    counted = over(each, lambda values: sum(math.isnan(value) for value in values))
    return {name: number for name, number in counted.items() if number}


def over(each: Sequence[Scores], reduce: Callable[[list[float]], Any]) -> Scores:
    """What a function makes of the values of every score."""
    return {name: reduce([scores[name] for scores in each]) for name in each[0]} if each else {}
