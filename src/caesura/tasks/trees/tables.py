"""What `caesura trees` shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from caesura.core.summary import Summary
from caesura.output.tables import (
    Labelled,
    Page,
    Table,
    document_records,
    document_rows,
    group_tables,
    make_table,
    system_rows,
)
from caesura.output.tables.error_lists import Found
from caesura.output.tables.unit_columns import shared_columns
from caesura.scores.catalog import catalog
from caesura.tasks._aligned_text.notes import unaligned_notes

UNITS = {
    "brackets": "bracket",
    "unlabelled": "unlabelled",
    "tags": "tag",
    "tokens": "token",
    "sentences": "sentence",
}
"""The kinds of units, and how the keys of their scores begin."""


def trees_page(
    summary: Summary,
    *,
    by_document: bool = False,
    by: Sequence[str] = (),
    errors: Found | None = None,
) -> Page:
    """What `caesura trees` shows."""
    whole = system_rows(summary)
    tables = [_unit_table(summary, ("system",), whole), *_other_tables(summary, whole)]
    tables += group_tables(summary, by)
    if by_document:
        tables.append(_unit_table(summary, ("document", "system"), document_rows(summary)))
    found = errors or Found()
    tables += found.tables
    return Page(
        tuple(tables),
        unaligned_notes(summary),
        summary.signature,
        document_records(summary),
        found.passages,
    )


def _unit_table(summary: Summary, labels: tuple[str, ...], rows: Sequence[Labelled]) -> Table:
    """One row for each kind of unit and system; all kinds have the same columns."""
    columns = shared_columns(summary.task, "brackets", "bracket")
    n = len(summary.systems)
    each: list[Labelled] = [
        ((unit, *names), {c.key: scores[f"{prefix}_{c.key}"] for c in columns})
        for start in range(0, len(rows), n)
        for unit, prefix in UNITS.items()
        for names, scores in rows[start : start + n]
    ]
    is_whole = len(labels) == 1
    title = "Brackets, tags, tokens and sentences" + (", document by document" * (not is_whole))
    name = "units" if is_whole else "units-document"
    return make_table(name, title, ("unit", *labels), columns, each).in_groups(n)


def _other_tables(summary: Summary, rows: Sequence[Labelled]) -> Iterator[Table]:
    """Sentences and crossing brackets; and what evalb counts."""
    scores, n = catalog(*summary.task_kind), len(summary.systems)
    title = "Complete sentences and crossing brackets"
    yield make_table("other", title, ("system",), scores.columns("other"), rows).in_groups(n)
    lines = [row for row in rows if "evalb_sentences" in row[1]]
    if lines:
        columns = scores.columns("alignment")
        title = f"Lines, as evalb counts them with {summary.options['evalb']}"
        yield make_table("evalb", title, ("system",), columns, lines).in_groups(n)
