"""Agreement: how far annotators agree, kept up to date by counting only what has changed.

Documents need not have the same annotators: the numbers are those of `caesura agreement --missing
vary` on what is exported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from caesura.core.segmentation import Document
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.scores.catalog import catalog
from caesura.scores.summarize import summarize
from caesura.stats.confidence import add_confidence
from caesura.stats.resampling import Resampling
from caesura.studio.layers import OwnLayer
from caesura.studio.project import Project
from caesura.tasks import TASKS
from caesura.tasks.transcript.counting import Transcript, count_documents
from caesura.tasks.transcript.options import VARY

UNAIDED = ""
"""Documents that nobody began with a machine's boundaries."""
Revision = tuple[tuple[str, OwnLayer, int, int], ...]
"""Who has which layer of a document, how often its boundaries have changed, in how many gaps."""
Reached = dict[str, tuple[OwnLayer, int]]
"""The layers of a document by name, and how many gaps each has reached."""


def figures() -> dict[str, str]:
    """The figures of agreement by key, with their labels, as `caesura agreement` has them."""
    return {
        each.key: each.title for each in catalog(TASKS["agreement"], None, ()).columns("agreement")
    }


@dataclass(slots=True)
class LiveAgreement:
    """The counts of each document, made again when one of its layers has changed."""

    project: Project
    task: Transcript = field(default_factory=lambda: Transcript(missing=VARY, blocks=True))
    _rows: dict[tuple[int, bool], tuple[Revision, CountTable]] = field(default_factory=dict)
    _drawn: dict[str, tuple[list[Revision], Summary]] = field(default_factory=dict)

    def summary(
        self, machine: str = UNAIDED, *, so_far: bool = False, confidence: bool = False
    ) -> Summary | None:
        """The agreement on documents that began from nothing, or from a machine's boundaries.

        None if no document has two layers that count. With `so_far`, layers in work count too: each
        gap by those who have reached it, if they are several.
        """
        layers = self._layers(machine, so_far=so_far)
        if not any(len(own) > 1 for own in layers.values()):
            return None
        names = [
            each.name
            for each in self.project.people.values()
            if any(each.name in own for own in layers.values())
        ]
        counted = [self._counted(number, own, so_far=so_far) for number, own in layers.items()]
        table = CountTable.from_tables([rows for _, rows in counted])
        found = summarize(TASKS["agreement"], table, (), names, self.task)
        if not confidence:
            return found
        revisions = [revision for revision, _ in counted]
        if self._drawn.get(machine, ([],))[0] != revisions:
            drawn = add_confidence(found, table, Resampling())
            self._drawn[machine] = revisions, drawn
        return self._drawn[machine][1]

    @property
    def machines(self) -> list[str]:
        """The machines with whose boundaries documents began."""
        return sorted(set(self.project.board.machines.values()))

    def _layers(self, machine: str, *, so_far: bool) -> dict[int, Reached]:
        """The layers that count by document; so far, only where several have reached a gap."""
        found = {}
        for each in sorted(self.project.listed, key=lambda each: each.name):
            if self.project.board.machines.get(each.id, UNAIDED) != machine:
                continue
            layers = self.project.counted(each.id, in_work=so_far)
            reach = {name: (own, _reach(own, so_far=so_far)) for name, own in layers.items()}
            is_counted = any(_stretches(reach)) if so_far else bool(reach)
            if is_counted:
                found[each.id] = reach
        return found

    def _counted(
        self, document: int, layers: Reached, *, so_far: bool
    ) -> tuple[Revision, CountTable]:
        revision = tuple((name, each, each.revision, gaps) for name, (each, gaps) in layers.items())
        known = self._rows.get((document, so_far))
        if known is None or known[0] != revision:
            count = self._stretch_rows if so_far else self._whole_rows
            known = revision, count(document, layers)
            self._rows[document, so_far] = known
        return known

    def _whole_rows(self, document: int, layers: Reached) -> CountTable:
        pinned = self.project.pinned(document)
        references = {
            name: pinned.document(each.segmentation()) for name, (each, _) in layers.items()
        }
        return count_documents(pinned.name, {}, references, self.task)

    def _stretch_rows(self, document: int, layers: Reached) -> CountTable:
        """The counts of a document's stretches, each as a document of those who have reached it."""
        pinned = self.project.pinned(document)
        whole = {name: pinned.document(each.segmentation()) for name, (each, _) in layers.items()}
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
    return min(gaps, max(layer.reached, layer.voted)) if so_far else gaps


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
