"""Structure of music as mir_eval.segment scores it: hits, deviations, and labels of frames.

Raffel et al. (2014), mir_eval; Levy and Sandler (2008), pairwise; Lukashevich (2008), NCE;
Rosenberg and Hirschberg (2007), V; Hubert and Arabie (1985), ARI; Vinh et al. (2010), AMI.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan
from typing import Any, ClassVar

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.batch import Positions
from caesura.core.counts import Counts, ratio
from caesura.core.labels import Labels
from caesura.core.measure import DocumentMeasure
from caesura.core.score import Better, Score
from caesura.core.segmentation import Document, Edges, IntArray, WordNames
from caesura.measures.geometry import most_matches
from caesura.measures.partitions import Partitions

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


def _score(key: str, field: str, label: str, about: str, better: Better = "high") -> Score:
    take: Callable[[Any], Any] = lambda counts: counts.value(field)  # noqa: E731
    return Score(f"music_{key}", label, about, better, take=take)


@dataclass(frozen=True, slots=True)
class Music(DocumentMeasure):
    """The 22 scores of mir_eval.segment.evaluate; the estimate ends where the reference does.

    `edges` says whether the beginning and the end count as boundaries, as they do there.
    """

    name: ClassVar[str] = "music"
    counts: ClassVar[type[Counts]] = MusicCounts
    has_words: ClassVar[bool] = False
    scores: ClassVar[tuple[Score, ...]] = (
        _score("precision_05", "precision_05", "P@0.5", "Precision of boundaries within 0.5 s."),
        _score("recall_05", "recall_05", "R@0.5", "Recall of boundaries within 0.5 s."),
        _score("f_05", "f_05", "F@0.5", "F1 of boundaries within 0.5 s."),
        _score("precision_3", "precision_3", "P@3", "Precision of boundaries within 3 s."),
        _score("recall_3", "recall_3", "R@3", "Recall of boundaries within 3 s."),
        _score("f_3", "f_3", "F@3", "F1 of boundaries within 3 s."),
        _score("ref_to_est", "ref_to_est", "ref to est",
               "Median time from a reference boundary to the nearest of the system.", "low"),
        _score("est_to_ref", "est_to_ref", "est to ref",
               "Median time from a boundary of the system to the nearest of the reference.", "low"),
        _score("pairwise_precision", "pairwise_precision", "pairwise P",
               "Pairs of frames with one label in both / in the system."),
        _score("pairwise_recall", "pairwise_recall", "pairwise R",
               "Pairs of frames with one label in both / in the reference."),
        _score("pairwise_f", "pairwise_f", "pairwise F", "Harmonic mean of both."),
        _score("rand", "rand", "Rand", "Pairs of frames on which labels agree / pairs."),
        _score("adjusted_rand", "adjusted_rand", "ARI", "Rand index beyond chance."),
        _score("mutual", "mutual", "MI", "Mutual information of labels of frames, in nats.", None),
        _score("adjusted_mutual", "adjusted_mutual", "AMI", "Mutual information beyond chance."),
        _score("normalized_mutual", "normalized_mutual", "NMI",
               "Mutual information / geometric mean of the entropies."),
        _score("nce_over", "nce_over", "NCE over", "1 - normalised over-segmentation entropy."),
        _score("nce_under", "nce_under", "NCE under", "1 - normalised under-segmentation entropy."),
        _score("nce_f", "nce_f", "NCE F", "Harmonic mean of both."),
        _score("v_precision", "v_precision", "V P", "1 - H(system | reference) / H(system)."),
        _score("v_recall", "v_recall", "V R", "1 - H(reference | system) / H(reference)."),
        _score("v_f", "v_f", "V", "Harmonic mean of both."),
    )  # fmt: skip

    edges: Edges = "keep"

    def count(self, candidate: Document, reference: Document) -> MusicCounts:
        """Score one track."""
        theirs = _track(reference, 0)
        ours = _track(candidate, int(theirs.ends[-1]))
        one, other = (_boundaries(each, self.edges) for each in (ours, theirs))
        frames = Partitions.from_labels(_frames(theirs), _frames(ours))
        found = [
            *_hits(one, other, SECOND // 2),
            *_hits(one, other, 3 * SECOND),
            _median_distance(other, one),
            _median_distance(one, other),
            *frames.pairwise,
            frames.rand,
            frames.adjusted_rand,
            *frames.mutual_information,
            *frames.conditional_entropies(marginal=False),
            *frames.conditional_entropies(marginal=True),
        ]
        parts = (0 if isnan(each) else round(PART * each) for each in found)
        undefined = sum(1 << at for at, each in enumerate(found) if isnan(each))
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
    every = np.concatenate((track.starts, track.ends))
    rounded = np.rint(np.round(every / SECOND, DECIMALS) * SECOND)
    found = np.unique(rounded.astype(np.int64))
    return found if edges == "keep" else found[1:-1]


def _hits(ours: IntArray, theirs: IntArray, window: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of boundaries matched one to one."""
    if not (ours.size and theirs.size):
        return 0.0, 0.0, 0.0
    found = int(most_matches(Positions.from_one(theirs), Positions.from_one(ours), window)[0])
    precision, recall = found / ours.size, found / theirs.size
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
