"""Whole documents: the rows of what is counted of them as they were read, before alignment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec

import numpy as np

from caesura.align.versions import Versions
from caesura.core.counts import Counts
from caesura.core.line_breaks import BREAKS
from caesura.core.measure import DocumentMeasure, LineMeasure
from caesura.core.row import Row, SourceCounts
from caesura.core.segmentation import Document, IntArray


def rows_of_documents(
    name: str,
    versions: Versions,
    measures: Sequence[DocumentMeasure],
    blocks: Iterable[int] = (),
) -> list[Row]:
    """What is counted of all versions as they were read, in blocks with these ends."""
    if not measures:
        return []
    ends = np.unique([end for end in blocks if end])
    return [
        Row(system, name, measure.name, reference, counts, block=block)
        for measure in measures
        if not _is_missing(measure)
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


def with_signs_of_documents(
    sources: Mapping[str, SourceCounts], versions: Versions, measures: Sequence[DocumentMeasure]
) -> dict[str, SourceCounts]:
    """What was read, with what users should know of measures: what is missing, what is paired."""
    missing = {"no_sacrebleu": 1} if any(map(_is_missing, measures)) else {}
    found = {name: _with(source, missing) for name, source in sources.items()}
    if any(_pairs_lines(each) for each in measures):
        forms = {each.form for each in versions.references.values()}
        for name, ours in versions.systems.items():
            if {*forms, ours.form} != {BREAKS}:
                found[name] = _with(found[name], {"in_segments": 1})
    return found


def _with(source: SourceCounts, signs: Mapping[str, int]) -> SourceCounts:
    return replace(source, signs={**source.signs, **signs}) if signs else source


def _pairs_lines(measure: DocumentMeasure) -> bool:
    return isinstance(measure, LineMeasure) and measure.pairs_lines and not _is_missing(measure)


def _is_missing(measure: DocumentMeasure) -> bool:
    """Whether a measure cannot be counted, since what it needs is not installed."""
    needs = measure.needs if isinstance(measure, LineMeasure) else ""
    return bool(needs) and find_spec(needs) is None
