"""Morphs by category."""

from __future__ import annotations

from dataclasses import replace

from caesura.core.results import Summary
from caesura.core.rows import Rows
from caesura.core.score import values
from caesura.measures.morphs import Categories, CategoryCounts
from caesura.scores.book import Book
from caesura.scores.catalog import Catalog
from caesura.scores.ledger import Ledger


def with_categories(summary: Summary, rows: Rows, book: Book, scores: Catalog) -> Summary:  # noqa: ARG001
    """Add the scores of morphs by category, if lines have any, in the order of their names."""
    ledger, (gold,) = Ledger(book.counts), summary.references
    systems = []
    for system in summary.systems:
        counts: CategoryCounts = ledger.get(Categories, system.name, gold)
        every = counts.each_category()
        own = {name: values(Categories.of_group, each) for name, each in every.items()}
        systems.append(replace(system, groups={"by_category": own} if own else {}))
    return replace(summary, systems=tuple(systems))
