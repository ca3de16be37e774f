"""The keywords of `evaluate` that every task has."""

from __future__ import annotations

from os import PathLike
from typing import Literal, TypedDict

from caesura.run.run import Watch


class CommonKeywords(TypedDict, total=False):
    """How runs are resampled, counted and saved."""

    missing: Literal["error", "skip", "vary"]
    confidence: bool
    compare: bool
    blocks: bool
    rows: str | PathLike[str] | None
    with_text: bool
    reads: bool
    watch: Watch | None
    sets: str | PathLike[str] | None
    level: float
    resamples: int
    method: Literal["bca", "percentile"]
    unit: Literal["auto", "document", "block"]
    seed: int
    jobs: int | None
    engine: str
    resume: bool
    keep_going: bool
    shard: str
