"""Paged results: comparisons and correlations that show as the tables of their command."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self

from caesura.core.comparisons import Comparisons, Correlations
from caesura.output.statistics import compare_page, correlate_page
from caesura.output.tables import Page
from caesura.output.terminal import as_text
from caesura.steps.notebook import frame, html

if TYPE_CHECKING:
    from pandas import DataFrame


class Paged:
    """What has a page: tables in print and in a notebook, and a frame."""

    @classmethod
    def showing(cls, found: Any) -> Self:
        """The same result, to be shown."""
        return cls(**{field.name: getattr(found, field.name) for field in fields(found)})

    def page(self) -> Page:
        """The tables, as the command prints them."""
        raise NotImplementedError

    def to_frame(self, library: str = "pandas") -> DataFrame:
        """The lines of `-f csv`, as a DataFrame of pandas or polars."""
        return frame(self.page().records, library)

    def __str__(self) -> str:
        return as_text(self.page())

    def __repr__(self) -> str:
        page = self.page()
        return f"<{type(self).__name__}: {(page.notes or (page.tables[0].title,))[0]}>"

    def _repr_html_(self) -> str:
        """Tables for a notebook."""
        return html(self.page())


class SystemComparisons(Paged, Comparisons):
    """Systems compared with a baseline: `comparisons` holds every difference."""

    def page(self) -> Page:
        """What `caesura compare` prints."""
        return compare_page(self)


class ScoreCorrelations(Paged, Correlations):
    """Scores correlated with each other, or with scores from outside: `pairs` holds them."""

    def page(self) -> Page:
        """What `caesura correlate` prints."""
        return correlate_page(self)
