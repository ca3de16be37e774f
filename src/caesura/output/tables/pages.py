"""PAGES: what each scoring command shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from caesura.core.registry import Registry
from caesura.core.results import Summary
from caesura.errors import number
from caesura.output.tables import Page

PAGES: Registry[Callable[..., Page]] = Registry(
    {
        "transcript": "caesura.output.tables.transcript:transcript_page",
        "agreement": "caesura.output.tables.transcript:agreement_page",
        "text": "caesura.output.tables.text:text_page",
        "trees": "caesura.output.tables.trees:trees_page",
        "corrections": "caesura.output.tables.corrections:corrections_page",
        "morphemes": "caesura.output.tables.morphemes:morphemes_page",
        "sentences": "caesura.output.tables.sentences:sentences_page",
        "terms": "caesura.output.tables.terms:terms_page",
    }
)


def page_of(summary: Summary, **details: Any) -> Page:
    """The tables of a summary, with intervals and comparisons where it has them."""
    page = PAGES[summary.task](summary, **details)
    if summary.profile:
        from caesura.output.tables.profiles import profile_page

        page = profile_page(summary, page, by_document=bool(details.get("by_document")))
    if summary.skipped:
        skipped, every = len(summary.skipped), len(summary.skipped) + len(summary.documents)
        note = f"{skipped:,} of {number(every, 'document')} left out."
        page = replace(page, notes=(*page.notes, note))
    if summary.confidence is None and summary.comparison is None:
        return page
    from caesura.output.tables.statistics import with_statistics

    return with_statistics(page, summary)
