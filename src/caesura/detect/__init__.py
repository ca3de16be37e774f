"""DETECTORS: what finds boundaries in a transcript without any; each is loaded when used."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from caesura.errors import UnknownNameError

if TYPE_CHECKING:
    from caesura.detect.detector import Detector

DETECTORS = {
    "s1": "convolutions over a sliding window of words; the fastest",
    "s2": "bidirectional GRU with attention (Tilk & Alumäe 2016)",
    "best": "attention over words, distilled from a larger model; the most accurate",
}


def load(name: str) -> Detector:
    """Load a detector that comes with caesura."""
    from caesura.detect.detector import Detector

    if name not in DETECTORS:
        raise UnknownNameError("detector", name, DETECTORS)
    with resources.as_file(resources.files("caesura.detect") / "models" / f"{name}.npz") as path:
        return Detector.read(str(path))
