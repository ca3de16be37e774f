"""Patterns: the errors of a tokenized text, grouped by what goes wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from caesura.run.cases import Case
from caesura.tasks.text import MERGE, Error, TextTask

MOST_PATTERNS = 500
MOST_CASES = 20

Kind = tuple[str, str, str]


@dataclass(slots=True)
class Pattern:
    """Errors of one kind: how many, and the first of them."""

    unit: str
    kind: str
    system: str
    gold: str
    times: int = 0
    cases: list[dict[str, str]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


def text_readings(task: TextTask, cases: Iterable[Case]) -> Iterator[dict[str, Any]]:
    """For each system the patterns of its errors, the most frequent first."""
    found: dict[str, dict[Kind, Pattern]] = {}
    for case in cases:
        for system in case.systems:
            found.setdefault(system, {})
        for system, error in task.errors(case):
            _add(found[system], error)
    for system, patterns in found.items():
        yield {"system": system, **_most(list(patterns.values()))}


def _add(patterns: dict[Kind, Pattern], error: Error) -> None:
    kind, ours, theirs = _kind(error)
    pattern = patterns.setdefault(
        (f"{error.unit} {kind}", ours, theirs), Pattern(error.unit, kind, ours, theirs)
    )
    pattern.times += 1
    if len(pattern.cases) < MOST_CASES:
        pattern.cases.append(_case(error))


def _kind(error: Error) -> Kind:
    """What goes wrong: the tokens on both sides, or after which token a sentence is cut or not."""
    ours, theirs = (side.split(MERGE) if side else [] for side in (error.system, error.gold))
    if error.unit == "token":
        return _direction(len(ours), len(theirs)), error.system, error.gold
    kind = _direction(len(ours), len(theirs))
    longer = ours if len(ours) > len(theirs) else theirs
    if kind == "other" or not longer:
        return kind, f"{len(ours)}", f"{len(theirs)}"
    return kind, longer[0].rsplit(" ", 1)[-1], ""


def _direction(ours: int, theirs: int) -> str:
    """Split: one of the gold's is several; merged: several are one."""
    if theirs == 1 and ours > 1:
        return "split"
    return "merged" if ours == 1 and theirs > 1 else "other"


def _case(error: Error) -> dict[str, str]:
    values = {
        "document": error.document,
        "system_place": PurePath(error.system_place).name,
        "gold_place": PurePath(error.gold_place).name,
        "before": error.before,
        "after": error.after,
    }
    if error.unit == "sentence":
        values |= {"system": error.system, "gold": error.gold}
    return values


def _most(patterns: list[Pattern]) -> dict[str, Any]:
    patterns.sort(key=lambda each: (-each.times, each.unit, each.system, each.gold))
    return {
        "blocks": sum(each.times for each in patterns),
        "kinds": len(patterns),
        "patterns": [each.to_dict() for each in patterns[:MOST_PATTERNS]],
    }
