"""Registries: names mapped to objects that are imported on first use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import TypeVar

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
            module, _, attribute = self._places[name].partition(":")
            self._found[name] = getattr(import_module(module), attribute)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places
