"""The view of patterns: errors of a tokenized text, grouped by what goes wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.output.report.views.reading import SystemReading

Direction = Literal["split", "merged", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCase:
    """One error: where it is, and what is around it; of sentences also both sides in full."""

    document: str
    system_place: str
    gold_place: str
    before: str
    after: str
    system: str = ""
    gold: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Errors of one kind: how many, and the first of them."""

    unit: Literal["token", "sentence"]
    direction: Direction
    system: str
    gold: str
    times: int
    cases: tuple[ErrorCase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReading(SystemReading):
    """The errors of one system: all blocks, all patterns, and the most frequent of these."""

    blocks: int
    kinds: int
    patterns: tuple[Pattern, ...]
    kind: Literal["text"] = "text"
