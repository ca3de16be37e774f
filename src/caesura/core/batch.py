"""Batches: many segmentations laid end to end on one axis, so that all are counted in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from caesura.core.arrays import isin_sorted, stretched, union
from caesura.core.segmentation import (
    BoolArray,
    Final,
    IntArray,
    MarkArray,
    Panel,
    ScoreArray,
    Segmentation,
    require_one_length,
)

NOWHERE = np.zeros(0, np.int64)
_YES = np.ones(1, np.bool_)
UNSCORED = np.float32(-1)
"""The score of items that are no places, or of a document without scores among others."""


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Positions of many documents on one axis, in order: d has offsets[d] … offsets[d + 1]."""

    at: IntArray
    offsets: IntArray

    @classmethod
    def from_one(cls, at: IntArray) -> Positions:
        """The positions of one document."""
        return cls(at, np.array((0, at.size)))

    @property
    def sizes(self) -> IntArray:
        """How many positions each document has."""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def owners(self) -> IntArray:
        """The number of the document of each position."""
        return np.repeat(np.arange(self.offsets.size - 1), np.diff(self.offsets))

    def tally(self, which: BoolArray) -> IntArray:
        """How many of each document's positions a mask takes."""
        if self.offsets.size == 2:
            return np.array([np.count_nonzero(which)])
        ends = np.searchsorted(np.flatnonzero(which), self.offsets)
        return ends[1:] - ends[:-1]

    def sums(self, values: IntArray) -> IntArray:
        """The sum by document of values, one for each position."""
        if self.offsets.size == 2:
            return np.array([values.sum(dtype=np.int64)])
        running = offsets_of(values)[self.offsets]
        return running[1:] - running[:-1]

    def some(self, which: BoolArray) -> Positions:
        """Those that a mask takes."""
        return self.at_numbers(np.flatnonzero(which))

    def at_numbers(self, numbers: IntArray) -> Positions:
        """Those that have some numbers, in order."""
        return Positions(self.at[numbers], np.searchsorted(numbers, self.offsets))

    def spread(self, values: IntArray, which: IntArray) -> Any:
        """For some positions, by number, the value of their document."""
        return values[0] if values.size == 1 else values[self.owners[which]]


