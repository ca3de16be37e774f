"""The excerpts that chunks cut, as they are listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from caesura.core.json_values import typed
from caesura.output.tables.error_lists import Errors, Found, Readings, cut, passage
from caesura.tasks.chunks.data import CutExcerpt, CutExcerpts

COLUMNS = ("system", "place", "document", "start", "end", "cuts", "excerpt")
LONGEST = 400
"""The characters of an excerpt that are shown."""
Cut = tuple[str, str, str, CutExcerpt]
"""The system, where the question is, the document, and the excerpt."""


def found_cuts(readings: Readings) -> Iterator[Cut]:
    """Every excerpt that is cut, as a run kept it."""
    for values in readings:
        kept = typed(CutExcerpts, values)
        for excerpt in kept.excerpts:
            if excerpt.cuts:
                yield kept.system, f"{kept.source}:{excerpt.line}", kept.document, excerpt


def shown_cuts(found: Iterable[Cut], most: int) -> Found:
    """The first excerpts that are cut."""
    first = [_passage(each) for each in islice(found, most)]
    return Found((), ("The first excerpts that are cut\n", *first) if first else ())


def _passage(found: Cut) -> str:
    system, place, document, excerpt = found
    head = f"{place}: {document}, characters {excerpt.start:,} to {excerpt.end:,}"
    return passage(head, (system, cut(excerpt.text, LONGEST)))


def _cells(found: Cut) -> tuple[str | int, ...]:
    system, place, document, excerpt = found
    return system, place, document, excerpt.start, excerpt.end, excerpt.cuts, excerpt.text


ERRORS = Errors(found_cuts, shown_cuts, COLUMNS, _cells)
