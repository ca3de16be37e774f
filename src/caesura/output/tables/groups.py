"""Tables of groups: brackets by label or length, edits by type or operation, morphs by category."""

from __future__ import annotations

from collections.abc import Iterable

from caesura.core.results import Summary
from caesura.core.score import Score
from caesura.measures.brackets import Breakdown
from caesura.measures.corrections import Types
from caesura.measures.morphs import Categories
from caesura.output.tables import Column, Labelled, Table, make_table

TITLES = {
    "label": "Brackets by label",
    "length": "Brackets by length of the gold sentence",
    "type": "Edits by type",
    "operation": "Edits by operation",
    "main": "Edits by type without operation",
    "category": "Morphs by category",
}
SCORES: dict[str, tuple[Score, ...]] = {
    "trees": Breakdown.of_group,
    "corrections": Types.of_group,
    "morphemes": Categories.of_group,
}


def group_tables(summary: Summary, by: Iterable[str] | None = None) -> list[Table]:
    """A table for each kind of group that is named, or that the systems have."""
    have = summary.systems[0].groups if summary.systems else ()
    kinds = [name.removeprefix("by_") for name in have] if by is None else by
    return [_group_table(summary, kind) for kind in kinds]


def _group_table(summary: Summary, kind: str) -> Table:
    """One row for each group and system that has it."""
    scores = SCORES[summary.task]
    columns = [Column(s.label, s.key, s.better, s.help, s.is_count) for s in scores]
    groups = {each.name: each.groups[f"by_{kind}"] for each in summary.systems}
    names = dict.fromkeys(name for own in groups.values() for name in own)
    rows: list[Labelled] = [
        ((name, system), own[name])
        for name in names
        for system, own in groups.items()
        if name in own
    ]
    return make_table(f"by-{kind}", TITLES[kind], (kind, "system"), columns, rows)
