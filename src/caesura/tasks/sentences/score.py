"""Sentences from end to end: texts in the segments of the only reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from typing import TYPE_CHECKING

from caesura.core.counts import NAN
from caesura.core.json_values import typed
from caesura.core.option import OptionValues
from caesura.core.score import View
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.errors import SegmentationError, UsageError, number, option
from caesura.formats.text_files import by_document, in_documents, read_docids, read_segments
from caesura.output.tables import (
    Errors,
    Found,
    Labelled,
    Page,
    Readings,
    Table,
    cut,
    document_records,
    document_rows,
    make_table,
    passage,
    system_rows,
)
from caesura.run.given import Plan, Sides, distinct_sides, named_sides, sources
from caesura.run.inputs import Source, match, not_matched
from caesura.scores.catalog import catalog
from caesura.scores.read_forms import reference_words
from caesura.scores.summarize import Counted, summary_of_scores
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared
from caesura.tasks.sentences.counting import SentencesTask, as_lines
from caesura.tasks.sentences.options import COMPARED

if TYPE_CHECKING:
    from caesura.output.report.segments import SegmentPair

    Pair = tuple[str, str, int, SegmentPair]
    """The system, the document, the number of the segment, and what stands there."""

NAME = "name the document of each segment"
COLUMNS = ("system", "document", "segment", "edits", "words", "reference", "text")
LONGEST = 400
"""The characters of a segment that are shown."""


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


# --- Segments with the most edits -----------------------------------------------------


def pairs_of(readings: Readings) -> Iterator[Pair]:
    """Every segment of every system, as a run kept them."""
    from caesura.output.report.segments import SegmentPairs

    for values in readings:
        kept = typed(SegmentPairs, values)
        for segment, pair in enumerate(kept.pairs, 1):
            yield kept.system, kept.document, segment, pair


def shown_pairs(pairs: Iterable[Pair], most: int) -> Found:
    """The segments with the most edits, on both sides."""
    wrong = sorted((row for row in pairs if row[3].edits), key=lambda row: -row[3].edits)
    passages = []
    for system, document, segment, pair in wrong[:most]:
        size = f"{number(pair.edits, 'edit')}, {number(pair.words, 'word')}"
        sides = (system, cut(pair.system, LONGEST)), ("reference", cut(pair.reference, LONGEST))
        passages.append(passage(f"{document}, segment {segment}: {size}", *sides))
    shown = f"{len(passages)} of {number(len(wrong), 'segment')} with edits"
    return Found((), (f"Segments with the most edits: {shown}\n", *passages))


def pair_cells(row: Pair) -> tuple[str | int, ...]:
    """A segment as it is written to a file of errors."""
    system, document, segment, pair = row
    return system, document, segment, pair.edits, pair.words, pair.reference, pair.system


ERRORS = Errors(pairs_of, shown_pairs, COLUMNS, pair_cells)
