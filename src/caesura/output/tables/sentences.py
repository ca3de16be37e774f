"""What `caesura sentences` shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from caesura.core.counts import NAN
from caesura.core.escapes import printable
from caesura.core.results import Summary
from caesura.core.typed import typed
from caesura.errors import number
from caesura.io.writing import replacing
from caesura.output.tables import (
    UNDEFINED,
    Column,
    Labelled,
    Page,
    Table,
    document_records,
    make_table,
)
from caesura.output.tables.errors import Errors, Found
from caesura.scores.catalog import catalog
from caesura.tasks.segment_pairs import SegmentPair, SegmentPairs

PAIR_COLUMNS = ("system", "document", "segment", "edits", "words", "reference", "text")
LONGEST = 400
"""The characters of a segment that are shown."""


def sentences_page(
    summary: Summary, *, by_document: bool = False, errors: Found | None = None
) -> Page:
    """What `caesura sentences` shows."""
    whole: list[Labelled] = [((system.name,), system.micro) for system in summary.systems]
    tables = [_table(summary, "all", ("system",), whole)]
    if by_document:
        each: list[Labelled] = [
            ((document, name), scores) for document, name, scores in summary.by_document()
        ]
        tables.append(_table(summary, "document", ("document", "system"), each))
    found = errors or Found()
    return Page(
        (*tables, *found.tables), (), summary.signature, document_records(summary), found.passages
    )


def _table(summary: Summary, view: Any, labels: tuple[str, ...], rows: list[Labelled]) -> Table:
    # TER is left out of systems with long segments, though others have it.
    unknown = {key: NAN for _, scores in rows for key in scores}
    columns: list[Column] = [
        each for each in catalog(*summary.task_kind).columns(view) if each.key in unknown
    ]
    rows = [(names, {**unknown, **scores}) for names, scores in rows]
    title = "Sentences in the reference's segments"
    title += ", document by document" if view == "document" else ""
    return make_table(view, title, labels, columns, rows).in_groups(len(summary.systems))


Pair = tuple[str, str, int, SegmentPair]
"""The system, the document, the number of the segment, and what stands there."""


def found_pairs(readings: Iterable[Mapping[str, Any]]) -> Iterator[Pair]:
    """Every segment of every system, as a run kept them."""
    for values in readings:
        kept = typed(SegmentPairs, values)
        for at, pair in enumerate(kept.pairs, 1):
            yield kept.system, kept.document, at, pair


def shown_pairs(found: Iterable[Pair], most: int) -> Found:
    """The segments with the most edits, on both sides."""
    wrong = [each for each in found if each[3].edits]
    worst = sorted(wrong, key=lambda each: -each[3].edits)[:most]
    every = number(len(wrong), "segment")
    head = f"Segments with the most edits: {len(worst)} of {every} with edits\n"
    return Found((), (head, *map(_passage, worst)))


def _passage(found: Pair) -> str:
    system, document, at, pair = found
    name = printable(system)
    width = max(len(name), len("reference"))
    sides = (name, pair.system), ("reference", pair.reference)
    place = printable(
        f"{document}, segment {at}: {number(pair.edits, 'edit')}, {number(pair.words, 'word')}"
    )
    lines = [f"  {label:<{width}}  {printable(_short(text))}" for label, text in sides]
    return "\n".join((place, *lines)) + "\n"


def _short(text: str) -> str:
    return (text if len(text) <= LONGEST else f"{text[:LONGEST]} …") or UNDEFINED


def write_pairs(path: str, found: Iterable[Pair]) -> None:
    """Write every segment to a file, one a line, with a line of headings."""
    with replacing(path) as file:
        file.write("\t".join(PAIR_COLUMNS) + "\n")
        for system, document, at, pair in found:
            cells = (system, document, at, pair.edits, pair.words, pair.reference, pair.system)
            file.write("\t".join(printable(str(cell)) for cell in cells) + "\n")


ERRORS = Errors(found_pairs, shown_pairs, write_pairs)
