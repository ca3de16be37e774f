"""Cells: pieces of a file between white space or tabs, as arrays of places in its bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import Array, sorted_distinct, stretched
from caesura.core.segmentation import BoolArray, IntArray

Bytes = npt.NDArray[np.uint8]
Codes = npt.NDArray[np.uint64]
Strings = tuple[Bytes, IntArray, IntArray]
"""A file, and where strings begin and end in it."""
FloatArray = npt.NDArray[np.float64]
Number = TypeVar("Number", bound=np.number[Any])
_DOT, _ZERO = ord("."), ord("0")
_TENS = np.array([float(10**power) for power in range(18)])
_STEP, _PART, _MUCH = 8, 1 << 13, 1 << 15
_LARGEST = 2**63 - 1
_SMALL: Any = np.int32
_BITS, _FEW = 20, 14
_ODD = np.uint64(0x9E3779B97F4A7C15)
_WIDE, _MANY = 4 * _STEP, f"V{4 * _STEP}"
_WITHIN = ((np.arange(_WIDE) < np.arange(_WIDE + 1)[:, None]) * np.uint8(255)).view("<u8")
_FIRST = np.array([256**size - 1 for size in range(_STEP + 1)], dtype=np.uint64)
_ROOM = np.array([64 - 8 * size for size in range(_STEP + 1)], dtype=np.uint64)
_ZEROS = np.array(
    [int("30" * size + "00" * (_STEP - size), 16) for size in range(_STEP + 1)], np.uint64
)
_BEYOND_NINE, _HIGH = np.uint64(int("76" * _STEP, 16)), np.uint64(int("80" * _STEP, 16))
_TOGETHER = tuple(
    (np.uint64(10**digits), np.uint64(8 * digits), np.uint64(int(mask, 16)))
    for digits, mask in ((1, "00ff" * 4), (2, "0000ffff" * 2), (4, "00000000ffffffff"))
)


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
        in_cell = np.zeros(characters.size + 2, np.bool_)
        np.greater(characters, ord(" "), out=in_cell[1:-1])
        edges = np.flatnonzero(in_cell[1:] != in_cell[:-1])
        starts, stops = edges[::2].copy(), edges[1::2].copy()
        lines = np.searchsorted(np.flatnonzero(characters == ord("\n")), starts)
        return cls(data, starts, stops, lines)

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


def numbered(codes: Codes) -> tuple[IntArray, IntArray]:
    """Where each distinct code first stands, and which of them each code is.

    Codes are scattered over a table by their first bits; the few that do not fit in are sorted.
    """
    slots = (codes >> np.uint64(64 - _BITS)).astype(np.int32)
    places = np.arange(codes.size)
    table = np.empty(1 << _BITS, np.int64)
    table[slots[::-1]] = places[::-1]
    first = table[slots]
    other = np.flatnonzero(codes[first] != codes)
    if other.size:
        _, at, which = np.unique(codes[other], return_index=True, return_inverse=True)
        first[other] = other[at][which]
    distinct = np.flatnonzero(first == places)
    number = np.empty(codes.size, np.int64)
    number[distinct] = np.arange(distinct.size)
    return distinct, number[first]


@dataclass(frozen=True, slots=True)
class StringNumbers:
    """Numbers for strings of which few are distinct: `number` gives that of a string.

    What was seen stands in a table under the first bits of its code; two that meet there take
    turns.
    """

    number: Callable[[bytes], int]
    codes: Codes = field(default_factory=lambda: np.full(1 << _FEW, 1, np.uint64))
    numbers: IntArray = field(default_factory=lambda: np.zeros(1 << _FEW, _SMALL))

    def of(self, strings: Strings) -> IntArray:
        """The number of each string."""
        characters, starts, stops = strings
        result: IntArray = np.empty(starts.size, _SMALL)
        for part in parts(starts.size, _MUCH):
            some = characters, starts[part], stops[part]
            codes = _few_codes(*some)
            slots = (codes >> np.uint64(64 - _FEW)).view(np.int64)
            other = np.flatnonzero(self.codes[slots] != codes)
            result[part] = self.numbers[slots]
            if other.size:
                result[part][other] = self._learn(some, other, codes[other], slots[other])
        return result

    def _learn(self, strings: Strings, which: IntArray, codes: Codes, slots: IntArray) -> IntArray:
        """Put some strings into the table; their numbers."""
        characters, starts, stops = strings
        _, first, of = np.unique(codes, return_index=True, return_inverse=True)
        spans = zip(starts[which[first]].tolist(), stops[which[first]].tolist(), strict=True)
        new = [self.number(characters[start:stop].tobytes()) for start, stop in spans]
        self.codes[slots[first]], self.numbers[slots[first]] = codes[first], new
        found: IntArray = np.array(new, _SMALL)[of]
        return found


def _few_codes(characters: Bytes, starts: IntArray, stops: IntArray) -> Codes:
    """A number for each string: its bytes, if they are few, scattered; none of UTF-8 gives 1."""
    width = stops - starts
    codes = _eights(characters, starts, width)
    long = np.flatnonzero(width > _STEP)
    if long.size:
        codes[long] = string_codes(characters, starts[long], stops[long])
    codes *= _ODD
    return codes


def same_strings(ours: Strings, theirs: Strings) -> BoolArray:
    """Which strings of two files are equal, compared pair by pair."""
    same = np.empty(ours[1].size, dtype=np.bool_)
    for part in parts(same.size):
        _compare(
            (ours[0], ours[1][part], ours[2][part]),
            (theirs[0], theirs[1][part], theirs[2][part]),
            same[part],
        )
    return same


def _compare(ours: Strings, theirs: Strings, same: BoolArray) -> None:
    """Fill in which strings are equal, some bytes at a time; those that differ drop out."""
    (one, start, stop), (other, begin, end) = ours, theirs
    width = stop - start
    np.equal(width, end - begin, out=same)
    same &= _differ(one, start, other, begin, width) == 0
    left = np.flatnonzero(same & (width > _WIDE))
    for at in range(_WIDE, int(width[left].max(initial=0)), _WIDE):
        left = left[same[left] & (width[left] > at)]
        same[left] = _differ(one, start[left] + at, other, begin[left] + at, width[left] - at) == 0


def _differ(one: Bytes, start: IntArray, other: Bytes, begin: IntArray, width: IntArray) -> Codes:
    """A number for each pair of strings, 0 where their first bytes are equal.

    Many bytes are read at once, as reading one or many takes the same time.
    """
    bits = _at(one, start, _MANY).view("<u8").reshape(-1, _WIDE // _STEP)
    bits ^= _at(other, begin, _MANY).view("<u8").reshape(-1, _WIDE // _STEP)
    bits &= _WITHIN.take(width, axis=0, mode="clip")
    result: Codes = bits[:, 0] | bits[:, 1] | bits[:, 2] | bits[:, 3]
    return result


def whole_numbers(characters: Bytes, starts: IntArray, stops: IntArray) -> IntArray:
    """The whole numbers written between some places, of 19 digits at most; -1 where none is."""
    numbers = np.full(starts.size, -1, dtype=np.int64)
    for part in parts(starts.size if characters.size else 0, _MUCH):
        numbers[part] = _numbers(characters, starts[part], stops[part])
    return numbers


def _numbers(characters: Bytes, starts: IntArray, stops: IntArray) -> IntArray:
    """One or two digits are read as such, up to eight together, the few others one by one."""
    width = stops - starts
    first = characters.take(starts, mode="clip") - np.uint8(_ZERO)
    second = characters.take(starts + 1, mode="clip") - np.uint8(_ZERO)
    is_one = width == 1
    is_short = (first < 10) & (is_one | ((width == 2) & (second < 10)))
    numbers = np.where(is_one, first, first * np.uint8(10) + second).astype(np.int64)
    other = np.flatnonzero(~is_short)
    numbers[other] = -1
    long = other[width[other] > 2]
    if long.size:
        numbers[long] = _longer_numbers(characters, starts[long], stops[long])
    return numbers


def _longer_numbers(characters: Bytes, starts: IntArray, stops: IntArray) -> IntArray:
    """Eight digits stand in a number of eight bytes: ones, twos and fours are joined there."""
    width = stops - starts
    digits: Codes = _at(characters, starts, "<u8").astype(np.uint64)
    digits <<= _ROOM.take(width, mode="clip")
    digits ^= _ZEROS.take(width, mode="clip")
    is_sound = (((digits + _BEYOND_NINE) | digits) & _HIGH) == 0
    for ten, bits, mask in _TOGETHER:
        digits = (digits * ten + (digits >> bits)) & mask
    result = np.where(is_sound & (width <= _STEP), digits.astype(np.int64), -1)
    for at in np.flatnonzero((width > _STEP) & (width < 20)).tolist():
        cell = characters[starts[at] : stops[at]].tobytes()
        result[at] = min(int(cell), _LARGEST) if cell.isdigit() else -1
    return result


def gathered(characters: Bytes, starts: IntArray, widths: IntArray) -> Bytes:
    """The bytes of strings of given widths, one string after the other."""
    ranges = (stretched(starts[part], widths[part]) for part in parts(starts.size, _MUCH))
    return np.concatenate([np.empty(0, np.uint8), *map(characters.take, ranges)])


def parts(size: int, most: int = _PART) -> Iterator[slice]:
    """Ranges small enough that their arrays stay in the cache."""
    return (slice(at, at + most) for at in range(0, size, most))


def first_eight(characters: Bytes, places: IntArray) -> Codes:
    """The eight bytes from each place on as a number, the first being its lowest."""
    return _at(characters, places, "<u8")


def _eights(characters: Bytes, places: IntArray, width: IntArray) -> Codes:
    """The first eight bytes of strings as a number, those beyond a string's width being zero."""
    return _at(characters, places, "<u8") & _FIRST.take(width, mode="clip")


def _at(characters: Bytes, places: IntArray, kind: str) -> Array:
    """The bytes at some places as numbers of a kind; beyond the end there are zeros."""
    size = np.dtype(kind).itemsize
    if characters.size < int(places.max(initial=0)) + size:
        first = int(places.min(initial=characters.size))
        characters = np.concatenate((characters[first:], np.zeros(size, np.uint8)))
        places = places - first
    shape = (characters.size - size + 1,)
    every: Array = np.ndarray(shape, np.dtype(kind), characters, strides=(1,))
    found: Array = every[places]
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
