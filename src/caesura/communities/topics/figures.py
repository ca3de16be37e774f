"""Figures of the test suites of segeval and NLTK."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import caesura
from caesura.communities.topics.measures import CoderCounts, Coders
from caesura.core.segmentation import panel

if TYPE_CHECKING:
    from caesura.core.json_values import Json

KEYS = {"window_diff": "windowdiff", "windowdiff": "windowdiff"}

OPTIONS = {"n_t": "near", "window_size": "k"}


def segmentations(data: Json) -> Iterator[tuple[str, str, float, float]]:
    """Pk, WindowDiff, B and S of the test suites of segeval and NLTK."""
    for at, pair in enumerate(data["pairs"], 1):
        name = KEYS.get(pair["metric"], pair["metric"])
        options = {OPTIONS[key]: value for key, value in pair["params"].items()}
        sides = [caesura.masses(pair[f"{side}_masses"]) for side in ("hypothesis", "reference")]
        found = getattr(caesura, name)(*sides, **options)
        yield f"segeval {at}", name, float(pair["expected"]), found.score
    for at, pair in enumerate(data["nltk"], 1):
        gold, ours = ([int(each) for each in pair[side]] + [1] for side in ("seg1", "seg2"))
        found = caesura.windowdiff(ours, gold, k=pair["k"])
        yield f"nltk {at}", "windowdiff", float(pair["expected"]), found.score


def coders(data: Json) -> Iterator[tuple[str, str, float, float]]:
    """Fleiss' κ and π and the bias, based on B, of segeval's samples."""
    for case in data["cases"]:
        panels = [panel([*map(caesura.masses, item.values())]) for item in case["items"].values()]
        total = sum((Coders().count(each) for each in panels), CoderCounts.zero())
        for key in ("kappa", "pi", "bias"):
            yield case["name"], key, float(case[key]), getattr(total, key)
