"""Samples: the counts of the units that are drawn; a resample is a product, its scores arrays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np

from caesura.core.arrays import Array, Numeric
from caesura.core.counts import ratio
from caesura.core.measure_table import MeasureTable, exchanged
from caesura.core.resampling_defaults import FEW
from caesura.core.results import Mean
from caesura.core.row import PANEL_EXTENT, Portion
from caesura.core.segmentation import BoolArray
from caesura.core.table import CountTable, Names, coded, decoded
from caesura.errors import SourceError, UsageError, option
from caesura.scores import rules
from caesura.scores.catalog import Catalog, Entry, catalog
from caesura.scores.panels import varies
from caesura.stats.resampling import FloatArray, exact_sums

SYSTEM = ""
"""The name of any system, so that two of them can change places."""
CEILING = "ceiling_"
Unit = Literal["document", "block"]
Name = tuple[Mean, str]
K = TypeVar("K")
Figures = dict[Name, Any]
REFERENCES = None
AT_ONCE = 1 << 18
"""About how many sums of one kind are in memory at a time."""
MOST_DRAWS = 1 << 20
"""The most draws of one score that are in memory together, of one system or several."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """The scores that can be resampled: of systems, of references, and of these as systems."""

    catalog: Catalog
    names: tuple[str, ...]

    @property
    def labels(self) -> dict[str, str]:
        """The scores to compare; with one reference, without scores that need several."""
        return self.catalog.labels("compare", len(self.names))

    def takes(self, portion: Portion) -> bool:
        """Whether something is a whole document, or a single recording."""
        unit = self.catalog.task.resampled
        return portion.stream is None and portion.scope == (None if unit == "document" else unit)

    def system(self, table: CountTable) -> rules.Columns:
        """Every rate that adds over units, and with three references the ceiling; by unit."""
        every = rules.system_scores(table, [SYSTEM], self.names, self.catalog, is_drawn=True)
        entries = self.catalog.systems
        scores = {
            key: column[0]
            for key, column in every.items()
            if not entries[key].score.is_count and entries[key].score.is_additive
        }
        if self.catalog.has_ceiling and len(self.names) > 2:
            reached = rules.ceiling_scores(table, [SYSTEM], self.names, self.catalog)
            scores |= {f"{CEILING}{key}": column[0] for key, column in reached.items()}
        return scores

    def references(self, table: CountTable) -> rules.Columns:
        """The coefficients of agreement; with three references, each person and the average."""
        if not self.catalog.references:
            return {}
        scores = rules.agreement_scores(table, self.names, self.catalog)
        if len(self.names) > 2:
            reached = rules.ceiling_scores(table, self.names, self.names, self.catalog)
            for at, person in enumerate(self.names):
                scores |= {f"{CEILING}{key}:{person}": each[at] for key, each in reached.items()}
            human = rules.human_means(table, self.names, reached)
            scores |= {f"{CEILING}{key}:": each for key, each in human.items()}
        return scores


@dataclass(frozen=True, slots=True)
class CeilingScorer(Scorer):
    """Systems and people, each against the references but one."""

    @property
    def labels(self) -> dict[str, str]:
        """The scores of the ceiling."""
        return self.catalog.labels("ceiling")

    def system(self, table: CountTable) -> rules.Columns:
        """The mean over the references left out; pairs are counted against each other one."""
        codes = table.names.grid([SYSTEM], [None] * len(self.names), out=list(self.names))[0]
        weights = rules.extents(table, PANEL_EXTENT, codes)
        return {
            key: rules.means_of([self._reached(table, entry, name) for name in self.names], weights)
            for key, entry in self.catalog.shown("ceiling").items()
        }

    def _reached(self, table: CountTable, entry: Entry, left_out: str) -> Array:
        """One score with one reference left out."""
        keyed = {entry.key: entry.score}
        if entry.measure.kind != "pair":
            codes = table.names.grid([SYSTEM], out=left_out)[0]
            alone: Array = rules.scores_of(table, entry.measure, keyed, codes)[entry.key][0]
            return alone
        others = [name for name in self.names if name != left_out]
        codes = table.names.grid([SYSTEM], others, out=left_out)[0]
        return rules.scores_of(table, entry.measure, keyed, codes, over=0)[entry.key]

    def references(self, table: CountTable) -> rules.Columns:  # noqa: ARG002
        """Nothing: people are systems here."""
        return {}


def scorer(of: Catalog, references: tuple[str, ...], *, is_ceiling: bool = False) -> Scorer:
    """The scorer of a task, or of the ceiling, which has the task's scores under any profile."""
    if is_ceiling:
        return CeilingScorer(catalog(*of.kind._replace(profile=None)), references)
    return Scorer(of, references)


