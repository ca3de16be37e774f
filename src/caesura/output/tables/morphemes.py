"""The wrong lines of morphemes, as they are listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from caesura.core.escapes import printable
from caesura.core.morphs import SEPARATOR, separated
from caesura.core.typed import typed
from caesura.errors import number
from caesura.io.writing import replacing
from caesura.output.tables import (
    UNDEFINED,
    Column,
    Labelled,
    make_table,
)
from caesura.output.tables.errors import Errors, Found
from caesura.tasks.morphemes import MorphPair, MorphPairs

LINE_COLUMNS = ("system", "place", "word", "category", "distance", "morphs", "gold")
NOTHING = "(nothing)"
LONGEST = 400
"""The characters of a line that are shown."""
WrongLine = tuple[str, str, MorphPair]
"""The system, where the line is, and what stands there."""


def found_morphs(readings: Iterable[Mapping[str, Any]]) -> Iterator[WrongLine]:
    """Every line whose morphs are not the gold's, as a run kept them."""
    for values in readings:
        kept = typed(MorphPairs, values)
        for pair in kept.pairs:
            if pair.distance:
                yield kept.system, f"{kept.source}:{pair.line}", pair


def shown_morphs(found: Iterable[WrongLine], most: int) -> Found:
    """The most frequent differences between morphs, and the first lines that have any."""
    patterns: Counter[tuple[str, str, str]] = Counter()
    first: list[WrongLine] = []
    for system, place, pair in found:
        patterns.update((system, *each) for each in differences(pair.system, pair.gold))
        first += [(system, place, pair)] if len(first) < most else []
    common = sorted(patterns.items(), key=lambda each: (-each[1], each[0]))[:most]
    rows: list[Labelled] = [(key, {"times": times}) for key, times in common]
    title = f"Wrong morphs: the {len(rows)} most frequent of {number(len(patterns), 'kind')}"
    columns = (Column("times", "times", is_count=True),)
    table = make_table("errors", title, ("system", "morphs", "gold"), columns, rows)
    return Found((table,), ("The first lines\n", *map(_passage, first)))


def differences(system: str, gold: str) -> Iterator[tuple[str, str]]:
    """What is between morphs that both lines have, on either side.

    >>> list(differences("un @@happ @@iness", "un @@happi @@ness"))
    [('happ iness', 'happi ness')]
    """
    from rapidfuzz.distance import LCSseq

    ours, theirs = (separated([line])[0].split(SEPARATOR) for line in (system, gold))
    steps = groupby(LCSseq.opcodes(ours, theirs), lambda each: each.tag == "equal")
    for parts in (list(group) for is_equal, group in steps if not is_equal):
        own = ours[parts[0].src_start : parts[-1].src_end]
        wanted = theirs[parts[0].dest_start : parts[-1].dest_end]
        yield " ".join(own) or NOTHING, " ".join(wanted) or NOTHING


def _passage(found: WrongLine) -> str:
    system, place, pair = found
    name, category = printable(system), f" ({pair.category})" if pair.category else ""
    width = max(len(name), len("gold"))
    sides = (name, pair.system), ("gold", pair.gold)
    lines = [f"  {label:<{width}}  {printable(_short(text))}" for label, text in sides]
    head = printable(f"{place}: {_short(pair.word)}{category}, distance {pair.distance:,}")
    return "\n".join((head, *lines)) + "\n"


def _short(text: str) -> str:
    return (text if len(text) <= LONGEST else f"{text[:LONGEST]} …") or UNDEFINED


def write_morphs(path: str, found: Iterable[WrongLine]) -> None:
    """Write every line whose morphs are not the gold's to a file, with a line of headings."""
    with replacing(path) as file:
        file.write("\t".join(LINE_COLUMNS) + "\n")
        for system, place, pair in found:
            cells = (
                system, place, pair.word, pair.category, pair.distance, pair.system, pair.gold,
            )  # fmt: skip
            file.write("\t".join(printable(str(cell)) for cell in cells) + "\n")


ERRORS = Errors(found_morphs, shown_morphs, write_morphs)
