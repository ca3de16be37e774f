"""Typed values: a dataclass from the plain values of JSON, checked against its type hints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def typed(kind: type[T], value: Any) -> T:
    """Take back what `plain` gave of a dataclass; a ValueError where a value is of another kind.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Point:
    ...     name: str
    ...     places: tuple[int, ...] = ()
    >>> typed(Point, {"name": "a", "places": [1, 2]})
    Point(name='a', places=(1, 2))
    >>> typed(Point, {"name": "a", "places": ["x"]})
    Traceback (most recent call last):
    ValueError: places: 'x' is not a valid int
    """
    result: T = _taken(kind, value, "")
    return result


def _taken(kind: Any, value: Any, place: str) -> Any:
    """One value, as a type hint says; what is written as its name stays that name."""
    if is_dataclass(kind) or hasattr(kind, "__plain__"):
        return _object(kind, value, place)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _one_of(get_args(kind), value, place)
    if origin is Literal:
        return _checked(value, value in get_args(kind), kind, place)
    if origin is tuple:
        items = _checked(value, isinstance(value, list | tuple), list, place)
        return _items(get_args(kind), items, place)
    if origin is not None and issubclass(origin, Mapping):
        known = _checked(value, isinstance(value, dict), dict, place)
        return {key: _taken(get_args(kind)[1], item, key) for key, item in known.items()}
    return value if kind is Any else _scalar(kind, value, place)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _object(kind: Any, value: Any, place: str) -> Any:
    if hasattr(kind, "__plain__"):
        return _scalar(str, value, place)
    known, hints = _checked(value, isinstance(value, dict), dict, place), _hints(kind)
    own = {each.name: each for each in fields(kind)}
    if unknown := sorted(set(known) - set(own)):
        raise ValueError(_at(place, f"unknown: {unknown[0]}"))
    for name, each in own.items():
        if name not in known and each.default is MISSING and each.default_factory is MISSING:
            raise ValueError(_at(place, f"no {name}"))
    return kind(**{name: _taken(hints[name], item, name) for name, item in known.items()})


def _one_of(kinds: tuple[Any, ...], value: Any, place: str) -> Any:
    """A value that may be None; no other union is needed."""
    if value is None and NoneType in kinds:
        return None
    (kind,) = (each for each in kinds if each is not NoneType)
    return _taken(kind, value, place)


def _items(kinds: tuple[Any, ...], values: Sequence[Any], place: str) -> tuple[Any, ...]:
    if kinds[-1] is Ellipsis:
        if set(map(type, values)) == {kinds[0]}:
            return tuple(values)
        return tuple(_taken(kinds[0], item, place) for item in values)
    if tuple(map(type, values)) == kinds:
        return tuple(values)
    _checked(values, len(values) == len(kinds), tuple, place)
    return tuple(_taken(kind, item, place) for kind, item in zip(kinds, values, strict=True))


def _scalar(kind: Any, value: Any, place: str) -> Any:
    if kind is float:
        if value is None:
            return math.nan
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(_checked(value, is_number, float, place))
    is_right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    return _checked(value, is_right, kind, place)


def _checked(value: Any, is_right: bool, kind: Any, place: str) -> Any:  # noqa: FBT001
    if not is_right:
        name = getattr(kind, "__name__", str(kind))
        raise ValueError(_at(place, f"{value!r:.60} is not a valid {name}"))
    return value


def _at(place: str, problem: str) -> str:
    return f"{place}: {problem}" if place else problem
