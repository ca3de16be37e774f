"""What a scoring command shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from caesura.core.score import View
from caesura.core.summary import Summary
from caesura.errors import number
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
from caesura.scores.catalog import catalog

if TYPE_CHECKING:
    from caesura.output.tables.error_lists import Found


def page_of(summary: Summary, **details: Any) -> Page:
    """The tables of a summary, with intervals and comparisons where it has them."""
    if not summary.documents:
        return Page((), ("There is no document.",), summary.signature, [])
    page: Page = summary.task.parts.page(summary, **details)
    if summary.profile:
        from caesura.output.tables.profile_tables import profile_page

        page = profile_page(summary, page, by_document=bool(details.get("by_document")))
    if summary.skipped:
        skipped, every = len(summary.skipped), len(summary.skipped) + len(summary.documents)
        note = f"{skipped:,} of {number(every, 'document')} left out."
        page = replace(page, notes=(*page.notes, note))
    if summary.confidence is None and summary.comparison is None:
        return page
    from caesura.output.tables.statistics import with_statistics

    return with_statistics(page, summary)


def plain_page(
    summary: Summary,
    views: Mapping[View, tuple[str, str]],
    *,
    by_document: bool = False,
    by: Sequence[str] | None = None,
    errors: Found | None = None,
) -> Page:
    """A table for each view, with its id and title, the groups, and the errors if they are given.

    A view of optional measures that were not counted has none.
    """
    every = (
        _table(summary, view, named, ("system",), system_rows(summary))
        for view, named in views.items()
    )
    tables = [table for table in every if len(table.columns) > 1]
    tables += group_tables(summary, by)
    if by_document:
        first = next(iter(views.items()))
        tables.append(_table(summary, *first, ("document", "system"), document_rows(summary)))
    tables += errors.tables if errors else ()
    passages = errors.passages if errors else ()
    return Page(tuple(tables), (), summary.signature, document_records(summary), passages)


def _table(
    summary: Summary,
    view: View,
    named: tuple[str, str],
    labels: tuple[str, ...],
    rows: list[Labelled],
) -> Table:
    """A table of a view; beside the scores of a profile only its counts."""
    name, title = named
    is_each = len(labels) > 1
    every = catalog(*summary.task_kind).columns(view)
    counted = {key for _, scores in rows for key in scores}
    shown = [each for each in every if each.is_count or not summary.profile]
    columns = [each for each in shown if each.key in counted or not rows]
    table = make_table(
        f"{name}-document" if is_each else name,
        f"{title}, document by document" if is_each else title,
        labels,
        columns,
        rows,
    )
    placed = replace(table, on_page="left out" if is_each else "filled")
    return placed.in_groups(len(summary.systems))
