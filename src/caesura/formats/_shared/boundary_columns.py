"""Boundaries from a table: lists of positions on the axis of the list of words."""

from __future__ import annotations

from caesura.core.segmentation import Document, Segmentation
from caesura.errors import FormatError, SegmentationError
from caesura.formats._shared.scan import scan
from caesura.io.column_files import BoundaryCell, read_cell
from caesura.io.members import Member


def read(row: Member) -> Document | None:
    """The document of a row of a table that has boundaries; None if it has a text."""
    cell = read_cell(row)
    return _document(cell, str(row)) if isinstance(cell, BoundaryCell) else None


def _document(units: BoundaryCell, source: str) -> Document:
    try:
        segmentation = Segmentation.from_positions(units.boundaries, units.length)
    except SegmentationError as problem:
        raise FormatError(source, str(problem), "fix the row") from None
    if units.words is None:
        return Document(segmentation, None, "columns", source)
    words = scan(units.words)
    if words.length != units.length:
        differs = f"{units.length:,} entries of the list of words are {words.length:,} words"
        raise FormatError(source, differs, "make each entry one word")
    return Document(segmentation, words.words, "columns", source)
