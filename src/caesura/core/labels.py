"""Labels: labelled intervals of a signal, with or without gaps and overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from caesura.core.segmentation import Document, IntArray, Track, WordNames
from caesura.errors import FormatError


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Intervals by their starts: microseconds or samples, each with the number of its label.

    `ends` are beyond the last moment or sample of each; `names` are the labels.
    """

    starts: IntArray  # (intervals,) ascending
    ends: IntArray  # (intervals,)
    codes: IntArray  # (intervals,) into names; NOBODY where there is no label
    names: tuple[str, ...]

    @classmethod
    def from_document(cls, document: Document, extent: int = 0) -> Labels:
        """The labelled intervals of a signal; one without an end lasts until the extent.

        >>> from caesura import labels
        >>> verse = Labels.from_document(labels([(0, 12.5, "verse"), (12.5, 20, "chorus")]))
        >>> verse.ends.tolist(), verse.names
        ([12500000, 20000000], ('verse', 'chorus'))
        """
        start, end, speaker = document.track.start, document.track.end, document.track.speaker
        if start is None or end is None:
            raise FormatError(document.source, "no intervals", "give labelled intervals")
        ends = np.where(end == Track.UNKNOWN, np.maximum(start, extent or document.extent), end)
        codes = np.full(start.size, WordNames.NOBODY) if speaker is None else speaker.codes
        order = np.lexsort((ends, start))
        names = () if speaker is None else speaker.names
        return cls(start[order], ends[order], codes[order], names)

    def require_apart(self, source: str) -> None:
        """Raise an error if two intervals overlap."""
        clash = np.flatnonzero(self.starts[1:] < np.maximum.accumulate(self.ends)[:-1])
        if clash.size:
            at = self.starts[clash[0] + 1]
            problem = f"an interval begins at {at}, inside another"
            raise FormatError(source, problem, "let each interval begin where the last one ends")
