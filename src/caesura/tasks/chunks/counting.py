"""Chunks: those of systems and of chunkers against the excerpts of questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from caesura.core.counts import Counts
from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.errors import FormatError, shortened
from caesura.io.files import read_text
from caesura.run.inputs import Case
from caesura.tasks.chunks import chunkers
from caesura.tasks.chunks.data import (
    MARK,
    Chunks,
    CutExcerpt,
    CutExcerpts,
    Excerpt,
    Gold,
    GoldText,
    Questions,
    Run,
)
from caesura.tasks.chunks.measures import ChunkBoundaries, Excerpts
from caesura.tasks.chunks.options import ChunksOptions

MOST = 1000
"""The most blocks of a document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunksTask(ChunksOptions):
    """Reads texts, runs chunkers, and counts; a block is a part of the questions."""

    def count(self, case: Case) -> list[Row]:
        """Count the chunks of all systems in one document."""
        return self._count(case, None)

    def count_and_read(self, case: Case) -> tuple[list[Row], list[CutExcerpts]]:
        """Count the chunks of all systems, and show how they cut the excerpts."""
        readings: list[CutExcerpts] = []
        return self._count(case, readings), readings

    def _count(self, case: Case, readings: list[CutExcerpts] | None) -> list[Row]:
        ((name, own),) = case.references.items()
        assert isinstance(own, GoldText)
        text = read_text(own.path, self.encoding)
        _require_inside(own, text)
        number = own.gold.columns[0].size if isinstance(own.gold, Questions) else len(own.gold)
        rows = [Row(name, case.document, SOURCE, None, SourceCounts(1, len(text), number, ()))]
        for system, version in case.systems.items():
            chunks = self._chunks(version, text, own.path)
            read = SourceCounts(1, len(text), len(chunks), ())
            rows.append(Row(system, case.document, SOURCE, None, read))
            rows += [
                Row(system, case.document, measure, name, counts, block=block)
                for measure, block, counts in self._counted(chunks, own.gold, text)
            ]
            if readings is not None:
                readings.append(_cut(case.document, system, chunks, own.gold, text))
        return rows

    def _chunks(self, version: object, text: str, path: str) -> Chunks:
        """The chunks of a system, inside the text."""
        if isinstance(version, Run):
            return chunkers.run(version.spec, text, path)
        assert isinstance(version, Chunks)
        if version.ends.max(initial=0) > len(text):
            problem = f"a chunk ends at {version.ends.max()}, but {path} has {len(text)} characters"
            raise FormatError(
                version.source, problem, "count characters of the same text, not bytes"
            )
        return version

    def _counted(self, chunks: Chunks, gold: Gold, text: str) -> Iterator[tuple[str, int, Counts]]:
        if isinstance(gold, Chunks):
            yield ChunkBoundaries.name, 0, ChunkBoundaries().count(chunks, gold, text)
            gold = Questions(())
        number = len(gold.excerpts)
        blocks = min(MOST, number) if self.blocks and number else 1
        edges = np.round(np.linspace(0, number, blocks + 1)).astype(np.int64)
        ends = edges[1:].tolist() if self.blocks and number else [0]
        parts = Excerpts.count_parts(chunks, gold, text, edges)
        yield from ((Excerpts.name, end, counts) for end, counts in zip(ends, parts, strict=True))


def _cut(document: str, system: str, chunks: Chunks, gold: Gold, text: str) -> CutExcerpts:
    """Every excerpt, with marks where it is cut; none against the chunks of a person."""
    every = gold.excerpts if isinstance(gold, Questions) else ()
    excerpts = tuple(_marked(each, chunks, text) for own in every for each in own)
    return CutExcerpts(document=document, system=system, source=gold.source, excerpts=excerpts)


def _marked(excerpt: Excerpt, chunks: Chunks, text: str) -> CutExcerpt:
    start, end = excerpt.start, excerpt.end
    is_whole = bool(((chunks.starts <= start) & (chunks.ends >= end)).any())
    inside = chunks.ends[(chunks.ends > start) & (chunks.ends < end)]
    places = [] if is_whole else sorted(set(inside.tolist()))
    pieces = [text[a:b] for a, b in pairwise((start, *places, end))]
    marked = MARK.join(" ".join(piece.split()) for piece in pieces)
    return CutExcerpt(line=excerpt.line, start=start, end=end, text=marked, cuts=len(places))


def _require_inside(own: GoldText, text: str) -> None:
    """Raise an error if an excerpt is not where it is said to be."""
    if isinstance(own.gold, Chunks):
        if own.gold.ends.max(initial=0) > len(text):
            problem = f"a chunk ends behind the end of {own.path}"
            raise FormatError(own.gold.source, problem, "count characters of the same text")
        return
    for excerpt in (each for question in own.gold.excerpts for each in question):
        passage = text[excerpt.start : excerpt.end]
        is_there = excerpt.end <= len(text) and excerpt.content in (None, passage)
        if not is_there:
            where = f"characters {excerpt.start} to {excerpt.end} of {own.path}"
            raise FormatError(
                own.gold.source,
                f"{where} are '{shortened(passage)}', not '{shortened(excerpt.content or '')}'",
                "give the text that the offsets were counted in, with its own line ends",
                line=excerpt.line,
            )
