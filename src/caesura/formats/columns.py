"""Boundaries from a table: lists of positions on the axis of the list of words."""

from __future__ import annotations

from caesura.core.segmentation import Document, Segmentation
from caesura.errors import FormatError, SegmentationError
from caesura.formats.scan import scan
from caesura.io.archives import Member, is_archive
from caesura.io.columns import BoundaryCell, read_cell


def read(path: str) -> Document | None:
    """The document of a row that has boundaries; None if the path is a text."""
    member = Member.from_path(path)
    if member is None or is_archive(member.file):
        return None
    cell = read_cell(member)
    return _document(cell, path) if isinstance(cell, BoundaryCell) else None


def is_cell(path: str) -> bool:
    """Whether a path is that of a row of a table."""
    member = Member.from_path(path)
    return member is not None and not is_archive(member.file)


def _document(units: BoundaryCell, source: str) -> Document:
    try:
        segmentation = Segmentation.from_positions(units.boundaries, units.length)
    except SegmentationError as problem:
        raise FormatError(source, str(problem), "fix the row") from None
    if units.words is None:
        return Document(segmentation, None, "columns", source)
    found = scan(units.words)
    if found.length != units.length:
        differs = f"{units.length:,} entries of the list of words are {found.length:,} words"
        raise FormatError(source, differs, "make each entry one word")
    return Document(segmentation, found.words, "columns", source)
