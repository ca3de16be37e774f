"""Structure of music as mir_eval.segment scores it: hits, deviations, and labels of frames.

Raffel et al. (2014), mir_eval; Levy and Sandler (2008), pairwise; Lukashevich (2008), NCE;
Rosenberg and Hirschberg (2007), V; Hubert and Arabie (1985), ARI; Vinh et al. (2010), AMI.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan, lgamma
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import Numeric
from caesura.core.batch import Positions
from caesura.core.counts import NAN, Counts, ratio
from caesura.core.labels import Labels
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Better, Score
from caesura.core.segmentation import Document, Edges, IntArray, WordNames
from caesura.measures.geometry import most_matches

Floats = npt.NDArray[np.float64]
Three = tuple[float, float, float]
PART = 10**12
"""The parts in which scores of a track are kept, so that they are whole numbers."""
SECOND = 1_000_000
DECIMALS = 5
"""The decimals of a second to which boundaries are rounded, as floats, as mir_eval does."""
FRAMES = 0.1


@dataclass(frozen=True, slots=True)
class MusicCounts(Counts):
    """The scores of one track, in parts of 10⁻¹²; of several, they have no meaning together.

    `undefined` has a bit for each score that the track does not have.
    """

    tracks: int
    precision_05: int
    recall_05: int
    f_05: int
    precision_3: int
    recall_3: int
    f_3: int
    ref_to_est: int
    est_to_ref: int
    pairwise_precision: int
    pairwise_recall: int
    pairwise_f: int
    rand: int
    adjusted_rand: int
    mutual: int
    adjusted_mutual: int
    normalized_mutual: int
    nce_over: int
    nce_under: int
    nce_f: int
    v_precision: int
    v_recall: int
    v_f: int
    undefined: int

    def value(self, name: str) -> Numeric:
        """A score of one track; undefined of several."""
        bit = 1 << (self.__match_args__.index(name) - 1)
        is_defined = (np.asarray(self.tracks) == 1) & (np.asarray(self.undefined) // bit % 2 == 0)
        return ratio(getattr(self, name), is_defined * PART)


def _score(name: str, label: str, about: str, better: Better = "high") -> Score:
    take: Callable[[Any], Any] = lambda counts: counts.value(name)  # noqa: E731
    return Score(f"music_{name}", label, about, better, take=take)


@dataclass(frozen=True, slots=True)
class Music(DocumentMeasure):
    """The 22 scores of mir_eval.segment.evaluate; the estimate ends where the reference does.

    `edges` says whether the beginning and the end count as boundaries, as they do there.
    """

    name: ClassVar[str] = "music"
    counts: ClassVar[type[Counts]] = MusicCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        _score("precision_05", "P@0.5", "Precision of boundaries within 0.5 s."),
        _score("recall_05", "R@0.5", "Recall of boundaries within 0.5 s."),
        _score("f_05", "F@0.5", "F1 of boundaries within 0.5 s."),
        _score("precision_3", "P@3", "Precision of boundaries within 3 s."),
        _score("recall_3", "R@3", "Recall of boundaries within 3 s."),
        _score("f_3", "F@3", "F1 of boundaries within 3 s."),
        _score("ref_to_est", "ref to est",
               "Median time from a reference boundary to the nearest of the system.", "low"),
        _score("est_to_ref", "est to ref",
               "Median time from a boundary of the system to the nearest of the reference.", "low"),
        _score("pairwise_precision", "pairwise P",
               "Pairs of frames with one label in both / in the system."),
        _score("pairwise_recall", "pairwise R",
               "Pairs of frames with one label in both / in the reference."),
        _score("pairwise_f", "pairwise F", "Harmonic mean of both."),
        _score("rand", "Rand", "Pairs of frames on which labels agree / pairs."),
        _score("adjusted_rand", "ARI", "Rand index beyond chance."),
        _score("mutual", "MI", "Mutual information of labels of frames, in nats.", None),
        _score("adjusted_mutual", "AMI", "Mutual information beyond chance."),
        _score("normalized_mutual", "NMI",
               "Mutual information / geometric mean of the entropies."),
        _score("nce_over", "NCE over", "1 - normalised over-segmentation entropy."),
        _score("nce_under", "NCE under", "1 - normalised under-segmentation entropy."),
        _score("nce_f", "NCE F", "Harmonic mean of both."),
        _score("v_precision", "V P", "1 - H(system | reference) / H(system)."),
        _score("v_recall", "V R", "1 - H(reference | system) / H(reference)."),
        _score("v_f", "V", "Harmonic mean of both."),
    )  # fmt: skip

    edges: Edges = "keep"

    def count(self, candidate: Document, reference: Document) -> MusicCounts:
        """Score one track."""
        wanted = _track(reference, 0)
        track = _track(candidate, int(wanted.ends[-1]))
        ours, theirs = _boundaries(track, self.edges), _boundaries(wanted, self.edges)
        frames = Partitions.from_labels(_frames(wanted), _frames(track))
        scores = [
            *_hits(ours, theirs, SECOND // 2),
            *_hits(ours, theirs, 3 * SECOND),
            _median_distance(theirs, ours),
            _median_distance(ours, theirs),
            *frames.pairwise,
            frames.rand,
            frames.adjusted_rand,
            *frames.mutual_information,
            *frames.conditional_entropies(marginal=False),
            *frames.conditional_entropies(marginal=True),
        ]
        parts = (0 if isnan(score) else round(PART * score) for score in scores)
        undefined = sum(1 << index for index, score in enumerate(scores) if isnan(score))
        return MusicCounts(*(1, *parts, undefined))


def _track(document: Document, end: int) -> Labels:
    """The labelled intervals from 0 to an end, or to their own; what is not labelled is one."""
    own = Labels.from_document(document)
    own.require_apart(document.source)
    last = end or int(own.ends.max(initial=0)) or document.extent
    kept = np.flatnonzero(own.starts < last)
    starts, ends = own.starts[kept], np.minimum(own.ends[kept], last)
    codes = _by_name(own)[kept]
    most = int(codes.max(initial=-1)) + 1
    if (starts.size and starts[0] > 0) or not starts.size:
        first = int(starts[0]) if starts.size else last
        starts, ends = np.append(0, starts), np.append(first, ends)
        codes = np.append(most, codes)
    if ends[-1] < last:
        starts, ends = np.append(starts, ends[-1]), np.append(ends, last)
        codes = np.append(codes, most + 1)
    return Labels(starts, ends, codes, ())


def _by_name(labels: Labels) -> IntArray:
    """Numbers of labels, the same for upper and lower case; unlabelled intervals all differ."""
    names = {
        name: at for at, name in enumerate(dict.fromkeys(each.lower() for each in labels.names))
    }
    table = np.array([names[each.lower()] for each in labels.names], np.int64)
    alone = len(names) + np.arange(labels.codes.size)
    is_named = labels.codes != WordNames.NOBODY
    return np.where(is_named, table[labels.codes] if table.size else 0, alone)


def _boundaries(track: Labels, edges: Edges) -> IntArray:
    """Where intervals begin or end, each once."""
    times = np.concatenate((track.starts, track.ends))
    rounded = np.rint(np.round(times / SECOND, DECIMALS) * SECOND)
    boundaries = np.unique(rounded.astype(np.int64))
    return boundaries if edges == "keep" else boundaries[1:-1]


def _hits(ours: IntArray, theirs: IntArray, window: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of boundaries matched one to one."""
    if not (ours.size and theirs.size):
        return 0.0, 0.0, 0.0
    hits = int(most_matches(Positions.from_one(theirs), Positions.from_one(ours), window)[0])
    precision, recall = hits / ours.size, hits / theirs.size
    return precision, recall, f_measure(precision, recall)


