"""Term discovery: boundaries, tokens, types, groups, edit distance and coverage.

Ludusan et al. (2014), Bridging the gap between speech technology and natural language processing;
Dunbar et al. (2017), The Zero Resource Speech Challenge 2017. Profile `2017` is what the
challenge's program computes, `paper` the definition on paper.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist, cpdist

from caesura.core.arrays import Array, runs, sorted_distinct, stretched
from caesura.core.byte_cells import FloatArray, mixed
from caesura.core.counts import Counts, Items, Matches, ratio, root
from caesura.core.json_values import typed
from caesura.core.measure import Measure
from caesura.core.score import Score, View, matches, tallies
from caesura.core.segmentation import BoolArray, IntArray
from caesura.core.timed_intervals import Intervals
from caesura.tasks.terms.speech import Codes, Discovered, grouped, overlapped

Points = npt.NDArray[np.complex128]
Strings = npt.NDArray[np.object_]
Profile = Literal["2017", "paper"]
Ties = Literal["decimal", "double"]
"""What decides between two phone boundaries that are equally near: see `_nearest_edges`."""
NEAR = 30_000
LONGEST = 1 << 62
"""The phones of a transcription; there are never as many."""
SMALL, CELLS = 64, 1 << 21
"""The strings of a cluster up to which pairs are listed, and the cells of a matrix beyond them."""
KINDS = {
    "boundary": "boundaries",
    "token": "tokens",
    "type": "types",
    "grouping": "pairs in one cluster",
}
TALLIES = {
    "hits": ("hits", "Found and correct."),
    "found": ("found", "Found."),
    "gold": ("gold", "In the gold."),
}
F1_VIEWS: dict[str, tuple[View, ...]] = {
    "boundary": ("spread", "compare", "headline", "correlate"),
    "token": ("spread", "compare", "headline", "correlate"),
    "type": ("spread",),
    "grouping": ("spread",),
}


@dataclass(frozen=True, slots=True)
class TermCounts(Counts):
    """The counts of all measures for a corpus, or a part of it.

    `_hits`, `_found` and `_gold` of each measure; of NED the pairs, and for each length of the
    longer string the sum of the distances, so that they stay whole.
    """

    boundary_hits: int
    boundary_found: int
    boundary_gold: int
    token_hits: int
    token_found: int
    token_gold: int
    type_hits: int
    type_found: int
    type_gold: int
    type_reachable: int
    grouping_hits: int
    grouping_found: int
    grouping_gold: int
    covered: int
    phones: int
    ned_pairs: int
    intervals: int
    dropped: int
    ned_sums: tuple[tuple[int, int], ...] = ()

    @classmethod
    def zero(cls) -> Self:
        """All zero."""
        return cls.from_items(dict.fromkeys(cls.__match_args__[:-1], 0))

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        sums = Counter(self.items())
        sums.update(other.items())
        return self.from_items(sums)

    def items(self) -> dict[object, int]:
        """The counts one by one; the sums of NED under the length."""
        flat = {name: getattr(self, name) for name in self.__match_args__ if name != "ned_sums"}
        return flat | dict(self.ned_sums)

    @classmethod
    def from_dict(cls, values: dict[str, object]) -> Self:
        """Read what `to_dict` returned; anything else is a ValueError."""
        counts = typed(cls, values)
        if not all(0 < length < LONGEST for length, _ in counts.ned_sums):
            raise ValueError("its ned_sums have a length that no transcription has")
        return counts

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned."""
        sums = sorted((key, total) for key, total in items.items() if isinstance(key, int))
        flat = {key: value for key, value in items.items() if isinstance(key, str)}
        return cls(**flat, ned_sums=tuple(sums))

    @property
    def boundary(self) -> Matches:
        """Edges of words."""
        return Matches.from_totals(self.boundary_hits, self.boundary_found, self.boundary_gold)

    @property
    def token(self) -> Matches:
        """Words with both edges right."""
        return Matches.from_totals(self.token_hits, self.token_found, self.token_gold)

    @property
    def type(self) -> Matches:
        """Distinct words."""
        return Matches.from_totals(self.type_hits, self.type_found, self.type_gold)

    @property
    def grouping(self) -> Matches:
        """Pairs of intervals in one cluster."""
        return Matches.from_totals(self.grouping_hits, self.grouping_found, self.grouping_gold)

    @property
    def score(self) -> float:
        """F1 of the tokens."""
        return self.token.f1

    @property
    def ned(self) -> float:
        """The mean normalised edit distance over pairs within clusters."""
        total = sum(total / length for length, total in self.ned_sums)
        return ratio(total, self.ned_pairs)

    @property
    def coverage(self) -> float:
        """Covered phones / phones, without silence."""
        return ratio(self.covered, self.phones)

    @property
    def type_ceiling(self) -> float:
        """The highest type recall possible: words that sound alike are one type to the ear."""
        return ratio(self.type_reachable, self.type_gold)

    @property
    def over_segmentation(self) -> float:
        """How many more boundaries there are than in the gold: found / gold - 1."""
        return ratio(self.boundary_found, self.boundary_gold) - 1

    @property
    def r_value(self) -> float:
        """The distance from perfect boundaries that are neither too many nor too few."""
        hit, over = self.boundary.recall, self.over_segmentation
        far = root((1 - hit) * (1 - hit) + over * over)
        side = (-over + hit - 1) / math.sqrt(2)
        return 1 - (far + abs(side)) / 2


