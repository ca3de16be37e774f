"""What `caesura correlate` shows."""

from __future__ import annotations

from typing import Any

from caesura.output.tables import Cell, Column, Labelled, Page, make_table
from caesura.output.tables.transcript import AGREEMENT_COLUMNS
from caesura.scores.scorers import TITLES
from caesura.stats.correlation import COEFFICIENTS

NAMES = {column.key: column.title for column in AGREEMENT_COLUMNS} | TITLES
HEADINGS = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}


def correlate_page(summary: dict[str, Any]) -> Page:
    """One row for each pair of scores."""
    columns = [Column("points", "points")]
    for name, title in HEADINGS.items():
        columns += [
            Column(title, name),
            Column("low", f"{name}_low"),
            Column("high", f"{name}_high"),
        ]
    rows: list[Labelled] = [
        ((_title(pair["measures"][0]), _title(pair["measures"][1])), _flat(pair))
        for pair in summary["pairs"]
    ]
    table = make_table("Correlations over documents", ("score", "with"), columns, rows)
    records: tuple[dict[str, Cell], ...] = tuple(
        {"score": pair["measures"][0], "with": pair["measures"][1], **_flat(pair)}
        for pair in summary["pairs"]
    )
    notes = tuple(summary["confidence"]["notes"])
    return Page((table,), notes, summary["signature"], records)


def _title(name: str) -> str:
    return NAMES.get(name, name)


def _flat(pair: dict[str, Any]) -> dict[str, Any]:
    flat = {"points": pair["points"]}
    for name in COEFFICIENTS:
        found = pair[name]
        flat |= {name: found["value"], f"{name}_low": found["low"], f"{name}_high": found["high"]}
    return flat
