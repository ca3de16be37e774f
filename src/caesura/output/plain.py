"""Plain values: results as JSON has them, lists, dicts, numbers and null."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """The same as plain values: undefined is None, and so is left out what is None or empty.

    >>> plain({"f1": float("nan"), "pair": (1, 2.5)})
    {'f1': None, 'pair': [1, 2.5]}
    """
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if is_dataclass(value):
        return _of_fields(value)
    return [plain(item) for item in value]


def _of_fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, but for optional ones that are not there."""
    found = {}
    for field in fields(value):
        item = getattr(value, field.name)
        if item is None and field.default is None:
            continue
        found[field.name] = plain(item)
    return found
