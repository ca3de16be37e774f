"""What AutoShot's program prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import caesura

if TYPE_CHECKING:
    from caesura.core.json_values import Json


def shots(data: Json) -> Iterator[tuple[str, str, str, float]]:
    """What AutoShot's program counts over its test videos; a video is as long as its last shot."""
    ours, theirs = (
        {
            video: caesura.labels(
                [(first, last + 1) for first, last in sides[side]],
                n=max(shots[-1][1] for shots in sides) + 1,
            )
            for video, sides in data["videos"].items()
        }
        for side in (1, 0)
    )
    found = caesura.evaluate({"AutoShot": ours}, gold=theirs, profile="shots")
    micro = found.systems["AutoShot"].micro
    for key, printed in data["printed"].items():
        yield "200 videos", key, str(printed), micro[key]
