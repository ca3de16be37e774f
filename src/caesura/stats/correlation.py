"""Correlations of scores across documents and systems, from rows only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Literal

import numpy as np

from caesura import __version__
from caesura.core.comparisons import Coefficient, CorrelatedPair, Correlations
from caesura.core.counts import NAN
from caesura.core.results import Resampled
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, UsageError, number
from caesura.stats.coefficients import COEFFICIENTS
from caesura.stats.confidence import signed
from caesura.stats.draws import FloatArray, generator, weights
from caesura.stats.external_scores import Missing, Outside, outside_scores
from caesura.stats.matrix import Sample, sample_of
from caesura.stats.resampling import Resampling
from caesura.stats.saved_runs import Contest
from caesura.stats.scorer import CEILING

Over = Literal["documents", "systems"]
LARGEST = 1000
LEAST = 3


def correlate(
    contest: Contest,
    how: Resampling,
    measures: Sequence[str] = (),
    files: Sequence[str] = (),
    missing: Missing = "error",
) -> Correlations:
    """The result of `caesura correlate`; `files` have scores from outside."""
    how = replace(how, unit="document")
    sample = sample_of(contest.table, contest.systems, contest.scorer, how.unit)
    if len(sample) < LEAST:
        raise UsageError(
            f"a correlation needs at least {LEAST} documents, not {len(sample)}; score more"
        )
    table = ScoreTable.from_sample(sample, how)
    outside = outside_scores(files, sample.documents, sample.systems, missing)
    named = {each.name: each for each in outside}
    table.require_others(outside)
    find, known = sample.scorer.catalog.find, table.every
    own = list(dict.fromkeys(find(name, known) for name in measures if name not in named))
    wanted = [named[name] for name in dict.fromkeys(measures) if name in named] or outside
    pairs = table.outside_pairs(wanted, own) if outside else table.pairs(own)
    told = how.told(sample)
    return Correlations(
        caesura=__version__,
        of=contest.of.kind,
        signature=signed(contest.signature, told),
        references=contest.references,
        documents=sample.documents,
        systems=contest.systems,
        confidence=replace(told, notes=(*table.notes(told, wanted), *_outside_notes(wanted))),
        pairs=tuple(pairs),
    )


@dataclass(frozen=True)
class ScoreTable:
    """The scores of each document: systems × documents, and 1 × documents for the references."""

    sample: Sample
    how: Resampling
    of_systems: dict[str, FloatArray]
    of_references: dict[str, FloatArray]

    @classmethod
    def from_sample(cls, sample: Sample, how: Resampling) -> ScoreTable:
        """All scores except those of the ceiling."""
        return cls(sample, how, *_values(sample))

    @property
    def every(self) -> dict[str, FloatArray]:
        """All by key."""
        return {**self.of_systems, **self.of_references}

    def usual(self, scores: dict[str, FloatArray]) -> list[str]:
        """The scores that are correlated by default, if they are defined for any document."""
        several = len(self.sample.scorer.names)
        wanted = self.sample.scorer.catalog.shown("correlate", references=several)
        return [name for name in wanted if name in scores and not np.isnan(scores[name]).all()]

    def _kept(self, documents: IntArray) -> IntArray:
        """All of these documents, or a sample that gives 1,000 points."""
        most = max(LEAST, LARGEST // max(1, len(self.sample.systems)))
        if documents.size <= most:
            return documents
        drawn = generator(self.how.seed, "documents").permutation(documents.size)[:most]
        return documents[np.sort(drawn)]

    def pairs(self, chosen: Sequence[str]) -> Iterator[CorrelatedPair]:
        """Pairs of the chosen scores; by default, of scores of systems and of references."""
        groups = [chosen] if chosen else map(self.usual, (self.of_systems, self.of_references))
        every, kept = self.every, self._kept(np.arange(len(self.sample)))
        for group in groups:
            for a, b in combinations(group, 2):
                yield _pair((a, b), every[a], every[b], kept, self.how)

    def outside_pairs(
        self, outside: Sequence[Outside], chosen: Sequence[str]
    ) -> Iterator[CorrelatedPair]:
        """The chosen scores, or the usual ones, with each score from outside."""
        every = self.every
        for other in outside:
            other.require(LEAST)
            if not other.has_documents:
                yield from self._over_systems(other, chosen)
                continue
            kept = self._kept(other.known)
            for key in chosen or self._usual_with(other):
                yield _pair((key, other.name), every[key], other.values, kept, self.how)

    def _usual_with(self, other: Outside) -> list[str]:
        """The default scores to correlate with a score from outside."""
        both = self.usual(self.of_systems), self.usual(self.of_references)
        return both[0] if other.has_systems else list(dict.fromkeys((*both[0], *both[1])))

    def _over_systems(self, other: Outside, chosen: Sequence[str]) -> Iterator[CorrelatedPair]:
        """Scores of systems, each over all documents, with a score from outside."""
        own = [key for key in self.of_systems if key not in self.of_references]
        same = next((key for key in chosen if key not in own), None)
        if same is not None:
            raise UsageError(
                f"{same} is the same for all systems, of which '{other.name}' is a score; "
                "give a file with a column 'document'"
            )
        for key in chosen or [key for key in self.usual(self.of_systems) if key in own]:
            yield self._systems_pair(key, other)

    def _systems_pair(self, key: str, other: Outside) -> CorrelatedPair:
        """Every coefficient over systems; a resample in which one has no score is left out."""
        keys, values, outside = (key, other.name), self._resampled[key], other.values[:, 0]
        defined = ~np.isnan(values[0] + outside)
        x, y, size = values[:, defined], outside[defined], len(self.sample)
        if y.size < LEAST:
            return _undefined(keys, y.size, "systems")
        ones, known = np.ones(x.shape), ~np.isnan(x).any(axis=1)
        found = {}
        for name, coefficient in COEFFICIENTS.items():
            each = np.where(known, coefficient(x, y, ones), NAN)
            found[name] = _coefficient(self.how, each[:1], each[1 : size + 1], each[size + 1 :])
        return CorrelatedPair(measures=keys, points=int(y.size), over="systems", **found)

    @cached_property
    def _resampled(self) -> dict[str, FloatArray]:
        """The scores, 1 + documents + resamples × systems: of all, without each, and of draws."""
        sample, names = self.sample, self.sample.systems
        drawn = sample.resampled(names, weights(len(sample), self.how.resamples, self.how.seed))
        each = [(sample.estimates(name), sample.left_out(name), drawn[name]) for name in names]
        return {
            key: np.stack([np.hstack([part["micro", key] for part in own]) for own in each], axis=1)
            for key in self.of_systems
        }

    def require_others(self, outside: Sequence[Outside]) -> None:
        """Raise an error for a score from outside that has the name of a score of ours."""
        for each in outside:
            if each.name in self.every:
                problem = f"'{each.name}' is also a score of the rows"
                raise FormatError(each.path, problem, "rename the column", line=1)

    def notes(self, told: Resampled, outside: Sequence[Outside]) -> tuple[str, ...]:
        """Over what, and a warning if that is little."""
        known = [each.known for each in outside if each.has_documents]
        least = min(known or [np.arange(len(self.sample))], key=len)
        return _notes(told, least.size, self._kept(least).size, self.sample)


def _values(sample: Sample) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """The scores of each document: systems × documents, and 1 × documents for the references."""
    each = [sample.each(name) for name in sample.systems]
    of_systems = {
        score: np.stack([scores[score] for scores in each])
        for score in (each[0] if each else ())
        if not score.startswith(CEILING)
    }
    of_references = {
        score: values[None, :]
        for score, values in sample.each(None).items()
        if not score.startswith(CEILING)
    }
    return of_systems, of_references


def _pair(
    keys: tuple[str, str], x: FloatArray, y: FloatArray, kept: IntArray, how: Resampling
) -> CorrelatedPair:
    """Every coefficient of two scores with its interval; undefined points are left out."""
    x, y = np.broadcast_arrays(x[:, kept], y[:, kept])
    defined = ~np.isnan(x + y)
    document = np.broadcast_to(np.arange(kept.size), x.shape)[defined]
    x, y = x[defined], y[defined]
    if x.size < LEAST:
        return _undefined(keys, x.size, "documents")
    size = kept.size
    values: dict[str, list[FloatArray]] = {name: [] for name in COEFFICIENTS}
    drawn = weights(size, how.resamples, how.seed)
    for rows in chain((np.ones((1, size)), 1 - np.eye(size)), drawn):
        for name, coefficient in COEFFICIENTS.items():
            values[name].append(coefficient(x, y, rows[:, document]))
    found = {name: _coefficient(how, *each) for name, each in values.items()}
    return CorrelatedPair(measures=keys, points=int(x.size), over="documents", **found)


def _undefined(keys: tuple[str, str], points: int, over: Over) -> CorrelatedPair:
    """Too few points for a correlation."""
    none = dict.fromkeys(COEFFICIENTS, Coefficient(value=NAN, low=NAN, high=NAN))
    return CorrelatedPair(measures=keys, points=points, over=over, **none)


def _coefficient(
    how: Resampling, estimate: FloatArray, left_out: FloatArray, *draws: FloatArray
) -> Coefficient:
    value = float(estimate[0])
    ends = how.interval(value, np.concatenate(draws), left_out)
    return Coefficient(value=value, low=ends.low, high=ends.high)


def _notes(told: Resampled, documents: int, kept: int, sample: Sample) -> tuple[str, ...]:
    systems = number(len(sample.systems), "system")
    said = [
        f"Over {number(told.documents, 'document')} and {systems}; "
        f"{told.level:.0%} intervals: bootstrap over documents, "
        f"{number(told.resamples, 'resample')}, seed {told.seed}."
    ]
    if kept < documents:
        said.append(f"Of the documents {kept:,} were drawn, for no more than {LARGEST:,} points.")
    if kept < 10:
        said.append(f"Only {number(kept, 'document')}: intervals are unreliable.")
    return tuple(said)


def _outside_notes(outside: Sequence[Outside]) -> Iterator[str]:
    """Notes on missing values, and on scores that are correlated over systems."""
    for each in outside:
        if not each.has_documents:
            points = number(each.known.size, "system")
            yield f"{each.name}: over {points}, each with its score over all documents (micro)."
        if each.coverage:
            yield each.coverage