@dataclass(frozen=True)
class Sample:
    """The data of a bootstrap: a table for each system, whose units are resampled.

    A system is called SYSTEM in its own table, and all have the same keys, so that counts can
    change places. What concerns the references stands under None.
    """

    unit: Unit
    documents: tuple[str, ...]
    tables: Mapping[str | None, CountTable]
    scorer: Scorer

    def __len__(self) -> int:
        return len(next(iter(self.tables.values())))

    @property
    def systems(self) -> list[str]:
        """Their names, in order."""
        return [name for name in self.tables if name is not None]

    @cached_property
    def each(self) -> dict[str | None, dict[str, FloatArray]]:
        """The scores of each unit alone, of each system and of the references."""
        return {
            name: joined(
                self._micro(name, table.among(some)) for some in self._slices(name, len(self))
            )
            for name, table in self.tables.items()
        }

    @cached_property
    def _rounded(self) -> dict[str | None, tuple[FloatArray, FloatArray]]:
        """Values rounded for exact sums, and whether each is defined, as macro means need them."""
        rounded = {}
        for name, scores in self.each.items():
            values = np.array([*scores.values(), np.zeros(len(self))], np.float64)
            known = ~np.isnan(values)
            rounded[name] = exact_sums(np.where(known, values, 0.0).T).T, known.astype(np.float64)
        return rounded

    def _slices(self, name: str | None, size: int) -> list[slice]:
        """Few units or draws at a time, where there are many keys."""
        measures = self.tables[name].measures.values()
        rows = (own.keys.size if own.places is None else own.places.size for own in measures)
        step = max(1, AT_ONCE // max(1, 1, *rows))
        return [slice(start, start + step) for start in range(0, max(1, size), step)]

    def _micro(self, name: str | None, table: CountTable) -> dict[str, FloatArray]:
        scores = self.scorer.references if name is None else self.scorer.system
        return {key: np.broadcast_to(value, len(table)) for key, value in scores(table).items()}

    def _figures(
        self, name: str | None, table: CountTable, sums: tuple[FloatArray, FloatArray]
    ) -> Figures:
        """Micro and macro scores, given sums of counts, and of the scores of units."""
        micro = self._micro(name, table)
        figures: Figures = {("micro", key): values for key, values in micro.items()}
        if self.unit == "document":
            means: Numeric = ratio(*sums)  # type: ignore[arg-type]
            figures |= {("macro", key): means[row] for row, key in enumerate(micro)}
        return figures

    def estimates(self, name: str | None) -> dict[Name, float]:
        """The scores of all units."""
        ones = np.ones((1, len(self)))
        return {key: float(values[0]) for key, values in self.drawn(name, ones).items()}

    def left_out(self, name: str | None) -> Figures:
        """The scores with each unit left out in turn."""
        table, both = self.tables[name], self._rounded[name]
        rounded, known = (values.sum(axis=1, keepdims=True) - values for values in both)
        return joined(
            self._figures(name, table.without_each(some), (rounded[:, some], known[:, some]))
            for some in self._slices(name, len(self))
        )

    def drawn(self, name: str | None, weights: FloatArray) -> Figures:
        """The scores in each resample, given how often each unit is drawn; a few at a time."""
        table, (rounded, known) = self.tables[name], self._rounded[name]
        pieces = (weights[some] for some in self._slices(name, len(weights)))
        return joined(
            self._figures(name, table.weighted(piece), (rounded @ piece.T, known @ piece.T))
            for piece in pieces
        )

    def resampled(
        self, names: Sequence[str | None], draws: Iterable[FloatArray]
    ) -> dict[str | None, Figures]:
        """The scores in each resample, given the units' weights in pieces."""
        pieces: dict[str | None, list[Figures]] = {name: [] for name in names}
        for weights in draws:
            for name in names:
                pieces[name].append(self.drawn(name, weights))
        return {name: joined(parts) for name, parts in pieces.items()}

    def at_once(self, names: Sequence[str | None], resamples: int) -> list[Sequence[str | None]]:
        """Systems whose scores in all resamples are in memory together: few, if there are many."""
        step = max(1, MOST_DRAWS // resamples)
        return [names[start : start + step] for start in range(0, len(names), step)]

    def paired(self, one: str, other: str) -> Sample:
        """The sample with macro means of both systems over the units where both are defined."""
        (mine, known), (yours, defined) = self._rounded[one], self._rounded[other]
        if np.array_equal(known, defined):
            return self
        both = known * defined
        pair = replace(self, tables={name: self.tables[name] for name in (one, other)})
        vars(pair)["_rounded"] = {one: (mine * both, both), other: (yours * both, both)}
        return pair

    def exchanged(self, one: str, other: str, flips: Iterable[FloatArray]) -> Figures:
        """The differences of the scores of two systems that change places at some units."""

        def differences(flips: FloatArray) -> Figures:
            tables = self.tables[one].exchanged(self.tables[other], flips)
            parts = zip(self._rounded[one], self._rounded[other], strict=True)
            sums = zip(*(exchanged(*pair, flips) for pair in parts), strict=True)
            return difference(*map(self._figures, (one, other), tables, sums))

        return joined(
            differences(flip[some]) for flip in flips for some in self._slices(one, len(flip))
        )


def joined(parts: Iterable[dict[K, Array]]) -> dict[K, Array]:
    """The draws of several pieces, one after another; what is joined is dropped at once."""
    every = list(parts)
    if len(every) == 1:
        return every[0]
    return {key: np.concatenate([part.pop(key) for part in every]) for key in list(every[0])}


def difference(mine: Figures, yours: Figures) -> Figures:
    """One minus the other, score by score."""
    return {key: mine[key] - yours[key] for key in mine}


def sample_of(
    table: CountTable,
    systems: Sequence[str],
    how: Scorer,
    unit: Literal["auto", "document", "block"] = "auto",
    *,
    is_shared: bool = True,
) -> Sample:
    """Take counts by unit: blocks where there are few documents, if the table has them.

    Where annotators vary, systems are compared on documents that all of them have (`is_shared`).
    """
    scored = _scored(table, how)
    has_gaps = varies(scored)
    if has_gaps and is_shared:
        both = {*scored.documents}.intersection(*_documents_of(scored, systems).values())
        if not both:
            raise SourceError(", ".join(systems), "no document is in all of them", "score more")
        scored = scored.take([at for at, name in enumerate(scored.documents) if name in both])
    documents = tuple(dict.fromkeys(scored.documents))
    ends = [portion.block for portion in scored.portions]
    if unit == "auto":
        unit = "block" if any(ends) and len(documents) < FEW else "document"
    if unit == "block" and not any(ends):
        raise UsageError(
            f"these rows have no blocks; make them with {option('unit', 'block')}, or drop it"
        )
    for system, own in _documents_of(scored, () if has_gaps else systems).items():
        missing = next((name for name in documents if name not in own), None)
        if missing is not None:
            problem = f"no rows of the document '{missing}'"
            raise SourceError(system, problem, "score all systems on the same documents")
    cuts = _common_cuts(scored, ends) if unit == "block" else {name: [0] for name in documents}
    names = [name for name in documents for _ in cuts[name]]
    first = {name: at for at, name in reversed([*enumerate(names)])}
    code = [  # the common block in which a block lies; the last has what is beyond it
        first[name] + min(bisect_left(cuts[name], end), len(cuts[name]) - 1)
        for name, end in zip(scored.documents, ends, strict=True)
    ]
    units = scored.added(np.array(code, np.int64), names)
    return Sample(unit, documents, _by_system(units, systems), how)


def _scored(table: CountTable, how: Scorer) -> CountTable:
    """The counts of the units to resample, for the measures of the task only."""
    names = {measure.name.partition("@")[0] for measure in how.catalog.measures}
    every = table.measures.items()
    measures = {name: own for name, own in every if name.partition("@")[0] in names}
    counted = replace(table, measures=measures)
    has: Numeric = _systems_of_units(counted).any(axis=0)
    units = zip(has.tolist(), table.portions, strict=True)
    taken = [at for at, (is_scored, each) in enumerate(units) if is_scored and how.takes(each)]
    return counted if len(taken) == len(counted) else counted.take(taken)


def _systems_of_units(table: CountTable) -> BoolArray:
    """Whether each name has counts for each unit, names × units; the first name is None."""
    has = np.zeros((len(table.names.each) + 1, len(table)), np.bool_)
    for own in table.measures.values():
        key, unit = own.keys_and_units()
        has[decoded(own.keys)[0][key], unit] = True
    return has


def _documents_of(table: CountTable, systems: Sequence[str]) -> dict[str, set[str]]:
    """The documents that each system has."""
    documents, has, number = np.array(table.documents), _systems_of_units(table), table.names.number
    return {
        name: {*documents[has[number[name]]].tolist()} if name in number else set()
        for name in systems
    }


def _common_cuts(table: CountTable, block_ends: Sequence[int]) -> dict[str, list[int]]:
    """For each document the ends of its blocks, as far as all systems have them."""
    units: dict[str, list[int]] = {}
    for at, name in enumerate(table.documents):
        units.setdefault(name, []).append(at)
    has, ends, cuts = _systems_of_units(table), np.array(block_ends), {}
    for name, own in units.items():
        patterns = np.unique(has[:, own], axis=0)
        blocks = [{*ends[own][row].tolist()} for row in patterns if row.any()]
        cuts[name] = sorted(set.intersection(*blocks)) or [0]
    return cuts


def _by_system(units: CountTable, systems: Sequence[str]) -> dict[str | None, CountTable]:
    """For each system a table with the keys of all, in which it is called SYSTEM; and the rest."""
    names = Names((*units.names.each, SYSTEM))
    numbers = names.numbers(systems)
    tables: dict[str | None, dict[str, MeasureTable]] = {name: {} for name in (*systems, None)}
    for measure, own in units.measures.items():
        system, reference, left_out = decoded(own.keys)
        is_system = np.isin(system, numbers)
        rest = np.unique(coded(0, reference, left_out)[is_system])
        keys = coded(names.number[SYSTEM], 0, 0) | rest
        for name, number in zip(systems, numbers.tolist(), strict=True) if rest.size else ():
            tables[name][measure] = replace(own.dense(coded(number, 0, 0) | rest), keys=keys)
        if not is_system.all():
            tables[REFERENCES][measure] = own.dense(own.keys[~is_system])
    return {name: replace(units, names=names, measures=each) for name, each in tables.items()}
