"""Streams: the scores of each speaker or channel, and how much there is of each."""

from __future__ import annotations

from collections import Counter
from typing import Any

from caesura.core.results import Stream, Streams, Summary
from caesura.core.row import Key, Portion
from caesura.core.rows import Rows
from caesura.errors import CaesuraError, option
from caesura.measures.boundary import Boundary
from caesura.run.cases import natural
from caesura.scores.book import Book, Label
from caesura.scores.catalog import Catalog
from caesura.scores.systems import scores_of_each

BETWEEN = "\0"
"""What separates the document from the name in a label."""


def streams_of(summary: Summary, rows: Rows, scores: Catalog) -> Streams | None:
    """Every system's scores by speaker or channel, where these were requested, the largest first.

    The same name in two documents is two speakers, unless names are pooled.
    """
    kind = summary.options["streams"] or summary.options["by"]
    if not kind or not summary.systems:
        return None
    is_pooled = summary.options["pool"] or len(summary.documents) == 1
    label = _by_name if is_pooled else _by_document_and_name
    book = Book.from_rows(rows, label)
    names = [system.name for system in summary.systems]
    scored = scores_of_each(book, names, summary.references, scores)
    counts = {each: _counts(book, names[0], each) for each in summary.references}
    words = _words(summary, counts[summary.references[0]].slots, _ends(rows, book, label))
    found = [
        Stream(
            document=document or None,
            name=name,
            words=words[at],
            boundaries={each: int((own.tp + own.fn)[at]) for each, own in counts.items()},
            systems={system: scored[system][key] for system in names},
        )
        for at, key in enumerate(book.labels)
        for document, _, name in [key.rpartition(BETWEEN)]
    ]
    return Streams(kind=kind, each=tuple(sorted(found, key=_rank)))


def _by_name(_: str, portion: Portion) -> str | None:
    """The label of a stream whose name means the same in all documents."""
    return portion.stream


def _by_document_and_name(document: str, portion: Portion) -> str | None:
    """The label of a stream of one document."""
    return None if portion.stream is None else f"{document}{BETWEEN}{portion.stream}"


def _counts(book: Book, system: str, reference: str) -> Any:
    """The counts of a system's boundaries against a reference, arrays of streams."""
    place = book.sheet.layout.place(Key(system, Boundary.name, reference))
    if place is None:
        raise CaesuraError(
            f"the rows of '{system}' against '{reference}' are incomplete; "
            f"make the rows again with {option('rows', '…')}"
        )
    return book.sheet.tallies[place[0]].arrays(place[1])


def _words(summary: Summary, slots: Any, ends: list[int]) -> list[int | None]:
    """The words of each stream; None on the axis of time, which has no slots."""
    if summary.options["axis"] == "time":
        return [None] * len(slots)
    dropped = ends if summary.options["final"] == "drop" else [0] * len(ends)
    return [int(each) + end for each, end in zip(slots, dropped, strict=True)]


def _ends(rows: Rows, book: Book, label: Label) -> list[int]:
    """In how many documents each stream is, and so ends."""
    found = {
        (document, portion.stream): label(document, portion)
        for sheet in rows.sheets
        for document, portion in zip(sheet.documents, sheet.portions, strict=True)
    }
    times = Counter(found.values())
    return [times[each] for each in book.labels]


def _rank(stream: Stream) -> tuple[Any, ...]:
    """By size, then by name."""
    names = natural(stream.document or ""), natural(stream.name)
    return -(stream.words or 0), -sum(stream.boundaries.values()), *names
