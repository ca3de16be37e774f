"""Whether subtitles can be read: characters per line and per second, and lines per block.

Karakanta, Negri and Turchi (2020), Is 42 the answer to everything in subtitling-oriented speech
translation?; Papi et al. (2023), Direct speech translation for automatic subtitling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caesura.core.counts import Counts, of_arrays, ratio
from caesura.core.line_breaks import BLOCK
from caesura.core.measure import LineMeasure, PlacedCounts
from caesura.core.score import Score
from caesura.core.segmentation import Document, IntArray, Track
from caesura.core.subtitle_blocks import Subtitles, placed

SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class ReadingCounts(Counts):
    """Lines that are short enough, blocks with few enough lines, and blocks that last enough.

    `timed` are the blocks whose times are known.
    """

    short: int
    lines: int
    flat: int
    blocks: int
    slow: int
    timed: int

    @property
    def cpl_conformity(self) -> float:
        """Lines that are short enough / lines, from 0 to 100."""
        return 100 * ratio(self.short, self.lines)

    @property
    def lpb_conformity(self) -> float:
        """Blocks with few enough lines / blocks, from 0 to 100."""
        return 100 * ratio(self.flat, self.blocks)

    @property
    def cps_conformity(self) -> float:
        """Blocks that last long enough / blocks with times, from 0 to 100."""
        return 100 * ratio(self.slow, self.timed)


@dataclass(frozen=True, slots=True)
class ReadingLoad(LineMeasure):
    """The subtitles of the system that keep to limits; those of the reference are not looked at."""

    name: ClassVar[str] = "reading"
    counts: ClassVar[type[Counts]] = ReadingCounts
    scores: ClassVar[tuple[Score, ...]] = (
        Score("cpl_conformity", "CPL", "Lines of at most 42 characters (max_cpl) / lines (0–100).",
              scale=100),
        Score("cps_conformity", "CPS", "Blocks of at most 21 characters per second (max_cps) / "
              "blocks with times (0–100).", scale=100),
        Score("lpb_conformity", "LPB", "Blocks of at most 2 lines (max_lines) / blocks (0–100).",
              scale=100),
    )  # fmt: skip
    least_values: ClassVar[dict[str, int]] = {"max_cpl": 1, "max_cps": 1, "max_lines": 1}

    max_cpl: int = 42
    max_cps: int = 21
    max_lines: int = 2

    def count_lines(self, candidate: Document, reference: Document) -> PlacedCounts:
        """Count each block of the system."""
        blocks = Subtitles.from_document(candidate).blocks
        sizes = [[len(line) for line in block.lines] for block in blocks]
        lines = np.array([len(each) for each in sizes], np.int64)
        short = [sum(size <= self.max_cpl for size in each) for each in sizes]
        lasts = _durations(candidate, len(blocks))
        timed = lasts >= 0
        slow = timed & (SECOND * np.array([*map(sum, sizes)]) <= self.max_cps * lasts)
        every = short, lines, lines <= self.max_lines, lines > 0, slow, timed
        counts = of_arrays(ReadingCounts, *(np.asarray(each, np.int64) for each in every))
        before = np.array([block.words for block in blocks], np.int64)
        total = int(before[-1]) + sum(len(line.split()) for line in blocks[-1].lines)
        return PlacedCounts(counts, placed(before, total, reference.segmentation.length))


def _durations(document: Document, blocks: int) -> IntArray:
    """How long each block lasts, in microseconds; UNKNOWN where times are not known."""
    segmentation, track = document.segmentation, document.track
    unknown = np.full(blocks, Track.UNKNOWN)
    if track.start is None or track.end is None or segmentation.marks is None:
        return unknown
    last = segmentation.boundaries[segmentation.marks == BLOCK]
    if last.size != blocks:
        return unknown
    start, end = track.start[np.concatenate(([0], last[:-1] + 1))], track.end[last]
    return np.where((start == Track.UNKNOWN) | (end == Track.UNKNOWN), Track.UNKNOWN, end - start)