@dataclass(frozen=True, slots=True)
class Terms(Measure):
    """Boundary, token, type, grouping, NED and coverage of discovered terms."""

    name: ClassVar[str] = "terms"
    kind: ClassVar[str] = "speech"
    counts: ClassVar[type[Counts]] = TermCounts
    scores: ClassVar[tuple[Score, ...]] = (
        *(
            score
            for kind, what in KINDS.items()
            for score in (
                *tallies(kind, kind, TALLIES, views=("unit",), take="{group}_{name}"),
                *matches(kind, kind, what, views=("unit",), f1_views=F1_VIEWS[kind],
                         is_additive=kind in ("boundary", "token")),
            )
        ),
        Score("ned", "NED", "Mean normalised edit distance within clusters.", "low",
              ("other", "spread"), group="ned", short="score", is_additive=False),
        Score("ned_pairs", "pairs", "Pairs of intervals within clusters.", None, ("other",),
              group="ned", short="pairs", is_count=True),
        Score("coverage", "coverage", "Phones covered by an interval / phones.",
              views=("other", "spread", "compare", "correlate"), group="coverage",
              short="score"),
        Score("covered", "covered", "Phones covered by an interval.", None, group="coverage",
              is_count=True),
        Score("phones", "phones", "Gold phones, without silence.", None, group="coverage",
              is_count=True),
        Score("over_segmentation", "over-segmentation", "Boundaries found / gold boundaries - 1.",
              None, ("other",), group="boundary"),
        Score("r_value", "R-value", "Closeness to full recall without over-segmentation.",
              views=("other", "compare"), group="boundary"),
        Score("type_ceiling", "ceiling of type R", "The highest possible type recall.",
              None, ("other",), group="type", short="recall_ceiling", is_additive=False),
        Score("intervals", "intervals", "Distinct intervals that were transcribed.", None,
              ("other",), is_count=True),
        Score("dropped", "dropped", "Intervals with too little of any phone.", None, ("other",),
              is_count=True),
    )  # fmt: skip

    profile: Profile = "2017"
    ties: Ties = "decimal"

    def count(self, found: Discovered, files: IntArray | None = None) -> TermCounts:
        """Count what was discovered, in all recordings or in some."""
        gold = found.gold
        files = np.arange(len(gold.phones.files)) if files is None else files
        spoken = np.flatnonzero(np.isin(gold.words.file, files))
        is_phone = np.isin(gold.phones.file, files) & ~gold.is_silent
        here = found.some(np.isin(found.file, files))
        heard = here.transcribed()
        intervals = heard.distinct()
        if self.profile == "paper":
            tokens = here.distinct()
            boundaries, right, words = _on_paper(tokens, spoken, self.ties)
        else:
            tokens, boundaries = intervals, _boundary(intervals, spoken)
            right, words = _right_tokens(intervals)
        pairs, sums = edit_distances(heard)
        return TermCounts(
            *boundaries,
            token_hits=_distinct(words),
            token_found=tokens.cluster.size,
            token_gold=spoken.size,
            type_hits=_distinct(tokens.some(right).transcribed().types),
            type_found=_distinct(intervals.types),
            type_gold=_distinct(gold.words.label[spoken]),
            type_reachable=_distinct(gold.types[spoken]),
            **_grouping(heard),
            covered=int(np.count_nonzero(_covered(heard) & is_phone)),
            phones=int(np.count_nonzero(is_phone)),
            ned_pairs=pairs,
            ned_sums=sums,
            intervals=intervals.cluster.size,
            dropped=here.cluster.size - heard.cluster.size,
        )


