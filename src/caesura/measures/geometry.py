"""The axis of boundaries: words, or time.

On words a boundary is the word after which a unit ends, and there are slots that could hold one.
By time, it is the end of a unit's last word, in microseconds; two boundaries
can match if they are at most `tolerance` apart, and there are no slots. Scores that need slots are
of the cells of a grid there.

The extent of documents, by which means over people are weighted, is counted where annotators vary
from document to document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import ClassVar, NamedTuple

import numpy as np

from caesura.core.arrays import isin_sorted, sorted_distinct
from caesura.core.batch import (
    PanelBatch,
    Positions,
    SegmentationBatch,
    offsets_of,
    require_one_length_each,
)
from caesura.core.counts import Counts, of_arrays
from caesura.core.measure import PairMeasure, PanelMeasure
from caesura.core.row import EXTENT, PANEL_EXTENT
from caesura.core.segmentation import BoolArray, Final, IntArray

PAST = 2
"""How much longer documents on a clock are than their extent: an end past everything is added."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where the references of many documents have boundaries.

    `boundaries` holds each of theirs once. Those that are taken for one, at most one of each
    reference, make a group: `positions` has its first boundary, and `votes` says how many
    references are in it. `near` are the first and the last position within the tolerance of its
    mean, `around` those within the tolerance of any of it.
    """

    boundaries: Positions
    positions: Positions  # (groups,) ascending
    votes: IntArray
    near: tuple[IntArray, IntArray]
    around: tuple[IntArray, IntArray]

    def agreement(self, references: int) -> tuple[IntArray, IntArray]:
        """RGPB and RGHA of each document; nothing for fewer than two references."""
        sizes = self.positions.sizes
        if references < 2:
            return np.zeros_like(sizes), np.zeros_like(sizes)
        alone = self.positions.tally(self.votes == 1)
        return self.positions.sums(self.votes) - alone, references * sizes


@dataclass(frozen=True, slots=True)
class WordAxis:
    """Boundaries after words: two are one if they are after the same word."""

    tolerance: ClassVar[int] = 0
    has_slots: ClassVar[bool] = True

    def within(self, batch: SegmentationBatch) -> WordAxis:  # noqa: ARG002
        """The axis for a batch."""
        return self

    def slots(self, batch: SegmentationBatch, final: Final) -> IntArray:
        """How many slots each document has, each of which could hold a boundary."""
        return batch.slots(final)

    extents = slots

    def matches(self, placed: Positions, wanted: Positions) -> IntArray:
        """How many boundaries of each document are on both sides."""
        return placed.tally(isin_sorted(placed.at, wanted.at))

    def taken(self, boundaries: IntArray, low: IntArray, high: IntArray) -> BoolArray:  # noqa: ARG002
        """Which boundaries are one of the places; each has one word, so that low is high."""
        return isin_sorted(boundaries, low)

    def places(self, panel: PanelBatch, final: Final, reach: int = 0) -> Places:
        """The words after which any reference has a boundary."""
        positions, votes = panel.places.positions(final, reach), panel.votes_at(final)
        spans = positions.at, positions.at
        return Places(positions, positions, votes, spans, spans)


@dataclass(frozen=True, slots=True)
class ClockAxis:
    """Boundaries in time: two can match if they are at most `tolerance` microseconds apart.

    On samples, `tolerance` counts these, and each but the first could begin a segment.
    """

    tolerance: int
    of_samples: bool = False
    has_slots: ClassVar[bool] = False

    def within(self, batch: SegmentationBatch) -> ClockAxis:
        """The axis for a batch, whose documents are farther apart than its tolerance."""
        return ClockAxis(batch.reach(self.tolerance), self.of_samples)

    def slots(self, batch: SegmentationBatch, final: Final) -> IntArray:  # noqa: ARG002
        """Nothing in time, where any moment could hold a boundary."""
        if self.of_samples:
            return np.maximum(0, batch.lengths - PAST - 1)
        return np.zeros(len(batch), np.int64)

    def extents(self, batch: SegmentationBatch, final: Final) -> IntArray:
        """How much there is of each document: its duration, or its slots."""
        return self.slots(batch, final) if self.of_samples else batch.lengths - PAST

    def __str__(self) -> str:
        return f"±{self.tolerance}"

    def matches(self, placed: Positions, wanted: Positions) -> IntArray:
        """How many boundaries can be matched one to one at most."""
        return most_matches(placed, wanted, self.tolerance)

    def is_near(self, boundaries: IntArray, others: IntArray) -> BoolArray:
        """Which boundaries have another within the tolerance; both are sorted."""
        first = np.searchsorted(others, boundaries - self.tolerance, side="left")
        beyond = np.searchsorted(others, boundaries + self.tolerance, side="right")
        return np.asarray(first < beyond)

    def taken(self, boundaries: IntArray, low: IntArray, high: IntArray) -> BoolArray:
        """Which boundaries take one of the spans from low to high, one to one, the most possible.

        In order, each takes the span that ends first of those around it. The slow twin is
        `largest` of tests/support/reference_signals.py.
        """
        order = np.argsort(low, kind="stable")[::-1]
        waiting = list(zip(low[order].tolist(), high[order].tolist(), strict=True))
        ends: list[int] = []  # a heap of the spans that have begun
        is_taken = np.zeros(boundaries.size, np.bool_)
        for number, boundary in enumerate(boundaries.tolist()):
            while waiting and waiting[-1][0] <= boundary:
                heappush(ends, waiting.pop()[1])
            while ends and ends[0] < boundary:
                heappop(ends)
            if ends:
                heappop(ends)
                is_taken[number] = True
        return is_taken

    def places(self, panel: PanelBatch, final: Final, reach: int = 0) -> Places:
        """Groups of moments, at most one of each reference.

        A group begins with the first moment that is in none yet; every other reference adds its
        first one at most `tolerance` after it that is in none. The slow twin is `grouped` of
        tests/support/reference_signals.py.
        """
        reach = max(reach, self.tolerance)
        starts = panel.places.starts(reach)  # (documents,)
        # (moments,) in order of their groups, and in these of time
        moments = [member.positions(final, reach).at for member in panel.members]
        times: IntArray = np.concatenate((*moments, np.empty(0, np.int64)))
        who = np.repeat(np.arange(len(panel)), [each.size for each in moments])
        order = np.argsort(times, kind="stable")
        times, who = times[order], who[order]
        group = _groups(times, who, self.tolerance)
        order = np.argsort(group, kind="stable")
        times, votes = times[order], np.bincount(group)  # (groups,)
        first = offsets_of(votes)[:-1]
        begins, last = times[first], times[first + votes - 1]
        zero = starts[np.searchsorted(starts, begins, side="right") - 1]  # (groups,)
        since = times - np.repeat(zero, votes)  # small, so that sums stay in 64 bits
        sums = np.add.reduceat(since, first) if times.size else since
        # whole numbers within the tolerance of sums / votes, which is rounded towards it
        near = zero - -sums // votes - self.tolerance, zero + sums // votes + self.tolerance
        around = begins - self.tolerance, last + self.tolerance
        boundaries = _by_document(sorted_distinct(times), starts)
        return Places(boundaries, _by_document(begins, starts), votes, near, around)


class CellGrid(NamedTuple):
    """Cells of `step` microseconds or samples; one holds a boundary if any lies in it.

    A document of extent E has E // step + 1 cells, in time; of n samples, those of the samples
    before which a segment can begin. Neither the beginning nor the end is a boundary. Where cells
    are `whole`, a boundary at the end of the last of them that is lies in it.
    """

    step: int
    of_samples: bool = False
    whole: bool = False

    def batch(self, batch: SegmentationBatch) -> SegmentationBatch:
        """Documents on a clock, as `Versions.on_clock` has them, on cells.

        The slow twin is `on_grid` of tests/support/reference_signals.py.
        """
        first = int(self.of_samples)  # a segment that begins with sample t ends the cell t - 1
        extents = batch.lengths - PAST  # (documents,)
        cells = np.maximum(0, extents - first) // self.step + 1
        owners = np.repeat(np.arange(len(batch)), batch.sizes)
        at, inside = batch.boundaries, extents[owners]
        is_inner = (at > 0) & (at < inside)
        starts = offsets_of(cells)
        at, last = at[is_inner], inside[is_inner] // self.step * self.step
        at = at - ((at == last) & self.whole)
        places = starts[owners[is_inner]] + (at - first) // self.step
        ends = sorted_distinct(np.concatenate((places, starts[1:] - 1)))
        offsets = np.append(np.searchsorted(ends, starts[:-1]), ends.size)
        return SegmentationBatch(cells, ends - np.repeat(starts[:-1], np.diff(offsets)), offsets)

    def panel(self, panel: PanelBatch) -> PanelBatch:
        """The references of many documents."""
        return PanelBatch.from_members([self.batch(each) for each in panel.members])

    def __str__(self) -> str:
        return str(self.step)


Axis = WordAxis | ClockAxis
WORDS = WordAxis()


def require_comparable(axis: Axis, candidate: SegmentationBatch, other: SegmentationBatch) -> None:
    """Raise an error unless documents have the same slots, and begin at the same places."""
    if axis.has_slots or len(candidate) > 1:
        require_one_length_each(candidate, other)


def _by_document(at: IntArray, starts: IntArray) -> Positions:
    """Positions of documents that begin at some places."""
    if starts.size == 1:
        return Positions.from_one(at)
    return Positions(at, np.append(np.searchsorted(at, starts), at.size))


def _groups(times: IntArray, who: IntArray, tolerance: int) -> IntArray:
    """The number of the group of each moment: a walk in order of time.

    A moment is added to the first group that still takes it and that came after the last group
    of its reference, or begins a new one.
    """
    starts: list[int] = []  # (groups,) ascending
    following = [0] * (int(who.max(initial=0)) + 1)  # the group after the last of each reference
    groups, taking = [], 0
    for time, one in zip(times.tolist(), who.tolist(), strict=True):
        while taking < len(starts) and starts[taking] + tolerance < time:
            taking += 1
        group = max(following[one], taking)
        if group == len(starts):
            starts.append(time)
        groups.append(group)
        following[one] = group + 1
    return np.array(groups, dtype=np.int64)


def matching(placed: IntArray, wanted: IntArray, reach: int) -> tuple[IntArray, IntArray]:
    """The spans from boundaries of one side to all of the other's that they could match."""
    if not wanted.size:
        return placed[:0], placed[:0]
    first = np.searchsorted(wanted, placed - reach, side="left")
    last = np.searchsorted(wanted, placed + reach, side="right") - 1
    has_match = first <= last
    placed, first, last = placed[has_match], first[has_match], last[has_match]
    return np.minimum(placed, wanted[first]), np.maximum(placed, wanted[last])


