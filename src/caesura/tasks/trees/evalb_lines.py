"""Lines of evalb: what it prints of each, kept beside the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Figures = tuple[int, ...]
"""What evalb prints of a line: length, status, right, gold's, system's, crossing, words, tags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalbLines:
    """The figures of each line of a document, by system."""

    document: str
    lines: dict[str, tuple[Figures, ...]]
    kind: Literal["evalb_lines"] = "evalb_lines"
