"""Counts of panels: fields that are kept by the number of references, so that panels may differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from caesura.core.arrays import Numeric
from caesura.core.counts import Counts, Items

if TYPE_CHECKING:
    from caesura.core.json_values import JsonObject

UNKNOWN = 0
"""The size of panels that all have the same, so that it does not matter."""


class PanelCounts(Counts):
    """Counts of which the fields in `sized` mean something else for each size of a panel.

    Their sums over all panels are the fields themselves; `by_size` has them for each size, with the
    size first, and is empty if there is one size only. A class that derives from it declares
    `by_size` as its last field.
    """

    __slots__ = ()

    sized: ClassVar[tuple[str, ...]] = ()
    by_size: tuple[tuple[Any, ...], ...]

    @property
    def size(self) -> int:
        """The number of references, if it is the same everywhere."""
        raise NotImplementedError

    @property
    def parts(self) -> dict[int, tuple[Any, ...]]:
        """The sized fields by the size of the panel, those that are not all 0."""
        own = tuple(getattr(self, name) for name in self.sized)
        every = self.by_size or ((self.size, *own),)
        return {size: tuple(values) for size, *values in every if any(map(np.any, values))}

    def items(self) -> Items:
        """The counts one by one, the sized ones under their size and their name."""
        found: Items = {name: getattr(self, name) for name in self._plain()}
        for size, values in self.parts.items():
            found |= {(size, name): n for name, n in zip(self.sized, values, strict=True)}
        return found

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned; what is not there is 0."""
        sizes = sorted({item[0] for item in items if isinstance(item, tuple)})
        each = [[items.get((size, name), 0) for name in cls.sized] for size in sizes]
        sums = dict(zip(cls.sized, map(sum, zip(*each, strict=True)), strict=False))
        fields = {name: items.get(name, 0) for name in cls._plain()} | sums
        every = tuple((size, *values) for size, values in zip(sizes, each, strict=True))
        only = sizes[0] if len(sizes) == 1 else UNKNOWN
        fields |= cls._of_size(only)
        known = {name: fields.get(name, 0) for name in cls._names()}
        return cls(**known, by_size=every if len(sizes) > 1 else ())  # type: ignore[call-arg]

    @classmethod
    def _of_size(cls, size: int) -> dict[str, int]:  # noqa: ARG003
        """The fields that say how large the panels are, if they all are."""
        return {}

    @classmethod
    def _plain(cls) -> list[str]:
        """The fields that mean the same whatever the size."""
        return [name for name in cls._names() if name not in cls.sized]

    @classmethod
    def _names(cls) -> list[str]:
        """All fields but those by size."""
        names: tuple[str, ...] = cls.__match_args__
        return [name for name in names if name != "by_size"]

    @classmethod
    def zero(cls) -> Self:
        """All zero."""
        return cls.from_items({})

    def to_dict(self) -> JsonObject:
        """The counts as plain JSON; those by size only where sizes differ."""
        told = {name: getattr(self, name) for name in self._names()}
        return told | ({"by_size": self.by_size} if self.by_size else {})

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Pickle plain values."""
        return type(self), (*(getattr(self, name) for name in self._names()), self.by_size)

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        ours, theirs = self.items(), other.items()
        every = {**ours, **theirs}
        return self.from_items({item: ours.get(item, 0) + theirs.get(item, 0) for item in every})

    def scaled(self, name: str, per: Callable[[int], int]) -> Numeric:
        """The sum of a field over all sizes, each divided by what a function says of the size.

        It is multiplied by their least common multiple, so that it is whole; of one size, it is
        the field as it is. Where sizes differ, the numbers are Python's own, which are exact.
        Sizes of which it says 0 have nothing to sum, such as pairs of one reference.
        """
        if not self.by_size:
            return getattr(self, name)
        at = 1 + self.sized.index(name)
        rows = [row for row in self.by_size if row[0] == UNKNOWN or per(row[0])]
        divisors = [per(row[0]) for row in rows if row[0] != UNKNOWN]
        whole = math.lcm(*divisors)
        of_unknown = divisors[-1] if divisors else 1
        return sum(
            _exact(row[at]) * (whole // (of_unknown if row[0] == UNKNOWN else per(row[0])))
            for row in rows
        )


def _exact(value: Numeric) -> Numeric:
    """Whole numbers as Python's own, which do not overflow."""
    if not isinstance(value, np.ndarray):
        return int(value)
    flat = [int(each) for each in value.ravel().tolist()]
    exact = np.empty(len(flat), object)
    exact[:] = flat
    return exact.reshape(value.shape)
