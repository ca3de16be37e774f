"""Texts and segments as Python has them: lines, lists of lines, paths."""

from __future__ import annotations

from caesura.align.resegmentation import Resegmented
from caesura.align.wording import Compared, Level
from caesura.errors import SegmentationError
from caesura.tasks.sentences.measures import Sentences
from caesura.tasks.sentences.values import as_lines


def resegment(
    text: object, reference: object, *, tokens: Compared = "lower", units: Level = "auto"
) -> Resegmented:
    """Put a text into the segments of a reference, at the least edit cost.

    >>> found = resegment("it rained all night we left", ["it rained the night", "we left early"])
    >>> found.lines, found.edits.tolist(), found.slack()
    (['it rained all night', 'we left'], [1, 1], [(0, 0), (0, 0)])
    """
    Sentences(tokens, units)
    lines, segments = as_lines(text, source="text"), as_lines(reference, source="reference")
    if not any(segment.strip() for segment in segments):
        raise SegmentationError("reference: no segments; give a text with one segment per line")
    return Resegmented.from_lines(lines, segments, tokens, units)
