"""Arrays of sorted positions: membership, unions, differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
MarkArray = npt.NDArray[np.str_]
ScoreArray = npt.NDArray[np.float32]
Number = TypeVar("Number", bound=np.number[Any])
Array = npt.NDArray[Any]
"""An array of any type."""
Numeric = Any
"""A number, or an array of them: counts and rates of one document, or of many at once."""
MAX_BLOCKS = 1000
"""The most blocks of a document."""
DENSE = 32
"""The items of an axis for each position up to which a byte for each item is cheaper."""


def union(length: int, every: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """All positions on an axis, each once, and how many have them."""
    if len(every) == 1:
        return every[0], np.ones(every[0].size, np.int64)
    if not is_dense(length, *every):
        return np.unique(np.concatenate([*every, np.empty(0, np.int64)]), return_counts=True)
    votes = np.zeros(length, np.min_scalar_type(len(every)))
    for positions in every:
        votes[positions] += 1
    found = np.flatnonzero(votes != 0)
    return found, votes[found].astype(np.int64)


def offsets_of(size: int) -> Any:
    """The type of numbers up to a size: 32 bits if they suffice, for there may be many."""
    return np.int32 if size < 2**31 else np.int64


def even_edges(size: int, *, in_blocks: bool) -> IntArray:
    """Where blocks of about one size begin, and where the last ends; else those of the whole."""
    number = min(MAX_BLOCKS, max(1, size)) if in_blocks else 1
    return np.round(np.linspace(0, size, number + 1)).astype(np.int64)


def is_binary(array: Array) -> bool:
    """Whether an array contains only 0 and 1."""
    return array.dtype == np.bool_ or bool(((array == 0) | (array == 1)).all())


def is_dense(length: int, *positions: IntArray) -> bool:
    """Whether a byte for each item is cheaper than a search for each position."""
    return length <= DENSE * sum(each.size for each in positions)


def isin_sorted(values: IntArray, among: IntArray) -> BoolArray:
    """Say which values are among others, both sorted and without repetition."""
    if not values.size or not among.size:
        return np.zeros(values.size, dtype=np.bool_)
    span = int(max(values[-1], among[-1])) + 1
    if is_dense(span, values, among):
        present = np.zeros(span, dtype=np.bool_)
        present[among] = True
        return present[values]
    at = np.searchsorted(among, values)
    at[at == among.size] = 0
    found: BoolArray = among[at] == values
    return found


def sorted_distinct(values: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Each value once, in order: what `np.unique` gives, without its slow hash table."""
    ordered = np.sort(values)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))[: ordered.size]]


def runs(values: npt.NDArray[Number]) -> tuple[npt.NDArray[Number], IntArray]:
    """The distinct values of sorted ones, of which there may be many, and how many each is."""
    last = np.append(np.flatnonzero(values[1:] != values[:-1]), values.size - 1)[: values.size]
    return values[last], np.diff(last, prepend=-1)


def sums_between(values: Array, edges: IntArray) -> IntArray:
    """The sums of whole numbers, or of each row of them, between neighbouring edges.

    >>> sums_between(np.array([1, 2, 3, 4]), np.array([0, 1, 4])).tolist()
    [1, 9]
    """
    sums = np.zeros((*values.shape[:-1], values.shape[-1] + 1), np.int64)
    np.cumsum(values, axis=-1, out=sums[..., 1:])
    return np.diff(sums[..., edges])


def steps(numbers: IntArray, before: int) -> IntArray:
    """How far each number is from the one before it, the first from a given one."""
    result = np.empty_like(numbers)
    result[:1] = numbers[:1] - before
    np.subtract(numbers[1:], numbers[:-1], out=result[1:])
    return result


def stretched(starts: IntArray, sizes: IntArray) -> IntArray:
    """A range of numbers from each start, one range after the other."""
    if sizes.min(initial=1) < 1:
        starts, sizes = starts[sizes > 0], sizes[sizes > 0]
    ends = np.cumsum(sizes, dtype=np.int64)
    numbers = np.ones(ends[-1] if ends.size else 0, dtype=np.int64)
    numbers[:1] = starts[:1]
    numbers[ends[:-1]] = starts[1:] - starts[:-1] - sizes[:-1] + 1
    return np.cumsum(numbers, out=numbers)
