"""Boundaries from a table: lists of places, on the axis of the list of words."""

from __future__ import annotations

from caesura.core.segmentation import Document, Segmentation
from caesura.errors import FormatError, SegmentationError
from caesura.formats.plain import scan
from caesura.io.archives import Member, is_archive
from caesura.io.columns import BoundaryCell, read_cell


def read(path: str) -> Document | None:
    """The document of a row that gives boundaries; None if a path leads to a text."""
    member = Member.from_path(path)
    if member is None or is_archive(member.file):
        return None
    cell = read_cell(member)
    return _document(cell, path) if isinstance(cell, BoundaryCell) else None


def _document(units: BoundaryCell, source: str) -> Document:
    try:
        segmentation = Segmentation.from_positions(units.boundaries, units.length)
    except SegmentationError as problem:
        raise FormatError(source, str(problem), "mend the row") from None
    if units.words is None:
        return Document(segmentation, None, "columns", source)
    found = scan(units.words)
    if found.first.size != units.length:
        differs = f"{units.length:,} entries in the list of words hold {found.first.size:,} words"
        raise FormatError(source, differs, "let each entry be one word")
    return Document(segmentation, found.words, "columns", source)