def one_sided(placed: Positions, wanted: Positions) -> Positions:
    """The boundaries that the other side lacks, in order: 2 · position, and 1 more if wanted."""
    sides = (placed, wanted), (wanted, placed)
    ours, theirs = (own.some(~isin_sorted(own.at, others.at)) for own, others in sides)
    codes = np.concatenate((2 * ours.at, 2 * theirs.at + 1))
    codes.sort(kind="stable")  # merges what is in order
    return Positions(codes, ours.offsets + theirs.offsets)


def most_matches(a: Positions, b: Positions, tolerance: int) -> IntArray:
    """The sizes of the largest one-to-one matchings of a with b at most `tolerance` apart.

    Documents lie more than `tolerance` apart, so all of them are matched in one walk.

    >>> one, other = (Positions.from_one(np.array(each)) for each in ([0, 2], [2, 4]))
    >>> most_matches(one, other, 2).tolist()
    [2]
    """
    first = np.searchsorted(b.at, a.at - tolerance, side="left")
    beyond = np.searchsorted(b.at, a.at + tolerance, side="right")
    return a.tally(matched_in_order(first, beyond))


def matched_in_order(first: IntArray, beyond: IntArray) -> BoolArray:
    """Which get a partner if each takes the first that is free.

    `first` and `beyond` are the range of partners of each. As both ascend, no other choice can
    match more. Most have their range for themselves, so that the walk is over the others only:
    .08 s for a million boundaries, else .24 s. The slow twin is `matches_within` of
    tests/support/reference_transcript.py.
    """
    is_apart = np.concatenate(([True], first[1:] >= beyond[:-1], [True]))  # from the one before
    others = np.flatnonzero(~(is_apart[:-1] & is_apart[1:])[: first.size])
    is_matched = first < beyond
    free, matched = 0, []
    for low, high in zip(first[others].tolist(), beyond[others].tolist(), strict=True):
        partner = low if low > free else free  # a call of `max` would cost a fifth more
        matched.append(partner < high)
        free = partner + 1 if partner < high else free
    is_matched[others] = matched
    return is_matched


