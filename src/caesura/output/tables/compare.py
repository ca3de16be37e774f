"""What `caesura compare` shows: scores with daggers, differences, and sentences about them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from caesura.errors import UnknownNameError, UsageError
from caesura.output.tables import Cell, Column, Labelled, Page, Table, make_table, shown
from caesura.scores.scorers import HEADLINES, SCORERS, is_lower_better, shown_titles
from caesura.stats.compare import in_words, is_shown, p_words

DIFFERENCE_COLUMNS = (
    Column("difference", "difference"),
    Column("low", "low"),
    Column("high", "high"),
    Column("p", "p"),
    Column("p Holm", "p_holm"),
    Column("d", "effect_size"),
    Column("better", "better"),
    Column("equal", "equal"),
    Column("worse", "worse"),
)
POWER_COLUMNS = (
    Column("difference", "difference"),
    Column("units", "units"),
    Column("power", "power"),
    Column("units for 80%", "units_needed"),
    Column("annotators", "annotators"),
    Column("annotators for 80%", "annotators_needed"),
)
POWER_NOTE = (
    "Power: how often a difference as great as the one seen would be shown with so many units. "
    "– is more than 1,000 times as many units, more than 100 annotators, or not to be told."
)


def compare_page(
    summary: dict[str, Any], *, mean: str = "micro", measures: Sequence[str] = ()
) -> Page:
    """What `caesura compare` shows, of micro or macro scores."""
    if mean not in summary["systems"][0]:
        raise UsageError("macro scores need documents as units; leave --mean macro out")
    titles = chosen_titles(summary, measures)
    spoken = dict.fromkeys(measures) or [name for name in HEADLINES if name in titles]
    tables = [_score_table(summary, titles, mean), *_difference_tables(summary, titles, mean)]
    power = _power_tables(summary, titles)
    tables += power
    sentences = list(_sentences(summary, titles, list(spoken), mean))
    if "ceiling" in summary:
        people = summary | summary["ceiling"]
        ceiling = chosen_titles(people | {"of": "ceiling"}, ())
        found = _difference_tables(people, ceiling, "micro")
        title = (
            "The human ceiling: each against the references but one, a person against the others"
        )
        tables += [replace(table, title=title) for table in found]
        sentences += _sentences(people, ceiling, ["wisebe"], "micro")
    sentences += [POWER_NOTE] if power else []
    notes = (*sentences, *_dagger_note(tables, summary), *summary["confidence"]["notes"])
    return Page(tuple(tables), notes, summary["signature"], _records(summary))


def chosen_titles(summary: dict[str, Any], measures: Sequence[str]) -> dict[str, str]:
    """The scores to show with their titles: those asked for, or the main ones."""
    known = summary["systems"][0]["micro"]
    for name in measures:
        if name not in known:
            raise UnknownNameError("score", name, known)
    titles = SCORERS[summary["of"]](tuple(summary["references"])).titles
    if measures:
        return {name: titles.get(name, name) for name in measures}
    return shown_titles(titles, [system["micro"] for system in summary["systems"]])


def _score_table(summary: dict[str, Any], titles: dict[str, str], mean: str) -> Table:
    columns = [
        Column(title, name, "low" if is_lower_better(name) else "high")
        for name, title in titles.items()
    ]
    systems = summary["systems"]
    rows: list[Labelled] = [((system["name"],), system[mean]) for system in systems]
    table = make_table(f"Scores, {mean}", ("system",), columns, rows, len(systems))
    names = [system["name"] for system in systems]
    daggers = {
        (names.index(each["systems"][0]), 1 + at)
        for each in summary["comparisons"]
        for at, name in enumerate(titles)
        if summary["baseline"]
        and name in each[mean]
        and is_shown(each[mean][name], _level(summary))
    }
    return replace(table, daggers=frozenset(daggers))


def _difference_tables(summary: dict[str, Any], titles: dict[str, str], mean: str) -> list[Table]:
    """One row for each score and pair."""
    rows: list[Labelled] = [
        ((title, *each["systems"]), _written(each[mean][name]))
        for name, title in titles.items()
        for each in summary["comparisons"]
        if name in each[mean]
    ]
    several = len(summary["comparisons"]) > 1
    columns = [column for column in DIFFERENCE_COLUMNS if several or column.key != "p_holm"]
    title = f"Differences, {mean}, with {_level(summary):.0%} intervals"
    labels = ("score", "system", "less")
    return [make_table(title, labels, columns, rows)] if rows else []


def _power_tables(summary: dict[str, Any], titles: dict[str, str]) -> list[Table]:
    """What it would take to show the differences seen."""
    rows: list[Labelled] = [
        ((title, *each["systems"]), each["micro"][name] | each["power"][name])
        for name, title in titles.items()
        for each in summary["comparisons"]
        if name in each.get("power", {})
    ]
    title = "What it would take to show the differences seen, micro"
    return [make_table(title, ("score", "system", "less"), POWER_COLUMNS, rows)] if rows else []


def _written(values: dict[str, Any]) -> dict[str, Any]:
    """The same with p-values as they are written in print."""
    words = {
        key: p_words(values[key]).removeprefix("p ").removeprefix("= ") for key in ("p", "p_holm")
    }
    return values | words


def _sentences(
    summary: dict[str, Any], titles: dict[str, str], names: Sequence[str], mean: str
) -> Iterator[str]:
    told = summary["confidence"]
    for name in names:
        for each in summary["comparisons"]:
            if name in titles and name in each[mean]:
                pair = each["systems"][0], each["systems"][1]
                yield in_words(pair, titles[name], name, each[mean][name], told)


def _dagger_note(tables: Sequence[Table], summary: dict[str, Any]) -> tuple[str, ...]:
    if not any(table.daggers for table in tables):
        return ()
    alpha = shown(round(1 - _level(summary), 6))
    corrected = ", after Holm's correction" if len(summary["comparisons"]) > 1 else ""
    return (f"† differs from {summary['baseline']}: p < {alpha.rstrip('0')}{corrected}.",)


def _level(summary: dict[str, Any]) -> float:
    return float(summary["confidence"]["level"])


def _records(summary: dict[str, Any]) -> tuple[dict[str, Cell], ...]:
    """Every comparison in full, those with people included."""
    every = [*summary["comparisons"], *summary.get("ceiling", {}).get("comparisons", [])]
    return tuple(
        {
            "system": each["systems"][0],
            "less": each["systems"][1],
            "mean": mean,
            "score": score,
            **values,
        }
        for each in every
        for mean in ("micro", "macro")
        for score, values in each.get(mean, {}).items()
        if not math.isnan(values["difference"])
    )
