"""Panels: who has which documents, where annotators vary from document to document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from caesura.core.row import EXTENT, PANEL_EXTENT, SOURCE
from caesura.core.score import Scores
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.table import CountTable

Names = Sequence[str]
SECOND = 1_000_000

BOUNDARY = "boundary"
"""The measure that counts slots."""


def varies(table: CountTable) -> bool:
    """Whether a table was counted for annotators that vary."""
    return PANEL_EXTENT in table.measures or EXTENT in table.measures


def who_has(documents: CountTable, names: Names) -> BoolArray:
    """Which versions were read of which documents, names × units."""
    if SOURCE not in documents.measures:  # there are no documents
        return np.zeros((len(names), len(documents)), np.bool_)
    _, there = documents.counts(SOURCE, documents.names.grid(names)[:, 0])
    has: BoolArray = np.broadcast_to(there, (len(names), len(documents)))
    return has


def panel_sizes(documents: CountTable, references: Names) -> dict[int, int]:
    """How many documents have how many references."""
    sizes, times = np.unique(who_has(documents, references).sum(axis=0), return_counts=True)
    return dict(zip(sizes.tolist(), times.tolist(), strict=True))


def alike_in_documents(
    documents: CountTable, systems: Names
) -> Iterator[tuple[list[str], CountTable]]:
    """Systems that have the same documents, and the table with these only."""
    if not varies(documents) or not systems or SOURCE not in documents.measures:
        yield [*systems], documents
        return
    groups: dict[bytes, list[int]] = {}
    has = _scored_in(documents, systems)
    for at, own in enumerate(has):
        groups.setdefault(own.tobytes(), []).append(at)
    for group in groups.values():
        units = np.flatnonzero(has[group[0]]).tolist()
        is_full = len(units) == len(documents)
        yield [systems[at] for at in group], documents if is_full else documents.take(units)


def _scored_in(documents: CountTable, systems: Names) -> BoolArray:
    """Which systems are scored in which documents, systems × units."""
    _, there = documents.counts(PANEL_EXTENT, documents.names.grid(systems)[:, 0])
    return np.broadcast_to(there, (len(systems), len(documents)))


def packed(documents: CountTable, references: Names) -> tuple[CountTable, Names]:
    """The table with the references of each document by number, so that few names are enough.

    Of a hundred annotators each document has few: scores of documents cost what those few cost.
    """
    if not varies(documents) or SOURCE not in documents.measures:
        return documents, references
    has = who_has(documents, references)
    most = int(has.sum(axis=0).max(initial=0))
    if most == len(references):
        return documents, references
    names, order = documents.names, np.cumsum(has, axis=0) - 1  # place of each in its panel
    at = np.arange(len(names.each) + 1)[:, None].repeat(len(documents), axis=1)
    own = names.numbers(references)
    at[own] = np.where(has, own[np.minimum(order, most - 1)], at[own])
    return documents.renumbered(at), references[:most]


def times_counted(documents: CountTable, measure: str, codes: IntArray) -> list[int]:
    """In how many documents each of some keys is counted."""
    own, number = documents.measures[measure], documents.measures[measure].find(codes)
    found: list[int] = np.where(number < 0, 0, own.units_by_key()[number]).tolist()
    return found


def shared(documents: CountTable, codes: IntArray) -> list[Scores]:
    """For each of some keys the documents that it is of, and their slots, or their duration."""
    counts, _ = documents.total.counts(EXTENT, codes)
    extent: Any = counts.extent[:, 0].tolist()
    on_clock = not _has_slots(documents)
    return [
        {"documents": times, **({"duration": own / SECOND} if on_clock else {"slots": own})}
        for times, own in zip(times_counted(documents, EXTENT, codes), extent, strict=True)
    ]


def _has_slots(documents: CountTable) -> bool:
    """Whether places are counted, as on words; on a clock there are none."""
    own = documents.measures.get(BOUNDARY)
    return own is not None and bool(own.values[own.fields.index("slots")].any())
