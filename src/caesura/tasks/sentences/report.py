"""Segments as the report shows them, and as they are listed: those with the most edits first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from caesura.align.resegmentation import Resegmented
from caesura.align.wording import Compared
from caesura.core.json_values import typed
from caesura.errors import number
from caesura.output.report.views.segments import SegmentPair, SegmentPairs
from caesura.output.tables.error_lists import Errors, Found, Readings, cut, passage

COLUMNS = ("system", "document", "segment", "edits", "words", "reference", "text")
LONGEST = 400
"""The characters of a segment that are shown."""
Pair = tuple[str, str, int, SegmentPair]
"""The system, the document, the number of the segment, and what stands there."""


def segment_pairs(
    document: str, system: str, fitted: Resegmented, segments: Sequence[str], tokens: Compared
) -> SegmentPairs:
    """Each reference segment of a document with what a system has there."""
    sizes = [stop - start for start, stop in fitted.segments]
    columns = zip(segments, fitted.lines, sizes, fitted.edits.tolist(), strict=True)
    pairs = tuple(
        SegmentPair(reference=reference, system=line, words=words, edits=edits)
        for reference, line, words, edits in columns
    )
    has_words = fitted.reference.is_apart is None
    return SegmentPairs(
        document=document,
        system=system,
        pairs=pairs,
        tokens=tokens,
        units="words" if has_words else "characters",
    )


def pairs_of(readings: Readings) -> Iterator[Pair]:
    """Every segment of every system, as a run kept them."""
    for values in readings:
        kept = typed(SegmentPairs, values)
        for at, pair in enumerate(kept.pairs, 1):
            yield kept.system, kept.document, at, pair


def shown_pairs(pairs: Iterable[Pair], most: int) -> Found:
    """The segments with the most edits, on both sides."""
    wrong = [found for found in pairs if found[3].edits]
    passages = []
    for system, document, at, pair in sorted(wrong, key=lambda found: -found[3].edits)[:most]:
        place = f"{document}, segment {at}"
        size = f"{number(pair.edits, 'edit')}, {number(pair.words, 'word')}"
        sides = (system, cut(pair.system, LONGEST)), ("reference", cut(pair.reference, LONGEST))
        passages.append(passage(f"{place}: {size}", *sides))
    of = f"{len(passages)} of {number(len(wrong), 'segment')} with edits"
    return Found((), (f"Segments with the most edits: {of}\n", *passages))


def _cells(found: Pair) -> tuple[str | int, ...]:
    system, document, at, pair = found
    return system, document, at, pair.edits, pair.words, pair.reference, pair.system


ERRORS = Errors(pairs_of, shown_pairs, COLUMNS, _cells)
