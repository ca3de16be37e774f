"""SU scoring: sentence units as NIST's md-eval counts them, by their exact ends and as events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import lcm
from operator import itemgetter
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np

from caesura.core.counts import Counts, ratio
from caesura.core.score import Score
from caesura.core.segmentation import (
    BoolArray,
    Final,
    IntArray,
    MarkArray,
    Segmentation,
    require_one_length,
)
from caesura.measures.base import PairMeasure

ERRORS = {
    "deletions": ("Ndel", "Missed units"),
    "insertions": ("Nins", "Extra units"),
    "substitutions": ("Nsub", "Units of the wrong type"),
}
_Chain: TypeAlias = "tuple[int, int, _Chain] | None"
_Path: TypeAlias = "tuple[int, int, _Chain]"


@dataclass(frozen=True, slots=True)
class SuCounts(Counts):
    """Errors among the units of the reference, by exact end and by event.

    Exact: an end counts on its own word. Event: units are paired that end near each other.
    """

    reference: int
    exact_deletions: int
    exact_insertions: int
    exact_substitutions: int
    deletions: int
    insertions: int
    substitutions: int

    @property
    def exact_errors(self) -> int:
        """Deletions, insertions and substitutions by exact end."""
        return self.exact_deletions + self.exact_insertions + self.exact_substitutions

    @property
    def errors(self) -> int:
        """Deletions, insertions and substitutions by event."""
        return self.deletions + self.insertions + self.substitutions

    @property
    def score(self) -> float:
        """The error rate by exact end, which md-eval calls the overall score."""
        return ratio(self.exact_errors, self.reference)


def _scores(key: str, field: str, heading: str, how: str) -> Iterator[Score]:
    """The errors of one way to count, each as a number and as a rate, and all of them as a rate."""

    def rate(name: str) -> Callable[[SuCounts], float]:
        return lambda counts: ratio(getattr(counts, name), counts.reference)

    after = " by event" if heading else ""
    for name, (short, what) in ERRORS.items():
        yield Score(
            f"su_{field}{name}", f"{heading}{short}", f"{what}, {how}.", None, ("su",),
            f"{field}{name}", group="su", short=f"{field}{name}", is_count=True,
        )  # fmt: skip
    yield Score(
        f"{key}_error_rate", f"SU error{after}", f"Errors {how} / reference units.", "low",
        ("su", "compare"), rate(f"{field}errors"), heading=f"{heading}error",
    )  # fmt: skip
    for name, (_, what) in ERRORS.items():
        yield Score(
            f"{key}_{name[:-1]}_rate", f"SU {name[:-1]}{after}", f"{what} {how} / reference units.",
            "low", (), rate(f"{field}{name}"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Su(PairMeasure):
    """NIST's SU error rates; `tolerance` is how many last words of a unit have to meet another's.

    If one side has no types, all units count as one type.
    """

    name: ClassVar[str] = "su"
    counts: ClassVar[type[Counts]] = SuCounts
    asked_by: ClassVar[str] = "su"
    task_options: ClassVar[dict[str, str]] = {"tolerance": "", "final": ""}
    scores: ClassVar[tuple[Score, ...]] = (
        Score("su_reference", "Nref", "Units of the reference.", None, ("su",), "reference",
              group="su", short="reference", is_count=True),
        *_scores("su", "exact_", "", "by exact end"),
        *_scores("su_event", "", "event ", "by event"),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"tolerance": 1}

    tolerance: int = 2
    final: Final = "keep"

    def count(self, candidate: Segmentation, reference: Segmentation) -> SuCounts:
        """Count one candidate against one reference, on the same words."""
        require_one_length(candidate, reference)
        types = candidate.marks_at(self.final), reference.marks_at(self.final)
        ours, theirs = (None, None) if types[0] is None or types[1] is None else types
        placed = SuUnits.from_segmentation(candidate, self.final, ours)
        wanted = SuUnits.from_segmentation(reference, self.final, theirs)
        return count_units(placed, wanted, mapped_units(placed, wanted, self.tolerance))


@dataclass(frozen=True, slots=True, eq=False)
class SuUnits:
    """Units on the words of the reference: the first and last word of each, and its type."""

    first: IntArray
    last: IntArray
    types: MarkArray

    @classmethod
    def from_segmentation(
        cls, segmentation: Segmentation, final: Final, types: MarkArray | None
    ) -> SuUnits:
        """The units of a segmentation."""
        last = segmentation.positions(final)
        first = np.concatenate(([0], last[:-1] + 1))[: last.size]
        return cls(first, last, np.zeros(last.size, dtype="<U1") if types is None else types)

    def some(self, which: IntArray | BoolArray) -> SuUnits:
        """Some of the units."""
        return SuUnits(self.first[which], self.last[which], self.types[which])


def count_units(candidate: SuUnits, reference: SuUnits, mapped: IntArray) -> SuCounts:
    """Count; `mapped` holds for each unit of the reference the candidate's one, or -1."""
    met = mapped >= 0
    used = np.zeros(candidate.last.size, dtype=np.bool_)
    used[mapped[met]] = True
    insertions = int(np.count_nonzero(~used))
    types, codes = np.unique(
        np.concatenate((candidate.types, reference.types)), return_inverse=True
    )
    ours, theirs = np.split(codes, [candidate.last.size])
    placed, wanted = (np.maximum(each.last, 0) for each in (candidate, reference))
    both = _common(wanted, placed[used])
    right = _common(wanted[met] * types.size + theirs[met], placed[used] * types.size + ours[used])
    return SuCounts(
        reference=reference.last.size,
        exact_deletions=reference.last.size - both,
        exact_insertions=int(np.count_nonzero(used)) - both + insertions,
        exact_substitutions=both - right,
        deletions=int(np.count_nonzero(~met)),
        insertions=insertions,
        substitutions=int(np.count_nonzero(ours[mapped[met]] != theirs[met])),
    )


