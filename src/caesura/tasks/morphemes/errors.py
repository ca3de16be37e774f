"""The wrong lines of morphemes, as they are listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from caesura.core.json_values import typed
from caesura.output.tables.error_lists import Errors, Found, Readings, cut, frequent, passage
from caesura.tasks.morphemes.counting import MorphPair, MorphPairs
from caesura.tasks.morphemes.data import SEPARATOR, separated

COLUMNS = ("system", "place", "word", "category", "distance", "morphs", "gold")
NOTHING = "(nothing)"
LONGEST = 400
"""The characters of a line that are shown."""
WrongLine = tuple[str, str, MorphPair]
"""The system, where the line is, and what stands there."""


def found_morphs(readings: Readings) -> Iterator[WrongLine]:
    """Every line whose morphs are not the gold's, as a run kept them."""
    for values in readings:
        kept = typed(MorphPairs, values)
        for pair in kept.pairs:
            if pair.distance:
                yield kept.system, f"{kept.source}:{pair.line}", pair


def shown_morphs(found: Iterable[WrongLine], most: int) -> Found:
    """The most frequent differences between morphs, and the first lines that have any."""
    patterns: Counter[tuple[str, ...]] = Counter()
    first: list[WrongLine] = []
    for system, place, pair in found:
        patterns.update((system, *each) for each in differences(pair.system, pair.gold))
        first += [(system, place, pair)] if len(first) < most else []
    table = frequent(patterns, most, "Wrong morphs", ("system", "morphs", "gold"))
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
    category = f" ({pair.category})" if pair.category else ""
    head = f"{place}: {cut(pair.word, LONGEST)}{category}, distance {pair.distance:,}"
    return passage(head, (system, cut(pair.system, LONGEST)), ("gold", cut(pair.gold, LONGEST)))


def _cells(found: WrongLine) -> tuple[str | int, ...]:
    system, place, pair = found
    return system, place, pair.word, pair.category, pair.distance, pair.system, pair.gold


ERRORS = Errors(found_morphs, shown_morphs, COLUMNS, _cells)
