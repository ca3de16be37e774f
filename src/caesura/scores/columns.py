"""Columns: the scores of many systems on many documents at once, as arrays by key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.counts import Counts, exact_mean, exact_means
from caesura.core.row import Key
from caesura.core.score import Score, Scores, values
from caesura.core.sheet import Sheet
from caesura.measures.base import Measure
from caesura.scores.catalog import Catalog
from caesura.scores.ledger import Ledger, pair_scores, system_scores

Columns = dict[str, npt.NDArray[Any]]
"""Scores by key, each systems × units."""
ANY = ""
"""The name of every system in a ledger of many."""
AT_ONCE = 1 << 20
"""About how many numbers are calculated at a time."""


@dataclass(frozen=True)
class Stack(Mapping[Key, Counts]):
    """The counts of some systems with the same keys: arrays of systems × units, under one name."""

    sheet: Sheet
    systems: Sequence[str]
    known: frozenset[Key]

    def __getitem__(self, key: Key) -> Counts:
        if key not in self.known:
            raise KeyError(key)
        places = self.sheet.layout.places
        found = [places[Key(name, *key[1:])] for name in self.systems]
        return self.sheet.tallies[found[0][0]].arrays([number for _, number in found])

    def __contains__(self, key: object) -> bool:
        return key in self.known

    def __iter__(self) -> Iterator[Key]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)


@dataclass(frozen=True, slots=True)
class Group:
    """Systems with the same keys under one name; `kept` are those that all documents have."""

    systems: list[str]
    known: frozenset[Key]
    kept: frozenset[Key]


def groups(keys: Iterable[Key], systems: Sequence[str], dropped: frozenset[Key]) -> list[Group]:
    """Systems that have the same keys, and the same without those dropped."""
    own: dict[str | None, tuple[list[Key], list[Key]]] = {name: ([], []) for name in systems}
    for key in keys:
        if key.system in own:
            every, kept = own[key.system]
            every.append(Key(ANY, *key[1:]))
            if key not in dropped:
                kept.append(every[-1])
    found: dict[tuple[frozenset[Key], frozenset[Key]], list[str]] = {}
    for name in systems:
        every, kept = own[name]
        found.setdefault((frozenset(every), frozenset(kept)), []).append(name)
    return [Group(names, *keys) for keys, names in found.items()]


def system_columns(
    sheet: Sheet,
    systems: Sequence[str],
    keys: frozenset[Key],
    references: Sequence[str],
    catalog: Catalog,
) -> Columns:
    """Every score of some systems with the same keys, in each unit."""

    def scored(part: Sheet) -> Scores:
        ledger = Ledger(Stack(part, systems, keys), exact_mean)
        return system_scores(ledger, ANY, references, catalog)

    return _in_parts(sheet, len(systems), scored)


def against_columns(
    sheet: Sheet, systems: Sequence[str], keys: frozenset[Key], reference: str, catalog: Catalog
) -> Columns:
    """The scores of some systems against one reference."""

    def scored(part: Sheet) -> Scores:
        ledger = Ledger(Stack(part, systems, keys))
        return pair_scores(ledger, ANY, reference, catalog)

    return _in_parts(sheet, len(systems), scored)


def reference_columns(sheet: Sheet, references: Sequence[str], catalog: Catalog) -> Columns:
    """The agreement of the references: the coefficients, and means over their pairs."""
    pairs = list(combinations(references, 2))

    def scored(part: Sheet) -> Scores:
        scores: Scores = {}
        for measure in catalog.measures:
            if measure.kind == "references":
                counts = _counts(part, measure, [Key(None, measure.name, None)])
                scores |= values(measure.scores, counts)
        for measure in catalog.measures:
            for score, each in _of_pairs(part, measure, pairs).items():
                scores[score.key_in("agreement")] = exact_means(each)
        return scores

    return _in_parts(sheet, 1, scored, len(pairs))


def pair_columns(sheet: Sheet, references: Sequence[str], catalog: Catalog) -> Columns:
    """The scores of every pair of references."""
    pairs = list(combinations(references, 2))

    def scored(part: Sheet) -> Scores:
        return {
            score.key: each
            for measure in catalog.measures
            for score, each in _of_pairs(part, measure, pairs).items()
        }

    return _in_parts(sheet, len(pairs), scored)


def _of_pairs(
    sheet: Sheet, measure: type[Measure], pairs: Sequence[tuple[str, str]]
) -> dict[Score, Any]:
    """The scores that a measure has of pairs of references: arrays of pairs × units."""
    if not measure.of_references:
        return {}
    counts = _counts(sheet, measure, [Key(a, measure.name, b) for a, b in pairs])
    shape = len(pairs), len(sheet)
    shown = [score for score in measure.scores if score.of != "systems"]
    return {score: np.broadcast_to(score.value(counts), shape) for score in shown}


def _counts(sheet: Sheet, measure: type[Measure], keys: Sequence[Key]) -> Counts:
    """The counts of some keys: arrays of keys × units; zero where there are none."""
    places = sheet.layout.places
    found = [places.get(key) for key in keys]
    kind = next((place[0] for place in found if place is not None), None)
    if kind is None:
        return measure.counts.zero()
    counts = sheet.tallies[kind].arrays([place[1] if place else 0 for place in found])
    if None not in found:
        return counts
    there = np.array([[place is not None] for place in found])
    return kind.from_items({item: each * there for item, each in counts.items().items()})


def _in_parts(
    sheet: Sheet, rows: int, scored: Callable[[Sheet], Scores], width: int = 0
) -> Columns:
    """Scores of some units after others, so that few numbers are in memory at a time."""
    step = max(1, AT_ONCE // max(1, rows, width))
    parts: list[Columns] = []
    for start in range(0, max(1, len(sheet)), step):
        part = sheet if step >= len(sheet) else sheet.some(slice(start, start + step))
        found, shape = scored(part), (rows, len(part))
        parts.append({key: np.broadcast_to(value, shape) for key, value in found.items()})
    return {key: np.concatenate([part[key] for part in parts], axis=1) for key in parts[0]}
