"""Scores of groups, such as brackets by label or edits by type."""

from __future__ import annotations

from dataclasses import replace

from caesura.core.measure import GroupMeasure
from caesura.core.results import System
from caesura.core.score import Scores, values
from caesura.core.summary import Summary
from caesura.core.table import CountTable, Key


def with_groups(summary: Summary, total: CountTable, measure: type[GroupMeasure]) -> Summary:
    """Add to each system the scores of its groups, if there is one gold."""
    if len(summary.references) != 1:
        return summary
    (gold,) = summary.references

    def grouped(system: System) -> dict[str, dict[str, Scores]]:
        kinds = measure.groups(total.counted(measure, Key(system.name, gold)))
        return {
            f"by_{kind}": {name: values(measure.of_group, each) for name, each in groups.items()}
            for kind, groups in kinds.items()
        }

    systems = tuple(replace(system, groups=grouped(system)) for system in summary.systems)
    return replace(summary, systems=systems)
