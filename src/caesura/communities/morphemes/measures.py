"""Morphs by longest common subsequence, their edit distance, and boundaries of surface morphs.

Batsuren et al. (2022), The SIGMORPHON 2022 shared task on morpheme segmentation, and its
evaluate.py; boundaries: Virpioja et al. (2011), Empirical comparison of evaluation methods for
unsupervised learning of morphology, with all words summed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from caesura.communities.morphemes.lines import SEPARATOR, MorphTable, separated
from caesura.core.counts import Counts, Items, Matches, ratio
from caesura.core.measure import GroupMeasure, Measure
from caesura.core.score import Score, View, matches, tallies
from caesura.core.segmentation import BoolArray, IntArray

CHUNK = 1 << 14
"""The lines that are compared at a time."""
DISTANCE = 5
"""Which row of the counts of lines holds the distance."""
NONE = "none"
"""The category of lines without one, where others have one."""
BLANK, LINE_END = ord(" "), ord("\n")
MAIN: tuple[View, ...] = ("headline", "correlate")
TALLIES = {
    "tp": ("TP", "Those that both sides have."),
    "fp": ("FP", "Those that only the system has."),
    "fn": ("FN", "Those that only the gold has."),
}


@dataclass(frozen=True, slots=True)
class MorphCounts(Counts):
    """Lines, morphs and boundaries: right, of the system, of the gold.

    `exact` are the lines with the gold's morphs, `distance` is the sum of the edit distances.
    `surface` are the lines whose morphs, put together, are the word on both sides; boundaries
    are counted in these.
    """

    lines: int
    exact: int
    morph_tp: int
    morph_system: int
    morph_gold: int
    distance: int
    surface: int
    boundary_tp: int
    boundary_system: int
    boundary_gold: int

    @property
    def morphs(self) -> Matches:
        """Morphs of the longest common subsequences."""
        return Matches.from_totals(self.morph_tp, self.morph_system, self.morph_gold)

    @property
    def boundaries(self) -> Matches:
        """Boundaries at the same place."""
        return Matches.from_totals(self.boundary_tp, self.boundary_system, self.boundary_gold)

    @property
    def mean_distance(self) -> float:
        """The edit distance per line."""
        return ratio(self.distance, self.lines)

    @property
    def accuracy(self) -> float:
        """The share of exact lines."""
        return ratio(self.exact, self.lines)

    @property
    def left_out(self) -> int:
        """The lines in which boundaries are not counted."""
        return self.lines - self.surface

    @property
    def score(self) -> float:
        """F1 of the morphs."""
        return self.morphs.f1


@dataclass(frozen=True, slots=True)
class Morphs(Measure):
    """Precision, recall and F1 of morphs and of their boundaries, and the edit distance."""

    name: ClassVar[str] = "morphs"
    kind: ClassVar[str] = "morphemes"
    counts: ClassVar[type[Counts]] = MorphCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("morph_lines", "lines", "Words or sentences, one per line.", None, ("unit",),
              take="lines", group="morphs", short="lines", is_count=True),
        *tallies("morphs", "morph", TALLIES, views=("unit",)),
        *matches("morphs", "morph", "morphs, by longest common subsequence",
                 views=("unit", "compare"), f1_views=MAIN),
        Score("morph_distance", "distance", "Levenshtein distance of the morphs of a line, in "
              "characters, with one between morphs; mean over the lines.", "low",
              ("unit", "compare"), take="mean_distance", group="morphs", short="distance"),
        Score("morph_accuracy", "accuracy", "Lines with the gold's morphs / lines.",
              views=("unit", "compare"), take="accuracy", group="morphs", short="accuracy"),
        Score("morph_boundary_lines", "boundary lines", "Lines whose morphs, put together, "
              "are the word on both sides.", None, ("other",), take="surface", heading="lines",
              group="boundaries", short="lines", is_count=True),
        Score("morph_boundary_left_out", "lines left out", "Lines in which boundaries are not "
              "counted, because some morphs are not parts of the word.", None, ("other",),
              take="left_out", heading="left out", group="boundaries", short="left_out",
              is_count=True),
        *tallies("boundaries", "morph_boundary", TALLIES, views=("other",)),
        *matches("boundaries", "morph_boundary", "boundaries between morphs", views=("other",),
                 f1_views=("compare",)),
    )  # fmt: skip

    def count(self, system: MorphTable, gold: MorphTable) -> MorphCounts:
        """Count one system's morphs against the gold ones, line by line."""
        return self.count_parts(count_lines(system, gold), np.array([0, len(gold)]))[0]

    @staticmethod
    def count_parts(lines: IntArray, edges: IntArray) -> list[MorphCounts]:
        """Sum the counts of lines between neighbouring edges."""
        sums = np.zeros((len(lines), lines.shape[1] + 1), np.int64)
        np.cumsum(lines, axis=1, out=sums[:, 1:])
        return [MorphCounts(*row) for row in np.diff(sums[:, edges]).T.tolist()]


