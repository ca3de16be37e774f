"""Counts: what a measure computes from a document. They add with `+`; rates follow from them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self, TypeVar

import numpy as np

from caesura.core.typed import typed

NAN = math.nan
C = TypeVar("C", bound="Counts")


def ratio(part: float, whole: float, empty: float = NAN) -> float:
    """Divide; x/0 is undefined (nan), not zero. Arrays are divided element by element.

    >>> ratio(1, 2), ratio(0, 0)
    (0.5, nan)
    """
    if isinstance(part, np.ndarray) or isinstance(whole, np.ndarray):
        return _ratios(part, whole, empty)
    return part / whole if whole else empty


def _ratios(part: Any, whole: Any, empty: float) -> Any:
    if np.asarray(part).dtype == object or np.asarray(whole).dtype == object:
        pairs = np.broadcast(part, whole)
        exact = [above / below if below else empty for above, below in pairs]
        return np.array(exact, np.float64).reshape(pairs.shape)
    result = np.full(np.broadcast_shapes(np.shape(part), np.shape(whole)), empty)
    return np.divide(part, whole, out=result, where=np.not_equal(whole, 0))


def harmonic(a: float, b: float) -> float:
    """The harmonic mean of precision and recall.

    It is 0 where one of them is 0, even if the other is undefined, and undefined where both are.
    """
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        mean: Any = np.where(np.equal(a, 0) | np.equal(b, 0), 0.0, ratio(2 * a * b, a + b))
        return mean
    if a == 0 or b == 0:
        return 0.0
    return 2 * a * b / (a + b)


def mean(values: list[float]) -> float:
    """The mean of the defined values; undefined if there are none."""
    if any(isinstance(value, np.ndarray) for value in values):
        every: Any = np.stack(np.broadcast_arrays(*values))
        known = ~np.isnan(every)
        return ratio(every.sum(axis=0, where=known), np.count_nonzero(known, axis=0))
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else NAN


def exact_mean(values: list[Any]) -> Any:
    """The same as `mean` for arrays, with the same bits as for each of their numbers alone."""
    return exact_means(np.stack(np.broadcast_arrays(*values))) if values else NAN


def exact_means(every: Any) -> Any:
    """The means over the first axis of an array, as `mean` has them for lists of numbers."""
    every = np.asarray(every, np.float64)
    known = ~np.isnan(every)
    number = np.count_nonzero(known, axis=0)
    filled: Any = np.where(known, every, 0.0)
    if len(every) < 3:
        return ratio(filled.sum(axis=0), number)
    flat = filled.reshape(len(every), every[0].size)
    sums: Any = np.array([math.fsum(each) for each in flat.T.tolist()])
    return ratio(sums.reshape(every.shape[1:]), number)


def pearson(x: list[float], y: list[float]) -> float:
    """Pearson's correlation over the pairs in which both values are defined.

    >>> pearson([1, 2, 3], [2, 4, 6])
    1.0
    """
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if not math.isnan(a + b)]
    if any(len(set(side)) < 2 for side in zip(*pairs, strict=True)) or not pairs:
        return NAN
    mean_x, mean_y = (math.fsum(side) / len(pairs) for side in zip(*pairs, strict=True))
    products = math.fsum((a - mean_x) * (b - mean_y) for a, b in pairs)
    squares = [math.fsum((a - mean_x) ** 2 for a, _ in pairs)]
    squares.append(math.fsum((b - mean_y) ** 2 for _, b in pairs))
    return ratio(products, math.sqrt(squares[0] * squares[1]))


@dataclass(frozen=True, slots=True)
class Counts:
    """The base of all counts: whole numbers that add field by field; all zero is the identity."""

    @classmethod
    def zero(cls) -> Self:
        """All zero."""
        return cls(**{field.name: 0 for field in fields(cls)})

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Read what `to_dict` returned; anything else is a ValueError."""
        return typed(cls, values)

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain JSON."""
        names: tuple[str, ...] = self.__match_args__
        return {name: getattr(self, name) for name in names}

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Pickle plain values: a dataclass takes three times as long to unpickle."""
        return type(self), tuple(self.to_dict().values())

    def items(self) -> dict[Any, int]:
        """The counts one by one, under keys that are the same for all documents."""
        return self.to_dict()

    @classmethod
    def from_items(cls, items: Mapping[Any, Any]) -> Self:
        """Read what `items` returned; with arrays instead of numbers, rates are arrays."""
        return cls(**items)

    def each(self, documents: int = 1) -> list[Self]:  # noqa: ARG002
        """The counts of each document, where the fields are arrays with a number for each."""
        names: tuple[str, ...] = self.__match_args__
        columns = (getattr(self, name).tolist() for name in names)
        return list(map(type(self), *columns))

    def divided(self, parts: int) -> list[Self]:
        """Divide counts whose fields are arrays into parts of the same size."""
        items = {key: np.split(values, parts) for key, values in self.items().items()}
        return [
            self.from_items({key: each[at] for key, each in items.items()}) for at in range(parts)
        ]

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        names: tuple[str, ...] = self.__match_args__
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in names))

    def __radd__(self, other: int) -> Self:
        return self if other == 0 else NotImplemented


def of_arrays(kind: type[C], *arrays: Any) -> C:
    """Counts whose fields are arrays, with a number for each document."""
    return kind(*arrays)


def stacked(kind: type[C], counts: Sequence[C]) -> C:
    """The counts of some documents as one whose fields are arrays."""
    every = [each.items() for each in counts]
    items = dict.fromkeys(item for each in (kind.zero().items(), *every) for item in each)
    return kind.from_items(
        {item: np.array([each.get(item, 0) for each in every], np.int64) for item in items}
    )


@dataclass(frozen=True, slots=True)
class Matches(Counts):
    """True positives, false positives and false negatives."""

    tp: int
    fp: int
    fn: int

    @classmethod
    def from_totals(cls, right: int, found: int, wanted: int) -> Matches:
        """Take how many are right, and how many there are on either side."""
        return Matches(right, found - right, wanted - right)

    @property
    def precision(self) -> float:
        """tp / (tp + fp)."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """tp / (tp + fn)."""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """2·tp / (2·tp + fp + fn)."""
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def score(self) -> float:
        """F1."""
        return self.f1
