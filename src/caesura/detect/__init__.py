"""Detectors by name: they place boundaries, and are imported when used."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from caesura.detect.names import (
    ADAPTERS,
    AUTO,
    BASELINES,
    CUT_BY_F1,
    DETECTORS,
    MODEL,
    NETWORKS,
    OUTSIDE,
    Segmenter,
)
from caesura.errors import UnknownNameError
from caesura.io.cwd import local

if TYPE_CHECKING:
    from caesura.core.segmentation import Document, Segmentation
    from caesura.detect.detector import Detector


@lru_cache(maxsize=8)
def load(name: str) -> Detector:
    """Load a detector that comes with caesura, or one that `caesura train` wrote to a file."""
    from dataclasses import replace

    from caesura.detect.detector import Detector, ExpectedF1
    from caesura.detect.weights import read

    if name.endswith(MODEL):
        return Detector.from_file(name)
    if name not in NETWORKS:
        raise UnknownNameError("detector", name, NETWORKS)
    from importlib import resources

    with resources.as_file(resources.files("caesura.detect") / "models" / f"{name}{MODEL}") as path:
        found = Detector.from_weights(read(str(path)))
    return replace(found, cut=ExpectedF1()) if name in CUT_BY_F1 else found


def segmenter(spec: str) -> Segmenter:
    """The segmenter of a name: `s2`, `every:10`, `nltk`, `cmd:./program {input}`, `model.npz`."""
    from caesura.detect import baselines, third_party

    name, _, argument = spec.partition(":")
    if spec.startswith(OUTSIDE):
        return third_party.outside(argument)
    if name in BASELINES:
        return baselines.baseline(name, argument)
    if name in ADAPTERS:
        return third_party.adapted(name, argument)
    if name == AUTO:
        return partial(_resolved, spec)
    if is_network(spec):
        return network(spec).segment
    if name in DETECTORS:
        from caesura.core.plugins import plugins

        plugged: Segmenter = plugins("detectors")[name]
        return plugged
    raise UnknownNameError("detector", spec, DETECTORS)


def _resolved(spec: str, document: Document) -> Segmentation:
    from caesura.detect.sentences import resolved

    return segmenter(resolved(spec, document))(document)


def is_network(spec: str) -> bool:
    """Whether a name is that of a network: `best`, `best:0.5`, `model.npz`."""
    name = _parted(spec)[0]
    return name in NETWORKS or name.endswith(MODEL)


def is_own(spec: str) -> bool:
    """Whether a name is that of a model that a user trained."""
    return _parted(spec)[0].endswith(MODEL)


def network(spec: str) -> Detector:
    """The network of such a name, with the threshold after the colon or its own way to decide."""
    from dataclasses import replace

    from caesura.detect.detector import Threshold

    name, threshold = _parted(spec)
    found = load(local(name) if name.endswith(MODEL) else name)
    return found if threshold is None else replace(found, cut=Threshold.parse(threshold, name))


def _parted(spec: str) -> tuple[str, str | None]:
    """The name of a network, and what follows it after a colon."""
    name, _, threshold = spec.rpartition(":")
    is_named = name in NETWORKS or name.endswith(MODEL)
    return (name, threshold) if is_named else (spec, None)


def size_of(name: str) -> int:
    """The size of a detector's weights in bytes; 0 if it has none."""
    if name not in NETWORKS:
        return 0
    from importlib import resources

    return len((resources.files("caesura.detect") / "models" / f"{name}{MODEL}").read_bytes())


__all__ = [
    "ADAPTERS",
    "AUTO",
    "BASELINES",
    "DETECTORS",
    "MODEL",
    "NETWORKS",
    "OUTSIDE",
    "Segmenter",
    "is_network",
    "is_own",
    "load",
    "network",
    "segmenter",
    "size_of",
]
