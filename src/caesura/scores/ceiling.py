"""The ceiling: systems and annotators, with each reference left out in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.counts import NAN, Counts, exact_means
from caesura.core.results import Ceiling
from caesura.core.row import Key
from caesura.core.score import Scores
from caesura.core.sheet import Sheet
from caesura.scores.catalog import Catalog, Entry
from caesura.scores.columns import Columns, dicts
from caesura.scores.pairs import NONE, Pairs, counts_at

Names = Sequence[str]
Array = npt.NDArray[np.float64]


def ceiling(sheet: Sheet, pairs: Pairs, systems: Names, catalog: Catalog) -> Ceiling:
    """The ceiling of the sum of all documents, given the pairs of references."""
    entries, references = catalog.shown("ceiling"), pairs.ours
    people = {key: _of_people(sheet, each, pairs) for key, each in entries.items()}
    reached = {key: _of_systems(sheet, each, systems, references) for key, each in entries.items()}
    return Ceiling(
        human={key: float(exact_means(each)) for key, each in people.items()},
        annotators=_by_name(people, references),
        systems=_by_name(reached, systems),
    )


def _by_name(scores: dict[str, Array], names: Names) -> dict[str, Scores]:
    columns: Columns = {key: each[:, None] for key, each in scores.items()}
    return dict(zip(names, dicts(columns, len(names)), strict=True))


def _of_people(sheet: Sheet, entry: Entry, pairs: Pairs) -> Array:
    """One score of each reference against the others."""
    if entry.measure.kind == "panel":
        return _against_panels(sheet, entry, [(name, name) for name in pairs.ours])
    found = _between(sheet, entry, pairs)
    np.fill_diagonal(found, NAN)
    means: Array = exact_means(found.T)
    return means


def _of_systems(sheet: Sheet, entry: Entry, systems: Names, references: Names) -> Array:
    """One score of each system against all references but one, on average."""
    if entry.measure.kind == "panel":
        asked = [(name, left_out) for left_out in references for name in systems]
        each = _against_panels(sheet, entry, asked).reshape(len(references), len(systems))
        return np.asarray(exact_means(each))
    pairs = Pairs.from_layout(sheet.layout, systems, references)
    reached = _values(entry, pairs.counts(sheet, entry.measure), (len(systems), len(references)))
    without = []
    for at in range(len(references)):
        others = np.delete(reached, at, axis=1)
        without.append(exact_means(others.T))
    return np.asarray(exact_means(np.stack(without)))


def _against_panels(sheet: Sheet, entry: Entry, asked: Sequence[tuple[str, str]]) -> Array:
    """One score of each name against all references but the one beside it."""
    name, place_of = entry.measure.name, sheet.layout.place
    found = [place_of(Key(who, name, None, left_out)) for who, left_out in asked]
    numbers = np.array([NONE if place is None else place[1] for place in found], np.int64)
    kind = next((place[0] for place in found if place is not None), None)
    counts: Any = entry.measure.counts.zero() if kind is None else counts_at(sheet, kind, numbers)
    return _values(entry, counts, (len(asked),))


def _between(sheet: Sheet, entry: Entry, pairs: Pairs) -> Array:
    """One score of each reference against each other; a pair is counted one way only."""
    shape = len(pairs.ours), len(pairs.ours)
    counts = pairs.counts(sheet, entry.measure)
    forward = _values(entry, counts, shape)
    if entry.measure.name not in pairs.places:
        return forward
    numbers = pairs.places[entry.measure.name][1]
    turned = _values(entry, counts.swapped(), shape).T
    return np.where(numbers.T != NONE, turned, forward)


def _values(entry: Entry, counts: Counts, shape: tuple[int, ...]) -> Array:
    """A score of counts that have one unit."""
    value = np.asarray(entry.score.value(counts), np.float64)
    found = value if value.ndim == 0 else value[..., 0]
    return np.broadcast_to(found, shape).copy()