def _distinct(values: Array) -> int:
    """How many distinct values there are."""
    return sorted_distinct(values).size


# --- Profile 2017 ---------------------------------------------------------------------


def _boundary(found: Discovered, spoken: IntArray) -> tuple[int, int, int]:
    """Edges of the transcribed phones: hits, found and gold.

    A hit is a start among starts or an end among ends.
    """
    gold = found.gold
    begins, stops = np.zeros((2, len(gold.phones)), np.bool_)
    begins[found.low] = True
    stops[found.high - 1] = True
    starts, ends = _point_numbers(gold.phones)
    right = np.concatenate((starts[begins & gold.opens], ends[stops & gold.closes]))
    placed = np.concatenate((starts[begins], ends[stops]))
    wanted = _point_numbers(gold.words)[:, spoken].ravel()
    return _distinct(right), _distinct(placed), _distinct(wanted)


def _point_numbers(intervals: Intervals) -> IntArray:
    """A number for the beginning and the end of each interval, equal for one time of a recording.

    Intervals are sorted and do not overlap, so that their edges are in order as they stand.
    """
    file = np.repeat(intervals.file, 2)
    times = np.column_stack((intervals.on, intervals.off)).ravel()
    numbers = np.cumsum((np.diff(file, prepend=-1) != 0) | (np.diff(times, prepend=-1.0) != 0))
    return numbers.reshape(-1, 2).T


def _right_tokens(found: Discovered) -> tuple[IntArray, IntArray]:
    """The intervals that are spelled as the word they overlap most, and these words.

    Of words of which an interval covers as much, the first is taken. The slow twin is
    `most_covered` of tests/support/reference_terms.py.
    """
    words = found.gold.words
    low, high = overlapped(words, found.file, found.on, found.off)
    number = high - low  # (intervals,) how many words each meets
    some = np.flatnonzero(number)
    if not some.size:
        return some, some
    # (intervals and words that meet,) by interval, then by word; `begin` is where intervals begin
    owner, word = np.repeat(some, number[some]), stretched(low[some], number[some])
    begin = np.cumsum(number[some]) - number[some]
    last_on = np.maximum(found.on[owner], words.on[word])
    first_off = np.minimum(found.off[owner], words.off[word])
    share = (first_off - last_on) / (words.off[word] - words.on[word])
    best = np.flatnonzero(share == np.repeat(np.maximum.reduceat(share, begin), number[some]))
    first = best[np.concatenate(([True], np.diff(owner[best]) != 0))]
    is_right = found.types[owner[first]] == found.gold.types[word[first]]
    return owner[first[is_right]], word[first[is_right]]


# --- Profile paper --------------------------------------------------------------------


