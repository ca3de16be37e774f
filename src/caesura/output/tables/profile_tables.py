"""What `caesura score` shows: a community's scores and, if asked for, those of caesura below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from caesura.core.measure import Measure
from caesura.core.summary import Summary
from caesura.errors import number
from caesura.output.tables import (
    Column,
    Labelled,
    Page,
    Table,
    document_rows,
    make_table,
    system_rows,
)
from caesura.scores.catalog import catalog


def profile_page(summary: Summary, page: Page, *, by_document: bool = False) -> Page:
    """The table of a profile, then what the tables of its task have beside it.

    Means over documents are shown where the task would show them.
    """
    tables = [_overall(summary)]
    has_means = any(table.id in ("macro", "mean") for table in page.tables)
    if has_means and len(summary.documents) > 1 and tables[0].columns[0].title != MEAN[0]:
        tables.append(_means(summary))
    if by_document:
        tables.append(
            _table(summary, "profile-document", ("document", "system"), document_rows(summary))
        )
    others = (_added(table, tables[0], summary) for table in page.tables)
    return replace(page, tables=(*tables, *(each for each in others if each is not None)))


def _overall(summary: Summary) -> Table:
    """The scores on all documents; their means over documents where sums have no meaning."""
    rows = system_rows(summary)
    if any(_is_known(column, rows) for column in _columns(summary)):
        return _table(summary, "profile", ("system",), rows)
    means: list[Labelled] = [(("macro", each.name), each.macro) for each in summary.systems]
    is_known = any(_is_known(column, means) for column in _columns(summary))
    return _table(summary, "profile", *((MEAN, means) if is_known else (("system",), rows)))


def _means(summary: Summary) -> Table:
    """The means over documents of a profile's scores, which the report shows if they are chosen."""
    assert summary.profile is not None
    rows: list[Labelled] = [((each.name,), each.macro) for each in summary.systems]
    documents = number(len(summary.documents), "document")
    title = f"{summary.profile.name}: mean over {documents} (macro)"
    table = _table(summary, "profile-macro", ("system",), rows)
    return replace(table, title=title, on_page="left out")


def _added(table: Table, own: Table, summary: Summary) -> Table | None:
    """What a table of the task has beside the profile's; nothing if that is nothing, or no error.

    Tables of systems are shown if they are asked for, and sentences if some are wrong. With one
    reference, the title of boundaries says what is counted, which may be something else than in the
    profile's table.
    """
    kind = table.id.removesuffix("-document")
    if kind in OWN and not summary.shows_own_tables:
        return None
    if kind not in REPEATING:
        return table
    names = catalog(*summary.kind).names
    short = catalog(*summary.task_kind).short_names
    shown = {names[column.key] for column in own.columns if column.key}
    left = table.without({*shown, *(short[key] for key in shown if key in short)})
    is_empty = not any(column.key for column in left.columns)
    if is_empty or (kind == "sentences" and _is_flawless(table)):
        return None
    return replace(left, title=_own_title(left, summary))


def _own_title(table: Table, summary: Summary) -> str:
    """The title of a table of the task, in the words of the profile."""
    profile = summary.profile
    assert profile is not None
    words = f"{profile.item.capitalize()}s"
    return profile.beside if table.id == "one" else table.title.replace("Tokens", words)


def _is_flawless(table: Table) -> bool:
    """Whether no unit is wrong or missing."""
    wrong = [at for at, each in enumerate(table.columns) if each.key.endswith(("_fp", "_fn"))]
    return not any(row[at] for row in table.rows for at in wrong)


MEAN = ("mean", "system")
"""The labels of rows that are means over documents."""
REPEATING = ("one", "mean", "document", "sentences", "tokens", "morphs", "boundaries", "excerpts")
"""The tables of systems on the whole corpus or on documents, in which scores may come again."""
OWN = (*(each for each in REPEATING if each != "sentences"), "macro", "each", "chunk_boundaries")
"""The tables below a profile's that `--also boundary` asks for."""


def _table(summary: Summary, id: str, labels: tuple[str, ...], rows: Sequence[Labelled]) -> Table:
    title = _title(summary) + (", document by document" if id.endswith("-document") else "")
    entries = catalog(*summary.kind).systems
    columns = [
        column
        for column in _columns(summary)
        if not _is_further(entries[column.key].measure) or _is_known(column, rows)
    ]
    filled: list[Labelled] = [
        (names, {column.key: scores.get(column.key, math.nan) for column in columns})
        for names, scores in rows
    ]
    return make_table(id, title, labels, columns, filled).in_groups(len(summary.systems))


def _columns(summary: Summary) -> list[Column]:
    return catalog(*summary.kind).columns("profile", summary.options, len(summary.references))


def _is_further(measure: type[Measure]) -> bool:
    """Whether some documents or runs may lack a measure."""
    return measure.is_optional or bool(measure.asked_by)


def _is_known(column: Column, rows: Sequence[Labelled]) -> bool:
    """Whether a score is defined in any row."""
    values: list[Any] = [scores.get(column.key, math.nan) for _, scores in rows]
    return not all(isinstance(value, float) and math.isnan(value) for value in values)


def _title(summary: Summary) -> str:
    """The profile, and how much the references have."""
    profile, name = summary.profile, summary.references[0]
    assert profile is not None
    read = summary.sources[name]
    on_words = summary.options.get("axis", "words") == "words"
    items = [number(read.words, profile.item)] if on_words else []
    sizes = [*items, number(read.units, profile.unit)]
    return f"{profile.name}: {', '.join(dict.fromkeys(sizes))} in {name}"
