"""Reading: what a view of the page shows, of one document or of one system."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Self

MOST_PATTERNS = 500
"""The most patterns of errors that are shown of a system."""
MOST_CASES = 20
"""The most cases that are shown of a pattern."""
MOST_COUNTED = 1 << 53
"""The largest whole number that a browser counts to."""


class Reading(ABC):
    """What a view shows; a view is a frozen dataclass with a `kind` of its own."""

    __slots__ = ()
    kind: str

    @property
    @abstractmethod
    def key(self) -> str:
        """The document or the system that it shows; readings of the same one are joined."""

    @abstractmethod
    def renamed(self, system: str) -> Self:
        """Return a copy whose only system has another name."""

    def joined(self, other: Self) -> Self:  # noqa: ARG002
        """Return the reading of what both show; the first one, unless a view says otherwise."""
        return self

    def require_sound(self) -> None:  # noqa: B027
        """Raise a ValueError if its parts, which are of the right types, do not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemReading(Reading):
    """What a view shows of one system, over all documents."""

    system: str

    @property
    def key(self) -> str:
        """The system."""
        return self.system

    def renamed(self, system: str) -> Self:
        """Return a copy of which the system has another name."""
        return replace(self, system=system)
