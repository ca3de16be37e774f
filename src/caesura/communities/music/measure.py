"""Structure of music as mir_eval.segment scores it: hits, deviations, and labels of frames.

Raffel et al. (2014), mir_eval; Levy and Sandler (2008), pairwise; Lukashevich (2008), NCE;
Rosenberg and Hirschberg (2007), V; Hubert and Arabie (1985), ARI; Vinh et al. (2010), AMI.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan, lgamma
from operator import methodcaller
from typing import TYPE_CHECKING, ClassVar

import numpy as np

import caesura
from caesura.communities.music import SCORES
from caesura.core.arrays import Numeric
from caesura.core.batch import Positions
from caesura.core.counts import NAN, Counts, ratio
from caesura.core.labels import Labels
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Better, Score
from caesura.core.segmentation import Document, Edges, FloatArray, IntArray, WordNames
from caesura.measures.geometry import most_matches

if TYPE_CHECKING:
    from caesura.core.json_values import Json

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


HELP = {
    "precision_05": "Precision of boundaries within 0.5 s.",
    "recall_05": "Recall of boundaries within 0.5 s.",
    "f_05": "F1 of boundaries within 0.5 s.",
    "precision_3": "Precision of boundaries within 3 s.",
    "recall_3": "Recall of boundaries within 3 s.",
    "f_3": "F1 of boundaries within 3 s.",
    "ref_to_est": "Median time from a reference boundary to the nearest of the system.",
    "est_to_ref": "Median time from a boundary of the system to the nearest of the reference.",
    "pairwise_precision": "Pairs of frames with one label in both / in the system.",
    "pairwise_recall": "Pairs of frames with one label in both / in the reference.",
    "pairwise_f": "Harmonic mean of both.",
    "rand": "Pairs of frames on which labels agree / pairs.",
    "adjusted_rand": "Rand index beyond chance.",
    "mutual": "Mutual information of labels of frames, in nats.",
    "adjusted_mutual": "Mutual information beyond chance.",
    "normalized_mutual": "Mutual information / geometric mean of the entropies.",
    "nce_over": "1 - normalised over-segmentation entropy.",
    "nce_under": "1 - normalised under-segmentation entropy.",
    "nce_f": "Harmonic mean of both.",
    "v_precision": "1 - H(system | reference) / H(system).",
    "v_recall": "1 - H(reference | system) / H(reference).",
    "v_f": "Harmonic mean of both.",
}
BETTER: dict[str, Better] = {"ref_to_est": "low", "est_to_ref": "low", "mutual": None}
"""Scores of which high ones are not better."""


@dataclass(frozen=True, slots=True)
class Music(DocumentMeasure):
    """The 22 scores of mir_eval.segment.evaluate; the estimate ends where the reference does.

    `edges` says whether the beginning and the end count as boundaries, as they do there.
    """

    name: ClassVar[str] = "music"
    counts: ClassVar[type[Counts]] = MusicCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = tuple(
        Score(
            f"music_{name}",
            label,
            HELP[name],
            BETTER.get(name, "high"),
            take=methodcaller("value", name),
        )
        for _, _, label, name in SCORES
    )

    edges: Edges = "keep"

    def count(self, candidate: Document, reference: Document) -> MusicCounts:
        """Score one track."""
        wanted = _track(reference, 0)
        track = _track(candidate, int(wanted.ends[-1]))
        ours, theirs = _boundaries(track, self.edges), _boundaries(wanted, self.edges)
        table = label_table(_frames(wanted), _frames(track))
        scores = [
            *_hits(ours, theirs, SECOND // 2),
            *_hits(ours, theirs, 3 * SECOND),
            _median_distance(theirs, ours),
            _median_distance(ours, theirs),
            *pair_scores(table),
            *mutual_information(table),
            *conditional_entropies(table, marginal=False),
            *conditional_entropies(table, marginal=True),
        ]
        parts = (0 if isnan(score) else round(PART * score) for score in scores)
        undefined = sum(1 << index for index, score in enumerate(scores) if isnan(score))
        return MusicCounts(*(1, *parts, undefined))


def _track(document: Document, end: int) -> Labels:
    """The labelled intervals from 0 to an end, or to their own; what is not labelled is one.

    Labels are the same in upper and lower case; unlabelled intervals all differ.
    """
    labels = Labels.from_document(document)
    labels.require_apart(document.source)
    last = end or int(labels.ends.max(initial=0)) or document.extent
    numbers: dict[str, int] = {}
    table = [numbers.setdefault(name.lower(), len(numbers)) for name in labels.names]
    alone = len(numbers) + np.arange(labels.codes.size)
    is_named = labels.codes != WordNames.NOBODY
    codes = np.where(is_named, np.array([*table, 0])[labels.codes], alone)
    kept = labels.starts < last
    starts, ends, codes = labels.starts[kept], np.minimum(labels.ends[kept], last), codes[kept]
    unused = int(codes.max(initial=-1)) + 1
    first = int(starts[0]) if starts.size else last
    if first > 0 or not starts.size:
        starts, ends = np.append(0, starts), np.append(first, ends)
        codes = np.append(unused, codes)
    if ends[-1] < last:
        starts, ends = np.append(starts, ends[-1]), np.append(ends, last)
        codes = np.append(codes, unused + 1)
    return Labels(starts, ends, codes, ())


def _boundaries(track: Labels, edges: Edges) -> IntArray:
    """Where intervals begin or end, each once."""
    times = np.concatenate((track.starts, track.ends))
    rounded = np.rint(np.round(times / SECOND, DECIMALS) * SECOND)
    boundaries = np.unique(rounded.astype(np.int64))
    return boundaries if edges == "keep" else boundaries[1:-1]


def _hits(ours: IntArray, theirs: IntArray, window: int) -> Three:
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
    # before the first of the others comes the last, -1, which is no nearer
    nearest = np.minimum(np.abs(others[after] - wanted), np.abs(others[after - 1] - wanted))
    return float(np.median(nearest)) / SECOND


def _frames(track: Labels) -> IntArray:
    """The label of each frame of 0.1 s; at an edge, that of the interval which begins there.

    Times are single precision, as they are in mir_eval.
    """
    starts, ends = track.starts / SECOND, track.ends / SECOND
    number = int(np.floor(ends[-1] / FRAMES))
    times = (np.arange(number, dtype=np.float32) * np.float32(FRAMES)).astype(np.float64)
    return track.codes[np.searchsorted(starts, times, side="right") - 1]


def label_table(reference: IntArray, system: IntArray) -> IntArray:
    """How many frames have each label of the reference (rows) and of the system (columns).

    The shorter side says how many frames there are.
    """
    size = min(reference.size, system.size)
    rows, row = np.unique(reference[:size], return_inverse=True)
    columns, column = np.unique(system[:size], return_inverse=True)
    counts = np.bincount(row * columns.size + column, minlength=rows.size * columns.size)
    return counts.reshape(rows.size, columns.size)


def _are_trivial(table: IntArray) -> bool:
    """Whether both sides have one label only, or another one for each frame."""
    rows, columns = table.shape
    return rows == columns and rows in (1, 0, int(table.sum()))


def pair_scores(table: IntArray) -> tuple[float, ...]:
    """Of pairs of frames with one label precision, recall and F1; Rand index, also beyond chance.

    They are undefined without pairs; beyond chance, trivial sides are right.
    """
    n = int(table.sum())
    pairs = n * (n - 1) // 2
    both, ours, theirs = (
        int((sizes * (sizes - 1)).sum()) // 2
        for sizes in (table, table.sum(axis=0), table.sum(axis=1))
    )
    precision, recall = ratio(both, ours), ratio(both, theirs)
    rand, adjusted = ratio(pairs + 2 * both - ours - theirs, pairs), 1.0
    if not _are_trivial(table):
        chance, most = ours * theirs / pairs, (ours + theirs) / 2
        adjusted = (both - chance) / (most - chance)
    return precision, recall, f_measure(precision, recall), rand, adjusted


def mutual_information(table: IntArray) -> Three:
    """Mutual information in nats; adjusted for chance; normalised by the geometric mean."""
    rows, columns, n = table.sum(axis=1), table.sum(axis=0), int(table.sum())
    filled = table > 0
    joint = table[filled] / n
    chance = np.outer(rows, columns)[filled] / n**2
    mutual = float((joint * np.log(joint / chance)).sum())
    one, other = (_entropy(sizes / n) for sizes in (rows, columns))
    is_one = table.size == 1  # one label on either side: perfect
    normal = 1.0 if is_one else mutual / max(float(np.sqrt(one * other)), 1e-10)
    if _are_trivial(table):
        return mutual, 1.0, normal
    expected = _expected(rows, columns, n)
    return mutual, (mutual - expected) / (max(one, other) - expected), normal


def conditional_entropies(table: IntArray, *, marginal: bool) -> Three:
    """1 - entropy of the one given the other, normalised: over, under, and their F1.

    With `marginal`, by the entropy of the labels (V-measure); else by that of equal labels.
    Those of no frames are undefined.
    """
    n = int(table.sum())
    if not n:
        return NAN, NAN, NAN
    scores = []
    for counts in (table, table.T):  # labels of columns, given those of rows
        given = sum(_entropy(row / row.sum()) * row.sum() for row in counts / n)
        sizes = counts.sum(axis=0)
        most = _entropy(sizes / n) if marginal else float(np.log(sizes.size))
        scores.append(1 - given / most if most > 0 else 0.0)
    over, under = scores
    return over, under, f_measure(over, under)


def _entropy(shares: FloatArray) -> float:
    """In nats."""
    shares = shares[shares > 0]
    return float(-(shares * np.log(shares)).sum())


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


def figures(data: Json) -> Iterator[tuple[str, str, str, float]]:
    """What mir_eval's test suite expects for its tracks."""
    for number, track in enumerate(data["tracks"]):
        ours, theirs = (
            caesura.labels([(start, end, str(label)) for start, end, label in track[side]])
            for side in ("est", "ref")
        )
        found = caesura.evaluate({"system": ours}, gold={"gold": theirs}, profile="music")
        micro = found.systems["system"].micro
        for key, printed in track["scores"].items():
            yield f"track {number}", key, f"{printed:.10f}", micro[key]
