"""Chunks of a text, and the excerpts that answer questions; places are characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from caesura.core.segmentation import IntArray

Span = tuple[int, int]
MARK = " ‖ "
"""Where a chunk ends inside an excerpt."""


@dataclass(frozen=True, slots=True, eq=False)
class Chunks:
    """Where chunks of a text begin and end, in order of their starts; they may overlap."""

    starts: IntArray
    ends: IntArray
    source: str = "<chunks>"

    @classmethod
    def from_spans(cls, spans: Iterable[Span], source: str = "<chunks>") -> Chunks:
        """Sort spans, given in any order."""
        places = np.array(sorted(spans), np.int64).reshape(-1, 2)
        return cls(places[:, 0], places[:, 1], source)

    def __len__(self) -> int:
        return self.starts.size


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that answers a question: its place and, if it is given, its text and its line."""

    start: int
    end: int
    content: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """The questions about one document, each with its excerpts."""

    excerpts: tuple[tuple[Excerpt, ...], ...]
    source: str = "<questions>"

    @property
    def columns(self) -> tuple[IntArray, IntArray, IntArray]:
        """For each excerpt the index of its question, its start and its end."""
        rows = [(at, e.start, e.end) for at, own in enumerate(self.excerpts) for e in own]
        question, starts, ends = np.array(rows, np.int64).reshape(-1, 3).T
        return question, starts, ends


@dataclass(frozen=True, slots=True, kw_only=True)
class CutExcerpt:
    """An excerpt, its place and its line in the gold, and its text with a mark at each cut."""

    line: int
    start: int
    end: int
    text: str
    cuts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutExcerpts:
    """The excerpts of a document, as the chunks of one system cut them."""

    document: str
    system: str
    source: str
    excerpts: tuple[CutExcerpt, ...]
    kind: Literal["cut_excerpts"] = "cut_excerpts"


Gold = Questions | Chunks
"""What chunks are scored against: excerpts of questions, or the chunks of a person."""


@dataclass(frozen=True, slots=True)
class GoldText:
    """What chunks of a document are scored against, and the path of its text."""

    gold: Gold
    path: str


@dataclass(frozen=True, slots=True)
class Run:
    """A chunker that is to be run on a document."""

    spec: str
