"""Columns: the scores of many systems on many documents at once, as arrays by key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.counts import Counts, exact_mean
from caesura.core.row import Key
from caesura.core.score import Scores
from caesura.core.segmentation import IntArray
from caesura.core.sheet import RowLayout, Sheet
from caesura.scores.catalog import Catalog
from caesura.scores.ledger import Ledger, pair_scores, system_scores

Columns = dict[str, npt.NDArray[Any]]
"""Scores by key, each systems × units."""
Place = tuple[type[Counts], IntArray]
"""Where counts are: the tally of a kind, and numbers of keys in it."""
ANY = ""
"""The name of every system in a ledger of many."""
AT_ONCE = 1 << 20
"""About how many numbers are calculated at a time."""


@dataclass(frozen=True, slots=True)
class Group:
    """Systems that have the same keys, under one name; `kept` are those that documents have."""

    systems: list[str]
    places: dict[Key, Place]
    kept: frozenset[Key]

    def __len__(self) -> int:
        return len(self.systems)


@dataclass(frozen=True, slots=True)
class GroupCounts(Mapping[Key, Counts]):
    """The counts of a group: arrays of systems × units."""

    sheet: Sheet
    places: Mapping[Key, Place]

    def __getitem__(self, key: Key) -> Counts:
        kind, numbers = self.places[key]
        return self.sheet.tallies[kind].arrays(numbers)

    def __contains__(self, key: object) -> bool:
        return key in self.places

    def __iter__(self) -> Iterator[Key]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def groups(layout: RowLayout, systems: Sequence[str], dropped: frozenset[Key]) -> list[Group]:
    """Systems that have the same keys, and the same without those dropped."""
    own: dict[str | None, list[tuple[Any, ...]]] = {name: [] for name in systems}
    numbers: dict[str | None, list[int]] = {name: [] for name in systems}
    for key, kind, number in zip(layout.keys, layout.kinds, layout.numbers, strict=True):
        if key.system in own:
            own[key.system].append((key[1:], kind, key not in dropped))
            numbers[key.system].append(number)
    found: dict[tuple[Any, ...], list[str]] = {}
    for name in systems:
        found.setdefault(tuple(own[name]), []).append(name)
    made = []
    for keys, names in found.items():
        columns = np.array([numbers[name] for name in names], np.int64).T
        every = zip(keys, columns, strict=True)
        places = {Key(ANY, *rest): (kind, column) for (rest, kind, _), column in every}
        kept = frozenset(Key(ANY, *rest) for rest, _, is_kept in keys if is_kept)
        made.append(Group(names, places, kept))
    return made


def system_columns(
    sheet: Sheet, group: Group, references: Sequence[str], catalog: Catalog
) -> Columns:
    """Every score of the systems of a group, in each unit."""

    def scored(part: Sheet) -> Scores:
        ledger = Ledger(GroupCounts(part, group.places), exact_mean)
        return system_scores(ledger, ANY, references, catalog)

    return in_parts(sheet, len(group), scored)


def kept_columns(
    sheet: Sheet, group: Group, references: Sequence[str], catalog: Catalog
) -> Columns:
    """The same, of what every document has."""
    places = {key: place for key, place in group.places.items() if key in group.kept}
    return system_columns(sheet, Group(group.systems, places, group.kept), references, catalog)


def against_columns(sheet: Sheet, group: Group, reference: str, catalog: Catalog) -> Columns:
    """The scores of the systems of a group against one reference."""

    def scored(part: Sheet) -> Scores:
        return pair_scores(Ledger(GroupCounts(part, group.places)), ANY, reference, catalog)

    return in_parts(sheet, len(group), scored)


def in_parts(sheet: Sheet, rows: int, scored: Callable[[Sheet], Scores], width: int = 0) -> Columns:
    """Scores of some units after others, so that few numbers are in memory at a time."""
    step = max(1, AT_ONCE // max(1, rows, width))
    parts: list[Columns] = []
    for start in range(0, max(1, len(sheet)), step):
        part = sheet if step >= len(sheet) else sheet.some(slice(start, start + step))
        found, shape = scored(part), (rows, len(part))
        parts.append({key: np.broadcast_to(value, shape) for key, value in found.items()})
    return {key: np.concatenate([part[key] for part in parts], axis=1) for key in parts[0]}


def dicts(columns: Columns, number: int) -> list[Scores]:
    """The scores of each system, of columns with one unit."""
    keys = tuple(columns)
    if not keys:
        return [{} for _ in range(number)]
    rows = zip(*(column[:, 0].tolist() for column in columns.values()), strict=True)
    return [dict(zip(keys, row, strict=True)) for row in rows]
