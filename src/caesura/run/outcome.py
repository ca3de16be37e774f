"""Outcomes: the results of some documents: rows, readings if requested, or failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from caesura.core.row import Row
from caesura.errors import in_python


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be counted, and why: the message of an error."""

    document: str
    message: str

    @property
    def reason(self) -> str:
        """Why, as Python says it."""
        return in_python(self.message)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The rows of some documents; the readings of each, as lines of JSON; and failures."""

    rows: Sequence[Row] = ()
    readings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