Category = tuple[str, int, int, int, int, int, int]
"""Its name, lines, exact lines, morphs that are right, of the system and of the gold, distance."""
SIZE = 6


@dataclass(frozen=True, slots=True)
class CategoryCounts(Counts):
    """Lines and morphs by category."""

    groups: tuple[Category, ...]

    @classmethod
    def zero(cls) -> Self:
        """All zero."""
        return cls(())

    def items(self) -> dict[object, int]:
        """The counts of each category."""
        return {(name, at): each for name, *counts in self.groups for at, each in enumerate(counts)}

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned; what is not there is 0."""
        names = dict.fromkeys(name for name, _ in items)
        groups: Any = ((n, *(items.get((n, at), 0) for at in range(SIZE))) for n in names)
        return cls(tuple(groups))

    def __add__(self, other: Self) -> Self:
        if not isinstance(other, CategoryCounts):
            return NotImplemented
        sums = Counter(self.items())
        sums.update(other.items())
        return self.from_items(dict(sorted(sums.items())))

    def each_category(self) -> dict[str, MorphCounts]:
        """The counts of morphs in each category; boundaries are not among them."""
        zero = MorphCounts.zero().to_dict()
        names = tuple(zero)[:SIZE]
        return {
            name: MorphCounts(**zero | dict(zip(names, counts, strict=True)))
            for name, *counts in sorted(self.groups)
        }


@dataclass(frozen=True, slots=True)
class Categories(GroupMeasure):
    """Morphs by the category of the gold line."""

    name: ClassVar[str] = "categories"
    kind: ClassVar[str] = "morphemes"
    counts: ClassVar[type[Counts]] = CategoryCounts
    titles: ClassVar[Mapping[str, str]] = {"category": "Morphs by category"}
    of_group: ClassVar[tuple[Score, ...]] = tuple(
        replace(score, key=score.short, label=score.heading or score.label)
        for score in Morphs.scores
        if "unit" in score.views
    )

    @classmethod
    def groups(cls, counts: CategoryCounts) -> dict[str, dict[str, MorphCounts]]:
        """Morphs by category, in the order of their names; nothing if lines have none."""
        categories = counts.each_category()
        return {"category": categories} if categories else {}

    def count(self, system: MorphTable, gold: MorphTable) -> CategoryCounts:
        """Count one system's morphs against the gold ones."""
        edges = np.array([0, len(gold)])
        return self.count_parts(count_lines(system, gold), gold.categories, edges)[0]

    @staticmethod
    def count_parts(
        lines: IntArray, categories: Sequence[str], edges: IntArray
    ) -> list[CategoryCounts]:
        """Sum the counts of the lines of each category between neighbouring edges."""
        if not categories:
            return [CategoryCounts.zero()] * (edges.size - 1)
        names = sorted(set(categories))
        number = {name: index for index, name in enumerate(names)}
        part = np.repeat(np.arange(edges.size - 1), np.diff(edges))
        cells = np.array([number[name] for name in categories]) + part * len(names)
        size = (edges.size - 1) * len(names)
        sums = [np.bincount(cells, row, size).astype(np.int64) for row in lines[:SIZE]]
        parts: Any = np.stack(sums, axis=-1).reshape(edges.size - 1, len(names), SIZE).tolist()
        return [
            CategoryCounts(
                tuple((name or NONE, *row) for name, row in zip(names, rows, strict=True) if row[0])
            )
            for rows in parts
        ]


