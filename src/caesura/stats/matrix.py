"""Samples: the counts of the units that are drawn; a resample is a product, its scores arrays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np

from caesura.core.arrays import Array, Numeric
from caesura.core.counts import ratio
from caesura.core.measure_table import MeasureTable, exchanged
from caesura.core.resampling_defaults import FEW
from caesura.core.results import Mean
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.table import CountTable, Names, coded, decoded
from caesura.errors import SourceError, UsageError, option
from caesura.scores.panels import varies
from caesura.stats.draws import FloatArray, exact_sums
from caesura.stats.scorer import SYSTEM, Scorer

Unit = Literal["document", "block"]
Name = tuple[Mean, str]
K = TypeVar("K")
Figures = dict[Name, Any]
REFERENCES = None
AT_ONCE = 1 << 18
"""About how many sums of one kind are in memory at a time."""
MOST_DRAWS = 1 << 20
"""The most draws of one score that are in memory together, of one system or several."""


@dataclass(frozen=True)
class Sample:
    """The data of a bootstrap: a table for each system, whose units are resampled.

    A system is called SYSTEM in its own table, and all have the same keys, so that counts can
    change places. What concerns the references stands under None. `document` is the number of the
    document of each unit.
    """

    unit: Unit
    documents: tuple[str, ...]
    document: IntArray
    tables: Mapping[str | None, CountTable]
    scorer: Scorer

    def __len__(self) -> int:
        return self.document.size

    @property
    def systems(self) -> list[str]:
        """Their names, in order."""
        return [name for name in self.tables if name is not None]

    @cached_property
    def _each(self) -> dict[str | None, dict[str, FloatArray]]:
        """The scores of each unit alone, of each system and of the references."""
        return {
            name: joined(self._micro(name, table.among(some)) for some in self._units(name))
            for name, table in self.tables.items()
        }

    def _units(self, name: str | None) -> list[slice]:
        """Few units at a time, where there are many keys."""
        step = self._at_once(name)
        return [slice(at, at + step) for at in range(0, max(1, len(self)), step)]

    @cached_property
    def _rounded(self) -> dict[str | None, tuple[FloatArray, FloatArray]]:
        """Values rounded for exact sums, and whether each is defined, as macro means need them."""
        found = {}
        for name, scores in self._each.items():
            values = np.array([*scores.values(), np.zeros(len(self))], np.float64)
            known = ~np.isnan(values)
            rounded = exact_sums(np.where(known, values, 0.0).T).T
            found[name] = rounded, known.astype(np.float64)
        return found

    def _micro(self, name: str | None, table: CountTable) -> dict[str, FloatArray]:
        scores = self.scorer.references if name is None else self.scorer.system
        return {key: np.broadcast_to(value, len(table)) for key, value in scores(table).items()}

    def _figures(
        self, name: str | None, table: CountTable, sums: tuple[FloatArray, FloatArray]
    ) -> Figures:
        """Micro and macro scores, given sums of counts, and of the scores of units."""
        micro = self._micro(name, table)
        found: Figures = {("micro", key): values for key, values in micro.items()}
        if self.unit == "document":
            means: Numeric = ratio(*sums)  # type: ignore[arg-type]
            found |= {("macro", key): means[at] for at, key in enumerate(micro)}
        return found

    def estimates(self, name: str | None) -> dict[Name, float]:
        """The scores of all units."""
        ones = np.ones((1, len(self)))
        return {key: float(values[0]) for key, values in self.drawn(name, ones).items()}

    def left_out(self, name: str | None) -> Figures:
        """The scores with each unit left out in turn."""
        rounded, known = (each.sum(axis=1, keepdims=True) - each for each in self._rounded[name])

        def of(some: slice) -> Figures:
            sums = rounded[:, some], known[:, some]
            return self._figures(name, self.tables[name].without_each(some), sums)

        return joined(map(of, self._units(name)))

    def each(self, name: str | None) -> dict[str, FloatArray]:
        """The scores of each unit alone."""
        return self._each[name]

    def drawn(self, name: str | None, weights: FloatArray) -> Figures:
        """The scores in each resample, given how often each unit is drawn; a few at a time."""

        def of(some: FloatArray) -> Figures:
            rounded, known = self._rounded[name]
            sums = rounded @ some.T, known @ some.T
            return self._figures(name, self.tables[name].weighted(some), sums)

        return joined(map(of, self._pieces(name, weights)))

    def _pieces(self, name: str | None, weights: FloatArray) -> Iterator[FloatArray]:
        """Few draws at a time, where there are many keys."""
        step = self._at_once(name)
        for start in range(0, len(weights), step):
            yield weights[start : start + step]

    def _at_once(self, name: str | None) -> int:
        """How many units or draws are scored at a time."""
        every = self.tables[name].measures.values()
        rows = (own.keys.size if own.places is None else own.places.size for own in every)
        return max(1, AT_ONCE // max(1, 1, *rows))

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
        return joined(
            self._difference(one, other, some) for flip in flips for some in self._pieces(one, flip)
        )

    def _difference(self, one: str, other: str, flips: FloatArray) -> Figures:
        tables = self.tables[one].exchanged(self.tables[other], flips)
        parts = zip(self._rounded[one], self._rounded[other], strict=True)
        sums = zip(*(exchanged(*each, flips) for each in parts), strict=True)
        found = map(self._figures, (one, other), tables, sums)
        return difference(*found)


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
    if varies(scored):
        scored = _shared(scored, systems) if is_shared else scored
    documents, has_blocks = tuple(dict.fromkeys(scored.documents)), any(_ends(scored))
    if unit == "auto":
        unit = "block" if has_blocks and len(documents) < FEW else "document"
    if unit == "block" and not has_blocks:
        raise UsageError(
            f"these rows have no blocks; make them with {option('unit', 'block')}, or drop it"
        )
    has = _systems_of_units(scored)
    if not varies(scored):
        _require_all(scored, has, documents, systems)
    cuts = _common_cuts(scored, has) if unit == "block" else {each: [0] for each in documents}
    sizes = [len(cuts[name]) for name in documents]
    first = dict(zip(documents, np.cumsum([0, *sizes]).tolist(), strict=False))
    each = zip(scored.documents, _ends(scored), strict=True)
    code = np.array([first[name] + _within(cuts[name], end) for name, end in each], np.int64)
    units = scored.added(code, [name for name in documents for _ in cuts[name]])
    document = np.repeat(np.arange(len(documents)), sizes)
    return Sample(unit, documents, document, _by_system(units, systems), how)


def _scored(table: CountTable, how: Scorer) -> CountTable:
    """The counts of the units to resample, for the measures of the task only."""
    names = {each.name.partition("@")[0] for each in how.of.measures}
    every = table.measures.items()
    measures = {name: own for name, own in every if name.partition("@")[0] in names}
    counted = replace(table, measures=measures)
    has: Numeric = _systems_of_units(counted).any(axis=0)
    units = zip(has.tolist(), table.portions, strict=True)
    taken = [at for at, (is_scored, each) in enumerate(units) if is_scored and how.takes(each)]
    return counted if len(taken) == len(counted) else counted.take(taken)


def _shared(table: CountTable, systems: Sequence[str]) -> CountTable:
    """The units of documents that all systems have."""
    every, has = np.array(table.documents), _systems_of_units(table)
    known = [{*every[has[table.names.number[name]]].tolist()} for name in systems]
    both = set.intersection(*known) if known else {*table.documents}
    if not both:
        raise SourceError(", ".join(systems), "no document is in all of them", "score more")
    return table.take([at for at, name in enumerate(table.documents) if name in both])


def _ends(table: CountTable) -> list[int]:
    """The end of the block that each unit is."""
    return [portion.block for portion in table.portions]


def _systems_of_units(table: CountTable) -> BoolArray:
    """Whether each name has counts for each unit, names × units; the first name is None."""
    has = np.zeros((len(table.names.each) + 1, len(table)), np.bool_)
    for own in table.measures.values():
        key, unit = own.keys_and_units()
        has[decoded(own.keys)[0][key], unit] = True
    return has


def _require_all(
    table: CountTable, has: BoolArray, documents: Sequence[str], systems: Sequence[str]
) -> None:
    """Raise an error if a system lacks a document."""
    every = np.array(table.documents)
    for name in systems:
        own = (
            {*every[has[table.names.number[name]]].tolist()}
            if name in table.names.number
            else {*()}
        )
        missing = next((document for document in documents if document not in own), None)
        if missing is not None:
            raise SourceError(
                name, f"no rows of the document '{missing}'",
                "score all systems on the same documents",
            )  # fmt: skip


def _common_cuts(table: CountTable, has: BoolArray) -> dict[str, list[int]]:
    """For each document the ends of its blocks, as far as all systems have them."""
    units: dict[str, list[int]] = {}
    for at, name in enumerate(table.documents):
        units.setdefault(name, []).append(at)
    ends, cuts = np.array(_ends(table)), {}
    for name, own in units.items():
        patterns = np.unique(has[:, own], axis=0)
        blocks = [{*ends[own][row].tolist()} for row in patterns if row.any()]
        cuts[name] = sorted(set.intersection(*blocks)) or [0]
    return cuts


def _within(cuts: Sequence[int], end: int) -> int:
    """The number of the common block in which a block lies; the last has what is beyond it."""
    return min(bisect_left(cuts, end), len(cuts) - 1)


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
