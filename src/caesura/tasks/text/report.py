"""Patterns: the errors of a tokenized text, grouped by what goes wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Literal

from caesura.output.report.views.patterns import Direction, ErrorCase, Pattern, TextReading
from caesura.output.report.views.reading import MOST_CASES, MOST_PATTERNS
from caesura.tasks.text.counting import MERGE, Error, TextErrors

Key = tuple[Direction, str, str]


@dataclass(slots=True)
class _Group:
    """Errors of one kind while they are being counted."""

    unit: Literal["token", "sentence"]
    key: Key
    times: int = 0
    cases: list[ErrorCase] = field(default_factory=list)

    def pattern(self) -> Pattern:
        direction, system, gold = self.key
        return Pattern(
            unit=self.unit,
            direction=direction,
            system=system,
            gold=gold,
            times=self.times,
            cases=tuple(self.cases),
        )


Groups = dict[tuple[str, Key], _Group]


def text_readings(found: Iterable[TextErrors]) -> Iterator[TextReading]:
    """For each system the patterns of its errors, the most frequent first."""
    systems: dict[str, Groups] = {}
    for document in found:
        for system, errors in document.errors.items():
            groups = systems.setdefault(system, {})
            for error in errors:
                _add(groups, error)
    for system, groups in systems.items():
        yield _most(system, list(groups.values()))


def _add(groups: Groups, error: Error) -> None:
    key = _key(error)
    unit: Literal["token", "sentence"] = "token" if error.unit == "token" else "sentence"
    group = groups.setdefault((unit, key), _Group(unit, key))
    group.times += 1
    if len(group.cases) < MOST_CASES:
        group.cases.append(_case(error))


def _key(error: Error) -> Key:
    """What goes wrong: the tokens on both sides, or after which token a sentence is cut or not."""
    ours, theirs = (side.split(MERGE) if side else [] for side in (error.system, error.gold))
    direction = _direction(len(ours), len(theirs))
    if error.unit == "token":
        return direction, error.system, error.gold
    longer = ours if len(ours) > len(theirs) else theirs
    if direction == "other" or not longer:
        return direction, f"{len(ours)}", f"{len(theirs)}"
    return direction, longer[0].rsplit(" ", 1)[-1], ""


def _direction(ours: int, theirs: int) -> Direction:
    """Split: one of the gold's is several; merged: several are one."""
    if theirs == 1 and ours > 1:
        return "split"
    return "merged" if ours == 1 and theirs > 1 else "other"


def _case(error: Error) -> ErrorCase:
    is_sentence = error.unit == "sentence"
    return ErrorCase(
        document=error.document,
        system_place=PurePath(error.system_place).name,
        gold_place=PurePath(error.gold_place).name,
        before=error.before,
        after=error.after,
        system=error.system if is_sentence else "",
        gold=error.gold if is_sentence else "",
    )


def _most(system: str, groups: list[_Group]) -> TextReading:
    patterns = [group.pattern() for group in groups]
    patterns.sort(key=lambda each: (-each.times, each.unit, each.system, each.gold))
    return TextReading(
        system=system,
        blocks=sum(each.times for each in patterns),
        kinds=len(patterns),
        patterns=tuple(patterns[:MOST_PATTERNS]),
    )
