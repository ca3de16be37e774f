"""Scorers: for each task, the scores of a ledger, whether its counts are numbers or arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from caesura.core.counts import mean
from caesura.measures.joint import JointCounts
from caesura.run.rows import Row
from caesura.scores import Scores
from caesura.scores.text import flat_scores
from caesura.scores.transcript import WISEBE, Ledger, coefficients
from caesura.tasks.terms import RECORDING

SYSTEM = ""
TITLES = {
    "wisebe": "WiSeBE",
    "window_f1": "F1 RW",
    "consensus_f1": "consensus F1",
    "ser_either": "SER either",
    "f1_mean": "F1",
    "precision_mean": "P",
    "recall_mean": "R",
    "ser_mean": "SER",
    "pk_mean": "Pk",
    "windowdiff_mean": "WD",
    "boundary_similarity_mean": "B",
    "tolerant_f1_mean": "tolerant F1",
    "su_error_rate_mean": "SU error",
    "su_event_error_rate_mean": "SU error by event",
}
HEADLINES = ("wisebe", "f1_mean", "sentence_f1", "token_f1", "boundary_f1")
CORRELATED = (
    "wisebe",
    "window_f1",
    "f1_mean",
    "ser_mean",
    "windowdiff_mean",
    "boundary_similarity_mean",
    "rgar",
    "fleiss_kappa",
    "krippendorff_alpha",
    "pairwise_f1_mean",
    "sentence_f1",
    "token_f1",
    "las_f1",
    "boundary_f1",
    "coverage",
)
SEVERAL = frozenset({"wisebe", "consensus_f1", "ser_either"})
TEXT_TITLES = {
    "sentence_f1": "sentence F1",
    "token_f1": "token F1",
    "upos_f1": "UPOS F1",
    "uas_f1": "UAS F1",
    "las_f1": "LAS F1",
}
TERMS_TITLES = {
    "boundary_f1": "boundary F1",
    "token_f1": "token F1",
    "coverage": "coverage",
    "r_value": "R-value",
}
ADDITIVE = frozenset(
    {f"{unit}_{rate}" for unit in ("boundary", "token") for rate in ("precision", "recall", "f1")}
    | {"coverage", "over_segmentation", "r_value"}
)
LOWER = frozenset(
    {
        "ser_mean",
        "cer_mean",
        "pk_mean",
        "windowdiff_mean",
        "ser_either",
        "typed_ser_mean",
        "su_error_rate_mean",
        "su_event_error_rate_mean",
        "ned",
    }
)
NEUTRAL = frozenset({"rgar", "over_segmentation", "aligned", "type_ceiling"})
UNSCORED = frozenset({"source", "alignment"})


class Scorer(Protocol):
    """What a task makes of a ledger; `noun` is what a document is called there."""

    noun: ClassVar[str]

    @property
    def titles(self) -> dict[str, str]:
        """The main scores, with the names that people know them by."""
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
class TranscriptScorer:
    """Boundaries in transcripts, the agreement of the references, and people as systems."""

    noun: ClassVar[str] = "document"

    names: tuple[str, ...]

    @property
    def titles(self) -> dict[str, str]:
        """WiSeBE needs two references; with one, what is made of several is left out."""
        several = len(self.names) > 1
        return {name: title for name, title in TITLES.items() if several or name not in SEVERAL}

    def takes(self, row: Row) -> bool:
        """Every row."""
        return is_scored(row)

    def system(self, ledger: Ledger) -> Scores:
        """What `caesura transcript` shows of a system."""
        scores = ledger.scores(SYSTEM, self.names)
        scores = {name: value for name, value in scores.items() if name not in WISEBE}
        if len(self.names) > 2:
            reached = ledger.ceiling(SYSTEM, self.names)
            scores |= {f"ceiling_{name}": value for name, value in reached.items()}
        return scores

    def references(self, ledger: Ledger) -> Scores:
        """The coefficients of agreement; with three references, each person and their mean."""
        scores = coefficients(ledger, self.names)
        if len(self.names) > 2:
            people = {name: ledger.ceiling(name, self.names) for name in self.names}
            people |= {"": _mean_of(list(people.values()))}
            for person, reached in people.items():
                scores |= {f"ceiling_{name}:{person}": each for name, each in reached.items()}
        return scores


@dataclass(frozen=True, slots=True)
class CeilingScorer:
    """Systems and people, each against the references but one."""

    noun: ClassVar[str] = "document"

    names: tuple[str, ...]

    @property
    def titles(self) -> dict[str, str]:
        """The scores of the ceiling."""
        return {name: TITLES[name] for name in ("wisebe", "window_f1", "f1_mean")}

    def takes(self, row: Row) -> bool:
        """Every row; the others were left out before."""
        return is_scored(row)

    def system(self, ledger: Ledger) -> Scores:
        """The mean over the references left out."""
        panels = [ledger.wisebe(SYSTEM, f"-{name}") for name in self.names]
        pairs = [
            [ledger.boundary(SYSTEM, f"{name}>{other}") for other in self.names if other != name]
            for name in self.names
        ]
        return {
            "wisebe": mean([counts.score for counts in panels]),
            "window_f1": mean([counts.f1 for counts in panels]),
            "f1_mean": mean([mean([counts.f1 for counts in each]) for each in pairs]),
        }

    def references(self, ledger: Ledger) -> Scores:  # noqa: ARG002
        """Nothing."""
        return {}


@dataclass(frozen=True, slots=True)
class TextScorer:
    """Tokens and sentences in text, and the treebank where there is one."""

    noun: ClassVar[str] = "document"

    names: tuple[str, ...]

    @property
    def titles(self) -> dict[str, str]:
        """F1 of both units."""
        return TEXT_TITLES

    def takes(self, row: Row) -> bool:
        """Every row."""
        return is_scored(row)

    def system(self, ledger: Ledger) -> Scores:
        """P, R and F1 of sentences and tokens; F1 of tags and trees."""
        scores: Scores = {}
        for counts in ledger.counts.values():
            is_joint = isinstance(counts, JointCounts)
            scores |= flat_scores(counts) if is_joint else counts.scores()
        return scores

    def references(self, ledger: Ledger) -> Scores:  # noqa: ARG002
        """Nothing."""
        return {}


@dataclass(frozen=True, slots=True)
class TermsScorer:
    """Discovered terms: what adds over recordings.

    Types, groups and NED compare intervals of different recordings, so they do not.
    """

    noun: ClassVar[str] = "recording"

    names: tuple[str, ...]

    @property
    def titles(self) -> dict[str, str]:
        """F1 of boundaries and tokens, and coverage."""
        return TERMS_TITLES

    def takes(self, row: Row) -> bool:
        """The rows of single recordings."""
        return row.document.startswith(RECORDING) and is_scored(row)

    def system(self, ledger: Ledger) -> Scores:
        """The rates of boundaries and tokens, and coverage."""
        scores: Scores = {}
        for counts in ledger.counts.values():
            scores |= counts.scores()
        return {name: value for name, value in scores.items() if name in ADDITIVE}

    def references(self, ledger: Ledger) -> Scores:  # noqa: ARG002
        """Nothing."""
        return {}


SCORERS: dict[str, Callable[[tuple[str, ...]], Scorer]] = {
    "transcript": TranscriptScorer,
    "agreement": TranscriptScorer,
    "ceiling": CeilingScorer,
    "text": TextScorer,
    "terms": TermsScorer,
}


def is_scored(row: Row) -> bool:
    """Whether a row counts towards scores, and is of all speakers and channels together."""
    return row.measure not in UNSCORED and row.stream is None


def _mean_of(each: Sequence[Scores]) -> dict[str, Any]:
    return {name: mean([scores[name] for scores in each]) for name in each[0]}


def shown_titles(titles: Mapping[str, str], systems: Sequence[Scores]) -> dict[str, str]:
    """The scores, with their titles, that some system has."""
    return {
        name: title
        for name, title in titles.items()
        if any(name in scores and not math.isnan(scores[name]) for scores in systems)
    }


def is_lower_better(score: str) -> bool:
    """Whether less of a score is better: it is a rate of errors."""
    return score in LOWER
