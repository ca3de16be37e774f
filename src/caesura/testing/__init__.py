"""Tests of segmenters: assert that boundaries are good enough, and show what is wrong if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caesura.core.option import OptionValues
    from caesura.output.gate import Gate
    from caesura.steps.evaluation import Evaluation

ERRORS = 5
"""How many errors a failure shows."""


def assert_boundaries(
    system: object,
    gold: object,
    *,
    task: str | None = None,
    profile: str | None = None,
    **least: float,
) -> None:
    """Fail unless every score is at least as high as given, or as low, for error rates.

    `system` and `gold` are what `caesura.evaluate` takes: paths, sentences, arrays of 0 and 1. The
    scores are named as in the JSON: `f1=0.9`, `pk=0.2`. The message has the table, the scores that
    are not reached, and the first errors.

    >>> assert_boundaries(["it rained", "we left"], ["it rained", "we left"], f1=0.9)
    """
    __tracebackhide__ = True
    problem = _problem(system, gold, task, profile, least)
    if problem:
        raise AssertionError(problem)


def _problem(
    system: object, gold: object, task: str | None, profile: str | None, least: dict[str, float]
) -> str:
    """What is wrong, with the table and the first errors; nothing if all scores are reached."""
    from caesura.api.evaluate import evaluate
    from caesura.errors import UsageError
    from caesura.output.gate import GateError

    if not least:
        raise UsageError("no score to reach; give one, such as f1=0.9")
    side = "references" if task in (None, "transcript") and not profile else "gold"
    options: OptionValues = {"profile": profile} if profile else {}
    options[side] = {"gold": gold}
    found = evaluate({"system": system}, task=task, reads=True, **options)
    try:
        _gate(found, least).check(found.summary)
    except GateError as missed:
        return "\n\n".join(filter(None, [str(missed), _shown(found)]))
    return ""


def _gate(found: Evaluation, least: dict[str, float]) -> Gate:
    """The limits: from below for scores of which higher is better, else from above."""
    from caesura.output.gate import Gate
    from caesura.scores.catalog import catalog

    scores = catalog(*found.summary.kind)
    under: list[str] = []
    over: list[str] = []
    for name, value in least.items():
        is_low = scores.systems[scores.find(name, scores.systems)].score.better == "low"
        (over if is_low else under).append(f"{name}={value}")
    return Gate.parse(under, over, found.summary.task, found.summary.profile)


def _shown(found: Evaluation) -> str:
    """The tables, with the first errors of a task that lists them."""
    from caesura.output.terminal import as_text

    errors = found.summary.task.parts.errors()
    details = {"errors": errors.show(errors.find(found.readings()), ERRORS)} if errors else {}
    return as_text(found.page(**details))
