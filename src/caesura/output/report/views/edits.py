"""The view of edits: those that only one side has, grouped by what they replace by what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.output.report.views.reading import SystemReading

Side = Literal["system", "gold"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditCase:
    """One edit: its document, where it is, its type, and what is around it."""

    document: str
    place: str
    type: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditPattern:
    """The same edit in several places: on which side, how many by type, and the first of them."""

    side: Side
    text: str
    correction: str
    times: dict[str, int]
    cases: tuple[EditCase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionsReading(SystemReading):
    """The wrong edits of one system: how many, how many patterns, and the most frequent ones."""

    edits: int
    kinds: int
    patterns: tuple[EditPattern, ...]
    kind: Literal["corrections"] = "corrections"
