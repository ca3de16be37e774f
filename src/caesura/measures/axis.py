"""The axis of boundaries: words, or time.

On words a boundary is the word after which a unit ends, and there are slots that could hold one.
By time, it is the end of a unit's last word, in microseconds; two boundaries
can match if they are at most `tolerance` apart, and there are no slots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.batch import PanelBatch, Positions, offsets_of
from caesura.core.segmentation import (
    BoolArray,
    Final,
    IntArray,
    Panel,
    Segmentation,
    isin_sorted,
    require_one_length,
)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where references have boundaries, in one document or in many.

    `boundaries` holds each of theirs once. Those that are taken for one make a place: `positions`
    says where the places are, `votes` how many references have a boundary there.
    """

    boundaries: Positions
    positions: Positions
    votes: IntArray

    def agreement(self, references: int) -> tuple[IntArray, IntArray]:
        """RGPB and RGHA of each document; nothing for fewer than two references."""
        sizes = self.positions.sizes
        if references < 2:
            return np.zeros_like(sizes), np.zeros_like(sizes)
        alone = self.positions.tally(self.votes == 1)
        return self.positions.sums(self.votes) - alone, references * sizes


@dataclass(frozen=True, slots=True)
class AnyAxis:
    """What all axes share: whether there are slots, each of which could hold a boundary."""

    has_slots: ClassVar[bool]

    def require_comparable(self, candidate: Segmentation, reference: Segmentation) -> None:
        """Raise an error unless both have the same slots."""
        if self.has_slots:
            require_one_length(candidate, reference)

    def slots(self, reference: Segmentation | Panel, final: Final) -> int:
        """How many slots there are."""
        return reference.slots(final) if self.has_slots else 0


@dataclass(frozen=True, slots=True)
class WordAxis(AnyAxis):
    """Boundaries after words: two are one if they are after the same word."""

    tolerance: ClassVar[int] = 0
    has_slots: ClassVar[bool] = True

    def matches(self, placed: Positions, wanted: Positions) -> IntArray:
        """How many boundaries of each document are on both sides."""
        return placed.tally(isin_sorted(placed.at, wanted.at))

    def is_near(self, boundaries: IntArray, others: IntArray) -> BoolArray:
        """Which boundaries are among others."""
        return isin_sorted(boundaries, others)

    def places(self, panel: Panel, final: Final) -> Places:
        """The words after which any reference has a boundary."""
        positions = Positions.from_one(panel.positions(final))
        return Places(positions, positions, panel.votes(final))

    def places_each(self, panel: PanelBatch, final: Final, reach: int = 0) -> Places:
        """The same in many documents."""
        positions = panel.places.positions(final, reach)
        return Places(positions, positions, panel.votes_at(final))


@dataclass(frozen=True, slots=True)
class ClockAxis(AnyAxis):
    """Boundaries in time: two can match if they are at most `tolerance` microseconds apart."""

    tolerance: int
    has_slots: ClassVar[bool] = False

    def matches(self, placed: Positions, wanted: Positions) -> IntArray:
        """How many boundaries can be matched one to one at most."""
        return most_matches(placed, wanted, self.tolerance)

    def is_near(self, boundaries: IntArray, others: IntArray) -> BoolArray:
        """Which boundaries have another within the tolerance; both are sorted."""
        first = np.searchsorted(others, boundaries - self.tolerance, side="left")
        found: BoolArray = first < np.searchsorted(others, boundaries + self.tolerance, "right")
        return found

    def places(self, panel: Panel, final: Final) -> Places:
        """Groups of moments; a place lies at the mean of its moments.

        A group begins with the first moment that is in none yet and holds all those at most
        `tolerance` after it.
        """
        times, who = _merged([member.positions(final) for member in panel.members])
        first = _group_starts(times, self.tolerance)
        group = np.searchsorted(first, np.arange(times.size), side="right") - 1
        references = max(1, len(panel))
        voters = np.unique(group * references + who) // references
        sums = np.add.reduceat(times, first) if times.size else times
        middle = np.rint(sums / np.diff(first, append=times.size)).astype(np.int64)
        votes = np.bincount(voters, minlength=first.size)
        return Places(Positions.from_one(np.unique(times)), Positions.from_one(middle), votes)


