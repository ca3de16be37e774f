"""Baselines that need no learning: every N words, random, none, all, and pauses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from caesura.core.segmentation import Document, IntArray, Segmentation, Track
from caesura.detect import Segmenter
from caesura.errors import SourceError, UsageError

DEFAULTS = {"random": "12345", "pauses": "0.5"}
EXAMPLES = {"every": "every:12", "random": "random:1", "pauses": "pauses:0.5"}
SECOND = 1_000_000


def baseline(name: str, argument: str = "") -> Segmenter:
    """A baseline with the argument after its name and a colon.

    >>> words = Document(Segmentation.from_masses([7]))
    >>> baseline("every", "3")(words).masses.tolist()
    [3, 3, 1]
    """
    if name in ("none", "all"):
        if argument:
            raise UsageError(f"'{name}' takes no argument: '{argument}'; remove it")
        return partial(_segmented, name=name)
    try:
        value = float(argument or DEFAULTS.get(name, ""))
    except ValueError:
        value = float("nan")
    least = 1 if name == "every" else 0
    if not least <= value < float("inf") or (name != "pauses" and value % 1):
        raise UsageError(
            f"'{name}:{argument}' is not a detector; give a number, such as {EXAMPLES[name]}"
        )
    return partial(_segmented, name=name, value=value)


def _segmented(document: Document, *, name: str, value: float = 0) -> Segmentation:
    """A document with the boundaries of a baseline."""
    length = document.segmentation.length
    boundaries: Sequence[int] | IntArray = ()
    if name == "all":
        boundaries = np.arange(length)
    elif name == "every":
        boundaries = np.arange(int(value) - 1, length, int(value))
    elif name == "random":  # as many as the document has
        inner = max(document.segmentation.boundaries.size - 1, 0)
        generator = np.random.default_rng(int(value))
        boundaries = generator.choice(max(length - 1, 0), inner, replace=False).astype(np.int64)
    elif name == "pauses":
        start, end = document.track.start, document.track.end
        if start is None or end is None:
            cure = "give a file that has word times, or choose another detector"
            raise SourceError(document.source, "no word times, which `pauses` needs", cure)
        is_known = (start[1:] != Track.UNKNOWN) & (end[:-1] != Track.UNKNOWN)
        boundaries = np.flatnonzero(is_known & (start[1:] - end[:-1] >= value * SECOND))
    return Segmentation.from_positions(boundaries, length)
