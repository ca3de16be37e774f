"""Morphs, a word or sentence per line: their file, which lines correspond, and their counts.

A line is `reader TAB read @@er TAB 010`, as in the SIGMORPHON 2022 shared task; the category in the
third column may be absent. Morphs are separated by blanks; @@ says that a morph continues the word.

Morphs are counted by longest common subsequence, with their edit distance: Batsuren et al. (2022),
The SIGMORPHON 2022 shared task on morpheme segmentation, and its evaluate.py. Boundaries of surface
morphs: Virpioja et al. (2011), Empirical comparison of evaluation methods for unsupervised learning
of morphology, with all words summed.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self
from unicodedata import normalize

import numpy as np

from caesura.core.arrays import sums_between
from caesura.core.counts import Counts, GroupedCounts, Items, Matches, ratio
from caesura.core.measure import GroupMeasure, Measure
from caesura.core.score import Score, View, matches, tallies
from caesura.core.segmentation import BoolArray, IntArray
from caesura.errors import FormatError, SegmentationError, number, option, shortened
from caesura.formats.text_files import lines_of
from caesura.formats.texts import refuse_nul
from caesura.run.values import encoded

SEPARATOR = "|"
"""What separates the morphs of a line where they are compared."""
CURE = "write a word, a tab, its morphs (read @@er) and, if there is one, a tab and a category"
GIVE = "give lines (word, tab, morphs), pairs of a word and its morphs, or a path"
MAX_CATEGORIES = 1000
"""The most different categories of a file."""
_SIGNS = ("\n\n", "\n ", "\n@@", "  ", " @@ ", " @@\n", " \n")
"""What there is somewhere in lines of which one is odd."""
_ODD = re.compile(r"\A(?:\Z| |@@)| (?:@@)?(?: |\Z)")
"""Morphs of which one is empty, or the first of which has the sign of those that go on."""


@dataclass(frozen=True, slots=True, eq=False)
class MorphTable:
    """Lines of a file: what is segmented, its morphs as written (`mor @@pheme`), a category.

    `categories` is empty if no line has one; `lines` are the numbers of the lines in the file.
    `signs` are `odd_morphs`, lines with an empty morph or with @@ at their beginning, and
    `other_words`, lines that are paired with those of other words, each with the first line.
    """

    words: list[str]
    morphs: list[str]
    categories: list[str]
    lines: Sequence[int]
    source: str
    signs: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.words)


def separated(lines: Sequence[str], separator: str = SEPARATOR) -> list[str]:
    """The morphs of each line with a separator between them: ` @@` and blanks are the same.

    The usual one separates where it is in the text, too, as in SIGMORPHON's evaluate.py.

    >>> separated(["read @@er s"]), separated(["read @@er s"], "")
    (['read|er|s'], ['readers'])
    """
    text = "\n".join(lines).replace(" @@", " ").replace(" ", separator)
    return text.split("\n") if lines else []


def parse_morphs(data: bytes, source: str = "<morphs>") -> MorphTable:
    r"""Read morphs from UTF-8 bytes.

    >>> table = parse_morphs(b"reader\tread @@er\t010\n")
    >>> table.words, table.morphs, table.categories
    (['reader'], ['read @@er'], ['010'])
    """
    refuse_nul(data, source)
    every = lines_of(data.decode().removeprefix("\ufeff"))
    lines = [line for line in every if line.strip(" ")]
    if not lines:
        raise FormatError(source, "no lines", CURE)
    numbers: Sequence[int] = range(1, len(every) + 1)
    if len(lines) < len(every):
        numbers = [number for number, line in enumerate(every, 1) if line.strip(" ")]
    tabs = [line.count("\t") for line in lines]
    if {*tabs} == {1, 2}:  # only some lines have a category
        lines = [line + "\t" * (2 - size) for line, size in zip(lines, tabs, strict=True)]
    cells, columns = "\t".join(lines).split("\t"), max(tabs) + 1
    words = cells[::columns]
    if not ({*tabs} <= {1, 2} and all(map(str.strip, words))):
        raise _fault(lines, numbers, source)
    morphs = cells[1::columns]
    text, odd = "\n".join(("", *morphs, "")), []
    if any(sign in text for sign in _SIGNS):
        odd = [line for line, own in zip(numbers, morphs, strict=True) if _ODD.search(own)]
    signs = {"odd_morphs": len(odd), "odd_morphs_at": odd[0]} if odd else {}
    categories = list(map(str.strip, cells[2::columns])) if columns > 2 else []
    kinds = len(set(categories))
    if kinds > MAX_CATEGORIES:
        problem = f"{kinds:,} different categories in the third column"
        raise FormatError(source, problem, f"give at most {MAX_CATEGORIES:,}, or only two columns")
    return MorphTable(words, morphs, categories if any(categories) else [], numbers, source, signs)


def _fault(lines: list[str], numbers: Sequence[int], source: str) -> FormatError:
    """What is wrong with the first line that is."""
    for line, text in zip(numbers, lines, strict=True):
        cells = text.split("\t")
        if len(cells) == 1:
            return FormatError(source, f"no tab in '{shortened(text)}'", CURE, line=line)
        if len(cells) > 3:
            return FormatError(source, f"{len(cells)} columns", CURE, line=line)
        if not cells[0].strip():
            return FormatError(source, "no word before the tab", CURE, line=line)
    raise AssertionError(source)


def as_morphs(value: object, *, task: object = None, source: str = "<morphs>") -> MorphTable:  # noqa: ARG001
    """Convert a list of lines or of pairs, such as ("reader", ["read", "er"]), to morphs.

    A third item of a pair is the category. No option of the `task` changes what is read.
    """
    if isinstance(value, MorphTable):
        return value
    if not isinstance(value, list | tuple):
        raise SegmentationError(f"{source}: {value!r} is not morphs; {GIVE}")
    lines = []
    for index, item in enumerate(value):
        row = item if isinstance(item, list | tuple) else [item]
        texts = [cell if isinstance(cell, list | tuple) else [cell] for cell in row]
        if not texts or not all(isinstance(text, str) for cell in texts for text in cell):
            raise SegmentationError(f"{source}: item {index} is {item!r}; {GIVE}")
        cells = [" @@".join(cell) for cell in texts]
        lines.append(" ".join("\t".join(cells).splitlines()))
    return parse_morphs(encoded("\n".join(lines), source), source)


def matched(system: MorphTable, gold: MorphTable, *, force: bool = False) -> MorphTable:
    """The lines of a system, one for each of the gold's.

    Lines correspond by their numbers if the words are the same, otherwise by their words, each of
    which has to be there once. With `force`, lines of other words correspond by their numbers.
    """
    if system.words == gold.words:
        return system
    places = {word: place for place, word in enumerate(system.words)}
    if len(places) == len(system) == len(gold) and places.keys() == {*gold.words}:
        order = [places[word] for word in gold.words]
        return replace(
            system,
            words=gold.words,
            morphs=[system.morphs[place] for place in order],
            categories=[system.categories[place] for place in order] if system.categories else [],
            lines=[system.lines[place] for place in order],
        )
    if force and len(system) == len(gold):
        pairs = zip(system.lines, system.words, gold.words, strict=True)
        other = [line for line, ours, theirs in pairs if ours != theirs]
        signs = {"other_words": len(other), "other_words_at": other[0]}
        return replace(system, signs={**system.signs, **signs})
    raise _mismatch(system, gold)


def _mismatch(system: MorphTable, gold: MorphTable) -> FormatError:
    """Why lines do not correspond: the first word that is missing, too much, or another."""
    ours, theirs = Counter(system.words), Counter(gold.words)
    if ours == theirs:
        return _other_order(system, gold, ours)
    sizes = f"{number(len(system), 'line')}, but {gold.source} has {len(gold):,}"
    if len(system) < len(gold):
        place = _first_surplus(gold.words, theirs - ours)
        where = f"{_quoted(gold.words[place])} ({gold.source}:{gold.lines[place]})"
        return FormatError(
            system.source, f"{sizes}: none for {where}", "add a line for every gold line"
        )
    if len(system) == len(gold):
        return _other_word(system, gold, ours, theirs)
    place = _first_surplus(system.words, ours - theirs)
    problem = f"{sizes}, and none for {_quoted(system.words[place])}"
    cure = "remove the lines that the gold does not have"
    return FormatError(system.source, problem, cure, line=system.lines[place])


def _first_surplus(words: list[str], surplus: Counter[str]) -> int:
    """The index of the first line that is one too many."""
    left = Counter(words)
    for place, word in enumerate(words):
        left[word] -= 1
        if left[word] < surplus[word]:
            return place
    raise AssertionError(words)


def _other_order(system: MorphTable, gold: MorphTable, words: Counter[str]) -> FormatError:
    """Lines in another order, of which some have the same word."""
    pairs = zip(system.lines, system.words, gold.words, strict=True)
    line = next(line for line, ours, theirs in pairs if ours != theirs)
    twice = next(word for word, times in words.items() if times > 1)
    problem = (
        f"the lines are in another order than in {gold.source}, and cannot be matched by their "
        f"words: {_quoted(twice)} is there {words[twice]:,} times"
    )
    return FormatError(system.source, problem, "put them into the order of the gold", line=line)


def _other_word(
    system: MorphTable, gold: MorphTable, ours: Counter[str], theirs: Counter[str]
) -> FormatError:
    """As many lines, some of other words: the first of each side, and why it may be another."""
    our_place = _first_surplus(system.words, ours - theirs)
    their_place = _first_surplus(gold.words, theirs - ours)
    word, other = system.words[our_place], gold.words[their_place]
    where = f"{gold.source}:{gold.lines[their_place]}"
    unquoted = ""  # what a reader of quoted, tab-separated values makes of the gold's word
    if other.startswith('"'):
        unquoted = next(csv.reader([other], delimiter="\t"), [""])[0]
    if normalize("NFC", word) == normalize("NFC", other):
        problem = f"{_quoted(word)} is in another Unicode form than in {where}"
        cure = "write both files in one form, such as NFC"
    elif word == unquoted:
        problem = f"{_quoted(word)} has lost the quotation marks that {where} has"
        cure = "read and write files without CSV quoting"
    else:
        problem = f"{_quoted(word)}, but no line for {_quoted(other)} ({where})"
        cure = "give the same words"
    cure += f", or pair lines by their numbers with {option('force')}"
    return FormatError(system.source, problem, cure, line=system.lines[our_place])


def _quoted(word: str) -> str:
    return f"“{shortened(word)}”"


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
        return [MorphCounts(*row) for row in sums_between(lines, edges).T.tolist()]


Category = tuple[str, int, int, int, int, int, int]
"""Its name, lines, exact lines, morphs that are right, of the system and of the gold, distance."""
SIZE = 6


@dataclass(frozen=True, slots=True)
class CategoryCounts(GroupedCounts):
    """Lines and morphs by category."""

    groups: tuple[Category, ...]

    def items(self) -> dict[object, int]:
        """The counts of each category."""
        return {(name, at): each for name, *counts in self.groups for at, each in enumerate(counts)}

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned; what is not there is 0."""
        names = sorted({name for name, _ in items})
        groups: Any = ((n, *(items.get((n, at), 0) for at in range(SIZE))) for n in names)
        return cls(tuple(groups))

    def each_category(self) -> dict[str, MorphCounts]:
        """The counts of morphs in each category; boundaries are not among them."""
        rest = [0] * (len(MorphCounts.__match_args__) - SIZE)
        return {name: MorphCounts(*counts, *rest) for name, *counts in sorted(self.groups)}


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
