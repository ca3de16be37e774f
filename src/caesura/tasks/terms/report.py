"""Clusters: discovered terms as the page shows them, with what they spell and where they lie."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from caesura.core.arrays import Numeric
from caesura.output.report.views.clusters import (
    Cluster,
    FoundIntervals,
    GoldReading,
    Spelling,
    SpokenWords,
    TermsReading,
    WrongType,
)
from caesura.tasks.terms.speech import Discovered, Gold, grouped

MOST_CLUSTERS = 300
MOST_SPELLINGS = 5
MOST_TYPES = 100
MOST_RECORDINGS = 30
MOST_INTERVALS = 400


def gold_reading(gold: Gold) -> GoldReading:
    """The words of the first recordings."""
    words = gold.words
    timelines = {}
    for recording, name in enumerate(words.files[:MOST_RECORDINGS]):
        here = np.flatnonzero(words.file == recording)[:MOST_INTERVALS]
        timelines[name] = SpokenWords(
            on=_milliseconds(words.on[here]),
            off=_milliseconds(words.off[here]),
            words=tuple(words.labels[label] for label in words.label[here].tolist()),
        )
    return GoldReading(words=timelines)


def terms_reading(system: str, heard: Discovered) -> TermsReading:
    """The largest clusters of a system, its most frequent wrong types and its intervals."""
    return TermsReading(
        system=system,
        clusters=tuple(_clusters(heard)),
        count=int(np.unique(heard.cluster).size),
        wrong_types=tuple(_wrong_types(heard)),
        intervals=_intervals(heard),
    )


def _clusters(heard: Discovered) -> Iterator[Cluster]:
    """The largest clusters: how many members, and what they spell, most frequent first."""
    words = _words_by_type(heard.gold)
    order, starts, sizes = grouped(heard.cluster, heard.types)
    # (types of clusters,) the cluster, and an interval that has the type
    owner, example = heard.cluster[order[starts]], order[starts]
    members = np.bincount(owner, weights=sizes).astype(np.int64)
    largest = np.argsort(-members, kind="stable")[:MOST_CLUSTERS]
    for cluster in largest[members[largest] > 0].tolist():
        types = np.flatnonzero(owner == cluster)
        types = types[np.argsort(-sizes[types], kind="stable")]
        size = int(members[cluster])
        yield Cluster(
            cluster=cluster + 1,
            size=size,
            types=int(types.size),
            purity=int(sizes[types[0]]) / size,
            spellings=tuple(
                Spelling(
                    phones=_spelled(heard, int(example[at])),
                    word=words.get(int(heard.types[example[at]]), ""),
                    times=int(sizes[at]),
                )
                for at in types[:MOST_SPELLINGS].tolist()
            ),
        )


def _words_by_type(gold: Gold) -> dict[int, str]:
    """For each sound of a word, how it is written."""
    types, first = np.unique(gold.types, return_index=True)
    labels = gold.words.label[first].tolist()
    return {
        code: gold.words.labels[label] for code, label in zip(types.tolist(), labels, strict=True)
    }


def _wrong_types(heard: Discovered) -> Iterator[WrongType]:
    """The most frequent sequences of phones that are not words."""
    order, starts, sizes = grouped(heard.types)
    wrong = np.flatnonzero(~np.isin(heard.types[order[starts]], heard.gold.types))
    for at in wrong[np.argsort(-sizes[wrong], kind="stable")][:MOST_TYPES].tolist():
        yield WrongType(phones=_spelled(heard, int(order[starts[at]])), times=int(sizes[at]))


def _intervals(heard: Discovered) -> dict[str, FoundIntervals]:
    """The intervals of the first recordings, and whether they begin and end where words do."""
    gold = heard.gold
    timelines = {}
    for recording, name in enumerate(gold.words.files[:MOST_RECORDINGS]):
        here = np.flatnonzero(heard.file == recording)
        here = here[np.argsort(heard.on[here], kind="stable")][:MOST_INTERVALS]
        right = gold.opens[heard.low[here]] + 2 * gold.closes[heard.high[here] - 1]
        timelines[name] = FoundIntervals(
            on=_milliseconds(heard.on[here]),
            off=_milliseconds(heard.off[here]),
            cluster=tuple((heard.cluster[here] + 1).tolist()),
            right=tuple(right.tolist()),
        )
    return timelines


def _spelled(heard: Discovered, at: int) -> str:
    return " ".join(heard.gold.phones.labels[label] for label in heard.labels(at))


def _milliseconds(times: Numeric) -> tuple[int, ...]:
    return tuple(np.rint(times * 1000).astype(np.int64).tolist())
