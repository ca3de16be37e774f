"""Plain values: results as lists, dicts, numbers and null, for JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np

SAME = frozenset((str, int, bool, type(None)))
"""Types whose values are plain as they are."""


def plain(value: Any, *, compact: bool = False) -> Any:
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
        return {
            key: item if type(item) in SAME else plain(item, compact=compact)
            for key, item in value.items()
        }
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if is_dataclass(value) or hasattr(value, "__plain__"):
        return (
            value.__plain__()
            if hasattr(value, "__plain__")
            else {
                name: plain(item, compact=compact)
                for name, item in _present(value, compact=compact)
            }
        )
    return [item if type(item) in SAME else plain(item, compact=compact) for item in value]


def _present(value: Any, *, compact: bool) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass, but for optional ones that are not there."""
    for field in fields(value):
        item = getattr(value, field.name)
        is_absent = item is None and field.default is None
        is_empty = compact and field.default_factory is not MISSING and not item
        if not is_absent and not is_empty:
            yield field.name, item
