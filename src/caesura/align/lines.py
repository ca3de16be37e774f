"""Lines that correspond: two versions of the same sentences, aligned sentence by sentence."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from caesura.align.words import Edits, edits, told
from caesura.core.line_breaks import BREAKS
from caesura.core.segmentation import Document, IntArray


def have_same_lines(one: Document, other: Document) -> bool:
    """Whether both are subtitles as text, a sentence per line, with the same number of lines."""
    lines = one.line_starts, other.line_starts
    return (
        one.form == other.form == BREAKS
        and lines[0] is not None
        and lines[1] is not None
        and lines[0].size == lines[1].size
    )


def line_edges(document: Document) -> IntArray:
    """The first word of each line, and where the last one ends."""
    assert document.line_starts is not None
    return np.append(document.line_starts, document.segmentation.length)


def edits_in_lines(a: IntArray, b: IntArray, edges_a: IntArray, edges_b: IntArray) -> Edits:
    """Align numbered words between the edges of lines, each line with that of its number."""
    partner = np.full(a.size, -1)
    is_certain = True
    spans = zip(pairwise(edges_a.tolist()), pairwise(edges_b.tolist()), strict=True)
    for (start, stop), (begin, end) in spans:
        if start < stop and begin < end:
            found = edits(a[start:stop], b[begin:end])
            aligned = np.flatnonzero(found.is_aligned)
            partner[start + aligned] = begin + found.landing[aligned]
            is_certain &= found.is_certain
    return told(a, b, partner, is_certain=is_certain)


def with_line_ends(
    landed: IntArray, ends: IntArray, edges_a: IntArray, edges_b: IntArray
) -> IntArray:
    """Where boundaries landed, those at ends of lines at the ends of the corresponding lines."""
    line = np.searchsorted(edges_a[1:], ends + 1)
    is_last = edges_a[1:][line] == ends + 1
    result: IntArray = np.where(is_last, edges_b[1:][line] - 1, landed)
    return result
