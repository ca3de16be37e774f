"""Wrong lines of morphs as they are listed, and lines as segments of the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from caesura.communities.morphemes.lines import SEPARATOR, separated
from caesura.core.json_values import typed
from caesura.output.report.views.segments import (
    SegmentPair,
    SegmentPairs,
    SentencesReading,
    segments_readings,
)
from caesura.output.tables.error_lists import Errors, Found, Readings, cut, frequent, passage

COLUMNS = ("system", "place", "word", "category", "distance", "morphs", "gold")
NOTHING = "(nothing)"
LONGEST = 400
"""The characters of a line that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MorphPair:
    """A line of both sides: its number in the system's file, its word, its category, its morphs."""

    line: int
    word: str
    category: str
    system: str
    gold: str
    distance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MorphPairs:
    """The lines of a document, as one system has them, and in which file."""

    document: str
    system: str
    source: str
    pairs: tuple[MorphPair, ...]
    kind: Literal["morph_pairs"] = "morph_pairs"


WrongLine = tuple[str, str, MorphPair]
"""The system, where the line is, and what stands there."""


def wrong_lines(readings: Readings) -> Iterator[WrongLine]:
    """Every line whose morphs are not the gold's, as a run kept them."""
    for values in readings:
        kept = typed(MorphPairs, values)
        for pair in kept.pairs:
            if pair.distance:
                yield kept.system, f"{kept.source}:{pair.line}", pair


def shown_lines(wrong: Iterable[WrongLine], most: int) -> Found:
    """The most frequent differences between morphs, and the first lines that have any."""
    patterns: Counter[tuple[str, ...]] = Counter()
    passages = ["The first lines\n"]
    for system, place, pair in wrong:
        patterns.update((system, *each) for each in differences(pair.system, pair.gold))
        if len(passages) <= most:
            category = f" ({pair.category})" if pair.category else ""
            head = f"{place}: {cut(pair.word, LONGEST)}{category}, distance {pair.distance:,}"
            sides = (system, cut(pair.system, LONGEST)), ("gold", cut(pair.gold, LONGEST))
            passages.append(passage(head, *sides))
    table = frequent(patterns, most, "Wrong morphs", ("system", "morphs", "gold"))
    return Found((table,), tuple(passages))


def differences(system: str, gold: str) -> Iterator[tuple[str, str]]:
    """What is between morphs that both lines have, on either side.

    >>> list(differences("un @@happ @@iness", "un @@happi @@ness"))
    [('happ iness', 'happi ness')]
    """
    from rapidfuzz.distance import LCSseq

    ours, theirs = (line.split(SEPARATOR) for line in separated([system, gold]))
    for is_equal, group in groupby(LCSseq.opcodes(ours, theirs), lambda each: each.tag == "equal"):
        if not is_equal:
            parts = list(group)
            own = ours[parts[0].src_start : parts[-1].src_end]
            wanted = theirs[parts[0].dest_start : parts[-1].dest_end]
            yield " ".join(own) or NOTHING, " ".join(wanted) or NOTHING


def _cells(wrong: WrongLine) -> tuple[str | int, ...]:
    system, place, pair = wrong
    return system, place, pair.word, pair.category, pair.distance, pair.system, pair.gold


ERRORS = Errors(wrong_lines, shown_lines, COLUMNS, _cells)


def morphs_readings(kept: Iterable[MorphPairs]) -> Iterator[SentencesReading]:
    """For each system its lines, whose morphs are the words of segments."""
    return segments_readings(map(_segments, kept))


def _segments(kept: MorphPairs) -> SegmentPairs:
    ours = separated([pair.system for pair in kept.pairs], " ")
    theirs = separated([pair.gold for pair in kept.pairs], " ")
    pairs = tuple(
        SegmentPair(reference=gold, system=own, words=gold.count(" ") + 1, edits=pair.distance)
        for pair, own, gold in zip(kept.pairs, ours, theirs, strict=True)
    )
    return SegmentPairs(
        document=kept.document, system=kept.system, pairs=pairs, tokens="exact", units="words"
    )
