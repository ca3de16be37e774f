"""Texts and segments as Python has them: lines, lists of lines, paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from caesura.align.resegment import Resegmented
from caesura.align.wording import Compared, Level
from caesura.api.sentences import refuse_path
from caesura.errors import SegmentationError, UsageError, option
from caesura.formats.segments import (
    by_document,
    in_documents,
    lines_of,
    read_docids,
    read_segments,
)
from caesura.measures.sentences import Sentences
from caesura.run.cases import Source

NAME = "name the document of each segment"
GIVE = "give a list of lines, a text with one segment per line, or a path"


def as_lines(value: Any, *, encoding: str | None = None, source: str = "<text>") -> list[str]:
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


def resegment(
    text: Any, reference: Any, *, tokens: Compared = "lower", units: Level = "auto"
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


def in_documents_of(
    systems: Sequence[Source], reference: Source, docids: Any, encoding: str | None
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


def _docids(docids: Any) -> tuple[list[str], str]:
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