@dataclass(frozen=True, eq=False)
class SegmentationBatch:
    """Segmentations one after another: the `boundaries` of d are offsets[d] … offsets[d + 1].

    They count from the first word of their document. `marked` says which documents have marks;
    the others have empty ones. `opened` says which are parts that end with what follows them.
    `scores` are those of the items of all documents, UNSCORED where a document has none.
    """

    lengths: IntArray
    boundaries: IntArray
    offsets: IntArray
    marks: MarkArray | None = None
    marked: BoolArray | None = None
    opened: BoolArray | None = None
    scores: ScoreArray | None = None

    @classmethod
    def from_segmentations(cls, each: Sequence[Segmentation]) -> SegmentationBatch:
        """Lay segmentations end to end."""
        lengths = np.array([one.length for one in each], np.int64)
        sizes = [one.boundaries.size for one in each]
        boundaries = np.concatenate([NOWHERE, *(one.boundaries for one in each)])
        marked = np.array([one.marks is not None for one in each], np.bool_)
        marks = _marks([(one.marks, one.boundaries.size) for one in each])
        opened = np.array([one.is_open for one in each], np.bool_)
        offsets = offsets_of(np.array(sizes, np.int64))
        scores = _scores([(one.scores, one.length) for one in each])
        return cls(lengths, boundaries, offsets, marks, marked, opened, scores)

    @classmethod
    def from_one(cls, one: Segmentation) -> SegmentationBatch:
        """A batch of one; nothing is copied."""
        offsets = np.array((0, one.boundaries.size))
        marked = None if one.marks is None else _YES
        opened = _YES if one.is_open else None
        told = one.marks, marked, opened, one.scores
        return cls(np.array((one.length,)), one.boundaries, offsets, *told)

    @classmethod
    def from_parts(cls, whole: Segmentation, starts: IntArray, ends: IntArray) -> SegmentationBatch:
        """Parts of one segmentation, which may overlap.

        But for those at the end of the whole, a word is added that takes the place of the end.
        """
        first, last = (np.searchsorted(whole.boundaries, each) for each in (starts, ends))
        is_open = ends < whole.length
        taken = stretched(first, last - first)
        inside = whole.boundaries[taken] - np.repeat(starts, last - first)
        added = np.cumsum(last - first)[is_open]
        boundaries = np.insert(inside, added, (ends - starts)[is_open])
        offsets = offsets_of(last - first + is_open)
        marked = np.full(starts.size, whole.marks is not None)
        marks = None if whole.marks is None else np.insert(whole.marks[taken], added, "")
        scores = whole.scores
        if scores is not None:
            items = scores[stretched(starts, ends - starts)]
            scores = np.insert(items, np.cumsum(ends - starts)[is_open], np.nan)
        return cls(ends - starts + is_open, boundaries, offsets, marks, marked, is_open, scores)

    @classmethod
    def from_batches(cls, batches: Sequence[SegmentationBatch]) -> SegmentationBatch:
        """The documents of all, one batch after another."""
        if len(batches) == 1:
            return batches[0]
        parts = (
            (one.lengths, one.boundaries, one.sizes, one._marked, one.is_open) for one in batches
        )
        lengths, boundaries, sizes, marked, opened = (
            np.concatenate(each) for each in zip(*parts, strict=True)
        )
        marks = _marks([(one.marks, one.boundaries.size) for one in batches])
        scores = _scores([(one.scores, int(one.lengths.sum())) for one in batches])
        return cls(lengths, boundaries, offsets_of(sizes), marks, marked, opened, scores)

    def __len__(self) -> int:
        return self.lengths.size

    @property
    def sizes(self) -> IntArray:
        """How many boundaries each document has."""
        return self.offsets[1:] - self.offsets[:-1]

    def segmentation(self, document: int) -> Segmentation:
        """One of the documents."""
        which = slice(*self.offsets[document : document + 2].tolist())
        marks = self.marks[which] if self.marks is not None and self._marked[document] else None
        is_open = bool(self.is_open[document])
        length, scores = int(self.lengths[document]), None
        if self.scores is not None:
            first = int(self.lengths[:document].sum())
            own = self.scores[first : first + length]
            scores = None if (own == UNSCORED).all() else own
        return Segmentation(length, self.boundaries[which], marks, is_open, scores)

    def reach(self, wanted: int) -> int:
        """How far something may look: as far as wanted, but not beyond the longest document."""
        return wanted if len(self) < 2 else min(wanted, int(self.lengths.max()))

    def starts(self, reach: int = 0) -> IntArray:
        """Where the documents begin on one axis on which nothing within reach is another's."""
        if self.lengths.size < 2:
            return np.zeros(self.lengths.size, np.int64)
        apart = self.lengths + min(reach, int(self.lengths.max()))
        starts: IntArray = np.cumsum(apart) - apart
        return starts

    def positions(self, final: Final = "drop", reach: int = 0) -> Positions:
        """The boundaries that count, on one axis: all, or all but the ends of the documents."""
        own = Positions(self.boundaries, self.offsets) if final == "keep" else self._inner[1]
        if self.lengths.size < 2:
            return own
        return Positions(own.at + np.repeat(self.starts(reach), own.sizes), own.offsets)

    def marks_at(self, final: Final = "drop") -> MarkArray | None:
        """The marks of the boundaries that count."""
        return self.marks if final == "keep" or self.marks is None else self.marks[self._inner[0]]

    def slots(self, final: Final = "drop") -> IntArray:
        """How many positions of each document could hold a boundary that counts."""
        return np.maximum(0, self.lengths - (final == "drop"))

    def is_marked_with(self, other: SegmentationBatch) -> BoolArray:
        """Which documents have marks in both batches."""
        return self._marked & other._marked

    @property
    def is_open(self) -> BoolArray:
        """Which documents are parts whose last item stands for what follows."""
        return np.zeros(self.lengths.size, np.bool_) if self.opened is None else self.opened

    @property
    def _marked(self) -> BoolArray:
        return np.zeros(self.lengths.size, np.bool_) if self.marked is None else self.marked

    @cached_property
    def _inner(self) -> tuple[slice | BoolArray, Positions]:
        """Which boundaries are not the end of a document, and where these are."""
        if self.lengths.size == 1:
            inner = slice(0, max(0, self.boundaries.size - 1))
            return inner, Positions(self.boundaries[inner], np.array((0, inner.stop)))
        sizes = np.diff(self.offsets)
        is_inner = np.ones(self.boundaries.size, np.bool_)
        is_inner[self.offsets[1:][sizes > 0] - 1] = False
        offsets = self.offsets.copy()
        offsets[1:] -= np.cumsum(sizes > 0)
        return is_inner, Positions(self.boundaries[is_inner], offsets)


