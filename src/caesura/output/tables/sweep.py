"""What `caesura transcript --sweep` shows: a table of scores, one of ranks, and a chart."""

from __future__ import annotations

from typing import Any

from caesura.output.chart import Chart
from caesura.output.tables import Better, Cell, Column, Labelled, Page, make_table
from caesura.scores.scorers import TITLES, is_lower_better


def sweep_page(summary: dict[str, Any]) -> Page:
    """Scores and ranks of systems, a column for each value."""
    title = _title(summary)
    better: Better = "low" if is_lower_better(summary["score"]) else "high"
    values = list(map(str, summary["values"]))
    scores: list[Labelled] = [
        ((system["name"],), dict(zip(values, system["score"], strict=True)))
        for system in summary["systems"]
    ]
    ranks: list[Labelled] = [
        ((system["name"],), dict(zip(values, system["rank"], strict=True)))
        for system in summary["systems"]
    ]
    head = ("system",)
    tables = [
        make_table(
            f"{title} by {summary['option']}, micro", head,
            [Column(value, value, better) for value in values], scores, len(scores),
        )
    ]  # fmt: skip
    if len(scores) > 1:
        columns = [Column(value, value) for value in values]
        tables.append(make_table("Ranks", head, columns, ranks))
    return Page(tuple(tables), _notes(summary), summary["signature"], _records(summary))


def _title(summary: dict[str, Any]) -> str:
    return TITLES[summary["score"]]


def _notes(summary: dict[str, Any]) -> tuple[str, ...]:
    if len(summary["systems"]) < 2:
        return ()
    crossings = tuple(
        f"{each['systems'][0]} and {each['systems'][1]} cross between {summary['option']} "
        f"{each['between'][0]} and {each['between'][1]}."
        for each in summary["crossings"]
    )
    return crossings or ("No two systems cross.",)


def _records(summary: dict[str, Any]) -> tuple[dict[str, Cell], ...]:
    """One line for each system and value, all scores in full."""
    return tuple(
        {"system": system["name"], summary["option"]: value, "rank": rank, **scores}
        for system in summary["systems"]
        for value, rank, scores in zip(
            summary["values"], system["rank"], system["micro"], strict=True
        )
    )


def sweep_chart(summary: dict[str, Any]) -> Chart:
    """The same as a picture."""
    lines = {system["name"]: tuple(system["score"]) for system in summary["systems"]}
    title = f"{_title(summary)} by {summary['option']}"
    return Chart(title, summary["option"], tuple(summary["values"]), lines)
