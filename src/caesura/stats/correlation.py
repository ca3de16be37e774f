"""Correlations of scores across documents and systems, from rows only.

Points have weights: how often each was drawn, resamples × points. A point that was drawn twice
ties with itself. Values that differ from one resample to the next are resamples × points, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Literal

import numpy as np

from caesura import __version__
from caesura.core.comparisons import Coefficient, CorrelatedPair, Correlations
from caesura.core.counts import NAN, ratio
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, UsageError, number
from caesura.stats.external_scores import Missing, Outside, outside_scores
from caesura.stats.resampling import FloatArray, Resampling, generator, weights
from caesura.stats.samples import CEILING, Sample, sample_of
from caesura.stats.saved_runs import Contest
from caesura.stats.significance import resampled_from, signed

Correlation = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
FLAT = 1e-14
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
    for score in outside:
        if score.name in table.every:
            problem = f"'{score.name}' is also a score of the rows"
            raise FormatError(score.path, problem, "rename the column", line=1)
    named = {score.name: score for score in outside}
    find, known = sample.scorer.catalog.find, table.every
    own = list(dict.fromkeys(find(name, known) for name in measures if name not in named))
    wanted = [named[name] for name in dict.fromkeys(measures) if name in named] or outside
    pairs = table.outside_pairs(wanted, own) if outside else table.pairs(own)
    resampled = resampled_from(sample, how)
    return Correlations(
        caesura=__version__,
        of=contest.of.kind,
        signature=signed(contest.signature, resampled),
        references=contest.references,
        documents=sample.documents,
        systems=contest.systems,
        confidence=replace(resampled, notes=tuple(table.notes(wanted))),
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
        systems = [sample.each[name] for name in sample.systems]
        of_systems = {
            key: np.stack([scores[key] for scores in systems])
            for key in (systems[0] if systems else ())
            if not key.startswith(CEILING)
        }
        of_references = {
            key: values[None, :]
            for key, values in sample.each[None].items()
            if not key.startswith(CEILING)
        }
        return cls(sample, how, of_systems, of_references)

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
            kept, usual = self._kept(other.known), self.usual(self.of_systems)
            usual += [] if other.has_systems else self.usual(self.of_references)
            for key in chosen or dict.fromkeys(usual):
                yield _pair((key, other.name), every[key], other.values, kept, self.how)

    def _over_systems(self, other: Outside, chosen: Sequence[str]) -> Iterator[CorrelatedPair]:
        """Scores of systems, each over all documents, with a score from outside.

        A resample in which a system has no score is left out.
        """
        own = [key for key in self.of_systems if key not in self.of_references]
        same = next((key for key in chosen if key not in own), None)
        if same is not None:
            raise UsageError(
                f"{same} is the same for all systems, of which '{other.name}' is a score; "
                "give a file with a column 'document'"
            )
        for key in chosen or [key for key in self.usual(self.of_systems) if key in own]:
            values, outside, size = self._resampled[key], other.values[:, 0], len(self.sample)
            defined = ~np.isnan(values[0] + outside)
            x, y = values[:, defined], outside[defined]
            ones, known = np.ones(x.shape), ~np.isnan(x).any(axis=1)
            found = {}
            for name, correlation in COEFFICIENTS.items() if y.size >= LEAST else ():
                each = np.where(known, correlation(x, y, ones), NAN)
                found[name] = [each[:1], each[1 : size + 1], each[size + 1 :]]
            yield _correlated((key, other.name), y.size, "systems", found, self.how)

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

    def notes(self, outside: Sequence[Outside]) -> Iterator[str]:
        """Over what, and a warning if that is little; and what scores from outside lack."""
        known = [score.known for score in outside if score.has_documents]
        documents = min(known or [np.arange(len(self.sample))], key=len)
        kept = self._kept(documents).size
        systems = number(len(self.sample.systems), "system")
        yield (
            f"Over {number(len(self.sample.documents), 'document')} and {systems}; "
            f"{self.how.level:.0%} intervals: bootstrap over documents, "
            f"{number(self.how.resamples, 'resample')}, seed {self.how.seed}."
        )
        if kept < documents.size:
            yield f"Of the documents {kept:,} were drawn, for no more than {LARGEST:,} points."
        if kept < 10:
            yield f"Only {number(kept, 'document')}: intervals are unreliable."
        for score in outside:
            if not score.has_documents:
                size = number(score.known.size, "system")
                yield f"{score.name}: over {size}, each with its score over all documents (micro)."
            if score.coverage:
                yield score.coverage


def _pair(
    keys: tuple[str, str], x: FloatArray, y: FloatArray, kept: IntArray, how: Resampling
) -> CorrelatedPair:
    """Every coefficient of two scores with its interval; undefined points are left out."""
    x, y = np.broadcast_arrays(x[:, kept], y[:, kept])
    defined = ~np.isnan(x + y)
    document = np.broadcast_to(np.arange(kept.size), x.shape)[defined]
    x, y = x[defined], y[defined]
    size = kept.size
    values: dict[str, list[FloatArray]] = {name: [] for name in COEFFICIENTS}
    drawn = weights(size, how.resamples, how.seed)
    for rows in chain((np.ones((1, size)), 1 - np.eye(size)), drawn) if x.size >= LEAST else ():
        for name, correlation in COEFFICIENTS.items():
            values[name].append(correlation(x, y, rows[:, document]))
    return _correlated(keys, x.size, "documents", values, how)


def _correlated(
    keys: tuple[str, str],
    points: int,
    over: Literal["documents", "systems"],
    values: Mapping[str, Sequence[FloatArray]],
    how: Resampling,
) -> CorrelatedPair:
    """The coefficients, each of all, without each unit, and of draws; too few points have none."""
    found = dict.fromkeys(COEFFICIENTS, Coefficient(value=NAN, low=NAN, high=NAN))
    for name in COEFFICIENTS if points >= LEAST else ():
        estimate, left_out, *draws = values[name]
        low, high = how.interval(float(estimate[0]), np.concatenate(draws), left_out)
        found[name] = Coefficient(value=float(estimate[0]), low=low, high=high)
    return CorrelatedPair(measures=keys, points=int(points), over=over, **found)


def pearson(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Pearson's correlation; undefined where one side does not vary."""
    size = np.maximum(weights.sum(axis=1, keepdims=True), 1)  # no point may be drawn at all
    x, y = (np.broadcast_to(side, weights.shape) for side in (x, y))
    x, y = (side - (weights * side).sum(axis=1, keepdims=True) / size for side in (x, y))
    xy, xx, yy = ((weights * product).sum(axis=1) for product in (x * y, x * x, y * y))
    flat = (xx <= FLAT * size[:, 0]) | (yy <= FLAT * size[:, 0])
    return _ratio(np.where(flat, 0, xy), np.where(flat, 0, np.sqrt(xx * yy)))


def spearman(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Pearson's correlation of the ranks; equal values share the mean of their ranks."""
    return pearson(_ranks(x, weights), _ranks(y, weights), weights)


def kendall(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Kendall's τ-b: concordant minus discordant pairs, of those without a tie."""
    a, b = (np.sign(values[..., :, None] - values[..., None, :]) for values in (x, y))
    together, ours, theirs = (
        (_weighted(weights, signs) * weights).sum(axis=1) for signs in (a * b, np.abs(a), np.abs(b))
    )
    return _ratio(together, np.sqrt(ours * theirs))


COEFFICIENTS: dict[str, Correlation] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def _ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The rank of each point in each resample, but for a constant."""
    one, other = values[..., :, None], values[..., None, :]
    return _weighted(weights, (one < other) + 0.5 * (one == other))


def _weighted(weights: FloatArray, pairs: FloatArray) -> FloatArray:
    """The sum over the points of each resample: of all the same pairs, or of its own."""
    sums: FloatArray = (
        weights @ pairs if pairs.ndim == 2 else (weights[:, None, :] @ pairs)[:, 0, :]
    )
    return sums


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    result: FloatArray = ratio(part, whole)  # type: ignore[arg-type,assignment]
    return result
