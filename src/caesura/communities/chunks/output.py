"""Excerpts that chunks cut as they are listed, and excerpts as segments of the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from caesura.core.json_values import typed
from caesura.output.report.views.segments import (
    SegmentPair,
    SegmentPairs,
    SentencesReading,
    segments_readings,
)
from caesura.output.tables.error_lists import Errors, Found, Readings, cut, passage

MARK = " ‖ "
"""Where a chunk ends inside an excerpt."""
COLUMNS = ("system", "place", "document", "start", "end", "cuts", "excerpt")
LONGEST = 400
"""The characters of an excerpt that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutExcerpt:
    """An excerpt, its place and its line in the gold, and its text with a mark at each cut."""

    line: int
    start: int
    end: int
    text: str
    cuts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutExcerpts:
    """The excerpts of a document, as the chunks of one system cut them."""

    document: str
    system: str
    source: str
    excerpts: tuple[CutExcerpt, ...]
    kind: Literal["cut_excerpts"] = "cut_excerpts"


Cut = tuple[str, str, str, CutExcerpt]
"""The system, where the question is, the document, and the excerpt."""


def cut_excerpts(readings: Readings) -> Iterator[Cut]:
    """Every excerpt that is cut, as a run kept it."""
    for values in readings:
        kept = typed(CutExcerpts, values)
        for excerpt in kept.excerpts:
            if excerpt.cuts:
                yield kept.system, f"{kept.source}:{excerpt.line}", kept.document, excerpt


def shown_excerpts(cuts: Iterable[Cut], most: int) -> Found:
    """The first excerpts that are cut."""
    passages = []
    for system, place, document, excerpt in islice(cuts, most):
        head = f"{place}: {document}, characters {excerpt.start:,} to {excerpt.end:,}"
        passages.append(passage(head, (system, cut(excerpt.text, LONGEST))))
    return Found((), ("The first excerpts that are cut\n", *passages) if passages else ())


def _cells(found: Cut) -> tuple[str | int, ...]:
    system, place, document, excerpt = found
    return system, place, document, excerpt.start, excerpt.end, excerpt.cuts, excerpt.text


ERRORS = Errors(cut_excerpts, shown_excerpts, COLUMNS, _cells)


def excerpt_readings(kept: Iterable[CutExcerpts]) -> Iterator[SentencesReading]:
    """For each system the excerpts of a document; marks are words that the gold has not."""
    return segments_readings(_segments(each) for each in kept if each.excerpts)


def _segments(kept: CutExcerpts) -> SegmentPairs:
    pairs = tuple(
        SegmentPair(
            reference=(gold := each.text.replace(MARK, " ")),
            system=each.text,
            words=gold.count(" ") + 1,
            edits=each.cuts,
        )
        for each in kept.excerpts
    )
    return SegmentPairs(
        document=kept.document, system=kept.system, pairs=pairs, tokens="exact", units="words"
    )
