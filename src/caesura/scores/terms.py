"""The summary of discovered terms, as the JSON of the contract."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from caesura import __version__
from caesura.core.counts import NAN, mean
from caesura.measures.terms import TermCounts
from caesura.run.rows import Row, SourceCounts
from caesura.scores import Scores
from caesura.tasks.terms import CORPUS, PART, TALKER, TermsTask

MEASURES = ("boundary", "token", "type", "grouping")


def terms_summary(rows: Sequence[Row], systems: Sequence[str], task: TermsTask) -> dict[str, Any]:
    """The result of `caesura terms`, as its JSON."""
    signature = {"caesura": __version__, "task": "terms", **task.signature()}
    gold = next(row.counts for row in rows if isinstance(row.counts, SourceCounts))
    return {
        "caesura": __version__,
        "task": "terms",
        "profile": task.profile,
        "signature": "|".join(f"{name}:{value}" for name, value in signature.items()),
        "options": asdict(task),
        "references": ["gold"],
        "documents": [CORPUS],
        "gold": {"recordings": gold.documents, "words": gold.words, "phones": gold.units},
        "systems": [_system(name, rows) for name in systems],
    }


def _system(name: str, rows: Sequence[Row]) -> dict[str, Any]:
    counts = {row.document: row.counts for row in rows if row.system == name}
    whole = counts[CORPUS]
    assert isinstance(whole, TermCounts)
    result = {"name": name, **_measures(whole), "micro": whole.scores()}
    for key, prefix in (("parts", PART), ("within_talker", TALKER)):
        some = {
            scope.removeprefix(prefix): each.scores()
            for scope, each in counts.items()
            if scope.startswith(prefix)
        }
        if some:
            result[key] = _spread(some)
    return result


def _measures(counts: TermCounts) -> Scores:
    each: Scores = {
        measure: {
            **counts.of(measure).scores(),
            **{kind: getattr(counts, f"{measure}_{kind}") for kind in ("hits", "found", "gold")},
        }
        for measure in MEASURES
    }
    each["boundary"] |= {
        "over_segmentation": counts.over_segmentation,
        "r_value": counts.r_value,
    }
    each["type"]["recall_ceiling"] = counts.type_ceiling
    return {
        **each,
        "ned": {"score": counts.ned, "pairs": counts.ned_pairs},
        "coverage": {"score": counts.coverage, "covered": counts.covered, "phones": counts.phones},
        "intervals": counts.intervals,
        "dropped": counts.dropped,
    }


def _spread(some: dict[str, Scores]) -> Scores:
    """The mean and the standard deviation (of the population) over parts or talkers."""
    names = next(iter(some.values()))
    values = {name: [scores[name] for scores in some.values()] for name in names}
    return {
        "mean": {name: mean(each) for name, each in values.items()},
        "std": {name: _deviation(each) for name, each in values.items()},
        "undefined": {
            name: number for name, each in values.items() if (number := sum(map(math.isnan, each)))
        },
        "each": some,
    }


def _deviation(values: list[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    if not defined:
        return NAN
    middle = mean(defined)
    return math.sqrt(mean([(value - middle) ** 2 for value in defined]))
