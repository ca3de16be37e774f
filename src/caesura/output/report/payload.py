"""The data of the page: the summary, what its tables show, readings and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from caesura.output.report.charts import transcript_charts
from caesura.output.report.readings import Reading
from caesura.output.tables import Column, Page, Table
from caesura.output.tables.confidence import with_statistics
from caesura.output.tables.terms import OTHER_COLUMNS, terms_page
from caesura.output.tables.text import text_page
from caesura.output.tables.transcript import (
    AGREEMENT_COLUMNS,
    CEILING_COLUMNS,
    MARK_COLUMNS,
    PAIR_COLUMNS,
    TOGETHER_COLUMNS,
    agreement_page,
    mean_columns,
    reference_columns,
    transcript_page,
)
from caesura.scores import plain

VERSION = 1
RATES = {"precision": "P", "recall": "R", "f1": "F1"}
DRAWN = (
    "Against ",
    "Mean over",
    "Sentences",
    "Tokens",
    "Words",
    "Clusters and",
    "The human",
    "Pair",
)
Columns = Sequence[Column]
Summary = dict[str, Any]


def payload(summary: Summary, readings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """All that the page shows, as plain values."""
    kept = list(readings)
    task = summary["task"]
    is_transcript = task in TRANSCRIPTS
    written = PAGES[task](summary)
    page = with_statistics(written, summary)
    data = {
        "version": VERSION,
        "summary": summary,
        "sections": SECTIONS[task](summary),
        "columns": _columns(summary) if is_transcript else {},
        "tables": [_table(table) for table in _other_tables(written, page, is_transcript)],
        "notes": page.notes,
        "readings": kept,
        "charts": transcript_charts([Reading.from_dict(each) for each in kept])
        if is_transcript
        else {},
    }
    result: dict[str, Any] = plain(data)
    return result


def _other_tables(written: Page, page: Page, is_transcript: bool) -> list[Table]:  # noqa: FBT001
    """The tables of the command that the page does not draw itself, and those of statistics."""
    own = written.tables[int(is_transcript) :]
    others = [table for table in own if not table.title.startswith(DRAWN)]
    return [*others, *page.tables[len(written.tables) :]]


def _table(table: Table) -> dict[str, Any]:
    heads = [{"title": column.title, "label": not column.key} for column in table.columns]
    return {"title": table.title, "heads": heads, "rows": table.rows}


def _section(title: str, columns: Columns) -> dict[str, Any]:
    return {"title": title, "columns": [asdict(column) for column in columns]}


def _transcript_sections(summary: Summary) -> list[dict[str, Any]]:
    """The scores of systems; what is made of several references, where there are."""
    sections = [_section("Mean over the references", mean_columns(summary))]
    if len(summary["references"]) > 1:
        sections.insert(0, _section("Against all references together", TOGETHER_COLUMNS))
    return sections


def _rates(prefix: str) -> tuple[Column, ...]:
    return tuple(Column(title, f"{prefix}_{name}", "high") for name, title in RATES.items())


def _text_sections(summary: Summary) -> list[dict[str, Any]]:
    units = summary["options"]["units"].capitalize()
    return [_section("Sentences", _rates("sentence")), _section(units, _rates("token"))]


def _terms_sections(summary: Summary) -> list[dict[str, Any]]:
    scores = summary["systems"][0]["micro"] if summary["systems"] else {}
    others = [column for column in OTHER_COLUMNS if column.key in scores]
    kinds = {"boundary": "Boundaries", "token": "Tokens", "type": "Types", "grouping": "Groups"}
    return [
        *(_section(title, _rates(kind)) for kind, title in kinds.items()),
        _section("Clusters and boundaries", others),
    ]


def _columns(summary: Summary) -> dict[str, Any]:
    """The columns of the other tables."""
    told: dict[str, Columns] = {
        "agreement": [c for c in AGREEMENT_COLUMNS if c.key in summary["agreement"]],
        "pairs": PAIR_COLUMNS,
        "references": reference_columns(summary),
        "marks": MARK_COLUMNS,
        "ceiling": CEILING_COLUMNS,
    }
    return {name: [asdict(column) for column in columns] for name, columns in told.items()}


TRANSCRIPTS = ("transcript", "agreement")
SECTIONS: dict[str, Callable[[Summary], list[dict[str, Any]]]] = {
    "transcript": _transcript_sections,
    "agreement": lambda _: [],
    "text": _text_sections,
    "terms": _terms_sections,
}
PAGES: dict[str, Callable[[Summary], Page]] = {
    "transcript": transcript_page,
    "agreement": agreement_page,
    "text": text_page,
    "terms": terms_page,
}
