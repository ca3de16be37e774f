"""The wrong edits of corrections, as they are listed: those that only one side has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial

from caesura.core.escapes import printable
from caesura.output.tables.error_lists import Errors, Found, errors_by_system, frequent
from caesura.tasks.corrections.counting import EditError, EditErrors

COLUMNS = ("system", "side", "place", "type", "before", "text", "correction", "after")
NOTHING = "(nothing)"
"""What is inserted into, or what remains; a dash would be a token."""
WrongEdit = tuple[str, EditError]
"""The system, and an edit that only it or only the gold has."""


def shown_edits(errors: Iterable[WrongEdit], most: int) -> Found:
    """The most frequent edits that only one side has, and the first of them in their sentences."""
    patterns: Counter[tuple[str, ...]] = Counter()
    first: list[WrongEdit] = []
    for system, error in errors:
        cells = error.text or NOTHING, error.correction or NOTHING
        patterns[system, error.side, *cells] += 1
        first += [(system, error)] if len(first) < most else []
    table = frequent(patterns, most, "Wrong edits", ("system", "only in", "text", "correction"))
    return Found((table,), ("The first of them\n", *map(_passage, first)))


def _passage(wrong: WrongEdit) -> str:
    system, error = wrong
    change = f"{{{error.text or NOTHING} → {error.correction or NOTHING}}}"
    words = " ".join(filter(None, (error.before, change, error.after)))
    who = system if error.side == "system" else "gold"
    return f"{printable(f'{error.place} ({error.kind}), only in {who}')}\n  {printable(words)}\n"


def _cells(wrong: WrongEdit) -> tuple[str, ...]:
    system, error = wrong
    where = error.side, error.place, error.kind
    return system, *where, error.before, error.text, error.correction, error.after


ERRORS = Errors(
    partial(errors_by_system, kept=EditErrors, kind="edit_errors"), shown_edits, COLUMNS, _cells
)
