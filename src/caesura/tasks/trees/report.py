"""Trees for the report: every sentence of a system whose brackets differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from caesura.output.report.views.trees import GatheredTrees, TreesReading
from caesura.tasks.trees.tree_errors import TreeErrors


def trees_readings(kept: Iterable[TreeErrors]) -> Iterator[TreesReading]:
    """For each system its label errors, the most frequent first, and the sentences that differ."""
    systems: dict[str, GatheredTrees] = {}
    for document in kept:
        for system, errors in document.errors.items():
            gathered = systems.setdefault(system, GatheredTrees())
            for error in errors:
                gathered.add(error)
    for system, gathered in systems.items():
        yield gathered.reading(system)
