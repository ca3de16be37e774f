"""Together: many transcripts, or one with many versions, counted in one pass into a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from caesura.align.versions import Versions
from caesura.core.batch import SegmentationBatch
from caesura.core.counts import Counts
from caesura.core.row import Key, Row, SourceCounts
from caesura.core.segmentation import IntArray
from caesura.core.sheet import WHOLE, RowLayout, Sheet
from caesura.core.tally import Tally
from caesura.measures.base import Measure
from caesura.tasks.pairings import Counted, count_batches


def count_versions(
    names: Sequence[str],
    sources: Sequence[dict[str, SourceCounts]],
    documents: Sequence[Versions],
    measures: Sequence[Measure],
    others: Sequence[Sequence[Row]],
) -> Sheet:
    """Count documents whose versions have the same names, each of them on one axis of words.

    `others` are further rows of each document, for the same keys in each.
    """
    every = [each.everyone for each in documents]
    systems, references = (
        {
            name: SegmentationBatch.from_segmentations([each[name].segmentation for each in every])
            for name in side
        }
        for side in (documents[0].systems, documents[0].references)
    )
    columns = _Columns(len(names))
    columns.add_sources(sources)
    columns.add(count_batches(systems, references, measures))
    columns.add_rows(others)
    return columns.sheet(names)


class _Columns:
    """Counts by kind, with the numbers of their rows."""

    def __init__(self, documents: int) -> None:
        self.documents = documents
        self.keys: list[Key] = []
        self.kinds: list[type[Counts]] = []
        self.tallies: dict[type[Counts], list[tuple[IntArray, Tally]]] = {}

    def add_sources(self, sources: Sequence[dict[str, SourceCounts]]) -> None:
        """What was read of each document, by version."""
        flat = [counts for each in sources for counts in each.values()]
        self.keys += [Key(name, "source", None) for name in sources[0]]
        self.kinds += [SourceCounts] * len(self.keys)
        tally = Tally.from_counts(SourceCounts, flat, len(self.keys))
        self.tallies[SourceCounts] = [(np.arange(len(self.keys)), tally)]

    def add(self, counted: Iterable[Counted]) -> None:
        """What was counted of all documents."""
        for pairings, columns in counted:
            shape = len(pairings), self.documents
            numbers = len(self.keys) + np.arange(len(pairings) * len(columns))
            for own, (_, counts) in zip(numbers.reshape(-1, len(columns)).T, columns, strict=True):
                items = counts.items().items()
                shaped = counts.from_items({item: np.reshape(each, shape) for item, each in items})
                tally = Tally.from_arrays(shaped, *shape)
                self.tallies.setdefault(type(counts), []).append((own, tally))
            self.keys += [each.key(measure) for each in pairings for measure, _ in columns]
            self.kinds += [type(counts) for _, counts in columns] * len(pairings)

    def add_rows(self, rows: Sequence[Sequence[Row]]) -> None:
        """What was counted of each document alone."""
        kinds = [type(row.counts) for row in rows[0]]
        for kind in dict.fromkeys(kinds):
            own = [at for at, each in enumerate(kinds) if each is kind]
            flat = [each[at].counts for each in rows for at in own]
            tally = Tally.from_counts(kind, flat, len(own))
            self.tallies.setdefault(kind, []).append((len(self.keys) + np.array(own), tally))
        self.keys += [Key(row.system, row.measure, row.reference) for row in rows[0]]
        self.kinds += kinds

    def sheet(self, names: Sequence[str]) -> Sheet:
        """All of it, in the order of the rows."""
        tallies = {kind: _ordered(parts) for kind, parts in self.tallies.items()}
        layout = RowLayout(tuple(self.keys), tuple(self.kinds))
        return Sheet(list(names), [WHOLE] * len(names), layout, tallies, np.arange(len(names)))


def _ordered(parts: list[tuple[IntArray, Tally]]) -> Tally:
    """The keys of all parts, by the numbers of their rows."""
    numbers = np.concatenate([own for own, _ in parts])
    joined = Tally.from_tallies([tally for _, tally in parts], by="keys")
    order = np.argsort(numbers)
    shape = None if joined.shape is None else joined.shape[order]
    return Tally(joined.kind, joined.items, joined.values[:, order], joined.shapes, shape)