def count_lines(system: MorphTable, gold: MorphTable) -> IntArray:
    """The fields of `MorphCounts` in rows, with a column for each line."""
    parts = [slice(start, start + CHUNK) for start in range(0, len(gold), CHUNK)]
    counted = [_count_some(system.morphs[p], gold.morphs[p], gold.words[p]) for p in parts]
    return np.concatenate(counted, axis=1)


def _count_some(system: list[str], gold: list[str], words: list[str]) -> IntArray:
    """Count some lines; only those that differ are compared morph by morph."""
    from rapidfuzz.distance import LCSseq, Levenshtein
    from rapidfuzz.process import cpdist

    ours, theirs = separated(system), separated(gold)
    is_exact = np.array([a == b for a, b in zip(ours, theirs, strict=True)], np.bool_)
    sizes = [np.array([line.count(SEPARATOR) + 1 for line in side]) for side in (ours, theirs)]
    common, distance = sizes[1].copy(), np.zeros_like(sizes[1])
    differing = np.flatnonzero(~is_exact).tolist()
    sides = [[side[line] for line in differing] for side in (ours, theirs)]
    morphs = [[line.split(SEPARATOR) for line in side] for side in sides]
    common[differing] = cpdist(*morphs, scorer=LCSseq.similarity, dtype=np.int64)
    distance[differing] = cpdist(*sides, scorer=Levenshtein.distance, dtype=np.int64)
    ones = np.ones_like(common)
    return np.stack([ones, is_exact, common, *sizes, distance, *_boundaries(system, gold, words)])


def _boundaries(system: list[str], gold: list[str], words: list[str]) -> tuple[IntArray, ...]:
    """Whether a line is of surface morphs, and its boundaries: right, system's, gold's."""
    letters = "\n".join(words).replace(" ", "").split("\n")
    every = zip(separated(system, ""), separated(gold, ""), letters, strict=True)
    is_surface = np.array([ours == theirs == word for ours, theirs, word in every], np.bool_)
    kept = np.flatnonzero(is_surface).tolist()
    ends = np.cumsum([len(letters[line]) for line in kept], dtype=np.int64)
    is_word = _gaps([words[line] for line in kept], ends)
    ours, theirs = (
        _gaps([side[line] for line in kept], ends) & ~is_word
        for side in (separated(system, " "), separated(gold, " "))
    )
    columns = []
    for marks in (ours & theirs, ours, theirs):
        numbers = np.zeros(len(words), np.int64)
        numbers[kept] = np.diff(np.cumsum(marks, dtype=np.int64)[ends], prepend=0)
        columns.append(numbers)
    return is_surface.astype(np.int64), *columns


def _gaps(lines: list[str], ends: IntArray) -> BoolArray:
    """Where there are blanks inside lines, on an axis of all their other characters.

    `ends` are the places on it at which lines end. The slow twin is `edges` of
    tests/support/reference_morphs.py.
    """
    codes = np.frombuffer("\n".join(lines).encode("utf-32-le", "surrogatepass"), np.uint32)
    is_blank = codes == BLANK
    places = np.cumsum(~(is_blank | (codes == LINE_END)))
    is_gap = np.zeros(1 + (int(ends[-1]) if ends.size else 0), np.bool_)
    is_gap[places[is_blank]] = True
    is_gap[0] = False
    is_gap[ends] = False
    return is_gap
