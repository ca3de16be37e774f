"""Texts and segments as Python has them: lines, lists of lines, paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike, fspath

from caesura.errors import SegmentationError, UsageError, option
from caesura.formats._shared.segment_lines import (
    by_document,
    in_documents,
    lines_of,
    read_docids,
    read_segments,
)
from caesura.run.inputs import Source
from caesura.run.values import refuse_path

NAME = "name the document of each segment"


GIVE = "give a list of lines, a text with one segment per line, or a path"


def as_lines(value: object, *, encoding: str | None = None, source: str = "<text>") -> list[str]:
    r"""Convert a value to lines: a text, a list of lines, a path.

    >>> as_lines("it rained\nwe left"), as_lines(["it rained", "we left"])
    (['it rained', 'we left'], ['it rained', 'we left'])
    """
    if isinstance(value, PathLike):
        return read_segments(fspath(value), encoding)
    if isinstance(value, str):
        refuse_path(value, source)
        return lines_of(value)
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise SegmentationError(f"{source}: {value!r} is not a text; {GIVE}")
    lines = list(value)
    for at, line in enumerate(lines):
        if not isinstance(line, str):
            raise SegmentationError(f"{source}: line {at} is {line!r}, not a string; {GIVE}")
    return [" ".join(line.splitlines()) for line in lines]


def in_documents_of(
    systems: Sequence[Source], reference: Source, docids: object, encoding: str | None
) -> tuple[list[Source], list[Source]]:
    """Systems and a reference in documents, as the names of its segments' documents say.

    Of a system, each line is a document.
    """
    names, place = _docids(docids)
    for each in (*systems, reference):
        if each.documents is not None:
            raise UsageError(
                f"{each.name} has several files; give one with {option('docids', '…')}"
            )
    segments = by_document(_lines(reference, encoding), names, reference.path, place)
    made = [
        replace(
            each, documents=in_documents(_lines(each, encoding), list(segments), each.path, place)
        )
        for each in systems
    ]
    return made, [replace(reference, documents=segments)]


def _docids(docids: object) -> tuple[list[str], str]:
    if isinstance(docids, str | PathLike):
        return read_docids(fspath(docids)), fspath(docids)
    if not isinstance(docids, Iterable):
        raise SegmentationError(f"docids: {docids!r} is not a list; {NAME}, or a path")
    names = ["" if each is None else str(each).strip() for each in docids]
    if not all(names):
        raise SegmentationError(f"docids: number {names.index('')} is blank; {NAME}")
    return names, "docids"


def _lines(source: Source, encoding: str | None) -> list[str]:
    return read_segments(source.path, encoding) if source.value is None else source.value
