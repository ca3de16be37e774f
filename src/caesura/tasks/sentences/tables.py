"""What `caesura sentences` shows."""

from __future__ import annotations

from caesura.core.counts import NAN
from caesura.core.score import View
from caesura.core.summary import Summary
from caesura.output.tables import (
    Column,
    Labelled,
    Page,
    Table,
    document_records,
    document_rows,
    make_table,
    system_rows,
)
from caesura.output.tables.error_lists import Found
from caesura.scores.catalog import catalog

COMPARED = {
    "exact": ("WER and CER count punctuation and case; to leave both out, use --tokens bare.",),
    "lower": ("WER and CER count punctuation; to leave it out, use --tokens bare.",),
}
"""What is said of the error rates, by how words are compared."""


def sentences_page(
    summary: Summary, *, by_document: bool = False, errors: Found | None = None
) -> Page:
    """What `caesura sentences` shows."""
    tables = [_table(summary, "all", ("system",), system_rows(summary))]
    if by_document:
        tables.append(_table(summary, "document", ("document", "system"), document_rows(summary)))
    found = errors or Found()
    records, notes = document_records(summary), COMPARED.get(summary.options["tokens"], ())
    return Page((*tables, *found.tables), notes, summary.signature, records, found.passages)


def _table(summary: Summary, view: View, labels: tuple[str, ...], rows: list[Labelled]) -> Table:
    # TER is left out of systems with long segments, though others have it.
    unknown = {key: NAN for _, scores in rows for key in scores}
    columns: list[Column] = [
        each for each in catalog(*summary.task_kind).columns(view) if each.key in unknown
    ]
    rows = [(names, {**unknown, **scores}) for names, scores in rows]
    title = "Sentences in the reference's segments"
    title += ", document by document" if view == "document" else ""
    return make_table(view, title, labels, columns, rows).in_groups(len(summary.systems))
