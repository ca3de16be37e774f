"""Counts: what a measure computes from a document. They add with `+`; rates follow from them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

import numpy as np

if TYPE_CHECKING:
    from caesura.core.json_values import JsonObject

NAN = math.nan
C = TypeVar("C", bound="Counts")
Items = dict[Any, Any]
"""Counts one by one, or arrays of them, by the name of a field, or a tuple where fields vary."""


def ratio(part: float, whole: float, empty: float = NAN) -> float:
    """Divide; x/0 is undefined (nan), not zero. Arrays are divided element by element.

    >>> ratio(1, 2), ratio(0, 0)
    (0.5, nan)
    """
    if isinstance(part, np.ndarray) or isinstance(whole, np.ndarray):
        if np.asarray(part).dtype == object or np.asarray(whole).dtype == object:
            pairs = np.broadcast(np.asarray(part, object), np.asarray(whole, object))
            exact = [above / below if below else empty for above, below in pairs]
            return np.array(exact, np.float64).reshape(pairs.shape)
        result = np.full(np.broadcast_shapes(np.shape(part), np.shape(whole)), empty)
        return np.divide(part, whole, out=result, where=np.not_equal(whole, 0))
    return part / whole if whole else empty


def root(value: float) -> float:
    """The square root; arrays element by element, with the bits of numbers, unlike powers."""
    return np.sqrt(value) if isinstance(value, np.ndarray) else math.sqrt(value)


def harmonic(a: float, b: float) -> float:
    """The harmonic mean of precision and recall.

    It is 0 where one of them is 0, even if the other is undefined, and undefined where both are.
    """
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        mean: object = np.where(np.equal(a, 0) | np.equal(b, 0), 0.0, ratio(2 * a * b, a + b))
        return mean
    if a == 0 or b == 0:
        return 0.0
    return 2 * a * b / (a + b)


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
    """The base of all counts: whole numbers that add field by field; all zero is the identity.

    Those that have levels are counts for each of many values, such as the scores of places.
    """

    has_levels: ClassVar[bool] = False

    @classmethod
    def zero(cls) -> Self:
        """All zero."""
        return cls(**{field.name: 0 for field in fields(cls)})

    @classmethod
    def from_dict(cls, values: dict[str, object]) -> Self:
        """Read what `to_dict` returned; anything else is a ValueError."""
        from caesura.core.json_values import typed

        return typed(cls, values)

    def to_dict(self) -> JsonObject:
        """The counts as plain JSON."""
        names: tuple[str, ...] = self.__match_args__
        return {name: getattr(self, name) for name in names}

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Pickle plain values: a dataclass takes three times as long to unpickle."""
        return type(self), tuple(self.to_dict().values())

    def items(self) -> Items:
        """The counts one by one, under keys that are the same for all documents."""
        return self.to_dict()

    @classmethod
    def from_items(cls, items: Items) -> Self:
        """Read what `items` returned; with arrays instead of numbers, rates are arrays."""
        return cls(**items)

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        names: tuple[str, ...] = self.__match_args__
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in names))

    def __radd__(self, other: int) -> Self:
        return self if other == 0 else NotImplemented


@dataclass(frozen=True, slots=True)
class GroupedCounts(Counts):
    """Counts of groups that vary from document to document: they add item by item."""

    @classmethod
    def zero(cls) -> Self:
        """All zero."""
        return cls.from_items({})

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        ours, theirs = self.items(), other.items()
        items = sorted(ours | theirs, key=lambda item: (isinstance(item, str), item))
        return self.from_items({item: ours.get(item, 0) + theirs.get(item, 0) for item in items})


def of_arrays(kind: type[C], *arrays: object) -> C:
    """Counts whose fields are arrays, with a number for each document."""
    return kind(*arrays)


def of_numbers(kind: type[C], items: Iterable[tuple[object, int]]) -> C:
    """Counts of single numbers; fields that vary, as marks do, are there if they are not 0."""
    fixed: tuple[str, ...] = kind.__match_args__
    return kind.from_items({name: number for name, number in items if number or name in fixed})


def single(counts: C) -> C:
    """The counts of the only document, of counts whose fields are arrays."""
    kind = type(counts)
    if kind.has_levels:
        names: tuple[str, ...] = kind.__match_args__[:-1]
        return kind(*(getattr(counts, name) for name in names))
    items: Any = counts.items().items()
    return of_numbers(type(counts), [(name, values.item()) for name, values in items])


def stacked(kind: type[Counts], counts: Sequence[C]) -> C:
    """The counts of some documents as one whose fields are arrays."""
    every = [each.items() for each in counts]
    items = dict.fromkeys(item for each in (kind.zero().items(), *every) for item in each)
    columns = {item: np.array([each.get(item, 0) for each in every], np.int64) for item in items}
    return cast("C", kind.from_items(columns))


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