@dataclass(frozen=True, eq=False)
class PanelBatch:
    """The references of many documents, of which each has as many.

    `places` holds after which words any reference has a boundary, `votes` how many have it; `parts`
    the references one by one, for each of the batches that were joined.
    """

    places: SegmentationBatch
    votes: IntArray
    parts: tuple[tuple[SegmentationBatch, ...], ...]

    @classmethod
    def from_members(cls, members: Sequence[SegmentationBatch]) -> PanelBatch:
        """Combine references: each batch is one person's version of all documents."""
        first = members[0]
        for other in members[1:]:
            require_one_length_each(other, first)
        every = [member.positions("keep").at for member in members]
        positions, votes = union(int(first.lengths.sum()), every)
        starts = first.starts()
        offsets = np.append(np.searchsorted(positions, starts), positions.size)
        own = positions - np.repeat(starts, np.diff(offsets)) if len(first) > 1 else positions
        return cls(SegmentationBatch(first.lengths, own, offsets), votes, (tuple(members),))

    @classmethod
    def from_panel(cls, panel: Panel) -> PanelBatch:
        """The references of one document."""
        places = SegmentationBatch.from_one(
            Segmentation(panel.slots("keep"), panel.positions("keep"))
        )
        members = tuple(map(SegmentationBatch.from_one, panel.members))
        return cls(places, panel.votes("keep"), (members,))

    @classmethod
    def from_batches(cls, batches: Sequence[PanelBatch]) -> PanelBatch:
        """The documents of all, one batch after another."""
        if len(batches) == 1:
            return batches[0]
        return cls(
            SegmentationBatch.from_batches([each.places for each in batches]),
            np.concatenate([each.votes for each in batches]),
            tuple(part for each in batches for part in each.parts),
        )

    def __len__(self) -> int:
        return len(self.parts[0])

    @cached_property
    def members(self) -> tuple[SegmentationBatch, ...]:
        """The references one by one: each batch is one person's version of all documents."""
        first, *others = self.parts
        if not others:
            return first
        return tuple(map(SegmentationBatch.from_batches, zip(*self.parts, strict=True)))

    def panel(self, document: int) -> Panel:
        """The references of one of the documents."""
        return Panel(tuple(member.segmentation(document) for member in self.members))

    @property
    def is_marked(self) -> BoolArray:
        """Which documents have marks in every reference."""
        found = np.ones(len(self.places), np.bool_)
        for member in self.members:
            found &= member._marked
        return found

    def votes_at(self, final: Final = "drop") -> IntArray:
        """For each place that counts, how many references have a boundary there."""
        return self.votes if final == "keep" else self.votes[self.places._inner[0]]

    def without(self, index: int) -> PanelBatch:
        """The other references: everybody's votes minus one's own."""
        places, own = self.places.positions("keep"), self.members[index].positions("keep")
        left = self.votes - isin_sorted(places.at, own.at)
        others = self.members[:index] + self.members[index + 1 :]
        some = left > 0
        kept = SegmentationBatch(
            self.places.lengths, self.places.boundaries[some], places.some(some).offsets
        )
        return PanelBatch(kept, left[some], (others,))


def require_one_length_each(a: SegmentationBatch, b: SegmentationBatch) -> None:
    """Raise an error unless all documents have the same length in both batches."""
    differs = a.lengths != b.lengths
    if differs.any():
        document = int(differs.argmax())
        require_one_length(a.segmentation(document), b.segmentation(document))


def offsets_of(sizes: IntArray) -> IntArray:
    """Where each of some arrays begins that are laid end to end, and where the last one ends."""
    offsets = np.zeros(sizes.size + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def _marks(each: Sequence[tuple[MarkArray | None, int]]) -> MarkArray | None:
    """All marks one after another, empty ones where there are none; None if nobody has any."""
    if all(marks is None for marks, _ in each):
        return None
    filled = [np.zeros(size, "<U1") if marks is None else marks for marks, size in each]
    return np.concatenate(filled)


def _scores(each: Sequence[tuple[ScoreArray | None, int]]) -> ScoreArray | None:
    """The scores of all items one after another; None if nobody has any."""
    if all(scores is None for scores, _ in each):
        return None
    return np.concatenate(
        [np.full(size, UNSCORED) if scores is None else scores for scores, size in each]
    )
