"""Rows as one matrix of units × counts: a resample is a product, its scores are of arrays."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from caesura.core.counts import Counts, ratio
from caesura.core.results import Mean
from caesura.core.row import Key, Row
from caesura.core.rows import Rows
from caesura.core.segmentation import IntArray
from caesura.core.sheet import Sheet
from caesura.core.tally import Tally
from caesura.errors import SourceError, UsageError, option
from caesura.scores.ledger import Ledger
from caesura.stats.draws import FEW, FloatArray, exact_sums
from caesura.stats.scorer import SYSTEM, Scorer

Unit = Literal["document", "block"]
Name = tuple[Mean, str]
Figures = dict[Name, Any]
REFERENCES = None


@dataclass(frozen=True, slots=True)
class LayoutEntry:
    """The columns of one key: what is counted, and the kind of its counts."""

    key: Key
    items: tuple[Any, ...]
    kind: type[Counts]


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
    how: Scorer,
    unit: Literal["auto", "document", "block"] = "auto",
) -> Sample:
    """Put rows into matrices; units are blocks where there are few documents, if rows have them."""
    scored = [part for sheet in Rows.from_rows(rows).sheets for part in _scored(sheet, how)]
    documents = _documents(scored)
    has_blocks = any(part.blocks.any() for part in scored)
    if unit == "auto":
        unit = "block" if has_blocks and len(documents) < FEW else "document"
    if unit == "block" and not has_blocks:
        raise UsageError(
            f"these rows have no blocks; make them with {option('unit', 'block')}, or drop it"
        )
    where = _Places(scored, documents, by_block=unit == "block")
    _require_all(scored, documents, systems)
    cells = _cells(scored, where, set(systems))
    shared = _layout(cells, systems)
    layouts: dict[str | None, Layout] = dict.fromkeys(systems, shared)
    layouts[REFERENCES] = _layout(cells, (REFERENCES,))
    matrices = {
        name: _matrix(layout, cells, name, where.number) for name, layout in layouts.items()
    }
    return Sample(unit, documents, where.document, layouts, matrices, how)


@dataclass(frozen=True)
class _Scored:
    """The rows of a sheet that are resampled: its units, and some of its keys."""

    sheet: Sheet
    keys: list[tuple[Key, type[Counts], int]]

    @cached_property
    def blocks(self) -> IntArray:
        """The block of each unit."""
        return np.array([portion.block for portion in self.sheet.portions], np.int64)

    @cached_property
    def systems(self) -> set[str | None]:
        """Who has rows."""
        return {key.system for key, _, _ in self.keys}


def _scored(sheet: Sheet, how: Scorer) -> Iterator[_Scored]:
    layout = sheet.layout
    every = zip(layout.keys, layout.kinds, layout.numbers, strict=True)
    keys = [place for place in every if place[0].measure in how.of.task.measures]
    units = [at for at, portion in enumerate(sheet.portions) if how.takes(portion)]
    if keys and units:
        yield _Scored(sheet if len(units) == len(sheet) else sheet.some(np.array(units)), keys)


def _documents(parts: Sequence[_Scored]) -> tuple[str, ...]:
    """The documents in the order of the rows."""
    names = [name for part in parts for name in part.sheet.documents]
    orders = np.concatenate([np.zeros(0, np.int64), *(part.sheet.order for part in parts)])
    return tuple(dict.fromkeys([names[at] for at in np.argsort(orders).tolist()]))


class _Places:
    """The unit of each row: its document, or the block that all systems have in common."""

    def __init__(
        self, parts: Sequence[_Scored], documents: Sequence[str], *, by_block: bool
    ) -> None:
        self.cuts = _common_cuts(parts) if by_block else {name: [0] for name in documents}
        sizes = [len(self.cuts[name]) for name in documents]
        starts = np.cumsum([0, *sizes]).tolist()
        self.first = dict(zip(documents, starts, strict=False))
        self.number = starts[-1]
        self.document = np.repeat(np.arange(len(documents)), sizes)

    def units(self, part: _Scored) -> IntArray:
        """The number of the unit in which each unit of a sheet is counted."""
        each = zip(part.sheet.documents, part.blocks.tolist(), strict=True)
        return np.array([self.first[name] + self._within(name, block) for name, block in each])

    def _within(self, name: str, block: int) -> int:
        """The number of the common block in which a block lies; the last has what is beyond it."""
        cuts = self.cuts[name]
        return min(bisect_left(cuts, block), len(cuts) - 1)


def _common_cuts(parts: Sequence[_Scored]) -> dict[str, list[int]]:
    """For each document the ends of its blocks, as far as all systems have them."""
    ends: defaultdict[str, defaultdict[str | None, set[int]]]
    ends = defaultdict(lambda: defaultdict(set))
    for part in parts:
        for name, block in zip(part.sheet.documents, part.blocks.tolist(), strict=True):
            for system in part.systems:
                ends[name][system].add(block)
    return {name: sorted(set.intersection(*each.values())) or [0] for name, each in ends.items()}


def _require_all(
    parts: Sequence[_Scored], documents: tuple[str, ...], systems: Sequence[str]
) -> None:
    for system in systems:
        have = {name for part in parts if system in part.systems for name in part.sheet.documents}
        missing = next((document for document in documents if document not in have), None)
        if missing is not None:
            raise SourceError(
                system, f"no rows of the document '{missing}'",
                "score all systems on the same documents",
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Cell:
    """The counts of one key on one sheet: where it is in its tally, and the units of the sample."""

    tally: Tally
    number: int
    units: IntArray

    @property
    def items(self) -> tuple[Any, ...]:
        """What is counted."""
        return self.tally.items_of(self.number)

    def add(self, block: FloatArray, items: Sequence[Any]) -> None:
        """Add the counts to a matrix of units × items."""
        known = {item: at for at, item in enumerate(items)}
        mine = [at for at, item in enumerate(self.tally.items) if item in known]
        columns = np.array([known[self.tally.items[at]] for at in mine], np.int64)
        values = self.tally.values[mine, self.number].astype(np.float64)
        np.add.at(block, (self.units[:, None], columns), values.T)


Cells = dict[tuple[str | None, Key], list[_Cell]]


def _cells(parts: Sequence[_Scored], where: _Places, systems: set[str]) -> Cells:
    """The counts of each key; a system's keys have no name, so that they can be shared."""
    cells: Cells = {}
    for part in parts:
        units = where.units(part)
        for key, kind, number in part.keys:
            is_system = key.system in systems
            place = (key.system, Key(SYSTEM, *key[1:])) if is_system else (REFERENCES, key)
            cells.setdefault(place, []).append(_Cell(part.sheet.tallies[kind], number, units))
    return cells


def _layout(cells: Cells, names: Sequence[str | None]) -> Layout:
    """One entry for each key of some systems, or of the references, with the items of all."""
    wanted = set(names)
    items: dict[Key, dict[Any, None]] = {}
    kinds: dict[Key, type[Counts]] = {}
    for (name, key), own in cells.items():
        if name in wanted:
            for cell in own:
                items.setdefault(key, {}).update(dict.fromkeys(cell.items))
                kinds[key] = cell.tally.kind
    return tuple(LayoutEntry(key, tuple(each), kinds[key]) for key, each in items.items())


def _matrix(layout: Layout, cells: Cells, name: str | None, units: int) -> FloatArray:
    columns = [np.zeros((units, 0))]
    for entry in layout:
        block = np.zeros((units, len(entry.items)))
        for cell in cells.get((name, entry.key), ()):
            cell.add(block, entry.items)
        columns.append(block)
    return np.concatenate(columns, axis=1)