def f_measure(precision: float, recall: float) -> float:
    """The harmonic mean; 0 if both are."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def _median_distance(wanted: IntArray, others: IntArray) -> float:
    """The median time to the nearest of the others, in seconds."""
    if not (wanted.size and others.size):
        return float("nan")
    after = np.minimum(np.searchsorted(others, wanted), others.size - 1)
    near = np.minimum(np.abs(others[after] - wanted), np.abs(others[after - 1] - wanted))
    first = np.where(after == 0, np.abs(others[after] - wanted), near)
    return float(np.median(first)) / SECOND


def _frames(track: Labels) -> IntArray:
    """The label of each frame of 0.1 s; at an edge, that of the interval which begins there.

    Times are single precision, as they are in mir_eval.
    """
    starts, ends = track.starts / SECOND, track.ends / SECOND
    number = int(np.floor(ends[-1] / FRAMES))
    times = (np.arange(number, dtype=np.float32) * np.float32(FRAMES)).astype(np.float64)
    at = np.searchsorted(starts, times, side="right") - 1
    return track.codes[at]


@dataclass(frozen=True, slots=True, eq=False)
class Partitions:
    """How many items have each label of the reference (rows) and of the system (columns)."""

    table: IntArray

    @classmethod
    def from_labels(cls, reference: IntArray, system: IntArray) -> Partitions:
        """Count items by both labels; the shorter side says how many there are."""
        size = min(reference.size, system.size)
        rows, one = np.unique(reference[:size], return_inverse=True)
        columns, other = np.unique(system[:size], return_inverse=True)
        counts = np.bincount(one * columns.size + other, minlength=rows.size * columns.size)
        return cls(counts.reshape(rows.size, columns.size))

    @property
    def _sums(self) -> tuple[IntArray, IntArray, int]:
        return self.table.sum(axis=1), self.table.sum(axis=0), int(self.table.sum())

    @property
    def _pairs(self) -> tuple[int, int, int, int]:
        """Pairs of items with one label in both, in the reference, in the system; and all."""
        rows, columns, n = self._sums
        both, ours, theirs = (
            int((each * (each - 1)).sum()) // 2 for each in (self.table, columns, rows)
        )
        return both, theirs, ours, n * (n - 1) // 2

    @property
    def pairwise(self) -> Three:
        """Precision, recall and F1 of pairs with one label; undefined without such pairs."""
        both, theirs, ours, _ = self._pairs
        precision, recall = ratio(both, ours), ratio(both, theirs)
        return precision, recall, f_measure(precision, recall)

    @property
    def rand(self) -> float:
        """Pairs on which both agree / pairs."""
        both, theirs, ours, every = self._pairs
        return (every + 2 * both - ours - theirs) / every if every else NAN

    @property
    def adjusted_rand(self) -> float:
        """The Rand index beyond chance; 1 if both are trivial."""
        both, theirs, ours, every = self._pairs
        if self._are_trivial:
            return 1.0
        chance, most = ours * theirs / every, (ours + theirs) / 2
        return (both - chance) / (most - chance)

    @property
    def _are_trivial(self) -> bool:
        """Whether both have one label only, or another one for each item."""
        rows, columns = self.table.shape
        return rows == columns and rows in (1, 0, int(self.table.sum()))

    @property
    def mutual_information(self) -> Three:
        """Mutual information in nats; adjusted for chance; normalised by the geometric mean."""
        rows, columns, n = self._sums
        filled = self.table > 0
        joint = self.table[filled] / n
        chance = np.outer(rows, columns)[filled] / n**2
        mutual = float((joint * np.log(joint / chance)).sum())
        one, other = (_entropy(each / n) for each in (rows, columns))
        is_one = self.table.size == 1  # one label on either side: perfect
        normal = 1.0 if is_one else mutual / max(float(np.sqrt(one * other)), 1e-10)
        if self._are_trivial:
            return mutual, 1.0, normal
        expected = _expected(rows, columns, n)
        return mutual, (mutual - expected) / (max(one, other) - expected), normal

    def conditional_entropies(self, *, marginal: bool) -> Three:
        """1 - entropy of the one given the other, normalised: over, under, and their F1.

        With `marginal`, by the entropy of the labels (V-measure); else by that of equal labels.
        Those of no items are undefined.
        """
        rows, columns, n = self._sums
        if not n:
            return NAN, NAN, NAN
        joint = self.table / n
        given_system = sum(_entropy(each / each.sum()) * each.sum() for each in joint.T)
        given_reference = sum(_entropy(each / each.sum()) * each.sum() for each in joint)
        if marginal:
            most = _entropy(columns / n), _entropy(rows / n)
        else:
            most = float(np.log(columns.size)), float(np.log(rows.size))
        over = 1 - given_reference / most[0] if most[0] > 0 else 0.0
        under = 1 - given_system / most[1] if most[1] > 0 else 0.0
        return over, under, f_measure(over, under)


def _entropy(shares: Floats) -> float:
    """In nats."""
    some = shares[shares > 0]
    return float(-(some * np.log(some)).sum())


def _expected(rows: IntArray, columns: IntArray, n: int) -> float:
    """The mutual information that is expected by chance, if labels keep their numbers of items."""
    log = np.array([lgamma(each + 1) for each in range(n + 1)])  # of the factorials
    total = 0.0
    for a in rows.tolist():
        for b in columns.tolist():
            both = np.arange(max(1, a + b - n), min(a, b) + 1)
            chance = (
                log[a] + log[b] + log[n - a] + log[n - b] - log[n] - log[both]
                - log[a - both] - log[b - both] - log[n - a - b + both]
            )  # fmt: skip
            total += float((both / n * np.log(n * both / (a * b)) * np.exp(chance)).sum())
    return total
