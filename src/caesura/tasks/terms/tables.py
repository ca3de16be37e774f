"""What `caesura terms` shows."""

from __future__ import annotations

from dataclasses import replace

from caesura.core.summary import Summary
from caesura.errors import number
from caesura.output.tables import Labelled, Page, Table, make_table
from caesura.output.tables.unit_columns import shared_columns
from caesura.scores.catalog import catalog
from caesura.tasks.terms.measures import KINDS

SPREADS = {"parts": "parts", "within_talker": "talkers"}


def terms_page(summary: Summary, **_: object) -> Page:
    """What `caesura terms` shows; a corpus is one document, so there is no table by document."""
    systems, n, gold = summary.systems, len(summary.systems), summary.gold
    assert gold is not None
    title = (
        f"Against {number(gold.words, 'word')} and {number(gold.phones, 'phone')} "
        f"in {number(gold.recordings, 'recording')}, profile {summary.options['profile']}"
    )
    others: list[Labelled] = [((system.name,), system.micro) for system in systems]
    columns = catalog(*summary.task_kind).columns("other")
    tables = [
        _unit_table(summary, title),
        make_table("other", "Clusters and boundaries", ("system",), columns, others).in_groups(n),
        *_spread_tables(summary),
    ]
    records = tuple({"system": s.name, "document": "(micro)", **s.micro} for s in systems)
    return Page(tuple(tables), _notes(summary), summary.signature, records)


def _unit_table(summary: Summary, title: str) -> Table:
    """One row for each kind of unit and system; all kinds have the same columns."""
    first, systems = next(iter(KINDS)), summary.systems
    columns = shared_columns(summary.task, first, first)
    rows: list[Labelled] = [
        ((kind, system.name), {c.key: system.micro[f"{kind}_{c.key}"] for c in columns})
        for kind in KINDS
        for system in systems
    ]
    made = make_table("units", title, ("measure", "system"), columns, rows)
    return made.in_groups(len(systems))


def _spread_tables(summary: Summary) -> list[Table]:
    """The whole corpus, and the mean over parts and over talkers."""
    rows: list[Labelled] = []
    for system in summary.systems:
        have = {key: noun for key, noun in SPREADS.items() if key in system.spreads}
        rows += [((system.name, "whole corpus"), system.micro)] if have else []
        for key, noun in have.items():
            spread = system.spreads[key]
            rows.append(((system.name, f"mean over {len(spread.each)} {noun}"), spread.mean))
            rows.append(((system.name, "standard deviation"), spread.std))
    columns = [
        replace(column, better=None) for column in catalog(*summary.task_kind).columns("spread")
    ]
    title = "Whole corpus, parts, and within talkers"
    return [make_table("spread", title, ("system", "over"), columns, rows)] if rows else []


def _notes(summary: Summary) -> tuple[str, ...]:
    return tuple(
        f"{system.name}: {number(system.micro['dropped'], 'interval')} dropped for covering too "
        "little of any phone."
        for system in summary.systems
        if system.micro["dropped"]
    )
