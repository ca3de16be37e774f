"""Reading: what a view of the page shows, of one document or of one system."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReading(Reading):
    """What a view shows of one document; fields in `by_version` have an item for each version."""

    by_version: ClassVar[tuple[str, ...]]
    document: str
    systems: dict[str, Any]

    @property
    def key(self) -> str:
        """The document."""
        return self.document

    def renamed(self, system: str) -> Self:
        """Return a copy whose only system, if it has one, has another name."""
        names = dict.fromkeys(self.systems, system)
        changed: Any = {
            field: {names.get(name, name): item for name, item in getattr(self, field).items()}
            for field in ("systems", *self.by_version)
        }
        return replace(self, **changed)

    def joined(self, other: Self) -> Self:
        """Return the document with the systems of both."""
        changed: Any = {
            field: {**getattr(self, field), **getattr(other, field)}
            for field in ("systems", *self.by_version)
        }
        return replace(self, **changed)
