"""Gates: scores that a release must reach."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from caesura.errors import CaesuraError, UnknownNameError, UsageError
from caesura.table import shown


class GateError(CaesuraError):
    """A score that is not what was asked for."""

    status: ClassVar[int] = 3


@dataclass(frozen=True, slots=True)
class Limit:
    """One score and what it must reach; an undefined score reaches nothing."""

    score: str
    value: float
    word: str

    @classmethod
    def parse(cls, text: str, word: str, known: Sequence[str]) -> Limit:
        """Take `MEASURE=VALUE`."""
        name, _, value = text.partition("=")
        if name not in known:
            raise UnknownNameError("score", name, known)
        try:
            return cls(name, float(value), word)
        except ValueError:
            raise UsageError(f"'{text}' is not MEASURE=VALUE; for example {name}=0.35") from None

    def is_met(self, value: float) -> bool:
        """Whether a score is no less, or no more, than the limit."""
        compare: dict[str, Callable[[float, float], bool]] = {
            "under": operator.ge,
            "over": operator.le,
        }
        return compare[self.word](value, self.value)


@dataclass(frozen=True, slots=True)
class Gate:
    """Several limits that every system must meet, on the micro score."""

    limits: tuple[Limit, ...]

    @classmethod
    def parse(cls, under: Sequence[str], over: Sequence[str], known: Sequence[str]) -> Gate:
        """Take what `--fail-under` and `--fail-over` were given, of scores that are known."""
        low = [Limit.parse(text, "under", known) for text in under]
        return cls((*low, *(Limit.parse(text, "over", known) for text in over)))

    def check(self, summary: dict[str, Any]) -> None:
        """Raise an error that names every system and score that fails."""
        failures = [
            f"{system['name']}: {limit.score} {shown(float(value))} is "
            f"{'undefined' if value != value else f'{limit.word} {limit.value:g}'}"  # noqa: PLR0124
            for system in summary["systems"]
            for limit in self.limits
            for value in [system["micro"][limit.score]]
            if not limit.is_met(value)
        ]
        if failures:
            raise GateError("; ".join(failures))
