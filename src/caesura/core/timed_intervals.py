"""Labelled intervals of recordings: gold phones and words, and discovered clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from caesura.core.byte_cells import FloatArray
from caesura.core.segmentation import IntArray


@dataclass(frozen=True, slots=True)
class Intervals:
    """Labelled intervals of many recordings, sorted by recording and time."""

    files: list[str]
    labels: list[str]
    file: IntArray
    on: FloatArray
    off: FloatArray
    label: IntArray

    def __len__(self) -> int:
        return self.file.size

    def without(self, label: str) -> Intervals:
        """The same without one label."""
        if label not in self.labels:
            return self
        kept = np.flatnonzero(self.label != self.labels.index(label))
        file, labels = self.file[kept], self.label[kept]
        return Intervals(self.files, self.labels, file, self.on[kept], self.off[kept], labels)


@dataclass(frozen=True, slots=True)
class Clusters:
    """Intervals as a class file lists them: their cluster, recording, times and line."""

    source: str
    files: list[str]
    cluster: IntArray
    file: IntArray
    on: FloatArray
    off: FloatArray
    line: IntArray

    def __len__(self) -> int:
        return self.file.size
