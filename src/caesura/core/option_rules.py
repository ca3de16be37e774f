"""Partners: options that have an effect only with others, or none with some.

An option that is given where it cannot have an effect is an error: who gives it expects something
of it. One that has its default value was not given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caesura.core.resampling_defaults import LEVEL, METHOD, RESAMPLES, UNIT
from caesura.errors import UsageError, option

Setting = tuple[str, str]
"""An option and a value of it, which may be any of ANY."""
Needs = Mapping[str, tuple[Setting, ...]]
"""The settings that options need one of to have an effect, or with which they have none."""
ANY = ("", "…", "FILE")
"""The value of a flag, any value, and that of an output."""
INSIDE = {"runs": "run"}
"""What options are called that have another name inside."""
UNTOLD = ("blocks",)
"""What is not an option of the commands, though one of them asks for it."""
STATISTICS: tuple[Setting, ...] = (("confidence", ""), ("compare", ""), ("blocks", ""))
SHARED_NEEDS: dict[str, tuple[Setting, ...]] = {
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
SHARED_DEFAULTS: dict[str, object] = {
    "level": LEVEL,
    "resamples": RESAMPLES,
    "method": METHOD,
    "unit": UNIT,
    "missing": "error",
}
"""What these options are where they are not given."""


def require_partners(
    options: Mapping[str, object],
    needs: Needs,
    clashes: Needs,
    defaults: Mapping[str, object],
) -> None:
    """Raise an error if an option is given that cannot have an effect with the others."""
    for name, told in lacking(options, needs, defaults):
        raise UsageError(f"{written(name, options[name])} needs {told}")
    pairs = ((name, clash) for name, settings in clashes.items() for clash in settings)
    for name, clash in pairs:
        is_given = bool(options.get(name)) and options[name] != defaults.get(name)
        if is_given and _has(options, clash, defaults):
            problem = f"{written(name, options[name])} has no effect with {_setting(clash)}"
            raise UsageError(f"{problem}; drop one")


def require_shared_partners(options: Mapping[str, object]) -> None:
    """Raise an error if an option that no task declares cannot have an effect with the others."""
    require_partners(options, SHARED_NEEDS, {}, SHARED_DEFAULTS)


def unrefined(options: Mapping[str, object]) -> Iterator[str]:
    """Warnings of options that say how something is done that is not asked for."""
    for name, told in lacking(options, REFINES, SHARED_DEFAULTS):
        yield f"{written(name, options[name])} has no effect without {told}"


def lacking(
    options: Mapping[str, object], needs: Needs, defaults: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    """The options that are given without any that they need, and what these are."""
    for name, needed in needs.items():
        is_given = bool(options.get(name)) and options[name] != defaults.get(name)
        if is_given and not any(_has(options, each, defaults) for each in needed):
            yield name, " or ".join(_setting(each) for each in needed if each[0] not in UNTOLD)


def written(name: str, value: object) -> str:
    """An option as messages name it."""
    return _setting((name, "" if value is True else "…"))


def _has(options: Mapping[str, object], setting: Setting, defaults: Mapping[str, object]) -> bool:
    """Whether an option has a value, or holds it among others."""
    name, value = setting
    found = options.get(name, defaults.get(name))
    if value in ANY:
        return bool(found)
    return found == value or (isinstance(found, str | tuple | list) and value in found)


def _setting(setting: Setting) -> str:
    name, value = setting
    return option(INSIDE.get(name, name), value or None)
