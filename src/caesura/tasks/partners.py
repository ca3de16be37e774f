"""Partners of options that no task declares, and options of formats that no file takes.

Whether options of formats have an effect is known when files are read: a warning says so, and they
are not in the signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from caesura.core.partners import Setting, lacking, written
from caesura.core.partners import require_partners as require
from caesura.errors import option
from caesura.formats.registry import TIMED

STATISTICS: tuple[Setting, ...] = (("confidence", ""), ("compare", ""), ("blocks", ""))
NEEDS: dict[str, tuple[Setting, ...]] = {
    "with_text": (("rows", "FILE"),),
    "raw": (("run", "…"),),
    "missing": (("with", "…"),),
}
"""What an option needs one of to have an effect; it is an error without."""
REFINES: dict[str, tuple[Setting, ...]] = {
    "level": STATISTICS,
    "resamples": STATISTICS,
    "method": STATISTICS,
    "unit": (*STATISTICS, ("rows", "FILE")),
}
"""The same for options that say how something else is done; scripts may always give them."""
DEFAULTS: dict[str, Any] = {
    "level": 0.95,
    "resamples": 10_000,
    "method": "bca",
    "unit": "auto",
    "missing": "error",
}
"""What these options are where they are not given."""


def require_partners(options: Mapping[str, Any]) -> None:
    """Raise an error if an option is given that cannot have an effect with the others."""
    require(options, NEEDS, {}, DEFAULTS)


def unrefined(options: Mapping[str, Any]) -> Iterator[str]:
    """Warnings of options that say how something is done that is not asked for."""
    for name, told in lacking(options, REFINES, DEFAULTS):
        yield f"{written(name, options[name])} has no effect without {told}"


def without_effect(options: Mapping[str, Any], forms: Iterable[str]) -> Iterator[str]:
    """The options of formats that none of the files takes, given the forms in which they came."""
    formats = [TIMED[name] for form in forms if (name := form.partition("-")[0]) in TIMED]
    for name in ("tier", "rate"):
        if options.get(name) and not any(name in each.options for each in formats):
            yield name
    if options.get("units") in ("marks", "segments", "intervals") and not formats:
        yield "units"


def useless(options: Mapping[str, Any], forms: Iterable[str]) -> Iterator[str]:
    """What is said of them; a tier whose name ends with `?` need not be there."""
    for name in without_effect(options, forms):
        takers = [key for key, each in TIMED.items() if name in each.options] or ["timed"]
        if not str(options[name]).endswith("?"):
            yield f"{option(name, '…')} has no effect: no file is {' or '.join(takers)}"
