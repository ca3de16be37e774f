"""Rows as one matrix of units × counts: a resample is a product, its scores are of arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal

import numpy as np

from caesura.core.counts import Counts, ratio
from caesura.core.results import Mean
from caesura.core.row import Key, Row
from caesura.core.segmentation import IntArray
from caesura.errors import SourceError, UsageError
from caesura.run.rows import counts_of
from caesura.scores.ledger import Ledger
from caesura.stats.draws import FEW, FloatArray, exact_sums
from caesura.stats.scorer import SYSTEM, Scorer, scorer

Unit = Literal["document", "block"]
Name = tuple[Mean, str]
Figures = dict[Name, Any]
REFERENCES = None


@dataclass(frozen=True, slots=True)
class LayoutEntry:
    """The columns of one key: what is counted, and the kind of its counts."""

    key: Key
    items: tuple[Any, ...]

    @property
    def kind(self) -> type[Counts]:
        """The class of the counts."""
        return counts_of(self.key.measure)


Layout = tuple[LayoutEntry, ...]


def ledger_of(layout: Layout, sums: FloatArray) -> Ledger:
    """The ledger whose counts are arrays: one number for each row of sums."""
    columns = iter(np.ascontiguousarray(sums.T))
    return Ledger(
        {
            entry.key: entry.kind.from_items({item: next(columns) for item in entry.items})
            for entry in layout
        }
    )


@dataclass(frozen=True)
class Sample:
    """What can be resampled: units, and for each system a matrix of units × counts.

    All systems share one layout, so that their counts can change places. What concerns the
    references stands under None. `document` is the number of the document of each unit.
    """

    unit: Unit
    documents: tuple[str, ...]
    document: IntArray
    layouts: Mapping[str | None, Layout]
    matrices: Mapping[str | None, FloatArray]
    scorer: Scorer

    def __len__(self) -> int:
        return self.document.size

    @property
    def systems(self) -> list[str]:
        """Their names, in order."""
        return [name for name in self.matrices if name is not None]

    @cached_property
    def tables(self) -> dict[str | None, FloatArray]:
        """The matrices, with what macro means need added: each document's scores, if defined."""
        if self.unit == "block":
            return dict(self.matrices)
        result = {}
        for name, matrix in self.matrices.items():
            each = self._micro(name, matrix)
            values = np.stack([*each.values(), np.zeros(len(self))], axis=1)
            known = ~np.isnan(values)
            rounded = exact_sums(np.where(known, values, 0.0))
            result[name] = np.concatenate((matrix, rounded, known), axis=1)
        return result

    def figures(self, name: str | None, sums: FloatArray) -> Figures:
        """Micro and macro scores of one system, or of the references, for each row of sums."""
        width = self.matrices[name].shape[1]
        micro = self._micro(name, sums[:, :width])
        found: Figures = {("micro", score): values for score, values in micro.items()}
        if sums.shape[1] > width:
            totals, numbers = np.split(sums[:, width:], 2, axis=1)
            means = ratio(totals, numbers)  # type: ignore[arg-type]
            found |= {("macro", score): means[:, at] for at, score in enumerate(micro)}  # type: ignore[index]
        return found

    def _micro(self, name: str | None, sums: FloatArray) -> dict[str, FloatArray]:
        ledger = ledger_of(self.layouts[name], sums)
        scores = self.scorer.references(ledger) if name is None else self.scorer.system(ledger)
        return {key: np.broadcast_to(value, len(sums)) for key, value in scores.items()}

    def estimates(self, name: str | None) -> dict[Name, float]:
        """The scores of all units."""
        total = self.tables[name].sum(axis=0, keepdims=True)
        return {key: float(values[0]) for key, values in self.figures(name, total).items()}

    def left_out(self, name: str | None) -> Figures:
        """The scores with each unit left out in turn."""
        table = self.tables[name]
        return self.figures(name, table.sum(axis=0) - table)

    def each(self, name: str | None) -> dict[str, FloatArray]:
        """The scores of each unit alone."""
        return self._micro(name, self.matrices[name])

    def resampled(
        self, names: Sequence[str | None], draws: Iterable[FloatArray]
    ) -> dict[str | None, Figures]:
        """The scores in each resample, given the units' weights in pieces."""
        pieces: dict[str | None, list[Figures]] = {name: [] for name in names}
        for weights in draws:
            for name in names:
                pieces[name].append(self.figures(name, weights @ self.tables[name]))
        return {name: joined(parts) for name, parts in pieces.items()}

    def exchanged(self, one: str, other: str, flips: Iterable[FloatArray]) -> Figures:
        """The differences of the scores of two systems that change places at some units."""
        mine, yours = self.tables[one], self.tables[other]
        total_mine, total_yours, moved = mine.sum(axis=0), yours.sum(axis=0), yours - mine
        return joined(
            difference(
                self.figures(one, total_mine + shift), self.figures(other, total_yours - shift)
            )
            for shift in (flip @ moved for flip in flips)
        )


def joined(parts: Iterable[Figures]) -> Figures:
    """The draws of several pieces, one after another."""
    every = list(parts)
    return {key: np.concatenate([part[key] for part in every]) for key in every[0]}


def difference(mine: Figures, yours: Figures) -> Figures:
    """One minus the other, score by score."""
    return {key: mine[key] - yours[key] for key in mine}


