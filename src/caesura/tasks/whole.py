"""Whole documents: the rows of what is counted of them as they were read, before alignment."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np

from caesura.align.versions import Versions
from caesura.core.counts import Counts
from caesura.core.row import Row
from caesura.core.segmentation import Document, IntArray
from caesura.measures.base import DocumentMeasure, LineMeasure


def rows_of_documents(
    name: str, versions: Versions, measures: Sequence[DocumentMeasure], others: Sequence[Row]
) -> list[Row]:
    """What is counted of every system and reference as they were read.

    If the other rows are of blocks, so are these.
    """
    ends = np.unique([row.block for row in others if row.block])
    return [
        Row(system, name, measure.name, reference, counts, block=block)
        for measure in measures
        if not is_missing(measure)
        for system, ours in versions.systems.items()
        for reference, theirs in versions.references.items()
        for block, counts in _by_block(measure, ours, theirs, ends)
    ]


def _by_block(
    measure: DocumentMeasure, ours: Document, theirs: Document, ends: IntArray
) -> list[tuple[int, Counts]]:
    if not ends.size or not isinstance(measure, LineMeasure):
        return [(0, measure.count(ours, theirs))]
    return list(zip(ends.tolist(), measure.count_blocks(ours, theirs, ends), strict=True))


def is_missing(measure: DocumentMeasure) -> bool:
    """Whether a measure cannot be counted, since what it needs is not installed."""
    needs = measure.needs if isinstance(measure, LineMeasure) else ""
    return bool(needs) and find_spec(needs) is None
