"""Boundaries from a table: lists of positions on the axis of the list of words."""

from __future__ import annotations

from caesura.core.place_scores import HALF, place_scores
from caesura.core.segmentation import Document, Segmentation
from caesura.errors import FormatError, SegmentationError
from caesura.formats._shared.scan import scan
from caesura.io.column_files import BoundaryCell, read_cell
from caesura.io.members import Member


def read(row: Member, scores: str = "") -> Document | None:
    """The document of a row of a table that has boundaries; None if it has a text."""
    cell = read_cell(row)
    return _document(cell, str(row), scores) if isinstance(cell, BoundaryCell) else None


def _document(units: BoundaryCell, source: str, scores: str) -> Document:
    try:
        segmentation = _segmentation(units, source, scores)
    except SegmentationError as problem:
        raise FormatError(source, str(problem), "fix the row") from None
    if units.words is None:
        return Document(segmentation, None, "columns", source)
    words = scan(units.words)
    if words.length != units.length:
        differs = f"{units.length:,} entries of the list of words are {words.length:,} words"
        raise FormatError(source, differs, "make each entry one word")
    return Document(segmentation, words.words, "columns", source)


def _segmentation(units: BoundaryCell, source: str, kind: str) -> Segmentation:
    if units.scores is None:
        return Segmentation.from_positions(units.boundaries, units.length)
    scores = place_scores(
        units.scores, kind, lambda at, what, cure: FormatError(source, f"{what} (word {at})", cure)
    )
    return Segmentation.from_scores(scores, HALF)
