"""compute(): a flat dict of floats, as training loops and trackers of experiments expect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from caesura.core.option import OptionValues
from caesura.errors import UsageError

SYSTEM = "predictions"


def compute(
    predictions: Sequence[Any],
    references: Sequence[Any] | Mapping[str, Sequence[Any]],
    *,
    task: str | None = None,
    **options: Any,
) -> dict[str, float]:
    """Score predictions against references, document by document; undefined scores are nan.

    Both are sequences of documents: texts, lists of sentences, or arrays of 0 and 1. A string is a
    text, never a path. With several annotators, `references` is a mapping of names to such
    sequences.

    >>> compute(["it rained // we left"], ["it rained // we left"])["f1"]
    1.0
    """
    from caesura.api.evaluate import evaluate
    from caesura.communities import PROFILES
    from caesura.tasks import TASKS

    profile = PROFILES.get(options.get("profile", ""))
    chosen = TASKS[profile.task if profile else task or "transcript"]
    sides = references if isinstance(references, Mapping) else {"references": references}
    for name, side in sides.items():
        if len(side) != len(predictions):
            raise UsageError(
                f"{len(predictions)} predictions, but {len(side)} documents of {name}; give both"
            )
    theirs = {name: _documents(side, chosen.name) for name, side in sides.items()}
    against: OptionValues = {"gold": theirs} if chosen.has_gold else {"references": theirs}
    task = None if profile else chosen.name
    found = evaluate(
        {SYSTEM: _documents(predictions, chosen.name)}, task=task, **against, **options
    )
    return dict(_floats(found.to_dict()["systems"][0]["micro"].items()))


def _documents(side: Iterable[object], task: str) -> OptionValues:
    """Documents by number; a text is read as the task reads one."""
    return {str(at): _document(each, task) for at, each in enumerate(side)}


def _document(given: object, task: str) -> Any:
    if not isinstance(given, str):
        return given
    if task != "transcript":
        return given.splitlines()
    from caesura.api.functions import document

    return document(given)


def _floats(scores: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, float]]:
    for key, value in scores:
        yield key, float("nan") if value is None else float(value)
