"""Edits by type, by operation and by main type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from caesura.core.counts import Matches
from caesura.core.results import Summary
from caesura.core.rows import Rows
from caesura.core.score import Scores, values
from caesura.measures.brackets import BreakdownCounts
from caesura.measures.corrections import CorrectionCounts, Types, main_type
from caesura.scores.book import Book
from caesura.scores.catalog import Catalog
from caesura.scores.ledger import Ledger


def with_types(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:  # noqa: ARG001
    """Add the scores of edits by type, the most frequent first, by operation and by main type."""
    ledger, (gold,) = Ledger(book.counts), summary.references
    systems = []
    for system in summary.systems:
        counts: BreakdownCounts = ledger.get(Types, system.name, gold)
        kinds = {kind: counts.of(kind) for kind in ("type", "operation")}
        main: dict[str, Matches] = {}
        for name, each in kinds["type"].items():
            main[main_type(name)] = main.get(main_type(name), Matches(0, 0, 0)) + each
        groups = {f"by_{kind}": _edits(own) for kind, own in (kinds | {"main": main}).items()}
        systems.append(replace(system, groups=groups))
    return replace(summary, systems=tuple(systems))


def _edits(groups: Mapping[str, Matches]) -> dict[str, Scores]:
    """The scores of groups of edits, the most frequent first."""
    frequent = sorted(groups.items(), key=lambda own: -own[1].tp - own[1].fn)
    return {
        name: values(Types.of_group, CorrectionCounts(each.tp, each.fp, each.fn))
        for name, each in frequent
    }
