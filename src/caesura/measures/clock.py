"""The same measures where boundaries are moments, not words: `--axis time`.

A boundary is the time, in microseconds, at which a unit's last word ends. Two boundaries can be
one if they are at most `tolerance` apart. A segmentation here is a sorted array of such moments;
its last one, where the last unit ends, is dropped or kept as elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.counts import Counts
from caesura.core.segmentation import Final, IntArray, Panel, Segmentation
from caesura.measures.agreement import AgreementCounts
from caesura.measures.base import Options
from caesura.measures.boundary import BoundaryCounts, EitherCounts, most_matches
from caesura.measures.wisebe import WisebeCounts, windows


@dataclass(frozen=True, slots=True)
class Moments:
    """The boundaries of all references, in groups that stand for one place each.

    A group begins with the first moment that is in none yet and holds all those at most
    `tolerance` after it. `votes` says how many references have a moment in a group, `middle`
    where it lies: the mean of its moments.
    """

    times: IntArray
    votes: IntArray
    middle: IntArray

    @classmethod
    def of(cls, references: Sequence[IntArray], tolerance: int) -> Moments:
        """Put the references' moments into groups.

        >>> Moments.of([np.array([0, 30]), np.array([4, 40])], 5).votes.tolist()
        [2, 1, 1]
        """
        times = np.concatenate((*references, np.empty(0, np.int64)))
        who = np.repeat(np.arange(len(references)), [each.size for each in references])
        order = np.argsort(times, kind="stable")
        times, who = times[order], who[order]
        first = _group_starts(times, tolerance)
        group = np.searchsorted(first, np.arange(times.size), side="right") - 1
        votes = np.bincount(
            np.unique(group * max(1, len(references)) + who) // max(1, len(references)),
            minlength=first.size,
        )
        sums = np.add.reduceat(times, first) if times.size else times
        middle = np.rint(sums / np.diff(first, append=times.size)).astype(np.int64)
        return cls(times, votes, middle)


@dataclass(frozen=True, slots=True)
class ClockBoundary(Options):
    """P, R, F1 and SER of moments matched one to one, the most matches possible."""

    name: ClassVar[str] = "boundary"
    kind: ClassVar[str] = "pair"
    counts: ClassVar[type[Counts]] = BoundaryCounts

    tolerance: int
    final: Final = "drop"

    def count(self, candidate: Segmentation, reference: Segmentation) -> BoundaryCounts:
        """Count one candidate against one reference; there are no slots to be right about."""
        placed, wanted = candidate.positions(self.final), reference.positions(self.final)
        return _matched(placed, wanted, self.tolerance)


@dataclass(frozen=True, slots=True)
class ClockWisebe(Options):
    """WiSeBE with windows in time: a gap of more than `window` starts a new one.

    A boundary is in the nearest window if it is at most `tolerance` from it.
    """

    name: ClassVar[str] = "wisebe"
    kind: ClassVar[str] = "panel"
    counts: ClassVar[type[Counts]] = WisebeCounts

    window: int
    tolerance: int
    final: Final = "drop"

    def count(self, candidate: Segmentation, panel: Panel) -> WisebeCounts:
        """Count one candidate against all references."""
        placed, references = candidate.positions(self.final), _members(panel, self.final)
        moments = Moments.of(references, self.tolerance)
        starts, ends = windows(np.unique(moments.times), self.window)
        nearest, distance = _nearest(placed, starts, ends)
        inside = distance <= self.tolerance
        rgpb, rgha = _agreement(moments.votes, len(panel))
        return WisebeCounts(
            inside=int(np.count_nonzero(inside)),
            candidates=placed.size,
            hit=np.unique(nearest[inside]).size,
            windows=starts.size,
            rgpb=rgpb,
            rgha=rgha,
            distance=int(distance[~inside].sum()) if starts.size else 0,
        )


@dataclass(frozen=True, slots=True)
class ClockConsensus(Options):
    """P, R and F1 against the groups that at least `least` references have; 0: the majority."""

    name: ClassVar[str] = "consensus"
    kind: ClassVar[str] = "panel"
    counts: ClassVar[type[Counts]] = BoundaryCounts

    least: int
    tolerance: int
    final: Final = "drop"

    def count(self, candidate: Segmentation, panel: Panel) -> BoundaryCounts:
        """Count one candidate against the middles of these groups."""
        moments = Moments.of(_members(panel, self.final), self.tolerance)
        least = self.least or len(panel) // 2 + 1
        wanted = np.sort(moments.middle[moments.votes >= least])
        return _matched(candidate.positions(self.final), wanted, self.tolerance)


@dataclass(frozen=True, slots=True)
class ClockEither(Options):
    """Errors are only those decisions with which no reference agrees."""

    name: ClassVar[str] = "either"
    kind: ClassVar[str] = "panel"
    counts: ClassVar[type[Counts]] = EitherCounts

    tolerance: int
    final: Final = "drop"

    def count(self, candidate: Segmentation, panel: Panel) -> EitherCounts:
        """Count what no reference has near, and groups of all with no candidate near."""
        references = _members(panel, self.final)
        moments, placed = Moments.of(references, self.tolerance), candidate.positions(self.final)
        everyone = moments.middle[moments.votes == len(panel)]
        fp = int(np.count_nonzero(_nearest(placed, moments.times)[1] > self.tolerance))
        fn = int(np.count_nonzero(_nearest(everyone, placed)[1] > self.tolerance))
        return EitherCounts(fp, fn, len(panel) * (fp + fn), moments.times.size)


@dataclass(frozen=True, slots=True)
class ClockAgreement(Options):
    """RGAR of the references; κ and α need slots, which a clock does not have."""

    name: ClassVar[str] = "agreement"
    kind: ClassVar[str] = "references"
    counts: ClassVar[type[Counts]] = AgreementCounts

    tolerance: int
    final: Final = "drop"

    def count(self, panel: Panel) -> AgreementCounts:
        """Count how many references share a place."""
        votes = Moments.of(_members(panel, self.final), self.tolerance).votes
        rgpb, rgha = _agreement(votes, len(panel))
        return AgreementCounts(0, 0, 0, 0, 0, 0, 0, rgpb, rgha)


def _members(panel: Panel, final: Final) -> list[IntArray]:
    return [member.positions(final) for member in panel.members]


def _matched(placed: IntArray, wanted: IntArray, tolerance: int) -> BoundaryCounts:
    tp = most_matches(placed, wanted, tolerance)
    return BoundaryCounts(tp, placed.size - tp, wanted.size - tp, 0)


def _agreement(votes: IntArray, references: int) -> tuple[int, int]:
    """RGPB and RGHA; nothing for fewer than two references."""
    if references < 2:
        return 0, 0
    return int(votes[votes > 1].sum()), references * votes.size


def _group_starts(times: IntArray, tolerance: int) -> IntArray:
    """The first moment of each group: a walk over pointers, a step a group."""
    following = np.searchsorted(times, times + tolerance, side="right").tolist()
    starts, at = [], 0
    while at < len(following):
        starts.append(at)
        at = following[at]
    return np.array(starts, dtype=np.int64)


def _nearest(
    moments: IntArray, starts: IntArray, ends: IntArray | None = None
) -> tuple[IntArray, IntArray]:
    """Which of some sorted spans is nearest to each moment, and how far; the earlier of two."""
    ends = starts if ends is None else ends
    if not starts.size:
        return np.zeros_like(moments), np.full_like(moments, np.iinfo(np.int64).max)
    before = np.maximum(np.searchsorted(starts, moments, side="right") - 1, 0)
    after = np.minimum(before + 1, starts.size - 1)
    far, near = (
        np.maximum(0, np.maximum(starts[at] - moments, moments - ends[at]))
        for at in (after, before)
    )
    return np.where(far < near, after, before), np.minimum(far, near)
