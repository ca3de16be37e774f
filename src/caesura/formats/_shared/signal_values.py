"""Values of signals: seconds, clock times, samples and frames as whole numbers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from caesura.core.format import AxisName
from caesura.core.segmentation import IntArray
from caesura.errors import FormatError, option
from caesura.formats._shared.clock_times import LATEST, SECOND
from caesura.formats._shared.script import UNKNOWN

TIME = r"[-+]?(?:\d+:){0,2}(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?s?|[-+]?(?:nan|inf)"
"""How a time is written: 12.5, 1:02.5, 1:00:02; what is no number is an error later."""
DAYS = 1_000_000
"""The seconds from which on whole numbers are taken for samples."""
LABELS_CURE = "write START END LABEL in seconds on each line, such as 0.0 12.5 verse"
_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d+(?:\.\d*)?)")


class Place(NamedTuple):
    """Which series it is, of which annotator, and its length."""

    name: str = ""
    version: str = ""
    extent: int = 0


class Piece(NamedTuple):
    """An interval as it is written, or a point, which has no end; and its line."""

    start: str
    end: str
    label: str
    line: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """What the numbers of a file are: seconds or, with a rate, frames; or samples."""

    axis: AxisName
    rate: int
    source: str

    def at(self, value: object, line: int | None = None, what: str = "a time") -> int:
        """A number as microseconds or samples; an error if it is none.

        >>> Scale("time", 0, "x").at("1:02.5"), Scale("time", 100, "x").at(250)
        (62500000, 2500000)
        """
        number = _number(value)
        if not (0 <= number <= LATEST * (self.rate or 1)):
            problem = f"'{value}' is not {what if self.axis == 'time' else 'a sample'}"
            raise FormatError(self.source, problem, self._cure, line=line)
        if self.axis == "samples" and number % 1:
            cure = f"give whole numbers, or compare times, with {option('axis', 'time')}"
            raise FormatError(self.source, f"'{value}' is not a sample", cure, line=line)
        if self.axis == "samples":
            return int(number)
        return int(_micros(np.array(number * SECOND / (self.rate or 1))))

    @property
    def _cure(self) -> str:
        if self.axis == "samples":
            return "write whole numbers from 0 on"
        return "write seconds from 0 on, such as 12.34 or 1:02.5"

    def every(self, values: npt.NDArray[np.float64]) -> IntArray | None:
        """Many numbers; None if one of them is wrong, so that it can be named."""
        if not (values <= LATEST * (self.rate or 1)).all():
            return None
        if self.axis == "samples":
            return None if (values % 1).any() else values.astype(np.int64)
        return _micros(values * SECOND / (self.rate or 1))

    def frames(self, numbers: IntArray) -> IntArray:
        """When frames begin: samples, or with a rate their times."""
        if self.axis == "samples":
            return numbers
        micros: IntArray = np.rint(numbers * (SECOND / self.rate)).astype(np.int64)
        return micros

    def require_sound(self, starts: IntArray, ends: IntArray, lines: IntArray) -> None:
        """Raise an error for an interval that ends before it begins, or for times in samples."""
        if self._are_samples(starts, ends):
            cure = f"give {option('rate', '…')}, such as 10000000 for HTK"
            raise FormatError(self.source, "times that look like samples", cure, line=int(lines[0]))
        wrong = np.flatnonzero((ends != UNKNOWN) & (ends < starts))
        if wrong.size:
            at = int(wrong[0])
            cure, line = "swap the two", int(lines[at])
            raise FormatError(self.source, "an end before its start", cure, line=line)

    def _are_samples(self, starts: IntArray, ends: IntArray) -> bool:
        """Whether times are whole seconds of many days, as samples are that are read as seconds."""
        if self.axis == "samples" or self.rate or ends.max(initial=0) < DAYS * SECOND:
            return False
        return not ((starts % SECOND).any() or (ends[ends != UNKNOWN] % SECOND).any())


def _micros(exact: npt.NDArray[np.float64]) -> IntArray:
    """The nearest whole microseconds, but 14 or 16 instead of a 15 that was not exact.

    So who rounds them further, to 10 µs as mir_eval does, gets what rounding once would give.
    """
    near = np.rint(exact)
    rest = exact - near
    near += np.where((near % 10 == 5) & (np.abs(rest) > 1e-3), np.sign(rest), 0)
    return near.astype(np.int64)


def _number(value: object) -> float:
    """A number, or nan for what is none."""
    if isinstance(value, bool) or value is None:
        return math.nan
    clock = _CLOCK.fullmatch(str(value).strip())
    if clock:
        return float(clock[1] or 0) * 3600 + float(clock[2]) * 60 + float(clock[3])
    try:
        return float(str(value).strip().removesuffix("s"))
    except ValueError:
        return math.nan
