"""The view of clusters: discovered terms, what they spell and where they lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from caesura.output.report.views.reading import Reading, SystemReading


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """The phones of some members of a cluster, the word they are, and how many members."""

    phones: str
    word: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """One cluster: its number in the file, its members, and what they spell."""

    cluster: int
    size: int
    types: int
    purity: float
    spellings: tuple[Spelling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongType:
    """A sequence of phones that is not a word, and how often it was found."""

    phones: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenWords:
    """The words of a recording, with times in milliseconds."""

    on: tuple[int, ...]
    off: tuple[int, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIntervals:
    """The intervals of a recording, in milliseconds.

    `right` is 1 where an interval begins with a word, 2 where it ends with one, 3 for both.
    """

    on: tuple[int, ...]
    off: tuple[int, ...]
    cluster: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldReading(Reading):
    """The words of the first recordings."""

    words: dict[str, SpokenWords]
    kind: Literal["gold"] = "gold"

    @property
    def key(self) -> str:
        """Nothing: there is one gold."""
        return ""

    def renamed(self, system: str) -> GoldReading:  # noqa: ARG002
        """Return itself: it has no system."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsReading(SystemReading):
    """What one system found: its largest clusters, wrong types, and intervals."""

    count: int
    clusters: tuple[Cluster, ...]
    wrong_types: tuple[WrongType, ...]
    intervals: dict[str, FoundIntervals]
    kind: Literal["terms"] = "terms"
