"""How users write some options of transcripts: extents, costs, thresholds and consensus."""

from __future__ import annotations

import re
from collections.abc import Sequence

from caesura.core.consensus import votes_needed
from caesura.errors import UnknownNameError, UsageError, shortened
from caesura.errors import option as told

SECOND = 1_000_000
UNITS = {"": 1, "s": SECOND, "ms": 1000}
IN_SECONDS = ("duration", "collar")
"""Extents that are times on every axis, in seconds where no unit is given."""
LEAST_ONE = ("step", "duration")
BEST, FROM = "best", "from="
"""Thresholds that are chosen: on the documents of the run, or on those of saved rows."""
MOST = 10**9
"""The largest number of words, characters or seconds that an option may have."""


def extent(name: str, value: str | float, axis: str) -> int:
    """A number of words or samples (`2`), or a time (`0.5s`, `200ms`) in microseconds.

    A float is in seconds where times are compared.
    """
    on_clock = axis == "time" or name in IN_SECONDS
    written = f"{value:.6f}s" if on_clock and isinstance(value, float) else str(value).strip()
    found = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*(ms|s|)", written)
    if found is not None and name in IN_SECONDS and not found[2]:
        return extent(name, f"{found[0]}s", axis)
    if found is None or (not found[2] and "." in found[1]):
        kinds = "neither a number of words (2) nor a time (0.5s, 200ms)"
        kinds = "not a time (0.25, 0.25s, 200ms)" if name in IN_SECONDS else kinds
        raise UsageError(f"{told(name, '…')}: '{value}' is {kinds}")
    if on_clock != bool(found[2]):
        item = "samples" if axis == "samples" else "words"
        wanted = "a time, such as 0.5s" if on_clock else f"a number of {item}, such as 2"
        raise UsageError(f"{told(name, '…')} on {told('axis', axis)} is {wanted}")
    size = float(found[1]) * UNITS[found[2]]
    if on_clock:
        require_at_most(name, size / SECOND, str(value), " s")
    else:
        require_at_most(name, size, str(value))
    if name in LEAST_ONE and round(size) < 1:
        raise UsageError(f"{told(name, '…')}: '{value}' is too small; give more than 0")
    return round(size)


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
            f"{told('costs', '…')}: '{shown}' is not INS,DEL,SHIFT, three whole numbers from 1 "
            "on; multiply others by the same number"
        )
    return found


def threshold_rules(threshold: str, systems: Sequence[str]) -> dict[str, str]:
    """For each system a number, `best` or `from=ROWS`; a name and `=` in front is of that system.

    >>> threshold_rules("0.5,b=best", ["a", "b"])
    {'a': '0.5', 'b': 'best'}
    """
    every, named = "", {}
    for part in filter(None, threshold.split(",")):
        name, sign, rule = part.partition("=")
        if part.startswith(FROM) or not sign:
            name, rule = "", part
        if rule != BEST and not rule.startswith(FROM) and not is_number(rule):
            cure = "give a number from 0 to 1, best, or from=ROWS"
            raise UsageError(
                f"{told('threshold', '…')}: '{shortened(rule)}' is not a threshold; {cure}"
            )
        if name and name not in systems:
            raise UnknownNameError("system", name, systems)
        if name:
            named[name] = rule
        else:
            every = rule
    return {name: named.get(name, every) for name in systems if named.get(name, every)}


def is_number(text: str) -> bool:
    """Whether a text is a number from 0 to 1."""
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def require_consensus(rule: int | str, references: int) -> None:
    """Raise an error if a consensus needs more references than there are."""
    if not 0 <= votes_needed(rule, references) <= references:
        raise UsageError(
            f"a consensus of {rule} needs more references than there are; choose 1 to {references}"
        )


def require_at_most(name: str, value: float, shown: str, unit: str = "") -> None:
    """Raise an error if a number is too large to count with."""
    if value > MOST:
        problem = f"{told(name, '…')}: {shortened(shown)} is too large"
        raise UsageError(f"{problem}; give at most {MOST:,}{unit}")
