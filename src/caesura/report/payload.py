"""The data of the page: the summary, what its tables show, readings and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from caesura.report.charts import transcript_charts
from caesura.report.readings import Reading
from caesura.summary import plain
from caesura.table import Column
from caesura.table.terms import OTHER_COLUMNS
from caesura.table.transcript import (
    AGREEMENT_COLUMNS,
    CEILING_COLUMNS,
    MARK_COLUMNS,
    MEAN_COLUMNS,
    PAIR_COLUMNS,
    REFERENCE_COLUMNS,
    TOGETHER_COLUMNS,
)

VERSION = 1
RATES = {"precision": "P", "recall": "R", "f1": "F1"}
Columns = Sequence[Column]


def payload(summary: Mapping[str, Any], readings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """All that the page shows, as plain values."""
    kept = list(readings)
    task = summary["task"]
    data = {
        "version": VERSION,
        "summary": summary,
        "sections": SECTIONS[task](summary),
        "columns": _columns(summary) if task in TRANSCRIPTS else {},
        "readings": kept,
        "charts": _charts(summary, kept) if task in TRANSCRIPTS else {},
    }
    result: dict[str, Any] = plain(data)
    return result


def _charts(summary: Mapping[str, Any], readings: list[Mapping[str, Any]]) -> dict[str, Any]:
    return transcript_charts([Reading.from_dict(r) for r in readings], summary["options"]["final"])


def _section(title: str, columns: Columns) -> dict[str, Any]:
    return {"title": title, "columns": [asdict(column) for column in columns]}


def _transcript_sections(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The scores of systems; what is made of several references, where there are."""
    tolerant = Column(f"F1 ±{summary['options']['tolerance']}", "tolerant_f1_mean", "high")
    sections = [_section("Mean over the references", (*MEAN_COLUMNS, tolerant))]
    if len(summary["references"]) > 1:
        sections.insert(0, _section("Against all references together", TOGETHER_COLUMNS))
    return sections


def _rates(prefix: str) -> tuple[Column, ...]:
    return tuple(Column(title, f"{prefix}_{name}", "high") for name, title in RATES.items())


def _text_sections(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    units = summary["options"]["units"].capitalize()
    return [_section("Sentences", _rates("sentence")), _section(units, _rates("token"))]


def _terms_sections(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    scores = summary["systems"][0]["micro"] if summary["systems"] else {}
    others = [column for column in OTHER_COLUMNS if column.key in scores]
    kinds = {"boundary": "Boundaries", "token": "Tokens", "type": "Types", "grouping": "Groups"}
    return [
        *(_section(title, _rates(kind)) for kind, title in kinds.items()),
        _section("Clusters and boundaries", others),
    ]


def _columns(summary: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of the other tables."""
    told = {
        "agreement": [c for c in AGREEMENT_COLUMNS if c.key in summary["agreement"]],
        "pairs": PAIR_COLUMNS,
        "references": REFERENCE_COLUMNS,
        "marks": MARK_COLUMNS,
        "ceiling": CEILING_COLUMNS,
    }
    return {name: [asdict(column) for column in columns] for name, columns in told.items()}


TRANSCRIPTS = ("transcript", "agreement")
SECTIONS: dict[str, Callable[[Mapping[str, Any]], list[dict[str, Any]]]] = {
    "transcript": _transcript_sections,
    "agreement": lambda _: [],
    "text": _text_sections,
    "terms": _terms_sections,
}
