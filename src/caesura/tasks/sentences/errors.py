"""The segments of sentences, as they are listed: those with the most edits first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from caesura.core.json_values import typed
from caesura.errors import number
from caesura.output.report.views.segments import SegmentPair, SegmentPairs
from caesura.output.tables.error_lists import Errors, Found, Readings, cut, passage

COLUMNS = ("system", "document", "segment", "edits", "words", "reference", "text")
LONGEST = 400
"""The characters of a segment that are shown."""
Pair = tuple[str, str, int, SegmentPair]
"""The system, the document, the number of the segment, and what stands there."""


def found_pairs(readings: Readings) -> Iterator[Pair]:
    """Every segment of every system, as a run kept them."""
    for values in readings:
        kept = typed(SegmentPairs, values)
        for at, pair in enumerate(kept.pairs, 1):
            yield kept.system, kept.document, at, pair


def shown_pairs(pairs: Iterable[Pair], most: int) -> Found:
    """The segments with the most edits, on both sides."""
    wrong = [each for each in pairs if each[3].edits]
    worst = sorted(wrong, key=lambda each: -each[3].edits)[:most]
    every = number(len(wrong), "segment")
    head = f"Segments with the most edits: {len(worst)} of {every} with edits\n"
    return Found((), (head, *map(_passage, worst)))


def _passage(found: Pair) -> str:
    system, document, at, pair = found
    size = f"{number(pair.edits, 'edit')}, {number(pair.words, 'word')}"
    sides = (system, cut(pair.system, LONGEST)), ("reference", cut(pair.reference, LONGEST))
    return passage(f"{document}, segment {at}: {size}", *sides)


def _cells(found: Pair) -> tuple[str | int, ...]:
    system, document, at, pair = found
    return system, document, at, pair.edits, pair.words, pair.reference, pair.system


ERRORS = Errors(found_pairs, shown_pairs, COLUMNS, _cells)
