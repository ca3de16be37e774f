"""Options of transcripts as users write them: profiles, and extents in words or in time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from caesura.core.escapes import as_name
from caesura.errors import UnknownNameError, UsageError, option, shortened
from caesura.tasks.partners import require_partners
from caesura.tasks.transcript import Transcript

SECOND = 1_000_000
CLOCK = {"window": SECOND, "tolerance": SECOND // 2}
"""The window and the tolerance on the axis of time, in microseconds."""
PROFILES: dict[str, dict[str, Any]] = {
    "paper": {"window": 2, "final": "drop"},
    "tool": {"window": 3, "final": "keep"},
}
EXTENTS = ("window", "tolerance")
UNITS = {"": 1, "s": SECOND, "ms": 1000}
COUNTS = ("k", "near", "consensus", "max_cpl", "max_cps", "max_lines")
MOST = 10**9
"""The largest number of words, characters or seconds that an option may have."""


def transcript_task(profile: str = "paper", **given: Any) -> Transcript:
    """What was given, otherwise the profile's values, otherwise the defaults; None is not given."""
    if profile not in PROFILES:
        raise UnknownNameError("profile", profile, PROFILES)
    known = {field.name for field in fields(Transcript)}
    for name in given:
        if name not in known:
            names = sorted({*known, "profile", "run"} - {"blocks", "runs"})
            raise UnknownNameError("option", name, names)
    on_clock = given.get("axis") == "time"
    chosen = {name: value for name, value in given.items() if value is not None}
    extents = {
        name: extent(name, chosen[name], on_clock=on_clock) for name in EXTENTS if name in chosen
    }
    if isinstance(chosen.get("normalize"), str):
        chosen["normalize"] = tuple(filter(None, map(str.strip, chosen["normalize"].split(","))))
    if "costs" in chosen:
        chosen["costs"] = costs(chosen["costs"])
    require_partners(chosen)
    for name in COUNTS:
        require_at_most(name, chosen.get(name, 0), str(chosen.get(name)))
    if "axis_from" in chosen:
        chosen["axis_from"] = as_name(chosen["axis_from"])
    clock: dict[str, Any] = CLOCK if on_clock else {}
    return Transcript(**{**PROFILES[profile], **clock, **chosen, **extents})


def require_at_most(name: str, value: float, shown: str, unit: str = "") -> None:
    """Raise an error if a number is too large to count with."""
    if value > MOST:
        problem = f"{option(name, '…')}: {shortened(shown)} is too large"
        raise UsageError(f"{problem}; give at most {MOST:,}{unit}")


def costs(value: str | Sequence[int]) -> tuple[int, int, int]:
    """The costs of an insertion, a deletion and a shift: `2,2,1`, or the three numbers.

    >>> costs("2,2,1")
    (2, 2, 1)
    """
    parts = value.split(",") if isinstance(value, str) else value
    numbers = [re.fullmatch(r"\s*([1-9]\d{0,8})\s*", str(each)) for each in parts]
    found = tuple(int(each[1]) for each in numbers if each)
    if len(found) != 3 or len(numbers) != 3:
        shown = value if isinstance(value, str) else ",".join(map(str, value))
        raise UsageError(
            f"{option('costs', '…')}: '{shown}' is not INS,DEL,SHIFT, three whole numbers from 1 "
            "on; multiply others by the same number"
        )
    return found


def extent(name: str, value: str | float, *, on_clock: bool) -> int:
    """A number of words (`2`), or with `on_clock` a time (`0.5s`, `200ms`) in microseconds."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|)", str(value).strip())
    if found is None or (not found[2] and "." in found[1]):
        raise UsageError(
            f"{option(name, '…')}: '{value}' is neither a number of words (2) nor a time "
            "(0.5s, 200ms)"
        )
    if on_clock != bool(found[2]):
        wanted = "a time, such as 0.5s" if on_clock else "a number of words, such as 2"
        axis = option("axis", "time" if on_clock else "words")
        raise UsageError(f"{option(name, '…')} on {axis} is {wanted}")
    size = float(found[1]) * UNITS[found[2]]
    if on_clock:
        require_at_most(name, size / SECOND, str(value), " s")
    else:
        require_at_most(name, size, str(value))
    return round(size)