Axis = WordAxis | ClockAxis
WORDS = WordAxis()
FAR = np.int64(2**60)
STAY = (0, -int(FAR), -int(FAR), 0)
"""A step of a walk that stays where it is."""


def _merged(references: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """All moments in order, and whose they are."""
    times = np.concatenate((*references, np.empty(0, np.int64)))
    who = np.repeat(np.arange(len(references)), [each.size for each in references])
    order = np.argsort(times, kind="stable")
    return times[order], who[order]


def _group_starts(times: IntArray, tolerance: int) -> IntArray:
    """The first moment of each group: a walk over pointers, a step a group."""
    following = np.searchsorted(times, times + tolerance, side="right").tolist()
    starts, at = [], 0
    while at < len(following):
        starts.append(at)
        at = following[at]
    return np.array(starts, dtype=np.int64)


def matching(placed: IntArray, wanted: IntArray, reach: int) -> tuple[IntArray, IntArray]:
    """The spans from boundaries of one side to all of the other's that they could match."""
    if not wanted.size:
        return placed[:0], placed[:0]
    first = np.searchsorted(wanted, placed - reach, side="left")
    last = np.searchsorted(wanted, placed + reach, side="right") - 1
    some = first <= last
    placed, first, last = placed[some], first[some], last[some]
    return np.minimum(placed, wanted[first]), np.maximum(placed, wanted[last])


def most_matches(a: Positions, b: Positions, tolerance: int) -> IntArray:
    """The sizes of the largest one-to-one matchings of a with b at most `tolerance` apart.

    By Hall's theorem it is |a| minus the largest deficiency, a sum over disjoint runs a[i..k] of
    their length minus the number of b within reach of the run. With `before` the b's below the
    reach of a[i] and `upto` those up to the end of the reach of a[k], a run's deficiency is
    (k + 1 - upto[k]) - (i - before[i]): the best sum is a walk with two states, outside and
    inside a run, whose steps are 2×2 matrices in (max, +). Their product is associative, so it is
    taken pairwise, in O(n) and without a loop over boundaries.

    >>> one, other = (Positions.from_one(np.array(each)) for each in ([0, 2], [2, 4]))
    >>> most_matches(one, other, 2).tolist()
    [2]
    """
    index = np.arange(a.at.size)
    enter = np.searchsorted(b.at, a.at - tolerance, side="left") - index
    leave = index + 1 - np.searchsorted(b.at, a.at + tolerance, side="right")
    # steps to and from 0, outside a run, and 1, inside: one may enter, leave, do both or neither.
    steps = [np.maximum(0, enter + leave), leave, enter, np.zeros_like(index)]
    sizes = a.sizes
    while sizes.size and sizes.max() > 1:
        steps, sizes = _compose_pairs(steps, sizes)
    lacking = np.zeros_like(sizes)
    lacking[sizes > 0] = steps[0]
    return a.sizes - lacking


def _compose_pairs(steps: list[IntArray], sizes: IntArray) -> tuple[list[IntArray], IntArray]:
    """Compose neighbours of each document, the later after the earlier.

    Where their number is odd, a step is added that changes nothing.
    """
    odd = sizes % 2 == 1
    if odd.any():
        ends = offsets_of(sizes)[1:][odd]
        steps = [_with(step, ends, same) for step, same in zip(steps, STAY, strict=True)]
    first, later = ([step[at::2] for step in steps] for at in (0, 1))
    composed = [
        np.maximum(later[to] + first[start], later[to + 1] + first[start + 2])
        for to, start in ((0, 0), (0, 1), (2, 0), (2, 1))
    ]
    return composed, (sizes + 1) // 2


def _with(values: IntArray, ends: IntArray, added: int) -> IntArray:
    """The same with a value added after each of some ends."""
    at_end = ends[0] == values.size
    return np.append(values, added) if at_end else np.insert(values, ends, added)
