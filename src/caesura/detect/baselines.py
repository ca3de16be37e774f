"""Baselines that need no learning: every N words, random, none, all, and pauses."""

from __future__ import annotations

from functools import partial

import numpy as np

from caesura.core.segmentation import Document, Segmentation, Track
from caesura.detect.names import Segmenter
from caesura.errors import SourceError, UsageError

SEED, PAUSE = 12345, 0.5
_SECOND = 1_000_000


def baseline(name: str, argument: str = "") -> Segmenter:
    """A baseline with the argument after its name and a colon.

    >>> words = Document(Segmentation.from_masses([7]))
    >>> baseline("every", "3")(words).masses.tolist()
    [3, 3, 1]
    """
    if name in ("none", "all"):
        if argument:
            raise UsageError(f"'{name}' takes no argument: '{argument}'; remove it")
        return {"none": _none, "all": _all}[name]
    value = _number(name, argument)
    return {
        "every": partial(_every, step=int(value)),
        "random": partial(_random, seed=int(value)),
        "pauses": partial(_pauses, longest=value),
    }[name]


def _number(name: str, argument: str) -> float:
    """The number after the colon; required for every:N, optional for the others."""
    default = {"random": str(SEED), "pauses": str(PAUSE)}.get(name, "")
    lowest = {"every": 1, "random": 0, "pauses": 0}[name]
    try:
        value = float(argument or default)
    except ValueError:
        value = float("nan")
    if not lowest <= value < float("inf") or (name != "pauses" and value % 1):
        cure = {"every": "every:12", "random": "random:1", "pauses": "pauses:0.5"}[name]
        raise UsageError(f"'{name}:{argument}' is not a detector; give a number, such as {cure}")
    return value


def _none(document: Document) -> Segmentation:
    return Segmentation.from_positions([], document.segmentation.length)


def _all(document: Document) -> Segmentation:
    length = document.segmentation.length
    return Segmentation.from_positions(np.arange(length), length)


def _every(document: Document, *, step: int) -> Segmentation:
    length = document.segmentation.length
    return Segmentation.from_positions(np.arange(step - 1, length, step), length)


def _random(document: Document, *, seed: int) -> Segmentation:
    """As many units as the document has, at random places."""
    length, inner = document.segmentation.length, document.segmentation.boundaries.size - 1
    generator = np.random.default_rng(seed)
    chosen = generator.choice(max(length - 1, 0), max(inner, 0), replace=False)
    return Segmentation.from_positions(chosen.astype(np.int64), length)


def _pauses(document: Document, *, longest: float) -> Segmentation:
    """A boundary at each pause of at least the given seconds."""
    start, end = document.track.start, document.track.end
    length = document.segmentation.length
    if start is None or end is None:
        cure = "give a file that has word times, or choose another detector"
        raise SourceError(document.source, "no word times, which `pauses` needs", cure)
    known = (start[1:] != Track.UNKNOWN) & (end[:-1] != Track.UNKNOWN)
    late = known & (start[1:] - end[:-1] >= longest * _SECOND)
    return Segmentation.from_positions(np.flatnonzero(late), length)
