"""Clusters: discovered terms as the page shows them, with what they spell and where they lie."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from caesura.core.arrays import Array, Numeric
from caesura.core.segmentation import IntArray
from caesura.output.report.views.clusters import (
    Cluster,
    FoundIntervals,
    GoldReading,
    Spelling,
    SpokenWords,
    TermsReading,
    WrongType,
)
from caesura.tasks.terms.speech import Codes, Discovered, Gold, PhoneSpans

MOST_CLUSTERS = 300
MOST_SPELLINGS = 5
MOST_TYPES = 100
MOST_RECORDINGS = 30
MOST_INTERVALS = 400


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


def _runs(*keys: Array) -> tuple[IntArray, IntArray, IntArray]:
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


def _milliseconds(times: Numeric) -> tuple[int, ...]:
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
