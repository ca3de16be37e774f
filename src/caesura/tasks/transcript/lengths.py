"""Lengths of signals: given for all, in a table by name, or the largest that a version needs."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from caesura.align.versions import extent_of
from caesura.core.segmentation import Document
from caesura.errors import FormatError, option
from caesura.formats.signals import Scale
from caesura.io.files import read_text
from caesura.io.members import stamp
from caesura.tasks.transcript.options import TranscriptOptions

Documents = Mapping[str, Document]
NO_LENGTH = "no_length"
"""The sign of a signal whose length is not known."""
CURE = "write the name of a document and its length on each line, separated by a tab or a comma"


def with_lengths(
    systems: Documents, references: Documents, task: TranscriptOptions, name: str
) -> tuple[Documents, Documents]:
    """The versions of a document with its length, which all signals among them have then."""
    every = {**references, **systems}
    if not any(each.is_signal for each in every.values()):
        return systems, references
    extent = task.duration or task.n or _tabled(task, name)
    signs = {} if extent or any(each.extent for each in every.values()) else {NO_LENGTH: 1}
    if signs and "change_points" in task.also:
        problem = "no length, which covering needs"
        cure = f"say how long it is, with {option('n', '…')} or {option('lengths', '…')}"
        raise FormatError(next(iter(every.values())).source, problem, cure)
    extent = extent or extent_of(every.values(), task.axis)

    def known(side: Documents) -> Documents:
        return {
            key: replace(each, extent=extent, signs={**each.signs, **signs})
            if each.is_signal
            else each
            for key, each in side.items()
        }

    return known(systems), known(references)


def _tabled(task: TranscriptOptions, name: str) -> int:
    """The length of a document in the table; 0 if it has none."""
    if not task.lengths:
        return 0
    return _read(task.lengths, task.axis, stamp(task.lengths)).get(name, 0)


@lru_cache(maxsize=4)
def _read(path: str, axis: str, _: tuple[int, ...]) -> dict[str, int]:
    """The lengths by name; a first line that is a heading is left out."""
    lines = read_text(path).splitlines()
    mark = "\t" if any("\t" in line for line in lines) else ","
    scale = Scale("samples" if axis == "samples" else "time", 0, path)
    found: dict[str, int] = {}
    for at, row in enumerate(csv.reader(lines, delimiter=mark), 1):
        cells = [cell.strip() for cell in row if cell.strip()]
        if not cells or (at == 1 and not any(each.isdigit() for each in cells[-1])):
            continue
        if len(cells) < 2:
            raise FormatError(path, "no name and length", CURE, line=at)
        found[cells[0]] = scale.at(cells[1], at, "a length")
        if not found[cells[0]]:
            raise FormatError(path, "a length of 0", CURE, line=at)
    return found
