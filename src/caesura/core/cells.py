"""Cells: pieces of a file between white space or tabs, as arrays of places in its bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import BoolArray, IntArray

Bytes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.uint64]
Strings = tuple[Bytes, IntArray, IntArray]
"""A file, and where strings begin and end in it."""
FloatArray = npt.NDArray[np.float64]
Number = TypeVar("Number", bound=np.number[Any])
_DOT, _ZERO = ord("."), ord("0")
_TENS = np.array([float(10**power) for power in range(18)])
_STEP, _PART = 8, 1 << 13
_ODD = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.array([256**size - 1 for size in range(_STEP + 1)], dtype=np.uint64)
_ROOM = np.array([64 - 8 * size for size in range(_STEP + 1)], dtype=np.uint64)
_SHORT_ROOM = np.array([32 - 8 * size for size in range(5)], dtype=np.uint32)
_ZEROS = np.array([0x30303030 >> 32 - 8 * size << 32 - 8 * size for size in range(5)], np.uint32)
_BEYOND_NINE, _HIGH = np.uint32(0x76767676), np.uint32(0x80808080)


@dataclass(frozen=True, slots=True)
class Cells:
    """Where cells begin and end in a file, and on which line each stands, counted from 0."""

    data: bytes
    starts: IntArray
    stops: IntArray
    line: IntArray

    @classmethod
    def split(cls, data: bytes) -> Cells:
        """Cut a file at blanks, tabs and line ends."""
        characters = np.frombuffer(data, np.uint8)
        cuts = np.flatnonzero(characters <= ord(" "))
        edges = np.concatenate(([-1], cuts, [characters.size]))
        full = np.flatnonzero(np.diff(edges) > 1)
        lines = np.concatenate(([0], np.cumsum(characters[cuts] == ord("\n"))))
        return cls(data, edges[full] + 1, edges[full + 1], lines[full])

    def at(self, index: int) -> str:
        """One cell as text."""
        return self.data[int(self.starts[index]) : int(self.stops[index])].decode(errors="replace")

    def some(self, which: IntArray) -> Cells:
        """Some of the cells."""
        return Cells(self.data, self.starts[which], self.stops[which], self.line[which])

    def distinct(self) -> tuple[list[bytes], IntArray]:
        """The distinct cells, sorted, and which of them each cell is."""
        characters = np.frombuffer(self.data, np.uint8)
        codes = string_codes(characters, self.starts, self.stops)
        new = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1]))[: codes.size])
        known = sorted_distinct(codes[new])
        of_run = np.searchsorted(known, codes[new])
        first = np.empty(known.size, dtype=np.int64)
        first[of_run[::-1]] = new[::-1]
        which = np.repeat(of_run, np.diff(new, append=codes.size))
        spans = zip(self.starts[first].tolist(), self.stops[first].tolist(), strict=True)
        values = [self.data[start:stop] for start, stop in spans]
        order = sorted(range(len(values)), key=values.__getitem__)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return [values[index] for index in order], rank[which]

    def floats(self) -> FloatArray:
        """The cells as numbers; nan where a cell is not a number.

        Up to fifteen digits and a point are read from the bytes at once: a whole number below
        2^53 divided by a power of ten below 10^22 is rounded as `float` rounds the text. The rest
        is left to `float`.
        """
        number, digits, after, sound = self._scan()
        simple = sound & (digits > 0) & (digits <= 15)
        result = np.full(number.size, np.nan)
        scale = _TENS[np.clip(after, 0, _TENS.size - 1)]
        result[simple] = (number / scale)[simple]
        for index in np.flatnonzero(~simple).tolist():
            result[index] = _float(self.at(index))
        return result

    def _scan(self) -> tuple[IntArray, IntArray, IntArray, npt.NDArray[np.bool_]]:
        """The digits as one whole number, how many, how many after the point (-1: no point)."""
        characters = np.frombuffer(self.data, np.uint8)
        width = self.stops - self.starts
        number, digits, after = np.zeros((3, width.size), dtype=np.int64)
        sound = width <= 17
        for size in np.flatnonzero(np.bincount(width[sound])).tolist():
            which = np.flatnonzero(width == size)
            places = self.starts[which]
            total, point = np.zeros((2, which.size), dtype=np.int64)
            good, points = np.ones(which.size, dtype=np.bool_), np.zeros(which.size, dtype=np.int8)
            for at in range(size):
                digit = characters[places + at] - np.uint8(_ZERO)
                is_point = digit == np.uint8(_DOT - _ZERO + 256)
                points += is_point
                good &= (digit < 10) | is_point
                total = np.where(is_point, total, total * 10 + digit)
                point[is_point] = size - 1 - at
            number[which], digits[which] = total, size - points
            after[which] = np.where(points > 0, point, -1)
            sound[which] = good & (points < 2)
        return number, digits, after, sound


def sorted_distinct(values: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Each value once, in order: what `np.unique` gives, without its slow hash table."""
    ordered = np.sort(values)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))[: ordered.size]]


