"""Scorers: the scores that can be resampled, from a table whose units are documents or draws."""

from __future__ import annotations

from dataclasses import dataclass

from caesura.core.arrays import Array
from caesura.core.row import PANEL_EXTENT, Portion
from caesura.core.table import CountTable
from caesura.scores.catalog import Catalog, Entry, catalog
from caesura.scores.rules import (
    Columns,
    agreement_scores,
    ceiling_scores,
    extents,
    human_means,
    means_of,
    scores_of,
)
from caesura.scores.rules import system_scores as scores_of_systems

SYSTEM = ""
"""The name of any system, so that two of them can change places."""
CEILING = "ceiling_"


@dataclass(frozen=True, slots=True)
class Scorer:
    """The scores of a task, of the references' agreement, and of annotators as systems."""

    of: Catalog
    names: tuple[str, ...]

    @property
    def noun(self) -> str:
        """The noun for a resampled unit: a document, or a recording of a speech corpus."""
        return self.of.task.resampled

    @property
    def catalog(self) -> Catalog:
        """The catalog with the names of scores and which direction is better."""
        return self.of

    @property
    def labels(self) -> dict[str, str]:
        """The scores to compare; with one reference, without scores that need several."""
        return self.catalog.labels("compare", len(self.names))

    def takes(self, portion: Portion) -> bool:
        """Whether something is a whole document, or a single recording."""
        scope = None if self.noun == "document" else self.noun
        return portion.stream is None and portion.scope == scope

    def system(self, table: CountTable) -> Columns:
        """Every rate that adds over units, and with three references the ceiling; by unit."""
        every = scores_of_systems(table, [SYSTEM], self.names, self.catalog, is_drawn=True)
        entries = self.catalog.systems
        scores = {
            key: column[0]
            for key, column in every.items()
            if not entries[key].score.is_count and entries[key].score.is_additive
        }
        if self.catalog.has_ceiling and len(self.names) > 2:
            reached = ceiling_scores(table, [SYSTEM], self.names, self.catalog)
            scores |= {f"{CEILING}{key}": column[0] for key, column in reached.items()}
        return scores

    def references(self, table: CountTable) -> Columns:
        """The coefficients of agreement; with three references, each person and the average."""
        if not self.catalog.references:
            return {}
        scores = agreement_scores(table, self.names, self.catalog)
        if len(self.names) > 2:
            reached = ceiling_scores(table, self.names, self.names, self.catalog)
            for at, person in enumerate(self.names):
                scores |= {f"{CEILING}{key}:{person}": each[at] for key, each in reached.items()}
            human = human_means(table, self.names, reached)
            scores |= {f"{CEILING}{key}:": each for key, each in human.items()}
        return scores


@dataclass(frozen=True, slots=True)
class CeilingScorer(Scorer):
    """Systems and people, each against the references but one."""

    @property
    def catalog(self) -> Catalog:
        """The catalog with the names of scores of transcripts."""
        return catalog(*self.of.kind._replace(profile=None))

    @property
    def labels(self) -> dict[str, str]:
        """The scores of the ceiling."""
        return self.catalog.labels("ceiling")

    def system(self, table: CountTable) -> Columns:
        """The mean over the references left out; pairs are counted against each other one."""
        shown = self.catalog.shown("ceiling").items()
        codes = table.names.grid([SYSTEM], [None] * len(self.names), out=list(self.names))[0]
        weights = extents(table, PANEL_EXTENT, codes)
        return {
            key: means_of([self._reached(table, entry, name) for name in self.names], weights)
            for key, entry in shown
        }

    def _reached(self, table: CountTable, entry: Entry, left_out: str) -> Array:
        """One score with one reference left out."""
        keyed = {entry.key: entry.score}
        if entry.measure.kind != "pair":
            codes = table.names.grid([SYSTEM], out=left_out)[0]
            alone: Array = scores_of(table, entry.measure, keyed, codes)[entry.key][0]
            return alone
        others = [name for name in self.names if name != left_out]
        codes = table.names.grid([SYSTEM], others, out=left_out)[0]
        return scores_of(table, entry.measure, keyed, codes, over=0)[entry.key]

    def references(self, table: CountTable) -> Columns:  # noqa: ARG002
        """Nothing: people are systems here."""
        return {}


def scorer(of: Catalog, references: tuple[str, ...], *, is_ceiling: bool = False) -> Scorer:
    """The scorer of a task, or of the ceiling."""
    return CeilingScorer(of, references) if is_ceiling else Scorer(of, references)