def _common(a: IntArray, b: IntArray) -> int:
    """How many values two arrays share, each as often as both have it."""
    (ones, many), (others, more) = (np.unique(each, return_counts=True) for each in (a, b))
    _, here, there = np.intersect1d(ones, others, assume_unique=True, return_indices=True)
    return int(np.minimum(many[here], more[there]).sum())


def mapped_units(candidate: SuUnits, reference: SuUnits, tolerance: int) -> IntArray:
    """For each unit of the reference the candidate's unit that it is paired with, or -1.

    Pairs follow each other on both sides and share the most last words in all, weighted as md-eval
    does. Where only two units can meet they are paired at once.
    """
    beginnings = [
        np.maximum(each.first, each.last - tolerance + 1) for each in (reference, candidate)
    ]
    low, high = bands(beginnings[0] - 1, reference.last + 1, beginnings[1], candidate.last)
    mapped = np.full(reference.last.size, -1, dtype=np.int64)
    if not mapped.size or not candidate.last.size:
        return mapped
    reached = np.concatenate(([0], np.maximum.accumulate(high)[:-1]))
    ahead = np.append(low[1:], candidate.last.size)
    alone = (high - low == 1) & (low >= reached) & (ahead >= high)
    alone[alone] &= (
        _overlap(candidate, reference, beginnings, low[alone], np.flatnonzero(alone)) >= 0
    )
    mapped[alone] = low[alone]
    rest = np.flatnonzero(~alone & (high > low))
    pairs = BandPairs.from_bands(low[rest], high[rest])
    gains = _gains(candidate, reference, beginnings, pairs.right, rest[pairs.left])
    for row, other in best_path(pairs, gains, [0] * rest.size, [0] * candidate.last.size):
        mapped[rest[row]] = other
    return mapped


def _overlap(
    candidate: SuUnits,
    reference: SuUnits,
    beginnings: list[IntArray],
    ours: IntArray,
    theirs: IntArray,
) -> IntArray:
    """How many of the last words of units are the same ones."""
    end = np.minimum(reference.last[theirs], candidate.last[ours])
    return end - np.maximum(beginnings[0][theirs], beginnings[1][ours]) + 1


