"""Wrong boundaries: those of a system that no reference has, and those that it misses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from caesura.core.escapes import printable
from caesura.core.segmentation import NO_BREAK
from caesura.core.typed import typed
from caesura.errors import number
from caesura.io.writing import replacing
from caesura.output.tables import Column, Labelled, make_table
from caesura.output.tables.errors import Errors, Found
from caesura.tasks.readings import TranscriptReading, positions

AROUND, LONGEST = 6, 60
"""How many words are shown on each side of a boundary, and how many characters at most."""
ERROR_COLUMNS = ("system", "reference", "document", "error", "word", "before", "after")


@dataclass(frozen=True, slots=True)
class BoundaryError:
    """A boundary that only one side has: after which word, and the words around it."""

    system: str
    reference: str
    document: str
    error: str
    word: int
    before: str
    after: str


def found_boundaries(readings: Iterable[Mapping[str, Any]]) -> Iterator[BoundaryError]:
    """Every boundary that only a system or only a reference has, document by document."""
    for values in readings:
        reading = typed(TranscriptReading, values)
        words = (reading.words or "").split(" ")
        for system, placed in reading.systems.items():
            for reference, wanted in reading.references.items():
                ours, theirs = positions(placed), positions(wanted)
                where = system, reference, reading.document
                extra, missed = np.setdiff1d(ours, theirs), np.setdiff1d(theirs, ours)
                every = [(at, "extra") for at in extra.tolist()]
                every += [(at, "missed") for at in missed.tolist()]
                for at, error in sorted(every):
                    yield BoundaryError(*where, error, at + 1, *_around(words, at))


def _around(words: list[str], at: int) -> tuple[str, str]:
    first = max(0, at + 1 - AROUND)
    return " ".join(words[first : at + 1]), " ".join(words[at + 1 : at + 1 + AROUND])


def shown_boundaries(found: Iterable[BoundaryError], most: int) -> Found:
    """The words before which most boundaries are wrong, and the first of them."""
    patterns: Counter[tuple[str, str, str]] = Counter()
    first: list[BoundaryError] = []
    for error in found:
        patterns[error.system, error.error, _short(error.after.split(" ")[0])] += 1
        first += [error] if len(first) < most else []
    common = sorted(patterns.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
    rows: list[Labelled] = [(key, {"times": times}) for key, times in common]
    title = f"Wrong boundaries: the {len(rows)} most frequent of {number(len(patterns), 'kind')}"
    labels, columns = ("system", "error", "before"), (Column("times", "times", is_count=True),)
    table = make_table("errors", title, labels, columns, rows)
    return Found((table,), ("The first of them\n", *map(_passage, first)) if first else ())


def _passage(error: BoundaryError) -> str:
    place = f"{error.document}, after word {error.word:,}"
    who = f"{error.system}: {error.error} (against {error.reference})"
    whole = error.before.replace(NO_BREAK, " ")
    before, after = whole[-LONGEST:], _short(error.after)
    before = before if before == whole else f"… {before.partition(' ')[2] or before}"
    line = f"{before} ▮ {after}" if before else ""
    return f"{printable(place)}\n  {printable(who)}\n  {printable(line)}\n"


def _short(text: str) -> str:
    """The beginning of a text, to the end of a word; words may have no-break spaces inside."""
    text = text.replace(NO_BREAK, " ")
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST].rpartition(' ')[0] or text[:LONGEST]} …"


def write_boundaries(path: str, found: Iterable[BoundaryError]) -> None:
    """Write every wrong boundary to a file, one a line, with a line of headings."""
    with replacing(path) as file:
        file.write("\t".join(ERROR_COLUMNS) + "\n")
        for error in found:
            file.write("\t".join(printable(str(cell)) for cell in astuple(error)) + "\n")


ERRORS = Errors(found_boundaries, shown_boundaries, write_boundaries)
