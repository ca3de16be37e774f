"""Figures of mir_eval's test suite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import caesura

if TYPE_CHECKING:
    from caesura.core.json_values import Json


def music(data: Json) -> Iterator[tuple[str, str, str, float]]:
    """What mir_eval's test suite expects for its tracks."""
    for at, track in enumerate(data["tracks"]):
        sides = [
            caesura.labels([(start, end, str(label)) for start, end, label in track[side]])
            for side in ("est", "ref")
        ]
        found = caesura.evaluate({"system": sides[0]}, gold={"gold": sides[1]}, profile="music")
        micro = found.systems["system"].micro
        for key, printed in track["scores"].items():
            yield f"track {at}", key, f"{printed:.10f}", micro[key]