def string_codes(characters: Bytes, starts: IntArray, stops: IntArray) -> Codes:
    """A number for each string between some places, equal for equal strings.

    It has 64 bits and begins with the length; the chance
    that two of a million different strings get the same number is about 3 in 10^8.
    """
    width = stops - starts
    codes = mixed(width.astype(np.uint64) * _ODD ^ _eights(characters, starts, width))
    left = np.flatnonzero(width > _STEP)
    for at in range(_STEP, int(width.max(initial=0)), _STEP):
        left = left[width[left] > at]
        codes[left] = mixed(codes[left] ^ _eights(characters, starts[left] + at, width[left] - at))
    return codes


def same_strings(ours: Strings, theirs: Strings) -> BoolArray:
    """Which strings of two files are equal, compared pair by pair."""
    same = np.empty(ours[1].size, dtype=np.bool_)
    for part in _parts(same.size):
        _compare(
            (ours[0], ours[1][part], ours[2][part]),
            (theirs[0], theirs[1][part], theirs[2][part]),
            same[part],
        )
    return same


def _compare(ours: Strings, theirs: Strings, same: BoolArray) -> None:
    (one, start, stop), (other, begin, end) = ours, theirs
    width = stop - start
    same[:] = width == end - begin
    same &= _differ(one, start, other, begin, width) == 0
    left = np.flatnonzero(same & (width > _STEP))
    for at in range(_STEP, int(width[left].max(initial=0)), _STEP):
        left = left[same[left] & (width[left] > at)]
        same[left] = _differ(one, start[left] + at, other, begin[left] + at, width[left] - at) == 0


def _differ(one: Bytes, start: IntArray, other: Bytes, begin: IntArray, width: IntArray) -> Codes:
    """The bits in which the first eight bytes of strings differ; 0 where they are equal."""
    bits = _at(one, start, "<u8") ^ _at(other, begin, "<u8")
    bits <<= _ROOM.take(width, mode="clip")
    result: Codes = bits
    return result


def whole_numbers(characters: Bytes, starts: IntArray, stops: IntArray) -> IntArray:
    """The whole numbers written between some places; -1 where there is none."""
    numbers = np.empty(starts.size, dtype=np.int64)
    for part in _parts(starts.size):
        numbers[part] = _numbers(characters, starts[part], stops[part])
    return numbers


def _numbers(characters: Bytes, starts: IntArray, stops: IntArray) -> IntArray:
    """Four digits stand in a number of four bytes: ones and twos are put together there."""
    width = stops - starts
    digits = _at(characters, starts, "<u4").astype(np.uint32)
    digits <<= _SHORT_ROOM.take(width, mode="clip")
    digits ^= _ZEROS.take(width, mode="clip")
    is_sound = (((digits + _BEYOND_NINE) | digits) & _HIGH) == 0
    digits = (digits * np.uint32(10) + (digits >> np.uint32(8))) & np.uint32(0x00FF00FF)
    digits = (digits * np.uint32(100) + (digits >> np.uint32(16))) & np.uint32(0xFFFF)
    result = np.where(is_sound & (width > 0) & (width <= 4), digits.astype(np.int64), -1)
    for at in np.flatnonzero((width > 4) & (width < 19)).tolist():
        cell = characters[starts[at] : stops[at]].tobytes()
        result[at] = int(cell) if cell.isdigit() else -1
    return result


def gathered(characters: Bytes, starts: IntArray, widths: IntArray) -> Bytes:
    """The bytes of strings of given widths, one string after the other."""
    found = [np.empty(0, np.uint8)]
    for part in _parts(starts.size):
        width = widths[part]
        places = np.repeat(starts[part] - np.cumsum(width) + width, width)
        places += np.arange(places.size)
        found.append(characters[places])
    return np.concatenate(found)


def _parts(size: int) -> Iterator[slice]:
    """Ranges small enough that their arrays stay in the cache."""
    return (slice(at, at + _PART) for at in range(0, size, _PART))


def _eights(characters: Bytes, places: IntArray, width: IntArray) -> Codes:
    """The first eight bytes of strings as a number, those beyond a string's width being zero."""
    return _at(characters, places, "<u8") & _FIRST.take(width, mode="clip")


def _at(characters: Bytes, places: IntArray, kind: str) -> npt.NDArray[Any]:
    """The bytes at some places as numbers of a kind; beyond the end there are zeros."""
    size = np.dtype(kind).itemsize
    if characters.size < int(places.max(initial=0)) + size:
        characters = np.concatenate((characters, np.zeros(size, np.uint8)))
    shape = (characters.size - size + 1,)
    every: npt.NDArray[Any] = np.ndarray(shape, np.dtype(kind), characters, strides=(1,))
    found: npt.NDArray[Any] = every[places]
    return found


def mixed(numbers: Codes) -> Codes:
    """Scatter numbers over 64 bits (the finish of splitmix64)."""
    z = numbers + _ODD
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _float(text: str) -> float:
    try:
        return float(text) if "_" not in text else np.nan
    except ValueError:
        return np.nan
