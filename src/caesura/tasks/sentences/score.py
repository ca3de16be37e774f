"""Sentences from end to end: texts in the segments of the only reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike, fspath

from caesura.core.counts import NAN
from caesura.core.option import OptionValues
from caesura.core.score import View
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.errors import SegmentationError, UsageError, option
from caesura.formats.text_files import by_document, in_documents, read_docids, read_segments
from caesura.output.tables import (
    Labelled,
    Page,
    Table,
    document_records,
    document_rows,
    make_table,
    system_rows,
)
from caesura.output.tables.error_lists import Found
from caesura.run.given import Plan, Sides, distinct_sides, named_sides, sources
from caesura.run.inputs import Source, match, not_matched
from caesura.scores.catalog import catalog
from caesura.scores.read_forms import reference_words
from caesura.scores.summarize import Counted, summary_of_scores
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.sentences.counting import SentencesTask, as_lines
from caesura.tasks.sentences.options import COMPARED

NAME = "name the document of each segment"


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
    names = [source.name for source in ours], [theirs[0].name]
    plan = prepared(Plan(task, options, cases, *names, skipped=skipped), shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def in_documents_of(
    systems: Sequence[Source], reference: Source, docids: object, encoding: str | None
) -> tuple[list[Source], list[Source]]:
    """Systems and a reference in documents, as the names of its segments' documents say.

    Of a system, each line is a document.
    """
    place = "docids"
    if isinstance(docids, str | PathLike):
        names, place = read_docids(fspath(docids)), fspath(docids)
    elif isinstance(docids, Iterable):
        names = ["" if name is None else str(name).strip() for name in docids]
        if not all(names):
            raise SegmentationError(f"docids: number {names.index('')} is blank; {NAME}")
    else:
        raise SegmentationError(f"docids: {docids!r} is not a list; {NAME}, or a path")
    for source in (*systems, reference):
        if source.documents is not None:
            cure = f"give one with {option('docids', '…')}"
            raise UsageError(f"{source.name} has several files; {cure}")

    def lines(source: Source) -> list[str]:
        return read_segments(source.path, encoding) if source.value is None else source.value

    segments = by_document(lines(reference), names, reference.path, place)
    in_order = list(segments)
    divided = [
        replace(system, documents=in_documents(lines(system), in_order, system.path, place))
        for system in systems
    ]
    return divided, [replace(reference, documents=segments)]


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of sentences."""
    documents = counted.table.by_document()
    summary = summary_of_scores(counted, documents)
    return replace(summary, words=reference_words(documents, {}, summary.references))


def sentences_page(
    summary: Summary, *, by_document: bool = False, errors: Found | None = None
) -> Page:
    """What `caesura sentences` shows."""
    tables = [_table(summary, "all", ("system",), system_rows(summary))]
    if by_document:
        tables.append(_table(summary, "document", ("document", "system"), document_rows(summary)))
    listed = errors or Found()
    records, notes = document_records(summary), COMPARED.get(summary.options["tokens"], ())
    return Page((*tables, *listed.tables), notes, summary.signature, records, listed.passages)


def _table(summary: Summary, view: View, labels: tuple[str, ...], rows: list[Labelled]) -> Table:
    # TER is left out of systems with long segments, though others have it.
    unknown = {key: NAN for _, scores in rows for key in scores}
    columns = [
        column for column in catalog(*summary.task_kind).columns(view) if column.key in unknown
    ]
    rows = [(names, {**unknown, **scores}) for names, scores in rows]
    title = "Sentences in the reference's segments"
    title += ", document by document" if view == "document" else ""
    return make_table(view, title, labels, columns, rows).in_groups(len(summary.systems))
