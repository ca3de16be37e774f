"""Excerpts for the page: each as a segment, with marks where a system's chunks cut it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from caesura.output.report.views.segments import (
    SegmentPair,
    SegmentPairs,
    SentencesReading,
    segments_readings,
)
from caesura.tasks.chunks.data import MARK, CutExcerpts


def excerpt_readings(found: Iterable[CutExcerpts]) -> Iterator[SentencesReading]:
    """For each system the excerpts of a document; marks are words that the gold has not."""
    return segments_readings(_segments(each) for each in found if each.excerpts)


def _segments(found: CutExcerpts) -> SegmentPairs:
    pairs = tuple(
        SegmentPair(
            reference=(gold := each.text.replace(MARK, " ")),
            system=each.text,
            words=gold.count(" ") + 1,
            edits=each.cuts,
        )
        for each in found.excerpts
    )
    return SegmentPairs(
        document=found.document, system=found.system, pairs=pairs, tokens="exact", units="words"
    )
