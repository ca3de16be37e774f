"""The axis on which boundaries lie: words, or time.

On words a boundary is the word after which a unit ends, and there are slots that could hold one.
On the clock it is the moment, in microseconds, at which a unit's last word ends; two boundaries
can match if they are at most `tolerance` apart, and there are no slots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

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
    """Where references have boundaries.

    `boundaries` holds each of theirs once. Those that are taken for one make a place: `positions`
    says where the places are, `votes` how many references have a boundary there.
    """

    boundaries: IntArray
    positions: IntArray
    votes: IntArray

    def agreement(self, references: int) -> tuple[int, int]:
        """RGPB and RGHA; nothing for fewer than two references."""
        if references < 2:
            return 0, 0
        alone = int(np.count_nonzero(self.votes == 1))
        return int(self.votes.sum()) - alone, references * self.votes.size


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

    def matches(self, placed: IntArray, wanted: IntArray) -> int:
        """How many boundaries are on both sides."""
        return int(np.count_nonzero(isin_sorted(placed, wanted)))

    def is_near(self, boundaries: IntArray, others: IntArray) -> BoolArray:
        """Which boundaries are among others."""
        return isin_sorted(boundaries, others)

    def places(self, panel: Panel, final: Final) -> Places:
        """The words after which any reference has a boundary."""
        positions = panel.positions(final)
        return Places(positions, positions, panel.votes(final))


@dataclass(frozen=True, slots=True)
class ClockAxis(AnyAxis):
    """Boundaries in time: two can match if they are at most `tolerance` microseconds apart."""

    tolerance: int
    has_slots: ClassVar[bool] = False

    def matches(self, placed: IntArray, wanted: IntArray) -> int:
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
        return Places(np.unique(times), middle, np.bincount(voters, minlength=first.size))


Axis = WordAxis | ClockAxis
WORDS = WordAxis()


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


def most_matches(a: IntArray, b: IntArray, tolerance: int) -> int:
    """The size of the largest one-to-one matching of a with b at most `tolerance` apart.

    By Hall's theorem it is |a| minus the largest deficiency, a sum over disjoint runs a[i..k] of
    their length minus the number of b within reach of the run. With `before` the b's below the
    reach of a[i] and `upto` those up to the end of the reach of a[k], a run's deficiency is
    (k + 1 - upto[k]) - (i - before[i]): the best sum is a walk with two states, outside and
    inside a run, whose steps are 2×2 matrices in (max, +). Their product is associative, so it is
    taken pairwise, in O(n) and without a loop over boundaries.

    >>> most_matches(np.array([0, 2]), np.array([2, 4]), 2)
    2
    """
    if not a.size or not b.size:
        return 0
    index = np.arange(a.size)
    enter = np.searchsorted(b, a - tolerance, side="left") - index
    leave = index + 1 - np.searchsorted(b, a + tolerance, side="right")
    # steps[to][from], 0 outside a run, 1 inside: a step may enter, leave, do both or neither.
    steps = [[np.maximum(0, enter + leave), leave], [enter, np.zeros_like(index)]]
    while steps[0][0].size > 1:
        steps = _compose_pairs(steps)
    return int(a.size - steps[0][0][0])


def _compose_pairs(steps: list[list[IntArray]]) -> list[list[IntArray]]:
    """Compose neighbours, the later after the earlier; an odd last step stays as it is."""
    even = steps[0][0].size // 2 * 2
    first = [[entry[0:even:2] for entry in row] for row in steps]
    later = [[entry[1:even:2] for entry in row] for row in steps]
    rest = [[entry[even:] for entry in row] for row in steps]
    return [
        [
            np.concatenate(
                (
                    np.maximum(later[i][0] + first[0][j], later[i][1] + first[1][j]),
                    rest[i][j],
                )
            )
            for j in (0, 1)
        ]
        for i in (0, 1)
    ]
