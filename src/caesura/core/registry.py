"""What is named by `module:attribute` and imported on first use: one thing, or a registry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from importlib import import_module
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """A mapping of names to `module:attribute`, which are imported on demand.

    >>> Registry({"counts": "caesura.core.counts:Counts"})["counts"].__name__
    'Counts'
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)
        self._found: dict[str, T] = {}

    @classmethod
    def from_registries(cls, registries: Iterable[Registry[T]]) -> Registry[T]:
        """All names of several registries."""
        return cls({name: place for each in registries for name, place in each._places.items()})

    def __getitem__(self, name: str) -> T:
        if name not in self._found:
            self._found[name] = imported(self._places[name])
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places


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
