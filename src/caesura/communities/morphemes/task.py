"""Morphemes from end to end: words divided into morphs, against one gold, line by line.

And wrong lines as they are listed, and lines as segments of the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from caesura.communities.morphemes.morphs import (
    DISTANCE,
    SEPARATOR,
    Categories,
    Morphs,
    MorphTable,
    count_lines,
    matched,
    parse_morphs,
    separated,
)
from caesura.communities.morphemes.options import MorphemesOptions
from caesura.core.arrays import even_edges
from caesura.core.json_values import typed
from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.core.score import View
from caesura.core.segmentation import IntArray
from caesura.core.summary import Summary
from caesura.io.files import read_utf8
from caesura.output.pages import plain_page
from caesura.output.report.segments import (
    SegmentPair,
    SegmentPairs,
    SentencesReading,
    segments_readings,
)
from caesura.output.tables import Errors, Found, Page, Readings, cut, frequent, passage
from caesura.run.inputs import Case

PROBLEMS = {
    "odd_morphs": (
        "line",
        "with an empty morph, or with @@ at the beginning; they count as written, as in "
        "evaluate.py",
    ),
    "other_words": ("line", "of other words than the gold's, paired by their numbers"),
}
"""Signs of what looks misread: what is counted, and what the warning says."""
TABLES: dict[View, tuple[str, str]] = {
    "unit": ("morphs", "Morphs"),
    "other": ("boundaries", "Boundaries of surface morphs"),
}
"""The tables by view, with id and title."""


def page_of(summary: Summary, **details: Any) -> Page:
    """The tables."""
    return plain_page(summary, TABLES, **details)


@dataclass(frozen=True, slots=True, kw_only=True)
class MorphemesTask(MorphemesOptions):
    """Reads and counts documents; with `force`, lines of other words are paired by number."""

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self._count(case, None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[MorphPairs]]:
        """Read and count one document, and return every line with its morphs, too."""
        pairs: list[MorphPairs] = []
        return self._count(case, pairs), pairs

    def _count(self, case: Case, pairs: list[MorphPairs] | None) -> list[Row]:
        ((name, place),) = case.references.items()
        gold = self._read(place)
        rows = [Row(name, case.document, SOURCE, None, _source(gold))]
        edges = even_edges(len(gold), in_blocks=self.blocks)
        ends = edges[1:].tolist() if self.blocks else [0]
        for system, version in case.systems.items():
            table = matched(self._read(version), gold, force=self.force)
            rows.append(Row(system, case.document, SOURCE, None, _source(table)))
            lines = count_lines(table, gold)
            morphs = Morphs.count_parts(lines, edges)
            categories = Categories.count_parts(lines, gold.categories, edges)
            for measure, parts in ((Morphs, morphs), (Categories, categories)):
                rows += [
                    Row(system, case.document, measure.name, name, counts, block=end)
                    for end, counts in zip(ends, parts, strict=True)
                ]
            if pairs is not None:
                pairs.append(_pairs(case.document, system, table, gold, lines[DISTANCE]))
        return rows

    def _read(self, version: Any) -> MorphTable:
        """Read morphs, unless they are in memory."""
        if isinstance(version, MorphTable):
            return version
        return parse_morphs(read_utf8(version, self.encoding), version)


def _source(table: MorphTable) -> SourceCounts:
    """What was read: how many words or sentences, and how many morphs they have."""
    morphs = "\n".join(table.morphs).count(" ") + len(table)
    return SourceCounts(1, morphs, len(table), ("morphs",), table.signs)


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


def _pairs(
    document: str, system: str, table: MorphTable, gold: MorphTable, distances: IntArray
) -> MorphPairs:
    """The lines of both sides, each with the distance of its morphs."""
    categories = gold.categories or [""] * len(gold)
    columns = table.lines, gold.words, categories, table.morphs, gold.morphs, distances.tolist()
    pairs = (
        MorphPair(line=line, word=word, category=kind, system=ours, gold=theirs, distance=edits)
        for line, word, kind, ours, theirs, edits in zip(*columns, strict=True)
    )
    return MorphPairs(document=document, system=system, source=table.source, pairs=tuple(pairs))


WrongLine = tuple[str, str, str, str, int, str, str]
"""The cells of a line, one for each of the columns."""


def wrong_lines(readings: Readings) -> Iterator[WrongLine]:
    """Every line whose morphs are not the gold's, as a run kept them."""
    for values in readings:
        kept = typed(MorphPairs, values)
        for pair in kept.pairs:
            if pair.distance:
                place, word = f"{kept.source}:{pair.line}", (pair.word, pair.category)
                yield kept.system, place, *word, pair.distance, pair.system, pair.gold


def shown_lines(wrong: Iterable[WrongLine], most: int) -> Found:
    """The most frequent differences between morphs, and the first lines that have any."""
    patterns: Counter[tuple[str, ...]] = Counter()
    passages = ["The first lines\n"]
    for system, place, word, category, distance, morphs, gold in wrong:
        patterns.update((system, *sides) for sides in differences(morphs, gold))
        if len(passages) <= most:
            kind = f" ({category})" if category else ""
            head = f"{place}: {cut(word, LONGEST)}{kind}, distance {distance:,}"
            sides = (system, cut(morphs, LONGEST)), ("gold", cut(gold, LONGEST))
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


ERRORS = Errors(wrong_lines, shown_lines, COLUMNS, tuple)


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
