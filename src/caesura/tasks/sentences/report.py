"""Sentences for the report: each reference segment with what a system has there."""

from __future__ import annotations

from collections.abc import Sequence

from caesura.align.resegmentation import Resegmented
from caesura.align.word_columns import Units
from caesura.align.wording import Compared
from caesura.output.report.views.segments import SegmentPair, SegmentPairs


def segment_pairs(
    document: str, system: str, found: Resegmented, segments: Sequence[str], tokens: Compared
) -> SegmentPairs:
    """The pairs of a document."""
    sizes = [stop - start for start, stop in found.segments]
    every = zip(segments, found.lines, sizes, found.edits.tolist(), strict=True)
    pairs = tuple(
        SegmentPair(reference=reference, system=line, words=words, edits=edits)
        for reference, line, words, edits in every
    )
    units: Units = "words" if found.reference.is_apart is None else "characters"
    return SegmentPairs(document=document, system=system, pairs=pairs, tokens=tokens, units=units)