def _on_paper(
    found: Discovered, spoken: IntArray, ties: Ties
) -> tuple[tuple[int, int, int], IntArray, IntArray]:
    """Hits, found and gold of boundaries, and the intervals that are right, with their words.

    An edge is at the phone boundary less than 30 ms from it. The slow twins are `paper_boundary`
    and `paper_token` of tests/support/reference_terms.py.
    """
    words = found.gold.words
    file = words.file[spoken]
    begins, ends = (file + 1j * _micro(times[spoken]) for times in (words.on, words.off))
    starts, stops = (_nearest_edges(found, times, ties) for times in (found.on, found.off))
    placed, wanted = np.concatenate((starts, stops)), np.union1d(begins, ends)
    hits = np.intersect1d(placed[~np.isnan(placed)], wanted)
    edges = np.union1d(found.file + 1j * found.on, found.file + 1j * found.off)
    right = word = np.zeros(0, np.int64)
    if spoken.size:
        # (intervals,) the word that may begin where each does; words are in order of their points
        at = np.minimum(np.searchsorted(begins, starts), spoken.size - 1)
        right = np.flatnonzero((begins[at] == starts) & (ends[at] == stops))
        word = spoken[at[right]]
    return (hits.size, edges.size, wanted.size), right, word


def _micro(times: FloatArray) -> IntArray:
    return np.rint(times * 1e6).astype(np.int64)


def _nearest_edges(found: Discovered, times: FloatArray, ties: Ties) -> Points:
    """The phone boundary less than 30 ms from each time, as a point; nan where there is none.

    Times are compared in whole microseconds, and of two that are equally near the earlier is
    taken; with ties `double`, the rounding of differences in double precision decides. A point is
    a complex number, recording + i · microseconds, so that points are ordered by both. The slow
    twin is `nearest` of tests/support/reference_terms.py.
    """
    phones, file = found.gold.phones, found.file
    points = np.full(file.size, np.nan, dtype=np.complex128)
    bounds = np.searchsorted(phones.file, np.arange(len(phones.files) + 1))
    for recording in np.flatnonzero(np.bincount(file)).tolist():
        which, own = np.flatnonzero(file == recording), slice(*bounds[recording : recording + 2])
        edges = np.unique(np.concatenate((phones.on[own], phones.off[own])))
        after = np.clip(np.searchsorted(edges, times[which]), 1, edges.size - 1)
        sides = edges[after - 1], times[which], edges[after]  # (times of this recording,) each
        left, here, right = map(_micro, sides)
        before, middle, beyond = (left, here, right) if ties == "decimal" else sides
        nearest = np.where(middle - before <= beyond - middle, left, right)
        near = np.abs(nearest - here) < NEAR
        points[which[near]] = recording + 1j * nearest[near]
    return points


# --- Both profiles --------------------------------------------------------------------


def _covered(found: Discovered) -> BoolArray:
    """Which phones lie in a transcribed stretch."""
    change = np.zeros(len(found.gold.phones) + 1, dtype=np.int64)
    np.add.at(change, found.low, 1)
    np.add.at(change, found.high, -1)
    return np.cumsum(change[:-1]) > 0


def _grouping(heard: Discovered) -> dict[str, int]:
    """Tokens that stand in pairs: found together, of one type, and both."""
    is_together = np.bincount(heard.cluster)[heard.cluster] > 1
    once, pairs = heard.distinct(), heard.distinct(by_cluster=True)
    in_gold = _has_partner(once, once.types)
    # A type in a cluster is a hash of both, as types are hashes.
    in_both = _has_partner(pairs, mixed(pairs.types ^ mixed(pairs.cluster.astype(np.uint64))))
    return {
        "grouping_hits": _distinct(pairs.tokens[in_both]),
        "grouping_found": _distinct(heard.tokens[is_together]),
        "grouping_gold": _distinct(once.tokens[in_gold]),
    }


