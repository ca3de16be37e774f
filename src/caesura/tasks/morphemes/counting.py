"""Morphemes: the morphs of a system against gold ones, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from caesura.core.counts import Counts
from caesura.core.row import Row, SourceCounts
from caesura.core.segmentation import IntArray
from caesura.io.files import read_utf8
from caesura.run.inputs import Case
from caesura.tasks.morphemes.data import MorphTable
from caesura.tasks.morphemes.format import parse_morphs
from caesura.tasks.morphemes.lines import matched
from caesura.tasks.morphemes.measures import Categories, Morphs, count_lines
from caesura.tasks.morphemes.options import MorphemesOptions

MOST = 1000
"""The most blocks of a document."""
DISTANCE = 5
"""Which row of the counts of lines holds the distance."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MorphemesTask(MorphemesOptions):
    """Reads and counts documents; with `force`, lines of other words are paired by number."""

    def count(self, case: Case) -> list[Row]:
        """Read one document in every version and count it."""
        return self._count(case, None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[MorphPairs]]:
        """The same, and every line with its morphs."""
        pairs: list[MorphPairs] = []
        return self._count(case, pairs), pairs

    def _count(self, case: Case, pairs: list[MorphPairs] | None) -> list[Row]:
        ((name, place),) = case.references.items()
        gold = self.read(place)
        rows = [Row(name, case.document, "source", None, _source(gold))]
        edges = self._edges(len(gold))
        for system, own in case.systems.items():
            found = matched(self.read(own), gold, force=self.force)
            rows.append(Row(system, case.document, "source", None, _source(found)))
            lines = count_lines(found, gold)
            rows += [
                Row(system, case.document, measure, name, counts, block=block)
                for measure, block, counts in self._counted(lines, gold, edges)
            ]
            if pairs is not None:
                pairs.append(_pairs(case.document, system, found, gold, lines))
        return rows

    def _edges(self, lines: int) -> IntArray:
        """The lines at which blocks begin and end."""
        number = min(MOST, lines) if self.blocks else 1
        return np.round(np.linspace(0, lines, number + 1)).astype(np.int64)

    def _counted(
        self, lines: IntArray, gold: MorphTable, edges: IntArray
    ) -> Iterator[tuple[str, int, Counts]]:
        ends = edges[1:].tolist() if self.blocks else [0]
        for end, morphs in zip(ends, Morphs.count_parts(lines, edges), strict=True):
            yield Morphs.name, end, morphs
        by_category = Categories.count_parts(lines, gold.categories, edges)
        for end, categories in zip(ends, by_category, strict=True):
            yield Categories.name, end, categories

    def parsed(self, data: bytes, source: str) -> MorphTable:
        """Read morphs from UTF-8 bytes."""
        return parse_morphs(data, source)

    def read(self, version: Any) -> MorphTable:
        """Read morphs, unless they are in memory."""
        if isinstance(version, MorphTable):
            return version
        return self.parsed(read_utf8(version, self.encoding), version)


def _source(table: MorphTable) -> SourceCounts:
    """What was read: how many words or sentences, and how many morphs they have."""
    morphs = "\n".join(table.morphs).count(" ") + len(table)
    return SourceCounts(1, morphs, len(table), ("morphs",), table.signs)


def _pairs(
    document: str, system: str, found: MorphTable, gold: MorphTable, lines: IntArray
) -> MorphPairs:
    columns = (
        found.lines,
        gold.words,
        gold.categories or [""] * len(gold),
        found.morphs,
        gold.morphs,
        lines[DISTANCE].tolist(),
    )
    pairs = (
        MorphPair(line=line, word=word, category=kind, system=ours, gold=theirs, distance=edits)
        for line, word, kind, ours, theirs, edits in zip(*columns, strict=True)
    )
    return MorphPairs(document=document, system=system, source=found.source, pairs=tuple(pairs))
