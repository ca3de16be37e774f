"""UEM: the regions of recordings to score, on the axis of time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from caesura.core.segmentation import Document, IntArray
from caesura.errors import FormatError
from caesura.formats.nist import UEM_FORM, parse_uem
from caesura.io.files import read_text
from caesura.io.members import stamp

Documents = dict[str, Document]
Regions = dict[str, dict[str, list[tuple[int, int]]]]
"""The regions of each channel of each recording."""


def with_regions(
    systems: Mapping[str, Document], references: Mapping[str, Document], uem: str, name: str
) -> tuple[Documents, Documents]:
    """The versions of a document with the regions to score; its name is that of a recording."""
    own = [each.recording for each in references.values() if each.recording]
    regions = _regions(uem, [*own, name])
    for each in references.values():
        _require_some(each, regions, uem)
    ours, theirs = (
        {key: replace(each, regions=regions) for key, each in side.items()}
        for side in (systems, references)
    )
    return ours, theirs


def _regions(uem: str, names: list[str]) -> IntArray:
    """The regions of a recording that has one of some names, a row each."""
    every = _read(uem, stamp(uem))
    name = next((each for each in names if each in every), None)
    if name is None:
        problem = f"no regions of '{names[0]}'"
        raise FormatError(uem, problem, f"add a line {UEM_FORM}, or leave the recording out")
    (channel, first), *others = every[name].items()
    for other, regions in others:
        if regions != first:
            problem = f"'{name}' has other regions on channel {other} than on channel {channel}"
            raise FormatError(uem, problem, "give all channels of a recording the same regions")
    return _joined(np.array(first, dtype=np.int64))


def _joined(regions: IntArray) -> IntArray:
    """The same with regions that touch as one."""
    apart = regions[1:, 0] > regions[:-1, 1]
    first, last = np.append(True, apart), np.append(apart, True)
    return np.stack((regions[first, 0], regions[last, 1]), axis=1)


@lru_cache(maxsize=4)
def _read(uem: str, _: tuple[int, ...]) -> Regions:
    found: Regions = {}
    for (recording, channel), regions in parse_uem(read_text(uem), uem).items():
        found.setdefault(recording, {})[channel] = regions
    return found


def _require_some(document: Document, regions: IntArray, uem: str) -> None:
    """Raise an error if a reference has nothing in the regions."""
    start, end = document.track.start, document.track.end
    if start is None or end is None or not end.size:
        return
    first, last = int(start.min()), int(end.max())
    if not ((regions[:, 0] < last) & (regions[:, 1] > first)).any():
        name = document.recording or document.source
        problem = f"its regions hold nothing of '{name}' in {document.source}"
        raise FormatError(uem, problem, "check the times; regions are in seconds")
