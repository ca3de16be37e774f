"""Partners: options that have an effect only with others, or none with some.

An option that is given where it cannot have an effect is an error: who gives it expects something
of it. One that has its default value was not given. Whether options of formats have an effect is
known when files are read: a warning says so, and they are not in the signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from caesura.errors import UsageError, option
from caesura.formats.registry import TIMED

Setting = tuple[str, str]
"""An option and a value of it, which may be any of ANY."""
ANY = ("", "…", "FILE")
"""The value of a flag, any value, and that of an output."""
STATISTICS: tuple[Setting, ...] = (("confidence", ""), ("compare", ""), ("blocks", ""))
NEEDS: dict[str, tuple[Setting, ...]] = {
    "axis_from": (("align", ""), ("runs", "…"), ("su", "")),
    "costs": (("also", "ghd"),),
    "uem": (("axis", "time"), ("su", "")),
    "pool": (("by", "…"), ("streams", "…")),
    "ties": (("profile", "paper"),),
    "tokenize": (("metrics", "bleu"), ("metrics", "auto")),
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
WORDS_ONLY = ("align", "normalize", "by", "k", "near")
CLASHES: dict[str, Setting] = dict.fromkeys(WORDS_ONLY, ("axis", "time"))
"""With what an option has no effect."""
DEFAULTS: dict[str, Any] = {
    "near": 2,
    "ties": "decimal",
    "tokenize": "auto",
    "metrics": "auto",
    "level": 0.95,
    "resamples": 10_000,
    "method": "bca",
    "unit": "auto",
    "missing": "error",
}
"""What options are that are not given, unless that is nothing."""
INSIDE = {"runs": "run"}
"""What options are called that have another name inside."""
UNTOLD = ("blocks",)
"""What is not an option of the commands, though one of them asks for it."""
FLAGS = ("align", "pool", "with_text")


def require_partners(options: Mapping[str, Any]) -> None:
    """Raise an error if an option is given that cannot have an effect with the others."""
    for name, told in _lacking(options, NEEDS):
        raise UsageError(f"{_written(name)} needs {told}")
    for name, clash in CLASHES.items():
        if _is_given(name, options.get(name)) and _has(options, clash):
            raise UsageError(f"{_written(name)} has no effect with {_setting(clash)}; drop one")


def unrefined(options: Mapping[str, Any]) -> Iterator[str]:
    """Warnings of options that say how something is done that is not asked for."""
    for name, told in _lacking(options, REFINES):
        yield f"{_written(name)} has no effect without {told}"


def _lacking(
    options: Mapping[str, Any], needs: Mapping[str, tuple[Setting, ...]]
) -> Iterator[tuple[str, str]]:
    """The options that are given without any that they need, and what these are."""
    for name, needed in needs.items():
        is_met = any(_has(options, each) for each in needed)
        if _is_given(name, options.get(name)) and not is_met:
            yield name, " or ".join(_setting(each) for each in needed if each[0] not in UNTOLD)


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


def _is_given(name: str, value: Any) -> bool:
    return bool(value) and value != DEFAULTS.get(name)


def _has(options: Mapping[str, Any], setting: Setting) -> bool:
    """Whether an option has a value, or holds it among others."""
    name, value = setting
    found = options.get(name, DEFAULTS.get(name))
    if value in ANY:
        return bool(found)
    return found == value or (isinstance(found, str | tuple | list) and value in found)


def _written(name: str) -> str:
    return _setting((name, "" if name in FLAGS else "…"))


def _setting(setting: Setting) -> str:
    name, value = setting
    return option(INSIDE.get(name, name), value or None)
