"""Pairs of segments: what a system has in each segment of the reference, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from caesura.align.resegment import Resegmented


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentPair:
    """A reference segment and what a system has there; `edits` of its `words` words."""

    reference: str
    system: str
    words: int
    edits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentPairs:
    """The segments of a document, as one system has them."""

    document: str
    system: str
    pairs: tuple[SegmentPair, ...]
    kind: Literal["segment_pairs"] = "segment_pairs"


def segment_pairs(found: Resegmented, segments: Sequence[str]) -> tuple[SegmentPair, ...]:
    """The pairs of a document."""
    sizes = [stop - start for start, stop in found.segments]
    every = zip(segments, found.lines, sizes, found.edits.tolist(), strict=True)
    return tuple(
        SegmentPair(reference=reference, system=line, words=words, edits=edits)
        for reference, line, words, edits in every
    )