def on_grid(grid: CellGrid | None, *sides: SegmentationBatch) -> Sequence[SegmentationBatch]:
    """Batches on the cells of a grid, or as they are where there is none."""
    return sides if grid is None else [grid.batch(each) for each in sides]


@dataclass(frozen=True, slots=True)
class ExtentCounts(Counts):
    """The slots of documents that two or more have; on a clock their time, in microseconds."""

    extent: int

    def swapped(self) -> ExtentCounts:
        """The same with candidate and reference swapped."""
        return self


@dataclass(frozen=True, slots=True)
class Extent(PairMeasure[ExtentCounts]):
    """The extent of what a candidate and a reference both have."""

    name: ClassVar[str] = EXTENT
    counts: ClassVar[type[Counts]] = ExtentCounts
    has_time: ClassVar[bool] = True
    of_references: ClassVar[bool] = True
    asked_by: ClassVar[str] = "varies"
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}

    final: Final = "drop"
    axis: Axis = WORDS

    def count_each(
        self,
        candidate: SegmentationBatch,
        reference: SegmentationBatch,  # noqa: ARG002
    ) -> ExtentCounts:
        """Count many documents."""
        return of_arrays(ExtentCounts, self.axis.extents(candidate, self.final))


@dataclass(frozen=True, slots=True)
class PanelExtent(PanelMeasure[ExtentCounts]):
    """The extent of what a candidate and some references have."""

    name: ClassVar[str] = PANEL_EXTENT
    counts: ClassVar[type[Counts]] = ExtentCounts
    has_time: ClassVar[bool] = True
    asked_by: ClassVar[str] = "varies"
    task_options: ClassVar[dict[str, str]] = {"axis": "counted_axis"}

    final: Final = "drop"
    axis: Axis = WORDS

    @property
    def has_ceiling(self) -> bool:
        """Whether people are counted, too, each against all others."""
        return True

    def count_each(self, candidate: SegmentationBatch, panel: PanelBatch) -> ExtentCounts:  # noqa: ARG002
        """Count many documents."""
        return of_arrays(ExtentCounts, self.axis.extents(candidate, self.final))
