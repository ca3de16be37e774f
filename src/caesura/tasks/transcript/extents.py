"""Extents of recordings: the regions to score, as UEM files say, and the lengths of signals."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from caesura.align.versions import Versions, extent_of
from caesura.core.segmentation import Document, IntArray
from caesura.errors import FormatError, option
from caesura.formats.nist import UEM_FORM, parse_uem
from caesura.formats.signals import Scale
from caesura.io.files import read_text
from caesura.io.members import stamp
from caesura.tasks.transcript.options import TranscriptOptions

Regions = dict[str, dict[str, list[tuple[int, int]]]]
"""The regions of each channel of each recording."""
NO_LENGTH = "no_length"
"""The sign of a signal whose length is not known."""
CURE = "write the name of a document and its length on each line, separated by a tab or a comma"


def with_extents(versions: Versions, task: TranscriptOptions, name: str) -> Versions:
    """The versions of a document with the regions to score and with its length, if it has some."""
    if task.uem:
        versions = _with_regions(versions, task.uem, name)
    return _with_length(versions, task, name)


def _with_regions(versions: Versions, uem: str, name: str) -> Versions:
    """The versions of a document with the regions to score; its name is that of a recording."""
    references = versions.references.values()
    recordings = [document.recording for document in references if document.recording]
    regions = _regions(uem, [*recordings, name])
    for document in references:
        start, end = document.track.start, document.track.end
        if start is None or end is None or not end.size:
            continue
        first, last = int(start.min()), int(end.max())
        if not ((regions[:, 0] < last) & (regions[:, 1] > first)).any():
            recording = document.recording or document.source
            problem = f"its regions hold nothing of '{recording}' in {document.source}"
            raise FormatError(uem, problem, "check the times; regions are in seconds")
    return versions.each(partial(replace, regions=regions))


def _regions(uem: str, names: list[str]) -> IntArray:
    """The regions of a recording with one of some names, a row each; those that touch are one."""
    by_recording = _read_regions(uem, stamp(uem))
    name = next((name for name in names if name in by_recording), None)
    if name is None:
        problem = f"no regions of '{names[0]}'"
        raise FormatError(uem, problem, f"add a line {UEM_FORM}, or leave the recording out")
    (channel, first), *others = by_recording[name].items()
    for other, regions in others:
        if regions != first:
            problem = f"'{name}' has other regions on channel {other} than on channel {channel}"
            raise FormatError(uem, problem, "give all channels of a recording the same regions")
    rows = np.array(first, dtype=np.int64)
    apart = rows[1:, 0] > rows[:-1, 1]
    is_first, is_last = np.append(True, apart), np.append(apart, True)
    return np.stack((rows[is_first, 0], rows[is_last, 1]), axis=1)


@lru_cache(maxsize=4)
def _read_regions(uem: str, _: tuple[int, ...]) -> Regions:
    by_recording: Regions = {}
    for (recording, channel), regions in parse_uem(read_text(uem), uem).items():
        by_recording.setdefault(recording, {})[channel] = regions
    return by_recording


def _with_length(versions: Versions, task: TranscriptOptions, name: str) -> Versions:
    """The versions of a document with its length, which all signals among them have then.

    It is given for all, in a table by name, or the largest that a version needs.
    """
    documents = [*versions.everyone.values()]
    if not any(document.is_signal for document in documents):
        return versions
    extent = task.duration or task.n
    if not extent and task.lengths:
        extent = _read_lengths(task.lengths, task.axis, stamp(task.lengths)).get(name, 0)
    signs = {} if extent or any(document.extent for document in documents) else {NO_LENGTH: 1}
    needing = [each.needs_length for each in task.asked_for.values() if each.needs_length]
    if signs and needing:
        problem = f"no length, which {needing[0]} needs"
        cure = f"say how long it is, with {option('n', '…')} or {option('lengths', '…')}"
        raise FormatError(documents[0].source, problem, cure)
    extent = extent or extent_of(documents, task.axis)

    def with_extent(document: Document) -> Document:
        if not document.is_signal:
            return document
        return replace(document, extent=extent, signs={**document.signs, **signs})

    return versions.each(with_extent)


@lru_cache(maxsize=4)
def _read_lengths(path: str, axis: str, _: tuple[int, ...]) -> dict[str, int]:
    """The lengths by name; a first line that is a heading is left out."""
    lines = read_text(path).splitlines()
    mark = "\t" if any("\t" in line for line in lines) else ","
    scale = Scale("samples" if axis == "samples" else "time", 0, path)
    lengths: dict[str, int] = {}
    for at, row in enumerate(csv.reader(lines, delimiter=mark), 1):
        cells = [cell.strip() for cell in row if cell.strip()]
        if not cells or (at == 1 and not any(digit.isdigit() for digit in cells[-1])):
            continue
        if len(cells) < 2:
            raise FormatError(path, "no name and length", CURE, line=at)
        lengths[cells[0]] = scale.at(cells[1], at, "a length")
        if not lengths[cells[0]]:
            raise FormatError(path, "a length of 0", CURE, line=at)
    return lengths