def _gains(
    candidate: SuUnits,
    reference: SuUnits,
    beginnings: list[IntArray],
    ours: IntArray,
    theirs: IntArray,
) -> list[int | None]:
    """What pairs are worth, as whole numbers, so that sums are exact; None where there is no pair.

    md-eval takes (shared words + 0.1) · w / (w + 0.1), w being how many words count of the unit
    of the reference (10^-8 above the bar if none do), a tenth more if the types are the same and
    a thousandth more if the last words are.
    """
    shared = _overlap(candidate, reference, beginnings, ours, theirs)
    widths = (reference.last - beginnings[0] + 1)[theirs]
    common = lcm(*(10 * width + 1 for width in set(widths.tolist())))
    weights = {
        width: (width * 10**8 or 1) * common // (10 * width + 1) for width in set(widths.tolist())
    }
    alike = np.where(candidate.types[ours] == reference.types[theirs], 11, 10)
    closing = np.where(candidate.last[ours] == reference.last[theirs], 1001, 1000)
    bonus = ((10 * shared + 1) * alike * closing).tolist()
    return [
        None if same < 0 else extra * weights[width]
        for same, extra, width in zip(shared.tolist(), bonus, widths.tolist(), strict=True)
    ]


def bands(
    low: IntArray, high: IntArray, start: IntArray, end: IntArray
) -> tuple[IntArray, IntArray]:
    """Which of some spans each of others can meet: from the first to before the last."""
    return (
        np.searchsorted(np.maximum.accumulate(end), np.minimum.accumulate(low[::-1])[::-1]),
        np.searchsorted(
            np.minimum.accumulate(start[::-1])[::-1], np.maximum.accumulate(high), side="right"
        ),
    )


class BandPairs(NamedTuple):
    """The pairs that bands allow, row by row: `offsets` says where each row begins."""

    low: IntArray
    high: IntArray
    offsets: IntArray
    left: IntArray
    right: IntArray

    @classmethod
    def from_bands(cls, low: IntArray, high: IntArray) -> BandPairs:
        """All pairs of each row with those from `low` to before `high`."""
        sizes = np.maximum(high - low, 0)
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        left = np.repeat(np.arange(low.size), sizes)
        right = np.arange(offsets[-1]) - offsets[left] + low[left]
        return cls(low, high, offsets, left, right)


def best_path(
    pairs: BandPairs, gains: Sequence[int | None], missed: Sequence[int], added: Sequence[int]
) -> list[tuple[int, int]]:
    """The pairs, in order on both sides, that are worth most; what is left alone has a price.

    A path is the last candidate used, what it is worth and its pairs, newest first. Of paths that
    are worth the same, the one with the earliest candidates is taken, as md-eval does.
    """
    paths: list[_Path] = [(-1, 0, None)]
    bands = zip(pairs.low.tolist(), pairs.high.tolist(), pairs.offsets.tolist(), strict=False)
    for row, (low, high, offset) in enumerate(bands):
        paths = _live(paths, low)
        (last, most, chain), older, price = paths[0], 1, missed[row]
        longer: list[_Path] = [(last, most + price, chain)]
        for at in range(low, high):
            path = paths[older] if older < len(paths) and paths[older][0] == at else None
            stays = None if path is None else (at, path[1] + price, path[2])
            gain = gains[offset + at - low]
            worth = None if gain is None else most + gain - added[at]
            if worth is not None and (stays is None or worth > stays[1]):
                stays = (at, worth, (row, at, chain))
            if stays is not None:
                longer.append(stays)
            if path is not None:
                older += 1
                if path[1] > most:
                    _, most, chain = path
        paths = longer
    return _unwound(_best(paths)[2])


def _best(paths: list[_Path]) -> _Path:
    return max(paths, key=itemgetter(1))


def _live(paths: list[_Path], low: int) -> list[_Path]:
    """The paths that can still matter: of those that end before `low`, only the best."""
    if len(paths) == 1 or paths[1][0] >= low:
        return paths
    behind = sum(1 for path in paths if path[0] < low)
    return [_best(paths[:behind]), *paths[behind:]]


def _unwound(chain: _Chain) -> list[tuple[int, int]]:
    found = []
    while chain is not None:
        row, at, chain = chain
        found.append((row, at))
    return found[::-1]
