"""Tables of groups, such as brackets by label or edits by type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from caesura.core.summary import Summary
from caesura.output.tables import Column, Labelled, Table, make_table
from caesura.scores.catalog import catalog


def group_tables(summary: Summary, by: Iterable[str] | None = None) -> list[Table]:
    """A table for each kind of group that is named, or that the systems have."""
    have = summary.systems[0].groups if summary.systems else ()
    kinds = [name.removeprefix("by_") for name in have] if by is None else by
    return [_group_table(summary, kind) for kind in kinds]


def _group_table(summary: Summary, kind: str) -> Table:
    """One row for each group and system that has it."""
    measures: Any = catalog(*summary.task_kind).measures
    measure = next(each for each in measures if kind in getattr(each, "titles", ()))
    columns = [Column(s.label, s.key, s.better, s.help, s.is_count) for s in measure.of_group]
    groups = {each.name: each.groups[f"by_{kind}"] for each in summary.systems}
    names = dict.fromkeys(name for own in groups.values() for name in own)
    rows: list[Labelled] = [
        ((name, system), own[name])
        for name in names
        for system, own in groups.items()
        if name in own
    ]
    return make_table(f"by-{kind}", measure.titles[kind], (kind, "system"), columns, rows)
