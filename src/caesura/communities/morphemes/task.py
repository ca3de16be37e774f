"""Morphemes from end to end: words divided into morphs, against one gold, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from caesura.communities.morphemes.lines import MorphTable, as_morphs, matched, parse_morphs
from caesura.communities.morphemes.measures import DISTANCE, Categories, Morphs, count_lines
from caesura.communities.morphemes.options import MorphemesOptions
from caesura.communities.morphemes.output import MorphPair, MorphPairs
from caesura.core.option import OptionValues
from caesura.core.row import SOURCE, Row, SourceCounts
from caesura.core.score import View
from caesura.core.segmentation import IntArray
from caesura.core.summary import Summary
from caesura.core.task import Task
from caesura.io.files import read_utf8
from caesura.output.tables import Page
from caesura.output.tables.pages import plain_page
from caesura.run.given import Sides, against_gold
from caesura.run.inputs import Case
from caesura.scores.summarize import Counted, summary_of_scores, with_groups
from caesura.steps.evaluation import Evaluation
from caesura.steps.shared import Shared, counting, prepared

MAX_BLOCKS = 1000
"""The most blocks of a document."""
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


def score_morphemes(task: Task, sides: Sides, given: OptionValues, shared: Shared) -> Evaluation:
    """Score words divided into morphs against one gold."""
    options = MorphemesTask.from_given(given)
    plan = prepared(against_gold(task, options, as_morphs, sides, shared.missing), shared)
    with counting(plan, shared) as run:
        return run.finished(summary_of(run.counted))


def summary_of(counted: Counted) -> Summary:
    """Everything that is shown of morphemes."""
    documents = counted.table.by_document()
    summary = summary_of_scores(counted, documents, PROBLEMS)
    return with_groups(summary, documents.total, Categories) if documents else summary


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
        blocks = min(MAX_BLOCKS, len(gold)) if self.blocks else 1
        edges = np.round(np.linspace(0, len(gold), blocks + 1)).astype(np.int64)
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
