"""Morphs for the page: lines as segments, morph by morph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from caesura.output.report.views.segments import (
    SegmentPair,
    SegmentPairs,
    SentencesReading,
    segments_readings,
)
from caesura.tasks.morphemes.counting import MorphPairs
from caesura.tasks.morphemes.data import separated


def morphs_readings(found: Iterable[MorphPairs]) -> Iterator[SentencesReading]:
    """For each system its lines, whose morphs are the words of segments."""
    return segments_readings(map(_segments, found))


def _segments(found: MorphPairs) -> SegmentPairs:
    ours, theirs = (
        separated([getattr(pair, side) for pair in found.pairs], " ") for side in ("system", "gold")
    )
    pairs = tuple(
        SegmentPair(reference=gold, system=own, words=gold.count(" ") + 1, edits=pair.distance)
        for pair, own, gold in zip(found.pairs, ours, theirs, strict=True)
    )
    return SegmentPairs(
        document=found.document, system=found.system, pairs=pairs, tokens="exact", units="words"
    )
