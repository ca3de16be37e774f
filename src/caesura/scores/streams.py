"""Streams: the scores of each speaker or channel, and how much there is of each."""

from __future__ import annotations

from collections import Counter

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.results import DocumentScores, Stream, Streams
from caesura.core.row import Portion
from caesura.core.summary import Summary
from caesura.core.table import CountTable, Label
from caesura.errors import CaesuraError, option
from caesura.measures.boundary import Boundary
from caesura.run.inputs import natural
from caesura.scores.catalog import Catalog
from caesura.scores.panels import varies
from caesura.scores.rules import Names, system_scores
from caesura.scores.systems import like_systems

BETWEEN = "\0"
"""What separates the document from the name in a label."""


def streams_of(summary: Summary, table: CountTable, scores: Catalog) -> Streams:
    """Every system's scores by speaker or channel, the largest first.

    The same name in two documents is two speakers, unless names are pooled.
    """
    kind = summary.options["streams"] or summary.options["by"]
    is_pooled = summary.options["pool"] or len(summary.documents) == 1
    label = _by_name if is_pooled else _by_document_and_name
    streams, names = table.sum(label), [system.name for system in summary.systems]
    scored = _scores_of_each(streams, names, summary.references, scores)
    slots, boundaries = _sizes(table, streams, label, names, summary.references)
    words = _words(summary, slots, _ends(table, streams, label))
    found = [
        Stream(
            document=document or None,
            name=name,
            words=words[at],
            boundaries={each: own[at] for each, own in boundaries.items()},
            systems={system: scored[system][key] for system in names},
        )
        for at, key in enumerate(streams.documents)
        for document, _, name in [key.rpartition(BETWEEN)]
    ]
    return Streams(kind=kind, each=tuple(sorted(found, key=_rank)))


def _scores_of_each(
    streams: CountTable, systems: Names, references: Names, scores: Catalog
) -> dict[str, DocumentScores]:
    """For each system its scores by stream."""
    return {
        name: DocumentScores(streams.documents, columns, at)
        for names, table in like_systems(streams, systems, scores)
        for columns in [system_scores(table, names, references, scores)]
        for at, name in enumerate(names)
    }


def _by_name(_: str, portion: Portion) -> str | None:
    """The label of a stream whose name means the same in all documents."""
    return portion.stream


def _by_document_and_name(document: str, portion: Portion) -> str | None:
    """The label of a stream of one document."""
    return None if portion.stream is None else f"{document}{BETWEEN}{portion.stream}"


def _sizes(
    table: CountTable, streams: CountTable, label: Label, systems: Names, references: Names
) -> tuple[list[int], dict[str, list[int]]]:
    """The slots of each stream, and each reference's boundaries, whichever system has them."""
    labels = list(map(label, table.documents, table.portions))
    parts = table.take([at for at, own in enumerate(labels) if own is not None])
    number = {name: at for at, name in enumerate(streams.documents)}
    stream = np.array([number[own] for own in labels if own is not None], np.int64)
    counts, there = _counts(parts, systems, references)
    for at, name in enumerate(references):
        if not there.any() or not (varies(table) or there[:, at].any()):
            raise CaesuraError(
                f"the rows of '{systems[0]}' against '{name}' are incomplete; "
                f"make the rows again with {option('rows', '…')}"
            )

    def summed(values: Numeric) -> list[int]:
        sums = np.zeros(len(streams), np.int64)
        np.add.at(sums, stream, values.astype(np.int64))
        return sums.tolist()

    each = (counts.tp + counts.fn).max(axis=0)  # references × parts
    own = {name: summed(each[at]) for at, name in enumerate(references)}
    return summed(counts.slots.max(axis=(0, 1))), own


def _counts(parts: CountTable, systems: Names, references: Names) -> tuple[Numeric, Numeric]:
    """The counts of boundaries, systems × references × parts, and which of them are there."""
    codes = parts.names.grid(systems, references)
    if Boundary.name in parts.measures:
        counts, there = parts.counts(Boundary.name, codes)
        return counts, np.broadcast_to(there, (*codes.shape, len(parts)))
    return Boundary.counts.zero(), np.zeros((*codes.shape, 1), np.bool_)


def _words(summary: Summary, slots: Numeric, ends: list[int]) -> list[int | None]:
    """The words of each stream; None on the axis of time, which has no slots."""
    if summary.options["axis"] != "words":
        return [None] * len(slots)
    dropped = ends if summary.options["final"] == "drop" else [0] * len(ends)
    return [int(each) + end for each, end in zip(slots, dropped, strict=True)]


def _ends(table: CountTable, streams: CountTable, label: Label) -> list[int]:
    """In how many documents each stream is, and so ends."""
    found = {
        (document, portion.stream): label(document, portion)
        for document, portion in zip(table.documents, table.portions, strict=True)
    }
    times = Counter(found.values())
    return [times[each] for each in streams.documents]


def _rank(stream: Stream) -> tuple[object, ...]:
    """By size, then by name."""
    names = natural(stream.document or ""), natural(stream.name)
    return -(stream.words or 0), -sum(stream.boundaries.values()), *names
