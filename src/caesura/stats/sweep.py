"""The summary of a sweep: scores, ranks and crossings of systems along an option."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from caesura import __version__
from caesura.run.rows import Row
from caesura.scores.scorers import is_lower_better
from caesura.scores.transcript import transcript_summary
from caesura.tasks.sweep import Sweep, by_value


def sweep_summary(
    rows: Sequence[Row], systems: Sequence[str], references: Sequence[str], sweep: Sweep
) -> dict[str, Any]:
    """The result of `caesura transcript --sweep`, as its JSON."""
    each = {
        value: transcript_summary(some, systems, references, sweep.task)
        for value, some in by_value(rows).items()
    }
    first = next(iter(each.values()))
    signature = [f for f in first["signature"].split("|") if f.partition(":")[0] != sweep.option]
    swept = f"{sweep.option}:{','.join(map(str, sweep.values))}"
    scores = {
        name: [found["systems"][at]["micro"] for found in each.values()]
        for at, name in enumerate(systems)
    }
    ranks = _ranks([[one[sweep.score] for one in values] for values in scores.values()], sweep)
    found = [
        {
            "name": name,
            "score": [one[sweep.score] for one in values],
            "rank": list(rank),
            "micro": values,
        }
        for (name, values), rank in zip(scores.items(), ranks, strict=True)
    ]
    return {
        "caesura": __version__,
        "task": "sweep",
        "signature": "|".join([*signature, swept]),
        "option": sweep.option,
        "values": list(sweep.values),
        "score": sweep.score,
        "references": list(references),
        "documents": first["documents"],
        "systems": found,
        "crossings": list(_crossings(found, sweep.values)),
    }


def _ranks(scores: Sequence[Sequence[float]], sweep: Sweep) -> list[tuple[int, ...]]:
    """For each system its rank at each value: 1 is best, equal ones share the better rank."""
    sign = 1 if is_lower_better(sweep.score) else -1
    columns = []
    for column in zip(*scores, strict=True):
        keys = [math.inf if math.isnan(score) else sign * score for score in column]
        columns.append([1 + sum(other < key for other in keys) for key in keys])
    return list(zip(*columns, strict=True))


def _crossings(
    systems: Sequence[dict[str, Any]], values: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """Between which values two systems change places."""
    for one, other in combinations(systems, 2):
        gaps = [(at, a - b) for at, a, b in zip(values, one["score"], other["score"], strict=True)]
        apart = [(at, gap) for at, gap in gaps if gap != 0 and not math.isnan(gap)]
        for (before, first), (after, second) in pairwise(apart):
            if first * second < 0:
                yield {"systems": [one["name"], other["name"]], "between": [before, after]}
