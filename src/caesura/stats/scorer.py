"""Scorers: the scores that can be resampled, from a ledger whose counts are numbers or arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from caesura.core.counts import mean
from caesura.core.row import Portion
from caesura.core.score import Scores
from caesura.scores.catalog import Catalog, Entry, catalog
from caesura.scores.ledger import Ledger, ceiling_scores, reference_scores, system_scores
from caesura.scores.summary import mean_scores

SYSTEM = ""
"""The name of any system, so that systems share one layout of counts."""
CEILING = "ceiling_"


@dataclass(frozen=True, slots=True)
class Scorer:
    """The scores of a task, of the references' agreement, and of annotators as systems."""

    of: Catalog
    names: tuple[str, ...]

    @property
    def noun(self) -> str:
        """What a document is called: a corpus of speech is resampled by recording."""
        return self.of.task.resampled

    @property
    def catalog(self) -> Catalog:
        """What the scores are called, and which direction is better."""
        return self.of

    @property
    def labels(self) -> dict[str, str]:
        """The scores to compare: with one reference, not those that need several."""
        return self.catalog.labels("compare", len(self.names))

    def takes(self, portion: Portion) -> bool:
        """Whether something is a whole document, or a single recording."""
        scope = None if self.noun == "document" else self.noun
        return portion.stream is None and portion.scope == scope

    def system(self, ledger: Ledger) -> Scores:
        """Every rate that adds over units, and with three references the ceiling."""
        every = system_scores(ledger, SYSTEM, self.names, self.catalog)
        entries = self.catalog.systems
        scores = {
            key: value
            for key, value in every.items()
            if not entries[key].score.is_count and entries[key].score.is_additive
        }
        if self.of.task.has_ceiling and len(self.names) > 2:
            reached = ceiling_scores(ledger, SYSTEM, self.names, self.catalog)
            scores |= {f"{CEILING}{key}": value for key, value in reached.items()}
        return scores

    def references(self, ledger: Ledger) -> Scores:
        """The coefficients of agreement; with three references, each person and the average."""
        if not self.catalog.references:
            return {}
        scores = reference_scores(ledger, self.names, self.catalog)
        if len(self.names) > 2:
            people = {
                name: ceiling_scores(ledger, name, self.names, self.catalog) for name in self.names
            }
            people |= {"": mean_scores(list(people.values()))}
            for person, reached in people.items():
                scores |= {f"{CEILING}{key}:{person}": each for key, each in reached.items()}
        return scores


@dataclass(frozen=True, slots=True)
class CeilingScorer(Scorer):
    """Systems and people, each against the references but one."""

    @property
    def catalog(self) -> Catalog:
        """What the scores of transcripts are called."""
        return catalog(*self.of.kind._replace(profile=None))

    @property
    def labels(self) -> dict[str, str]:
        """The scores of the ceiling."""
        return self.catalog.labels("ceiling")

    def system(self, ledger: Ledger) -> Scores:
        """The mean over the references left out; pairs are counted against each other one."""

        def reached(entry: Entry, left_out: str) -> Any:
            others = self.names if entry.measure.kind == "pair" else (None,)
            counts = [
                ledger.get(entry.measure, SYSTEM, other, left_out)
                for other in others
                if other != left_out
            ]
            return mean([entry.score.value(each) for each in counts])

        return {
            key: mean([reached(entry, name) for name in self.names])
            for key, entry in self.catalog.shown("ceiling").items()
        }

    def references(self, ledger: Ledger) -> Scores:  # noqa: ARG002
        """Nothing: people are systems here."""
        return {}


def scorer(of: Catalog, references: tuple[str, ...], *, is_ceiling: bool = False) -> Scorer:
    """The scorer of a task, or of the ceiling."""
    return CeilingScorer(of, references) if is_ceiling else Scorer(of, references)