def sample_of(
    rows: Sequence[Row],
    systems: Sequence[str],
    references: Sequence[str],
    task: str,
    unit: Literal["auto", "document", "block"] = "auto",
) -> Sample:
    """Put rows into matrices; units are blocks where there are few documents, if rows have them."""
    how = scorer(task, tuple(references))
    scored = [row for row in rows if how.takes(row)]
    documents = tuple(dict.fromkeys(row.document for row in scored))
    has_blocks = any(row.block for row in scored)
    if unit == "auto":
        unit = "block" if has_blocks and len(documents) < FEW else "document"
    if unit == "block" and not has_blocks:
        raise UsageError("these rows have no blocks; make them with --unit block, or drop it")
    where = _Places(scored, documents, by_block=unit == "block")
    _require_all(scored, documents, systems)
    cells = _cells(scored, where, set(systems))
    shared = _layout(list(_entries(cells, systems, shared=True)))
    layouts: dict[str | None, Layout] = dict.fromkeys(systems, shared)
    layouts[REFERENCES] = _layout(list(_entries(cells, (None,), shared=False)))
    matrices = {
        name: _matrix(layout, cells, name, where.number) for name, layout in layouts.items()
    }
    return Sample(unit, documents, where.document, layouts, matrices, how)


class _Places:
    """The unit of each row: its document, or the block that all systems have in common."""

    def __init__(self, rows: Sequence[Row], documents: tuple[str, ...], *, by_block: bool) -> None:
        self.cuts = _common_cuts(rows) if by_block else {name: [0] for name in documents}
        sizes = [len(self.cuts[name]) for name in documents]
        starts = np.cumsum([0, *sizes]).tolist()
        self.first = dict(zip(documents, starts, strict=False))
        self.number = starts[-1]
        self.document = np.repeat(np.arange(len(documents)), sizes)
        self._known: dict[tuple[str, int], int] = {}

    def unit(self, row: Row) -> int:
        """The number of the unit in which a row is counted."""
        key = row.document, row.block
        if key not in self._known:
            cuts = self.cuts[row.document]
            within = int(np.searchsorted(cuts, row.block)) if len(cuts) > 1 else 0
            self._known[key] = self.first[row.document] + within
        return self._known[key]


def _common_cuts(rows: Sequence[Row]) -> dict[str, list[int]]:
    """For each document the ends of its blocks, as far as all systems have them."""
    ends: defaultdict[str, defaultdict[str | None, set[int]]]
    ends = defaultdict(lambda: defaultdict(set))
    for row in rows:
        ends[row.document][row.system].add(row.block)
    return {name: sorted(set.intersection(*each.values())) or [0] for name, each in ends.items()}


def _require_all(rows: Sequence[Row], documents: tuple[str, ...], systems: Sequence[str]) -> None:
    have: defaultdict[str | None, set[str]] = defaultdict(set)
    for row in rows:
        have[row.system].add(row.document)
    for system in systems:
        for document in documents:
            if document not in have[system]:
                raise SourceError(
                    system, f"no rows of the document '{document}'",
                    "score all systems on the same documents",
                )  # fmt: skip


Cells = dict[tuple[str | None, Key], tuple[list[int], list[Counts]]]


def _cells(rows: Sequence[Row], where: _Places, systems: set[str]) -> Cells:
    """Units and counts of each key; a system's keys have no name, so that they can be shared."""
    cells: Cells = defaultdict(lambda: ([], []))
    for row in rows:
        if row.system in systems:
            place: tuple[str | None, Key] = row.system, _key(row, SYSTEM)
        else:
            place = REFERENCES, _key(row, row.system)
        units, counts = cells[place]
        units.append(where.unit(row))
        counts.append(row.counts)
    return cells


def _key(row: Row, system: str | None) -> Key:
    return Key(system, row.measure, row.reference, row.left_out)


def _entries(cells: Cells, names: Sequence[str | None], *, shared: bool) -> Iterator[LayoutEntry]:
    for (name, key), (_, counts) in cells.items():
        if name in names and (shared or name is REFERENCES):
            yield LayoutEntry(key, _items(counts))


def _items(counts: Sequence[Counts]) -> tuple[Any, ...]:
    if _is_plain(type(counts[0])):
        return counts[0].__match_args__
    return tuple(dict.fromkeys(item for each in counts for item in each.items()))


def _is_plain(kind: type[Counts]) -> bool:
    """Whether all counts of the kind have the same fields, each of them a number."""
    return kind.items is Counts.items


def _layout(entries: Sequence[LayoutEntry]) -> Layout:
    """One entry for each key, with the items of all."""
    items: dict[Key, dict[Any, None]] = {}
    for entry in entries:
        items.setdefault(entry.key, {}).update(dict.fromkeys(entry.items))
    return tuple(LayoutEntry(key, tuple(each)) for key, each in items.items())


def _matrix(layout: Layout, cells: Cells, name: str | None, units: int) -> FloatArray:
    columns = [np.zeros((units, 0))]
    for entry in layout:
        block = np.zeros((units, len(entry.items)))
        at, counts = cells.get((name, entry.key), ([], []))
        if counts and entry.items:
            np.add.at(block, np.array(at), _values(entry, counts))
        columns.append(block)
    return np.concatenate(columns, axis=1)


def _values(entry: LayoutEntry, counts: list[Counts]) -> FloatArray:
    if not _is_plain(entry.kind):
        flat = [each.items() for each in counts]
        return np.array([[each.get(item, 0) for item in entry.items] for each in flat], np.float64)
    values = np.array(list(map(attrgetter(*entry.items), counts)), np.float64)
    return values.reshape(len(counts), len(entry.items))
