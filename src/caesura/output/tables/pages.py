"""PAGES: what each scoring command shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from caesura.core.results import Summary
from caesura.output.tables import Page
from caesura.output.tables.statistics import with_statistics
from caesura.output.tables.terms import terms_page
from caesura.output.tables.text import text_page
from caesura.output.tables.transcript import agreement_page, transcript_page

PAGES: dict[str, Callable[..., Page]] = {
    "transcript": transcript_page,
    "agreement": agreement_page,
    "text": text_page,
    "terms": terms_page,
}


def page_of(summary: Summary, **details: Any) -> Page:
    """The tables of a summary, with intervals and comparisons where it has them."""
    return with_statistics(PAGES[summary.task](summary, **details), summary)
