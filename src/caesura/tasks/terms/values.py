"""Values of Python as intervals and classes of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from caesura.core.timed_intervals import Clusters, Intervals
from caesura.errors import SegmentationError

Interval = tuple[str, float, float]
Label = tuple[str, float, float, str]


def as_intervals(value: Any, tier: str) -> str | Intervals:
    """Convert a value to labelled intervals: a path, or a list of (file, on, off, label)."""
    if isinstance(value, str | PathLike):
        return str(value)
    if isinstance(value, Intervals):
        return value
    from caesura.tasks.terms.interval_lines import parse_intervals

    try:
        lines = [f"{_interval(each[:3])} {_cell(each[3])}" for each in value]
    except (TypeError, IndexError):
        cure = "give a path, or a list of (file, on, off, label)"
        raise SegmentationError(f"{tier}: these are not labelled intervals; {cure}") from None
    return parse_intervals("\n".join(lines).encode(), f"<{tier}>")


def as_clusters(
    value: Clusters | Mapping[str, Sequence[Interval]], *, source: str = "classes"
) -> Clusters:
    """Convert a value to classes: intervals (file, on, off) by the name of their class."""
    if isinstance(value, Clusters):
        return value
    if not isinstance(value, Mapping):
        raise SegmentationError(f"{source}: give intervals (file, on, off) by class, or a path")
    from caesura.tasks.terms.format import parse_clusters

    blocks = ("\n".join((f"Class {_cell(name)}", *map(_interval, value[name]))) for name in value)
    return parse_clusters("\n\n".join(blocks).encode())


def _interval(interval: Interval) -> str:
    try:
        file, on, off = interval
        return f"{_cell(file)} {float(on)!r} {float(off)!r}"
    except (TypeError, ValueError):
        raise SegmentationError(f"{interval!r} is not an interval (file, on, off)") from None


def _cell(name: str) -> str:
    """A name with no-break spaces for white space, which would separate cells."""
    return re.sub(r"\s", "\u00a0", str(name))
