"""Gates: scores that a release must reach, and rows that it must not be worse than."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from caesura.errors import CaesuraError, UnknownNameError, UsageError, number
from caesura.output.tables import shown
from caesura.run.rows import Row
from caesura.scores.scorers import HEADLINES, SCORERS, is_lower_better
from caesura.stats.compare import compare_summary, in_words, is_shown
from caesura.stats.confidence import Resampling
from caesura.stats.contest import File, put_together


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


def check_no_worse(
    path: str, summary: dict[str, Any], rows: Sequence[Row], how: Resampling
) -> None:
    """Raise an error that names every system that is shown to be worse than it was in a file.

    A system is compared with the one of the same name, or with the file's only one, on the main
    scores of the task.
    """
    before = File.read(path)
    now = File("the new rows", summary, list(rows))
    failures = []
    for system in now.systems:
        failures += _found_worse(now.only(system), before.only(_partner(system, before)), how)
    if failures:
        raise GateError(" ".join(failures))


def _partner(system: str, before: File) -> str:
    if system in before.systems:
        return system
    if len(before.systems) != 1:
        raise UsageError(
            f"{before.path} has no system '{system}' but {', '.join(before.systems)}; "
            "name the systems as they are there"
        )
    return before.systems[0]


def _found_worse(now: File, before: File, how: Resampling) -> list[str]:
    """The main scores on which the only system of a file is shown to be worse, in words."""
    old = f"{before.path}'s {before.systems[0]}"
    contest = put_together([now, before.renamed(old)])
    found = compare_summary(contest, how, old)
    told, ((new, _),) = found["confidence"], contest.pairs(old)
    if 2.0 ** (1 - told["units"]) > 1 - how.level:
        raise UsageError(
            f"{number(told['units'], told['unit'])} in common with {before.path}: too few to show "
            "that anything is worse; make both rows with --confidence, which cuts documents in "
            "blocks"
        )
    titles = SCORERS[contest.task](contest.references).titles
    compared = found["comparisons"][0]["micro"]
    return [
        in_words((new, old), titles[score], score, compared[score], told)
        for score in HEADLINES
        if score in titles and score in compared and is_shown(compared[score], how.level)
        if (compared[score]["difference"] < 0) != is_lower_better(score)
    ]
