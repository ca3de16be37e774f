"""What is named by `module:attribute` and imported on first use; mappings that plug-ins extend."""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    ValuesView,
)
from dataclasses import dataclass
from functools import cached_property, reduce
from importlib import import_module
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """A mapping of names to `module:attribute`, which are imported on demand.

    Plug-ins of the group `plugged` have names, too: `tasks`, or `measures/TASK` for those whose
    name begins with `TASK.`. Iterating does not show them; `added()` does.

    >>> Registry({"counts": "caesura.core.counts:Counts"})["counts"].__name__
    'Counts'
    """

    def __init__(self, places: Mapping[str, str], plugged: str = "") -> None:
        self._places = dict(places)
        self._found: dict[str, T] = {}
        self._plugged = plugged

    @classmethod
    def from_registries(cls, registries: Iterable[Registry[T]]) -> Registry[T]:
        """All names of several registries."""
        every = (places for each in registries for places in (each._places, each.brought()))
        return cls({name: place for places in every for name, place in places.items()})

    def brought(self) -> Mapping[str, str]:
        """What comes along from elsewhere, each at `module:attribute`."""
        return {}

    def __getitem__(self, name: str) -> T:
        if name not in self._found:
            place = self._places.get(name) or self.brought().get(name)
            self._found[name] = imported(place) if place else self.added()[name]
        return self._found[name]

    def added(self) -> dict[str, T]:
        """What plug-ins add, by name; nothing replaces what is ours."""
        if not self._plugged:
            return {}
        from caesura.core.plugins import plugins

        group, _, task = self._plugged.partition("/")
        start = f"{task}." if task else ""
        named = {name.removeprefix(start): (name, each) for name, each in plugins(group).items()
                 if name.startswith(start)}  # fmt: skip
        return {name: each for name, (_, each) in named.items() if name not in self._places}

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        if name in self._places or name in self.brought():
            return True
        return isinstance(name, str) and name in self.added()


class Extensible(dict[str, T]):
    """A dict of ours that plug-ins extend, once a name is asked for that it does not have.

    `made` takes the name and what the entry point holds, and returns the value, or raises an error.
    What comes along may be at `module:attribute`, too: it is imported when it is asked for, and
    made in the same way. Iterating shows what plug-ins add only after `extended()`. `others` are
    names that are something else, for which no plug-in is looked for.
    """

    def __init__(
        self,
        own: Mapping[str, T] | Mapping[str, str],
        group: str,
        made: Callable[[str, Any], T],
        others: Collection[str] = (),
    ) -> None:
        super().__init__(own)  # type: ignore[arg-type]  # places, until they are imported
        self._group, self._made, self._is_open = group, made, True
        self._others = frozenset(others)

    def extended(self) -> Extensible[T]:
        """The registry with what plug-ins add; built-in entries are never replaced."""
        if self._is_open:
            self._is_open = False
            from caesura.core.plugins import plugins

            for name, value in plugins(self._group).items():
                self._add(name, value)
        return self

    def _add(self, name: str, value: object) -> None:
        try:
            if dict.__contains__(self, name):
                raise ValueError("caesura has something of that name")  # noqa: TRY301
            self[name] = self._made(name, value)
        except (TypeError, ValueError, AttributeError, ImportError) as problem:
            from caesura.core.plugins import leave_out

            leave_out(self._group, name, str(getattr(value, "__module__", "")), str(problem))

    def __getitem__(self, name: str) -> T:
        value = super().__getitem__(name)
        if isinstance(value, str):
            value = self[name] = self._made(name, imported(value))
        return value

    def __missing__(self, name: str) -> T:
        if name not in self:
            raise KeyError(name)
        return self[name]

    def items(self) -> Any:
        """The names with their values."""
        return ItemsView(self)

    def values(self) -> Any:
        """The values."""
        return ValuesView(self)

    def __contains__(self, name: object) -> bool:
        if dict.__contains__(self, name):
            return True
        is_other = not name or not isinstance(name, str) or name in self._others
        return not is_other and dict.__contains__(self.extended(), name)

    def get(self, name: str, default: object = None) -> Any:
        """The value of a name, or a default."""
        return self[name] if name in self else default  # noqa: SIM401  # this is `get`


@dataclass(frozen=True)
class Later(Generic[T]):
    """Something at `module:attribute`, which is imported when it is needed."""

    place: str

    @cached_property
    def it(self) -> T:
        """What is there."""
        return imported(self.place)  # type: ignore[no-any-return]


def imported(place: str) -> Any:
    """What is at `module:attribute`; attributes of attributes are separated by dots."""
    module, _, path = place.partition(":")
    return reduce(getattr, path.split("."), import_module(module))


def required(kind: type[T], value: object) -> T:
    """A value of the type that a group holds; anything else is a TypeError."""
    if not isinstance(value, kind):
        raise TypeError(f"it is no {kind.__name__}")
    return value