def _has_partner(found: Discovered, group: Codes) -> BoolArray:
    """Which intervals have another of their group in another recording, or apart in time.

    Only the extremes of a group decide: the first end and the last beginning of its intervals. The
    slow twin is `grouping` of tests/support/reference_terms.py.
    """
    has_partner = np.zeros(group.size, dtype=np.bool_)
    if not group.size:
        return has_partner
    order, starts, sizes = grouped(group)
    file, on, off = found.file[order], found.on[order], found.off[order]

    def extreme(reduce: np.ufunc, values: Array) -> Array:
        return np.repeat(reduce.reduceat(values, starts), sizes)

    apart = extreme(np.minimum, file) != extreme(np.maximum, file)
    before, after = extreme(np.minimum, off) <= on, extreme(np.maximum, on) >= off
    has_partner[order] = apart | before | after
    return has_partner


def edit_distances(heard: Discovered) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The number of pairs within clusters, and the sum of their edit distances by length.

    The length is that of the longer string of phones, without silence; two that are all silence
    count as 1 of 1. Distances are those of distinct strings, times the pairs that have them. The
    slow twin is `ned` of tests/support/reference_terms.py.
    """
    members = np.bincount(heard.cluster)
    pairs = int((members * (members - 1) // 2).sum())
    strings, string_of = _strings(heard)
    if not strings.size:
        return pairs, ()
    lengths = np.fromiter(map(len, strings), np.int64, strings.size)
    # (strings of clusters,) sorted by cluster: how many of its intervals have each of its strings
    keys, times = runs(np.sort(heard.cluster * strings.size + string_of))
    cluster, string = np.divmod(keys, strings.size)
    sums = np.zeros(lengths.max() + 2, np.int64)  # (lengths,)
    silent = times[lengths[string] == 0]
    sums[1] = (silent * (silent - 1) // 2).sum()
    sizes = np.bincount(cluster)  # (clusters,) their distinct strings
    for large in np.flatnonzero(sizes > SMALL).tolist():
        which = slice(*np.searchsorted(cluster, (large, large + 1)))
        _add_large(sums, strings[string[which]], lengths[string[which]], times[which])
    left = np.flatnonzero(sizes[cluster] <= SMALL)
    cluster = np.append(cluster, -1)
    for step in count(1):
        # Those with another string of their cluster that many steps on.
        left = left[cluster[left] == cluster[left + step]]
        if not left.size:
            break
        right = left + step
        one, other = string[left], string[right]
        scorer = Levenshtein.distance
        distance = cpdist(strings[one], strings[other], scorer=scorer, dtype=np.int32)
        longer = np.maximum(lengths[one], lengths[other])
        np.add.at(sums, longer, distance.astype(np.int64) * times[left] * times[right])
    return pairs, tuple((length, int(sums[length])) for length in np.flatnonzero(sums).tolist())


def _add_large(sums: IntArray, strings: Strings, lengths: IntArray, times: IntArray) -> None:
    """Add the distances within a large cluster: matrices of some rows × the strings from there on.

    One by one, its pairs take six times as long.
    """
    rows = max(1, CELLS // strings.size)
    for start in range(0, strings.size, rows):
        some = slice(start, start + rows)
        distance: IntArray = cdist(
            strings[some], strings[start:], scorer=Levenshtein.distance, dtype=np.int32, workers=-1
        )
        is_pair = np.triu(np.ones(distance.shape, np.bool_), 1)
        longer = np.maximum(lengths[some, None], lengths[start:])
        weight = times[some, None] * times[start:]
        np.add.at(sums, longer[is_pair], (distance * weight)[is_pair])


def _strings(heard: Discovered) -> tuple[Strings, IntArray]:
    """The distinct strings, a character for each phone but silence, and which each interval has."""
    labels = heard.gold.phones.labels
    silence = labels.index("SIL") if "SIL" in labels else -1
    _, first, type_of = np.unique(heard.types, return_index=True, return_inverse=True)
    of_types = [
        "".join(chr(0x10000 + label) for label in heard.labels(at) if label != silence)
        for at in first.tolist()
    ]
    strings, string_of_type = np.unique(np.array(of_types, np.object_), return_inverse=True)
    return strings, string_of_type[type_of]
