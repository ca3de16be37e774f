"""Figures of sed_eval's tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import caesura

if TYPE_CHECKING:
    from caesura.core.json_values import Json


def events(data: Json) -> Iterator[tuple[str, str, str, float]]:
    """What sed_eval counts of the recordings of its tests."""
    for name, own in data.items():
        ours, theirs = (
            {key: caesura.labels([*map(tuple, sides[at])]) for key, sides in own["files"].items()}
            for at in (1, 0)
        )
        found = caesura.evaluate({"system": ours}, gold=theirs, profile="events")
        micro = found.systems["system"].micro
        for key, printed in own["scores"].items():
            yield name, key, f"{printed:.10f}", micro[key]
