"""Rows into the summary that is printed, as a table or as JSON. One module for each task."""

import math
from collections.abc import Callable
from typing import Any

from caesura.core.counts import mean

Scores = dict[str, Any]


def plain(value: Any) -> Any:
    """The same with undefined numbers as None, for JSON."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def mean_scores(each: list[Scores]) -> Scores:
    """The mean of every score where it is defined."""
    return _over(each, mean)


def undefined(each: list[Scores]) -> dict[str, int]:
    """How often scores are undefined, for those that are."""
    counted = _over(each, lambda values: sum(math.isnan(value) for value in values))
    return {name: number for name, number in counted.items() if number}


def _over(each: list[Scores], reduce: Callable[[list[float]], Any]) -> Scores:
    return {name: reduce([scores[name] for scores in each]) for name in each[0]} if each else {}
