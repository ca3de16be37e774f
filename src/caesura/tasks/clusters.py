"""Clusters: discovered terms as the page shows them, with what they spell and where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from caesura.align.speech import Codes, Discovered, Gold, PhoneSpans
from caesura.core.segmentation import IntArray

MOST_CLUSTERS = 300
MOST_SPELLINGS = 5
MOST_TYPES = 100
MOST_RECORDINGS = 30
MOST_INTERVALS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """The phones of some members of a cluster, the word they are, and how many members."""

    phones: str
    word: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """One cluster: its number in the file, its members, and what they spell."""

    cluster: int
    size: int
    types: int
    purity: float
    spellings: tuple[Spelling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongType:
    """A sequence of phones that is not a word, and how often it was found."""

    phones: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenWords:
    """The words of a recording, with times in milliseconds."""

    on: tuple[int, ...]
    off: tuple[int, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIntervals:
    """The intervals of a recording, in milliseconds.

    `right` is 1 where an interval begins with a word, 2 where it ends with one, 3 for both.
    """

    on: tuple[int, ...]
    off: tuple[int, ...]
    cluster: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldReading:
    """The words of the first recordings."""

    words: dict[str, SpokenWords]
    kind: Literal["gold"] = "gold"


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsReading:
    """What one system found: its largest clusters, wrong types, and intervals."""

    system: str
    count: int
    clusters: tuple[Cluster, ...]
    wrong_types: tuple[WrongType, ...]
    intervals: dict[str, FoundIntervals]
    kind: Literal["terms"] = "terms"


def gold_reading(gold: Gold) -> GoldReading:
    """The words of the first recordings."""
    return GoldReading(words=_timelines(gold))


def terms_reading(system: str, heard: Discovered) -> TermsReading:
    """The largest clusters of a system, its most frequent wrong types and its intervals."""
    return TermsReading(
        system=system,
        clusters=tuple(_clusters(heard)),
        count=int(np.unique(heard.cluster).size),
        wrong_types=tuple(_wrong_types(heard)),
        intervals=_intervals(heard),
    )


def _runs(*keys: Any) -> tuple[IntArray, IntArray, IntArray]:
    """The order that sorts by some keys, and where runs of equal ones begin, and their sizes."""
    order = np.lexsort(keys[::-1])
    if not order.size:
        return order, order, order
    differs = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    starts = np.flatnonzero(np.concatenate(([True], differs)))
    return order, starts, np.diff(starts, append=order.size)


def _clusters(heard: Discovered) -> Iterator[Cluster]:
    """The largest clusters: how many members, and what they spell, most frequent first."""
    types, words = heard.spans.types, _words_by_type(heard.gold)
    order, starts, sizes = _runs(heard.cluster, types)
    owner, first = heard.cluster[order[starts]], order[starts]
    members = np.bincount(owner, weights=sizes).astype(np.int64) if owner.size else owner
    largest = np.argsort(-members, kind="stable")[:MOST_CLUSTERS]
    for cluster in largest[members[largest] > 0].tolist():
        own = np.flatnonzero(owner == cluster)
        own = own[np.argsort(-sizes[own], kind="stable")]
        spelled = [
            Spelling(
                phones=_spelled(heard.spans, int(first[at])),
                word=words.get(int(types[first[at]]), ""),
                times=int(sizes[at]),
            )
            for at in own[:MOST_SPELLINGS].tolist()
        ]
        size = int(members[cluster])
        yield Cluster(
            cluster=cluster + 1,
            size=size,
            types=int(own.size),
            purity=int(sizes[own[0]]) / size,
            spellings=tuple(spelled),
        )


def _words_by_type(gold: Gold) -> dict[int, str]:
    """For each sound of a word, how it is written."""
    values, first = np.unique(gold.spelled.types, return_index=True)
    labels = gold.words.label[first].tolist()
    names = gold.words.labels
    return {int(code): names[label] for code, label in zip(values, labels, strict=True)}


def _wrong_types(heard: Discovered) -> Iterator[WrongType]:
    """The most frequent sequences of phones that are not words."""
    types: Codes = heard.spans.types
    order, starts, sizes = _runs(types)
    wrong = np.flatnonzero(~np.isin(types[order[starts]], heard.gold.spelled.types))
    most = wrong[np.argsort(-sizes[wrong], kind="stable")][:MOST_TYPES].tolist()
    for at in most:
        yield WrongType(phones=_spelled(heard.spans, int(order[starts[at]])), times=int(sizes[at]))


def _spelled(pieces: PhoneSpans, at: int) -> str:
    labels = pieces.phones.label[pieces.low[at] : pieces.high[at]].tolist()
    return " ".join(pieces.phones.labels[label] for label in labels)


def _milliseconds(times: Any) -> tuple[int, ...]:
    return tuple(np.rint(times * 1000).astype(np.int64).tolist())


def _timelines(gold: Gold) -> dict[str, SpokenWords]:
    """The words of the first recordings."""
    words = gold.words
    result = {}
    for number, name in enumerate(words.files[:MOST_RECORDINGS]):
        own = np.flatnonzero(words.file == number)[:MOST_INTERVALS]
        result[name] = SpokenWords(
            on=_milliseconds(words.on[own]),
            off=_milliseconds(words.off[own]),
            words=tuple(words.labels[label] for label in words.label[own].tolist()),
        )
    return result


def _intervals(heard: Discovered) -> dict[str, FoundIntervals]:
    """The intervals of the first recordings, and whether they begin and end where words do."""
    gold, pieces, own = heard.gold, heard.spans, heard.fragments
    result = {}
    for number, name in enumerate(gold.words.files[:MOST_RECORDINGS]):
        here = np.flatnonzero(own.file == number)
        here = here[np.argsort(own.on[here], kind="stable")][:MOST_INTERVALS]
        right = gold.opens[pieces.low[here]] + 2 * gold.closes[pieces.high[here] - 1]
        result[name] = FoundIntervals(
            on=_milliseconds(own.on[here]),
            off=_milliseconds(own.off[here]),
            cluster=tuple((heard.cluster[here] + 1).tolist()),
            right=tuple(right.tolist()),
        )
    return result
