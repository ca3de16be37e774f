"""Errors as they are listed: written to a file, and the first or most frequent shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from caesura.output.tables import Table

Readings = Iterable[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Found:
    """Errors as they are shown: tables of frequent ones, and passages."""

    tables: tuple[Table, ...] = ()
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Errors:
    """How the errors of a task are found in readings, shown, and written to a file."""

    find: Callable[[Readings], Iterator[Any]]
    show: Callable[[Iterable[Any], int], Found]
    write: Callable[[str, Iterable[Any]], None]
