"""Brackets by label and by length of the gold sentence."""

from __future__ import annotations

from dataclasses import replace

from caesura.core.results import Summary
from caesura.core.rows import Rows
from caesura.core.score import Scores, values
from caesura.measures.brackets import LENGTH_NAMES, Breakdown, BreakdownCounts
from caesura.scores.book import Book
from caesura.scores.catalog import Catalog
from caesura.scores.ledger import Ledger


def with_groups(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:  # noqa: ARG001
    """Add the scores of brackets by label, the most frequent first, and by length."""
    ledger, (gold,) = Ledger(book.counts), summary.references
    systems = tuple(
        replace(system, groups=_groups(ledger.get(Breakdown, system.name, gold)))
        for system in summary.systems
    )
    return replace(summary, systems=systems)


def _groups(counts: BreakdownCounts) -> dict[str, dict[str, Scores]]:
    labels = sorted(counts.of("label").items(), key=lambda each: -each[1].tp - each[1].fn)
    lengths = counts.of("length")
    by_length = [(name, lengths[name]) for name in LENGTH_NAMES if name in lengths]
    return {
        "by_label": {name: values(Breakdown.of_group, each) for name, each in labels},
        "by_length": {name: values(Breakdown.of_group, each) for name, each in by_length},
    }
