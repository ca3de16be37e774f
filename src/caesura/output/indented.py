"""Indented JSON: what `json.dumps(…, indent=2)` gives, several times as fast.

With an indent, the encoder of the standard library is pure Python and yields every comma. Without
one it is written in C; so what holds no containers is given to that one, with a separator that
contains the indent.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from json import JSONEncoder
from json.encoder import encode_basestring
from math import isfinite
from typing import Any

DEEPER = "  "
CONTAINERS = dict, list, tuple
FEW = 8
"""Fewer items than this are written faster without the encoder, which takes time to set up."""


def indented(value: Any, before: str = "") -> str:
    """Plain values as JSON, two blanks deeper on each level; nan is a ValueError.

    >>> print(indented({"f1": 0.5, "pairs": [1, None]}))
    {
      "f1": 0.5,
      "pairs": [
        1,
        null
      ]
    }
    """
    if not isinstance(value, CONTAINERS) or not value:
        return _scalar(value)
    inner = before + DEEPER
    is_flat = len(value) >= FEW and not _has_containers(value)
    body = _encoder(inner)(value)[1:-1] if is_flat else _items(value, inner)
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n{inner}{body}\n{before}{last}"


def _has_containers(value: Any) -> bool:
    each = value.values() if isinstance(value, dict) else value
    return any(isinstance(one, CONTAINERS) for one in each)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if type(value) is int or (type(value) is float and isfinite(value)):
        return repr(value)
    return _encoder("")(value)


def _items(value: Any, inner: str) -> str:
    """The items of a container, one by one."""
    if isinstance(value, dict):
        items = [f"{_key(key)}: {indented(each, inner)}" for key, each in value.items()]
    else:
        items = [indented(each, inner) for each in value]
    return f",\n{inner}".join(items)


def _key(key: Any) -> str:
    """A key, which JSON always writes as a string."""
    return encode_basestring(key) if isinstance(key, str) else _encoder("")({key: 0})[1:-4]


@cache
def _encoder(inner: str) -> Callable[[Any], str]:
    separators = f",\n{inner}", ": "
    return JSONEncoder(ensure_ascii=False, allow_nan=False, separators=separators).encode
