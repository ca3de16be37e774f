"""Agreement: how far annotators agree, kept up to date by counting only what has changed.

Documents need not have the same annotators: the numbers are those of `caesura agreement --missing
vary` on what is exported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isnan

import numpy as np

from caesura.core.segmentation import Document
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.scores.catalog import catalog
from caesura.scores.summarize import summarize
from caesura.stats.resampling import Resampling
from caesura.stats.significance import add_confidence
from caesura.studio.project import Project
from caesura.studio.state import OwnLayer
from caesura.studio.store import Person
from caesura.tasks import TASKS
from caesura.tasks.transcript.counting import Transcript, count_documents
from caesura.tasks.transcript.options import VARY

Reached = dict[str, tuple[OwnLayer, int]]
"""The layers of a document by name, and how many gaps each has reached."""
Revision = tuple[tuple[str, OwnLayer, int, int], ...]
"""Who has which layer of a document, how often its boundaries have changed, in how many gaps."""
FIRST, AGAIN = "first", "again"
OF_PASSES = {
    "cohen_kappa": "cohen_kappa_mean",
    "f1": "pairwise_f1_mean",
    "boundary_similarity": "pairwise_boundary_similarity_mean",
}
"""What is shown of two passes of one person, and how `caesura agreement` calls it."""


def figures() -> dict[str, str]:
    """The figures of agreement by key, with their labels, as `caesura agreement` has them."""
    columns = catalog(TASKS["agreement"], None, ()).columns("agreement")
    return {each.key: each.title for each in columns}


@dataclass(slots=True)
class LiveAgreement:
    """The counts of each document, made again when one of its layers has changed."""

    project: Project
    task: Transcript = field(default_factory=lambda: Transcript(missing=VARY, blocks=True))
    _rows: dict[tuple[int, bool], tuple[Revision, CountTable]] = field(default_factory=dict)
    _drawn: tuple[list[Revision], Summary] | None = None

    def summary(self, *, so_far: bool = False, confidence: bool = False) -> Summary | None:
        """The agreement of all documents; None if none has two layers that count.

        With `so_far`, layers in work count too: each gap by those who have reached it, if they are
        several.
        """
        layers = self._layers(so_far=so_far)
        if not any(len(own) > 1 for own in layers.values()):
            return None
        names = [
            person.name
            for person in self.project.present
            if any(person.name in own for own in layers.values())
        ]
        counted = [self._counted(number, own, so_far=so_far) for number, own in layers.items()]
        table = CountTable.from_tables([rows for _, rows in counted])
        summary = summarize(TASKS["agreement"], table, (), names, self.task)
        if not confidence:
            return summary
        revisions = [revision for revision, _ in counted]
        if self._drawn is None or self._drawn[0] != revisions:
            self._drawn = revisions, add_confidence(summary, table, Resampling())
        return self._drawn[1]

    def _layers(self, *, so_far: bool) -> dict[int, Reached]:
        """The layers that count by document; so far, only where several have reached a gap."""
        layers = {}
        for document in sorted(self.project.listed, key=lambda each: each.name):
            counted = self.project.counted(document.id, in_work=so_far)
            reach = {name: (own, _reach(own, so_far=so_far)) for name, own in counted.items()}
            if any(_stretches(reach)) if so_far else reach:
                layers[document.id] = reach
        return layers

    def _counted(
        self, document: int, layers: Reached, *, so_far: bool
    ) -> tuple[Revision, CountTable]:
        revision = tuple((name, own, own.revision, gaps) for name, (own, gaps) in layers.items())
        known = self._rows.get((document, so_far))
        if known is None or known[0] != revision:
            known = revision, self._count(document, layers, so_far=so_far)
            self._rows[document, so_far] = known
        return known

    def _count(self, document: int, layers: Reached, *, so_far: bool) -> CountTable:
        """The counts of a document, or of its stretches, each as one of those who reached it."""
        pinned = self.project.pinned(document)
        whole = {name: pinned.document(own.segmentation()) for name, (own, _) in layers.items()}
        if not so_far:
            return count_documents(pinned.name, {}, whole, self.task)
        return CountTable.from_tables(
            [
                count_documents(
                    f"{pinned.name}, gaps {start + 1} to {stop}",
                    {},
                    {name: _part(whole[name], start, stop) for name in names},
                    self.task,
                )
                for start, stop, names in _stretches(layers)
            ]
        )


def _reach(layer: OwnLayer, *, so_far: bool) -> int:
    """How many gaps of a layer count: a finish that was confirmed is a vote on all of them."""
    gaps = layer.codes.size - 1
    return gaps if layer.is_finished or not so_far else min(gaps, layer.reached)


def _stretches(layers: Mapping[str, tuple[OwnLayer, int]]) -> Iterator[tuple[int, int, list[str]]]:
    """The stretches of gaps that the same people have reached, if they are several."""
    start = 0
    for stop in sorted({gaps for _, gaps in layers.values()}):
        names = [name for name, (_, gaps) in layers.items() if gaps >= stop]
        if stop > start and len(names) > 1:
            yield start, stop, names
        start = stop


def _part(document: Document, start: int, stop: int) -> Document:
    """The words around some gaps: each gap has a word on either side, the last ends the part."""
    places = np.arange(document.segmentation.length)
    return document.some((places >= start) & (places <= stop))


def self_agreement(project: Project) -> list[dict[str, object]]:
    """The agreement of the last two finished blind passes of each annotator with such documents."""
    return [row for person in project.annotators if (row := _with_oneself(project, person))]


def _with_oneself(project: Project, who: Person) -> dict[str, object] | None:
    task = Transcript()
    tables = [
        count_documents(document.name, {}, passes, task)
        for document in project.listed
        if (passes := _last_two(project, document.id, who.id))
    ]
    if not tables:
        return None
    names = [FIRST, AGAIN]
    table = CountTable.from_tables(tables)
    agreement = summarize(TASKS["agreement"], table, (), names, task).agreement
    values = agreement.micro if agreement else {}
    known = {key: values.get(name) for key, name in OF_PASSES.items()}
    return {"name": who.name, "documents": len(tables)} | {
        key: None if value is None or isnan(value) else value for key, value in known.items()
    }


def _last_two(project: Project, document: int, person: int) -> dict[str, Document]:
    """The last two finished blind passes of a document; nothing if there are not two."""
    layers = [
        layer
        for key, layer in project.board.of_document(document)
        if key[1] == person and layer.is_blind and layer.is_finished
    ]
    if len(layers) < 2:
        return {}
    pinned = project.pinned(document)
    pairs = zip((FIRST, AGAIN), layers[-2:], strict=True)
    return {name: pinned.document(layer.segmentation()) for name, layer in pairs}
