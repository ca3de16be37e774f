"""Detectors by name: they place boundaries, and are imported when used."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from caesura.detect.registry import (
    ADAPTERS,
    BASELINES,
    DETECTORS,
    MODEL,
    NETWORKS,
    OUTSIDE,
    Segmenter,
)
from caesura.errors import UnknownNameError
from caesura.io.folder import local

if TYPE_CHECKING:
    from caesura.detect.detector import Detector


@lru_cache(maxsize=8)
def load(name: str) -> Detector:
    """Load a detector that comes with caesura, or one that `caesura train` wrote to a file."""
    from caesura.detect.detector import Detector

    if name.endswith(MODEL):
        return Detector.from_file(name)
    if name not in NETWORKS:
        raise UnknownNameError("detector", name, NETWORKS)
    from importlib import resources

    with resources.as_file(resources.files("caesura.detect") / "models" / f"{name}{MODEL}") as path:
        return Detector.from_file(str(path))


def segmenter(spec: str) -> Segmenter:
    """The segmenter of a name: `s2`, `every:10`, `nltk`, `cmd:./program {input}`, `model.npz`."""
    from caesura.detect import baselines, texts

    name, _, argument = spec.partition(":")
    if spec.startswith(OUTSIDE):
        return texts.outside(argument)
    if name in BASELINES:
        return baselines.baseline(name, argument)
    if name in ADAPTERS:
        return texts.adapted(name, argument)
    if spec.endswith(MODEL):
        return load(local(spec)).segment
    if spec in NETWORKS:
        return load(spec).segment
    raise UnknownNameError("detector", spec, DETECTORS)


def size_of(name: str) -> int:
    """The size of a detector's weights in bytes; 0 if it has none."""
    if name not in NETWORKS:
        return 0
    from importlib import resources

    return len((resources.files("caesura.detect") / "models" / f"{name}{MODEL}").read_bytes())


__all__ = [
    "ADAPTERS",
    "BASELINES",
    "DETECTORS",
    "MODEL",
    "NETWORKS",
    "OUTSIDE",
    "Segmenter",
    "load",
    "segmenter",
    "size_of",
]
