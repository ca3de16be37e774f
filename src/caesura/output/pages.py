"""What a scoring command shows; of a profile, its scores above those of its task."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from caesura.core.score import Column, View
from caesura.core.summary import Summary
from caesura.errors import number
from caesura.output.tables import (
    Found,
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

REPEATING = ("one", "mean", "document", "sentences", "tokens", "morphs", "boundaries", "excerpts")
"""The tables of systems on the whole corpus or on documents, in which scores may come again."""
OWN = (*(name for name in REPEATING if name != "sentences"), "macro", "each", "chunk_boundaries")
"""The tables below a profile's that `--also boundary` asks for."""


def page_of(summary: Summary, **details: Any) -> Page:
    """The tables of a summary, with intervals and comparisons where it has them."""
    if not summary.documents:
        return Page((), ("There is no document.",), summary.signature, [])
    page: Page = summary.task.parts.page(summary, **details)
    if summary.profile:
        tables = tuple(_profile_tables(summary, page, by_document=bool(details.get("by_document"))))
        page = replace(page, tables=tables)
    if summary.skipped:
        skipped, every = len(summary.skipped), len(summary.skipped) + len(summary.documents)
        note = f"{skipped:,} of {number(every, 'document')} left out."
        page = replace(page, notes=(*page.notes, note))
    if summary.confidence is None and summary.comparison is None:
        return page
    from caesura.output.statistics import with_statistics

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
    every = (_view_table(summary, view, *named) for view, named in views.items())
    tables = [table for table in every if len(table.columns) > 1]
    tables += group_tables(summary, by)
    if by_document:
        view, named = next(iter(views.items()))
        tables.append(_view_table(summary, view, *named, by_document=True))
    errors = errors or Found()
    tables += errors.tables
    records = document_records(summary)
    return Page(tuple(tables), (), summary.signature, records, errors.passages)


def _view_table(
    summary: Summary, view: View, name: str, title: str, *, by_document: bool = False
) -> Table:
    """A table of a view; beside the scores of a profile only its counts."""
    labels: tuple[str, ...] = ("system",)
    rows = system_rows(summary)
    if by_document:
        name, title = f"{name}-document", f"{title}, document by document"
        labels, rows = ("document", "system"), document_rows(summary)
    counted = {key for _, scores in rows for key in scores}
    columns = [
        column
        for column in catalog(*summary.task_kind).columns(view)
        if (column.is_count or not summary.profile) and (column.key in counted or not rows)
    ]
    table = make_table(name, title, labels, columns, rows)
    table = replace(table, on_page="left out" if by_document else "filled")
    return table.in_groups(len(summary.systems))


def _profile_tables(summary: Summary, page: Page, *, by_document: bool) -> Iterator[Table]:
    """The table of a profile, then what the tables of its task have beside it.

    Where sums have no meaning, it shows the means over documents. Else these have a table of their
    own, where the task would show them, which the report shows if they are chosen.
    """
    profile = summary.profile
    assert profile is not None
    rows = system_rows(summary)
    means: list[Labelled] = [((system.name,), system.macro) for system in summary.systems]
    columns = _columns(summary)
    has_sums, has_macro = (any(_is_known(key, each) for key in columns) for each in (rows, means))
    are_means = has_macro and not has_sums
    if are_means:
        named: list[Labelled] = [(("macro", *names), scores) for names, scores in means]
        own = _profile_table(summary, "profile", ("mean", "system"), named)
    else:
        own = _profile_table(summary, "profile", ("system",), rows)
    yield own
    has_means = any(table.id in ("macro", "mean") for table in page.tables)
    if has_means and len(summary.documents) > 1 and not are_means:
        table = _profile_table(summary, "profile-macro", ("system",), means)
        title = f"{profile.name}: mean over {number(len(summary.documents), 'document')} (macro)"
        yield replace(table, title=title, on_page="left out")
    if by_document:
        labels = ("document", "system")
        yield _profile_table(summary, "profile-document", labels, document_rows(summary))
    for table in page.tables:
        added = _added(table, own, summary)
        if added is not None:
            yield added


def _columns(summary: Summary) -> list[Column]:
    return catalog(*summary.kind).columns("profile", summary.options, len(summary.references))


def _is_known(column: Column, rows: Sequence[Labelled]) -> bool:
    """Whether a score is defined in any row."""
    values: Iterator[Any] = (scores.get(column.key, math.nan) for _, scores in rows)
    return not all(isinstance(value, float) and math.isnan(value) for value in values)


def _profile_table(
    summary: Summary, id: str, labels: tuple[str, ...], rows: Sequence[Labelled]
) -> Table:
    """The scores of a profile; those that some documents or runs may lack, if a row has them.

    The title says how much the references have.
    """
    profile, name = summary.profile, summary.references[0]
    assert profile is not None
    source, on_words = summary.sources[name], summary.options.get("axis", "words") == "words"
    sizes = [number(source.words, profile.item)] if on_words else []
    sizes.append(number(source.units, profile.unit))
    title = f"{profile.name}: {', '.join(dict.fromkeys(sizes))} in {name}"
    title += ", document by document" if id.endswith("-document") else ""
    entries, columns = catalog(*summary.kind).systems, []
    for column in _columns(summary):
        measure = entries[column.key].measure
        if not (measure.is_optional or measure.asked_by) or _is_known(column, rows):
            columns.append(column)
    filled: list[Labelled] = [
        (names, {column.key: scores.get(column.key, math.nan) for column in columns})
        for names, scores in rows
    ]
    return make_table(id, title, labels, columns, filled).in_groups(len(summary.systems))


def _added(table: Table, own: Table, summary: Summary) -> Table | None:
    """What a table of the task has beside the profile's; nothing if that is nothing, or no error.

    Tables of systems are shown if they are asked for, and sentences if some are wrong. With one
    reference, the title of boundaries says what is counted, which may be something else than in the
    profile's table.
    """
    kind, profile = table.id.removesuffix("-document"), summary.profile
    assert profile is not None
    if kind in OWN and not summary.shows_own_tables:
        return None
    if kind not in REPEATING:
        return table
    names = catalog(*summary.kind).names
    short = catalog(*summary.task_kind).short_names
    shown = {names[column.key] for column in own.columns if column.key}
    left = table.without({*shown, *(short[key] for key in shown if key in short)})
    if not any(column.key for column in left.columns):
        return None
    wrong = [at for at, each in enumerate(table.columns) if each.key.endswith(("_fp", "_fn"))]
    if kind == "sentences" and not any(row[at] for row in table.rows for at in wrong):
        return None
    title = left.title.replace("Tokens", f"{profile.item.capitalize()}s")
    return replace(left, title=profile.beside if left.id == "one" else title)
