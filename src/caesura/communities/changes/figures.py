"""What TCPDBench publishes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import caesura

if TYPE_CHECKING:
    from caesura.core.json_values import Json


def changes(data: Json) -> Iterator[tuple[str, str, str, float]]:
    """What TCPDBench publishes for the methods on three series; covers are counted in integers."""
    for series, own in data.items():
        people, systems = (
            {name: {series: caesura.times(sorted({*points}), n=own["n"])} for name, points in side}
            for side in (
                own["annotations"].items(),
                ((name, each["points"]) for name, each in own["methods"].items()),
            )
        )
        found = caesura.evaluate(systems, gold=people, profile="changes")
        for method, printed in own["methods"].items():
            micro = found.systems[method].micro
            for key in ("f1", "precision", "recall", "cover"):
                yield f"{series}/{method}", key, f"{printed[key]:.10f}", micro[key]
