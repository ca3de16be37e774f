"""Partners of options that no task declares, and options of formats that no file takes.

Whether options of formats have an effect is known when files are read: a warning says so, and they
are not in the signature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caesura.core.option_rules import Setting, lacking, written
from caesura.core.option_rules import require_partners as require
from caesura.core.resampling_defaults import LEVEL, METHOD, RESAMPLES, UNIT

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
DEFAULTS: dict[str, object] = {
    "level": LEVEL,
    "resamples": RESAMPLES,
    "method": METHOD,
    "unit": UNIT,
    "missing": "error",
}
"""What these options are where they are not given."""


def require_partners(options: Mapping[str, object]) -> None:
    """Raise an error if an option is given that cannot have an effect with the others."""
    require(options, NEEDS, {}, DEFAULTS)


def unrefined(options: Mapping[str, object]) -> Iterator[str]:
    """Warnings of options that say how something is done that is not asked for."""
    for name, told in lacking(options, REFINES, DEFAULTS):
        yield f"{written(name, options[name])} has no effect without {told}"
