"""Tables of intervals and comparisons, for any command."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from caesura.core.results import Interval, Mean
from caesura.core.score import Scores
from caesura.core.summary import Summary
from caesura.output.tables import (
    DAGGER,
    HUMAN,
    Cell,
    Column,
    Labelled,
    Page,
    Records,
    Table,
    ceiling_rows,
    columns,
    make_table,
)
from caesura.output.tables.differences import compare_page
from caesura.scores.catalog import catalog
from caesura.stats.scorer import scorer
from caesura.stats.significance import defined_labels

END_COLUMNS = (Column("score", "value"), Column("low", "low"), Column("high", "high"))
MEANS: tuple[Mean, ...] = ("micro", "macro")
SUMS: dict[str, Mean] = {"(micro)": "micro", "(macro)": "macro"}


def with_statistics(page: Page, summary: Summary) -> Page:
    """The page with intervals and comparisons, where the summary has them."""
    if summary.confidence is not None:
        page = _with_intervals(page, summary)
    if summary.comparison is not None:
        other = compare_page(summary.comparison)
        notes = [note for note in other.notes if not note.startswith(DAGGER)]
        page = replace(
            page,
            tables=(*page.tables, *other.tables[1:]),
            notes=tuple(dict.fromkeys((*page.notes, *notes))),
        )
    return page


def _with_intervals(page: Page, summary: Summary) -> Page:
    tables = [*_system_tables(summary), *_agreement_tables(summary), *_ceiling_tables(summary)]
    notes = (*page.notes, *(summary.confidence.notes if summary.confidence else ()))
    if summary.task.resampled != "document":
        notes += ("No intervals for types, groups and NED, which span several recordings.",)
    records = Records(lambda: (_extended(record, summary) for record in page.records))
    return replace(page, tables=(*page.tables, *tables), notes=notes, records=records)


def _title(what: str, summary: Summary) -> str:
    level = summary.confidence.level if summary.confidence else math.nan
    return f"{level:.0%} intervals of {what}"


def _ends(value: float, ends: Interval) -> dict[str, Cell]:
    return {"value": float(value), "low": ends[0], "high": ends[1]}


def _system_tables(summary: Summary) -> list[Table]:
    known = scorer(catalog(*summary.kind), summary.references).labels
    tables = []
    for mean in MEANS if len(summary.documents) > 1 else MEANS[:1]:
        labels = defined_labels(known, summary.systems, mean)
        rows: list[Labelled] = [
            ((label, system.name), _ends(getattr(system, mean)[key], ends[key]))
            for key, label in labels.items()
            for system in summary.systems
            for ends in [(system.confidence or {}).get(mean, {})]
            if key in ends and key in getattr(system, mean)
        ]
        if rows:
            title = _title(f"{mean} scores", summary)
            labelled = ("measure", "system")
            tables.append(make_table(f"intervals-{mean}", title, labelled, END_COLUMNS, rows))
    return tables


def _agreement_tables(summary: Summary) -> list[Table]:
    agreement = summary.agreement
    if agreement is None or agreement.confidence is None:
        return []
    rows: list[Labelled] = [
        ((column.title, mean), _ends(getattr(agreement, mean)[column.key], found[column.key]))
        for mean, found in agreement.confidence.items()
        for column in columns(summary, "agreement")
        if not math.isnan(getattr(agreement, mean).get(column.key, math.nan))
    ]
    title, labels = _title("the references' agreement", summary), ("coefficient", "mean")
    made = make_table("intervals-agreement", title, labels, END_COLUMNS, rows)
    return [made] if rows else []


def _ceiling_tables(summary: Summary) -> list[Table]:
    found = summary.ceiling.confidence if summary.ceiling else None
    if found is None:
        return []
    people = {f"{name} (person)": ends for name, ends in found.annotators.items()}
    every = {**found.systems, **people, HUMAN: found.human}
    rows: list[Labelled] = [
        ((column.title, name), _ends(values[column.key], every[name][column.key]))
        for column in columns(summary, "ceiling")
        for name, values in ceiling_rows(summary)
    ]
    title, labels = _title("the human ceiling", summary), ("measure", "who")
    return [make_table("intervals-ceiling", title, labels, END_COLUMNS, rows)]


def _extended(record: Mapping[str, Cell], summary: Summary) -> dict[str, Cell]:
    """A line of CSV with the ends of the intervals; documents have none."""
    mean = SUMS.get(str(record["document"]))
    if "system" in record:
        (owner,) = [each.confidence for each in summary.systems if each.name == record["system"]]
    else:
        owner = summary.agreement.confidence if summary.agreement else None
    every = owner or {}
    known, references = catalog(*summary.kind), len(summary.references)
    ends = known.with_short_names(every.get(mean, {}) if mean else {}, references)
    result: Scores = dict(record)
    for key in known.with_short_names(every.get("micro", {}), references):
        if key in known.systems and key not in record:
            continue
        result[f"{key}_low"], result[f"{key}_high"] = ends.get(key, (None, None))
    return result
