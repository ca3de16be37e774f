"""Wrong boundaries: those of a system that no reference has, and those that it misses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from caesura.core.escapes import printable
from caesura.core.json_values import typed
from caesura.core.segmentation import NO_BREAK, IntArray
from caesura.output.report.views.clock import ClockReading, places
from caesura.output.report.views.transcript import TranscriptReading, positions
from caesura.output.tables.error_lists import Errors, Found, Readings, frequent
from caesura.tasks.transcript.report import KeptTranscript

AROUND, LONGEST = 6, 60
"""How many words are shown on each side of a boundary, and how many characters at most."""
SECOND = 1_000_000
COLUMNS = ("system", "reference", "document", "error", "place", "before", "after")


@dataclass(frozen=True, slots=True)
class BoundaryError:
    """A boundary that only one side has: where, and the words around it.

    The place is the number of the word before it, a time or a sample.
    """

    system: str
    reference: str
    document: str
    error: str
    place: str
    before: str
    after: str


def found_boundaries(readings: Readings) -> Iterator[BoundaryError]:
    """Every boundary that only a system or only a reference has, document by document."""
    for values in readings:
        if values["kind"] == "clock":
            yield from _in_time(typed(ClockReading, values))
        else:
            yield from _among_words(typed(TranscriptReading, values))


def _among_words(reading: TranscriptReading) -> Iterator[BoundaryError]:
    words = (reading.words or "").split(" ")
    for who, ours, theirs in _pairs(reading, positions):
        extra, missed = np.setdiff1d(ours, theirs), np.setdiff1d(theirs, ours)
        for at, error in _in_order(extra.tolist(), missed.tolist()):
            yield BoundaryError(*who, error, str(at + 1), *_around(words, at))


def _in_time(reading: ClockReading) -> Iterator[BoundaryError]:
    for who, ours, theirs in _pairs(reading, places):
        left = unmatched(ours.tolist(), theirs.tolist(), reading.tolerance)
        for at, error in _in_order(*left):
            place = f"sample {at}" if reading.axis == "samples" else f"{at / SECOND:.3f} s"
            yield BoundaryError(*who, error, place, "", "")


def _pairs(
    reading: KeptTranscript, taken: Callable[[Any], IntArray]
) -> Iterator[tuple[tuple[str, str, str], IntArray, IntArray]]:
    """Every system and reference of a document, and their boundaries."""
    for system, placed in reading.systems.items():
        for reference, wanted in reading.references.items():
            who = system, reference, reading.document
            yield who, taken(placed), taken(wanted)


def _in_order(extra: list[int], missed: list[int]) -> list[tuple[int, str]]:
    return sorted([*((at, "extra") for at in extra), *((at, "missed") for at in missed)])


def unmatched(ours: list[int], theirs: list[int], tolerance: int) -> tuple[list[int], list[int]]:
    """The moments of both sides that the largest one-to-one matching leaves, the first first.

    >>> unmatched([0, 20, 90], [10, 60], 15)
    ([20, 90], [60])
    """
    extra, missed, i, j = [], [], 0, 0
    while i < len(ours) and j < len(theirs):
        if abs(ours[i] - theirs[j]) <= tolerance:
            i, j = i + 1, j + 1
        elif ours[i] < theirs[j]:
            extra.append(ours[i])
            i += 1
        else:
            missed.append(theirs[j])
            j += 1
    return [*extra, *ours[i:]], [*missed, *theirs[j:]]


def _around(words: list[str], at: int) -> tuple[str, str]:
    first = max(0, at + 1 - AROUND)
    return " ".join(words[first : at + 1]), " ".join(words[at + 1 : at + 1 + AROUND])


def shown_boundaries(found: Iterable[BoundaryError], most: int) -> Found:
    """The words before which most boundaries are wrong, and the first of them."""
    patterns: Counter[tuple[str, ...]] = Counter()
    first: list[BoundaryError] = []
    for error in found:
        if error.before:
            patterns[error.system, error.error, _short(error.after.split(" ")[0])] += 1
        first += [error] if len(first) < most else []
    table = frequent(patterns, most, "Wrong boundaries", ("system", "error", "before"))
    head = f"The first {len(first):,} wrong boundaries\n" if len(first) > 1 else "The error\n"
    return Found((table,) if table.rows else (), (head, *map(_passage, first)) if first else ())


def _passage(error: BoundaryError) -> str:
    place = f"{error.document}, at {error.place}"
    if error.place.isdecimal():
        place = f"{error.document}, after word {int(error.place):,}"
    who = f"{error.system}: {error.error} (against {error.reference})"
    whole = error.before.replace(NO_BREAK, " ")
    before, after = whole[-LONGEST:], _short(error.after)
    before = before if before == whole else f"… {before.partition(' ')[2] or before}"
    line = f"{before} ▮ {after}" if before else ""
    lines = [place, f"  {who}", *([f"  {line}"] if line else [])]
    return "".join(f"{printable(each)}\n" for each in lines)


def _short(text: str) -> str:
    """The beginning of a text, to the end of a word; words may have no-break spaces inside."""
    text = text.replace(NO_BREAK, " ")
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST].rpartition(' ')[0] or text[:LONGEST]} …"


ERRORS = Errors(found_boundaries, shown_boundaries, COLUMNS, astuple)
