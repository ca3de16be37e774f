"""Clusters: discovered terms as the page shows them, with what they spell and where they lie."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from caesura.core.arrays import Numeric
from caesura.output.report.views import (
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
    order, starts, sizes = grouped(heard.types)
    examples = order[starts]  # (types,) an interval of each
    wrong = np.flatnonzero(~np.isin(heard.types[examples], heard.gold.types))
    wrong = wrong[np.argsort(-sizes[wrong], kind="stable")][:MOST_TYPES]
    return TermsReading(
        system=system,
        clusters=tuple(_clusters(heard)),
        count=int(np.unique(heard.cluster).size),
        wrong_types=tuple(
            WrongType(phones=_spelled(heard, example), times=times)
            for example, times in zip(examples[wrong].tolist(), sizes[wrong].tolist(), strict=True)
        ),
        intervals=_intervals(heard),
    )


def _clusters(heard: Discovered) -> Iterator[Cluster]:
    """The largest clusters: how many members, and what they spell, most frequent first."""
    words = heard.gold.words
    types, first = np.unique(heard.gold.types, return_index=True)
    labels = [words.labels[label] for label in words.label[first].tolist()]
    written = dict(zip(types.tolist(), labels, strict=True))  # words, by how they sound
    order, starts, sizes = grouped(heard.cluster, heard.types)
    # (types of clusters,) the cluster, and an interval that has the type
    owner, example = heard.cluster[order[starts]], order[starts]
    members = np.bincount(owner, weights=sizes).astype(np.int64)
    largest = np.argsort(-members, kind="stable")[:MOST_CLUSTERS]
    for cluster in largest[members[largest] > 0].tolist():
        own = np.flatnonzero(owner == cluster)
        own = own[np.argsort(-sizes[own], kind="stable")]
        size = int(members[cluster])
        yield Cluster(
            cluster=cluster + 1,
            size=size,
            types=int(own.size),
            purity=int(sizes[own[0]]) / size,
            spellings=tuple(
                Spelling(
                    phones=_spelled(heard, int(example[type_index])),
                    word=written.get(int(heard.types[example[type_index]]), ""),
                    times=int(sizes[type_index]),
                )
                for type_index in own[:MOST_SPELLINGS].tolist()
            ),
        )


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


def _spelled(heard: Discovered, interval: int) -> str:
    return " ".join(heard.gold.phones.labels[label] for label in heard.labels(interval))


def _milliseconds(times: Numeric) -> tuple[int, ...]:
    return tuple(np.rint(times * 1000).astype(np.int64).tolist())
