"""Variants: measures with parameters of their own, written as `F1@2`, `WiSeBE@4` or `Pk@8`.

A score is written with its parameter wherever a score is named; `tolerant@2` is the measure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from caesura.core.score import ALSO, Score, View
from caesura.errors import UnknownNameError

if TYPE_CHECKING:
    from caesura.core.measure import Measure

AT = "@"
ALIASES = {"hit": "f1", "p": "precision", "r": "recall", "wd": "windowdiff", "f1_rw": "window_f1"}
"""Other names of scores that take a parameter."""
EXAMPLES = ("F1@2", "F1@0.5s", "hit@3s", "WiSeBE@4", "Pk@8", "WD@8", "B@2", "consensus F1@2")


def canonical(name: str, measures: Mapping[str, type[Measure]], options: Mapping[str, str]) -> str:
    """The measure that is meant by a score with a parameter: `tolerant@2` for `F1@2`.

    `options` are the measures that take one, each with the option that it stands for.
    """
    score, _, value = name.partition(AT)
    wanted = score.casefold().replace(" ", "_")
    wanted = wanted.replace("hit_", "").removesuffix("_mean")
    wanted = ALIASES.get(wanted, wanted)
    known = {
        each: measure
        for measure in options
        for score_of in measures[measure].scores
        for each in (measure, _base(score_of), score_of.label.casefold())
    }
    if not value or wanted not in known:
        raise UnknownNameError("score with a parameter", name, EXAMPLES)
    return f"{known[wanted]}{AT}{value}"


def _base(score: Score) -> str:
    """The key of a score without the name of its measure: that of `tolerant_f1` is `f1`."""
    return score.key.removeprefix("tolerant_")


@lru_cache
def variant(measure: type[Measure], option: str, value: str) -> type[Measure]:
    """A measure that has a value of an option, whatever the task has."""

    def from_task(cls: Any, task: Any) -> Any:
        made = measure.__dict__.get("from_task") or measure.from_task.__func__  # type: ignore[attr-defined]
        return made(cls, task.with_option(option, value))

    body = {
        "__slots__": (),
        "name": f"{measure.name}{AT}{value}",
        "scores": tuple(_renamed(score, value) for score in measure.scores if not score.is_count),
        "asked_by": ALSO,
        "has_time": True,
        "from_task": classmethod(from_task),
    }
    return type(f"{measure.__name__}{AT}{value}", (measure,), body)


def _renamed(score: Score, value: str) -> Score:
    """A score under a name with its parameter."""
    base, label = _base(score), score.label.removeprefix("tolerant ")
    keys: dict[View, str] = {"mean": f"{base}_mean", "agreement": f"pairwise_{base}_mean"}
    means = tuple((view, f"{key}{AT}{value}") for view, key in keys.items())
    return replace(
        score, key=f"{base}{AT}{value}", label=f"{label}{AT}{value}", take=score.take or score.key,
        views=(), heading="", keys=means,
    )  # fmt: skip
