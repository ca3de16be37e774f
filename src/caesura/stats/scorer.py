"""Scorers: the scores that can be resampled, from a ledger whose counts are numbers or arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from caesura.core.counts import mean
from caesura.core.row import Row
from caesura.core.score import Scores
from caesura.measures import MEASURES
from caesura.scores.catalog import Catalog, catalog
from caesura.scores.ledger import Ledger, ceiling_scores, reference_scores, system_scores
from caesura.scores.summary import mean_scores

SYSTEM = ""
"""The name of any system, so that systems share one layout of counts."""
CEILING = "ceiling_"


class Scorer(Protocol):
    """What a task makes of a ledger; `noun` is what a document is called there."""

    @property
    def noun(self) -> str:
        """What a document is called."""
        ...

    @property
    def catalog(self) -> Catalog:
        """What the scores are called, and which direction is better."""
        ...

    @property
    def labels(self) -> dict[str, str]:
        """The scores of intervals and comparisons, with their labels."""
        ...

    def takes(self, row: Row) -> bool:
        """Whether a row is a unit, or part of one."""
        ...

    def system(self, ledger: Ledger) -> Scores:
        """The scores of a system."""
        ...

    def references(self, ledger: Ledger) -> Scores:
        """The scores of the references themselves."""
        ...


@dataclass(frozen=True, slots=True)
class TaskScorer:
    """The scores of a task, of the references' agreement, and of people as systems."""

    task: str
    names: tuple[str, ...]

    @property
    def noun(self) -> str:
        """A corpus of speech is resampled by recording."""
        return "recording" if self.task == "terms" else "document"

    @property
    def catalog(self) -> Catalog:
        """The catalog of the task."""
        return catalog(self.task)

    @property
    def labels(self) -> dict[str, str]:
        """The scores that say something: with one reference, not those made of several."""
        return self.catalog.labels("compare", len(self.names))

    def takes(self, row: Row) -> bool:
        """Every row of a whole document, or of a single recording."""
        scope = "recording" if self.task == "terms" else None
        return row.measure in MEASURES and row.stream is None and row.scope == scope

    def system(self, ledger: Ledger) -> Scores:
        """Every rate that adds over units, and with three references the ceiling."""
        every = system_scores(ledger, SYSTEM, self.names, self.catalog)
        entries = self.catalog.systems
        scores = {
            key: value
            for key, value in every.items()
            if not entries[key].score.is_count and entries[key].score.is_additive
        }
        if self.task == "transcript" and len(self.names) > 2:
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
class CeilingScorer:
    """Systems and people, each against the references but one."""

    names: tuple[str, ...]

    @property
    def noun(self) -> str:
        """What is resampled."""
        return "document"

    @property
    def catalog(self) -> Catalog:
        """The catalog of transcripts."""
        return catalog("transcript")

    @property
    def labels(self) -> dict[str, str]:
        """The scores of the ceiling."""
        return self.catalog.labels("ceiling")

    def takes(self, row: Row) -> bool:
        """Every row; the others were left out before."""
        return row.measure in MEASURES and row.is_whole

    def system(self, ledger: Ledger) -> Scores:
        """The mean over the references left out, pairs under both names."""
        scores: Scores = {}
        for key, entry in self.catalog.shown("ceiling").items():
            measure, value = entry.measure, entry.score.value
            scores[key] = mean(
                [
                    mean(
                        [
                            value(ledger.get(measure, SYSTEM, other, name))
                            for other in (self.names if measure.kind == "pair" else (None,))
                            if other != name
                        ]
                    )
                    for name in self.names
                ]
            )
        return scores

    def references(self, ledger: Ledger) -> Scores:  # noqa: ARG002
        """Nothing."""
        return {}


def scorer(task: str, references: tuple[str, ...]) -> Scorer:
    """The scorer of a task, or of the ceiling."""
    return CeilingScorer(references) if task == "ceiling" else TaskScorer(task, references)
