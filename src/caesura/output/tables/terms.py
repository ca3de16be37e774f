"""What `caesura terms` shows."""

from __future__ import annotations

from typing import Any

from caesura.errors import number
from caesura.output.tables import Column, Labelled, Page, Table, make_table
from caesura.scores.terms import MEASURES

MATCH_COLUMNS = (
    Column("hits", "hits"),
    Column("found", "found"),
    Column("gold", "gold"),
    Column("P", "precision", "high"),
    Column("R", "recall", "high"),
    Column("F1", "f1", "high"),
)
OTHER_COLUMNS = (
    Column("NED", "ned", "low"),
    Column("pairs", "pairs"),
    Column("coverage", "coverage", "high"),
    Column("over-segmentation", "over_segmentation"),
    Column("R-value", "r_value", "high"),
    Column("ceiling of type R", "recall_ceiling"),
    Column("intervals", "intervals"),
    Column("dropped", "dropped"),
)
SPREAD = {
    "boundary_f1": "boundary F1",
    "token_f1": "token F1",
    "type_f1": "type F1",
    "grouping_f1": "grouping F1",
    "ned": "NED",
    "coverage": "coverage",
}


def terms_page(summary: dict[str, Any]) -> Page:
    """What `caesura terms` shows."""
    systems, n = summary["systems"], len(summary["systems"])
    rows: list[Labelled] = [
        ((measure, system["name"]), system[measure]) for measure in MEASURES for system in systems
    ]
    gold = summary["gold"]
    title = (
        f"Against {number(gold['words'], 'word')} and {number(gold['phones'], 'phone')} "
        f"in {number(gold['recordings'], 'recording')}, profile {summary['profile']}"
    )
    others: list[Labelled] = [((system["name"],), _others(system)) for system in systems]
    tables = [
        make_table(title, ("measure", "system"), MATCH_COLUMNS, rows, n),
        make_table("Clusters and boundaries", ("system",), OTHER_COLUMNS, others, n),
        *_spread_tables(summary),
    ]
    records = tuple({"system": s["name"], "document": "(all)", **s["micro"]} for s in systems)
    return Page(tuple(tables), _notes(summary), summary["signature"], records)


def _others(system: dict[str, Any]) -> dict[str, Any]:
    return {
        "ned": system["ned"]["score"],
        "pairs": system["ned"]["pairs"],
        "coverage": system["coverage"]["score"],
        "over_segmentation": system["boundary"]["over_segmentation"],
        "r_value": system["boundary"]["r_value"],
        "recall_ceiling": system["type"]["recall_ceiling"],
        "intervals": system["intervals"],
        "dropped": system["dropped"],
    }


def _spread_tables(summary: dict[str, Any]) -> list[Table]:
    """The whole corpus beside the mean over parts and over talkers."""
    kinds = {"parts": "parts", "within_talker": "talkers"}
    rows: list[Labelled] = []
    for system in summary["systems"]:
        have = {key: noun for key, noun in kinds.items() if key in system}
        rows += [((system["name"], "whole corpus"), system["micro"])] if have else []
        for key, noun in have.items():
            spread, size = system[key], len(system[key]["each"])
            rows.append(((system["name"], f"mean over {size} {noun}"), spread["mean"]))
            rows.append(((system["name"], "standard deviation"), spread["std"]))
    columns = tuple(Column(title, name) for name, title in SPREAD.items())
    title = "The whole corpus, parts of it, and within talkers"
    return [make_table(title, ("system", "over"), columns, rows)] if rows else []


def _notes(summary: dict[str, Any]) -> tuple[str, ...]:
    return tuple(
        f"{system['name']}: {number(system['dropped'], 'interval')} dropped, in which too little "
        "of any phone lies to be transcribed."
        for system in summary["systems"]
        if system["dropped"]
    )
