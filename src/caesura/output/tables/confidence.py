"""Intervals and comparisons beside the tables of any command."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from caesura.output.tables import DAGGER, Cell, Column, Labelled, Page, Table, make_table
from caesura.output.tables.compare import compare_page
from caesura.output.tables.transcript import AGREEMENT_COLUMNS, CEILING_COLUMNS
from caesura.scores.scorers import SCORERS, shown_titles

END_COLUMNS = (Column("score", "value"), Column("low", "low"), Column("high", "high"))
MEANS = ("micro", "macro")
SUMS = {"(micro)": "micro", "(macro)": "macro", "(all)": "micro"}


def with_statistics(page: Page, summary: dict[str, Any]) -> Page:
    """The page with intervals and comparisons, where the summary has them."""
    if "confidence" in summary and summary["task"] in SCORERS:
        page = _with_intervals(page, summary)
    if "comparison" in summary:
        other = compare_page(summary["comparison"])
        notes = [note for note in other.notes if not note.startswith(DAGGER)]
        page = replace(
            page,
            tables=(*page.tables, *other.tables[1:]),
            notes=tuple(dict.fromkeys((*page.notes, *notes))),
        )
    return page


def _with_intervals(page: Page, summary: dict[str, Any]) -> Page:
    tables = [*_system_tables(summary), *_agreement_tables(summary), *_ceiling_tables(summary)]
    notes = (*page.notes, *summary["confidence"]["notes"])
    if summary["task"] == "terms":
        notes += ("No intervals: types, groups and NED are of several recordings and do not add.",)
    records = tuple(_extended(record, summary) for record in page.records)
    return replace(page, tables=(*page.tables, *tables), notes=notes, records=records)


def _title(what: str, summary: dict[str, Any]) -> str:
    return f"{summary['confidence']['level']:.0%} intervals of {what}"


def _ends(value: Any, ends: list[float]) -> dict[str, Any]:
    return {"value": value, "low": ends[0], "high": ends[1]}


def _system_tables(summary: dict[str, Any]) -> list[Table]:
    systems = summary.get("systems", [])
    titles = SCORERS[summary["task"]](tuple(summary["references"])).titles
    whole = [{name: _score(system, "micro", name) for name in titles} for system in systems]
    titles = shown_titles(titles, whole)
    tables = []
    for mean in MEANS:
        rows: list[Labelled] = [
            ((title, system["name"]), _ends(_score(system, mean, name), found[name]))
            for name, title in titles.items()
            for system in systems
            for found in [system["confidence"].get(mean, {})]
            if name in found
        ]
        if rows:
            title = _title(f"{mean} scores", summary)
            tables.append(make_table(title, ("measure", "system"), END_COLUMNS, rows))
    return tables


def _score(system: dict[str, Any], mean: str, name: str) -> float:
    """A score of a system, wherever the summary of its task has it."""
    found = system.get(mean, {})
    if name in found:
        return float(found[name])
    tree = system.get("treebank", {}).get(name.removesuffix("_f1"), {})
    return float(tree.get("f1", "nan")) if mean == "micro" else float("nan")


def _agreement_tables(summary: dict[str, Any]) -> list[Table]:
    agreement = summary.get("agreement", {})
    rows: list[Labelled] = []
    for mean, found in agreement.get("confidence", {}).items():
        values = agreement if mean == "micro" else agreement["macro"]
        rows += [
            ((column.title, mean), _ends(values[column.key], found[column.key]))
            for column in AGREEMENT_COLUMNS
            if not math.isnan(values[column.key])
        ]
    title = _title("the references' agreement", summary)
    return [make_table(title, ("coefficient", "mean"), END_COLUMNS, rows)] if rows else []


def _ceiling_tables(summary: dict[str, Any]) -> list[Table]:
    ceiling = summary.get("ceiling", {})
    if "confidence" not in ceiling:
        return []
    found = ceiling["confidence"]
    who = {
        name: (ceiling["systems"][name], ends) for name, ends in found.get("systems", {}).items()
    }
    who |= {f"{n} (person)": (ceiling["annotators"][n], e) for n, e in found["annotators"].items()}
    who["people, on the mean"] = ceiling["human"], found["human"]
    rows: list[Labelled] = [
        ((column.title, name), _ends(values[column.key], ends[column.key]))
        for column in CEILING_COLUMNS
        for name, (values, ends) in who.items()
    ]
    return [make_table(_title("the human ceiling", summary), ("measure", "who"), END_COLUMNS, rows)]


def _extended(record: dict[str, Cell], summary: dict[str, Any]) -> dict[str, Cell]:
    """A line of CSV with the ends of the intervals; documents have none."""
    place = SUMS.get(str(record["document"]))
    if "system" in record:
        (owner,) = [each for each in summary["systems"] if each["name"] == record["system"]]
    else:
        owner = summary["agreement"]
    every = owner["confidence"]
    ends = every.get(place, {}) if place else {}
    result = dict(record)
    for name in every["micro"]:
        result[f"{name}_low"], result[f"{name}_high"] = ends.get(name, (None, None))
    return result
