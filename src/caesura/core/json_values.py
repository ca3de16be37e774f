"""JSON values: dataclasses as lists, dicts, numbers and null, and back, checked by type hints."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

LARGEST = int(sys.float_info.max)
T = TypeVar("T")
Json = Any
"""A value of JSON, as `json.loads` returns it."""
JsonObject = dict[str, Json]
"""A JSON object: values of any kind by name."""

Hint = Any
"""A type hint: a class, or what `typing` makes of several."""

SAME = frozenset((str, int, bool, type(None)))
"""Types whose values are plain as they are."""
SCALARS = SAME | {float}


def plain(value: Json, *, compact: bool = False) -> Json:
    """The same as plain values: undefined is None, and what is optional and absent is left out.

    With `compact`, what is optional and empty is left out, too. What has `__plain__` is what that
    returns: a task is its name.

    >>> plain({"f1": float("nan"), "pair": (1, 2.5)})
    {'f1': None, 'pair': [1, 2.5]}
    """
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return _plain_mapping(value, compact=compact)
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if hasattr(value, "__plain__") or (is_dataclass(value) and not isinstance(value, Sequence)):
        return _plain_object(value, compact=compact)
    return [item if type(item) in SAME else plain(item, compact=compact) for item in value]


def _plain_object(value: object, *, compact: bool) -> Json:
    if hasattr(value, "__plain__"):
        return value.__plain__()
    present = _present(value, compact=compact)
    return {name: plain(item, compact=compact) for name, item in present}


def _plain_mapping(value: Mapping[str, object], *, compact: bool) -> JsonObject:
    """A mapping with plain values; most of a result is scores by key, which are quick to see."""
    if SCALARS.issuperset(map(type, value.values())):
        # only nan is not equal to itself
        return {key: item if item == item else None for key, item in value.items()}  # noqa: PLR0124
    return {key: plain(item, compact=compact) for key, item in value.items()}


def _present(value: Json, *, compact: bool) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass, but for optional ones that are not there."""
    for field in fields(value):
        item = getattr(value, field.name)
        is_absent = item is None and field.default is None
        is_empty = compact and field.default_factory is not MISSING and not item
        if not is_absent and not is_empty:
            yield field.name, item


def typed(kind: type[T], value: object) -> T:
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
    result: T = _read(kind, value, "")
    return result


def _read(kind: Hint, value: object, place: str) -> Any:
    """One value, as a type hint says; what is written as its name stays that name."""
    if type(value) is kind and kind in SAME:
        return value
    return _reader(kind)(value, place)


@cache
def _reader(kind: Hint) -> Callable[[Json, str], Any]:
    """What reads values of a type hint."""
    if is_dataclass(kind) or hasattr(kind, "__plain__"):
        return partial(_read_object, kind)
    origin: Hint = get_origin(kind)
    kinds = get_args(kind)
    if origin in (Union, UnionType):
        return partial(_one_of, kinds)
    if origin is Literal:
        return lambda value, place: _checked(value, value in kinds, kind, place)
    if origin in (tuple, Sequence):
        return partial(_read_items, kinds if origin is tuple else (*kinds, Ellipsis))
    if origin is not None and issubclass(origin, Mapping):
        return partial(_read_mapping, kinds[1])
    return (lambda value, _: value) if kind is Any else partial(_read_scalar, kind)


def _read_mapping(kind: Hint, value: Json, place: str) -> dict[str, Any]:
    known = _checked(value, isinstance(value, dict), dict, place)
    return {key: _read(kind, item, key) for key, item in known.items()}


@cache
def _fields(kind: Hint) -> tuple[dict[str, Hint], tuple[str, ...]]:
    """The types of a dataclass's fields by name, and the names of those without a default."""
    hints, every = get_type_hints(kind), fields(kind)
    needed = [e.name for e in every if e.default is MISSING and e.default_factory is MISSING]
    return {each.name: hints[each.name] for each in every}, tuple(needed)


def _read_object(kind: Hint, value: Json, place: str) -> Any:
    if hasattr(kind, "__plain__"):
        return _read_scalar(str, value, place)
    known, (hints, needed) = _checked(value, isinstance(value, dict), dict, place), _fields(kind)
    if not hints.keys() >= known.keys():
        raise ValueError(_at(place, f"unknown: {min(known.keys() - hints.keys())}"))
    for name in needed:
        if name not in known:
            raise ValueError(_at(place, f"no {name}"))
    return kind(**{name: _read(hints[name], item, name) for name, item in known.items()})


def _one_of(kinds: tuple[Hint, ...], value: Json, place: str) -> Any:
    """A value that may be None, or of one of several scalar types."""
    if value is None and NoneType in kinds:
        return None
    known = [each for each in kinds if each is not NoneType]
    fitting = (each for each in known if each in SCALARS and isinstance(value, each))
    return _read(next(fitting, known[0]), value, place)


def _read_items(kinds: tuple[object, ...], values: Json, place: str) -> tuple[Any, ...]:
    _checked(values, isinstance(values, list | tuple), list, place)
    if kinds[-1] is Ellipsis:
        if set(map(type, values)) == {kinds[0]}:
            return tuple(values)
        return tuple(_read(kinds[0], item, place) for item in values)
    if tuple(map(type, values)) == kinds:
        return tuple(values)
    _checked(values, len(values) == len(kinds), tuple, place)
    return tuple(_read(kind, item, place) for kind, item in zip(kinds, values, strict=True))


def _read_scalar(kind: Hint, value: Json, place: str) -> Any:
    if kind is float:
        if value is None:
            return math.nan
        is_number = isinstance(value, float) or (type(value) is int and abs(value) <= LARGEST)
        return float(_checked(value, is_number, float, place))
    is_right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    return _checked(value, is_right, kind, place)


def _checked(value: object, is_right: bool, kind: Hint, place: str) -> Any:  # noqa: FBT001
    if not is_right:
        name = getattr(kind, "__name__", str(kind))
        raise ValueError(_at(place, f"{value!r:.60} is not a valid {name}"))
    return value


def _at(place: str, problem: str) -> str:
    return f"{place}: {problem}" if place else problem
