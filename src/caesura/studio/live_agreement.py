"""Agreement: how far annotators agree, kept up to date by counting only what has changed.

Documents need not have the same annotators: the numbers are those of `caesura agreement --missing
vary` on what is exported.
"""

from __future__ import annotations

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
"""Who has which layer of a document, how often its boundaries have changed, in how many words."""


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

        None if no document has two layers that count. With `so_far`, layers in work count too, on
        the words that all of a document's annotators have reached.
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

    def _layers(self, machine: str, *, so_far: bool) -> dict[int, dict[str, tuple[OwnLayer, int]]]:
        """The layers that count by document and name, and in how many words."""
        found = {}
        for each in sorted(self.project.listed, key=lambda each: each.name):
            layers = self.project.counted(each.id, in_work=so_far)
            reached = (own.codes.size if own.is_done else own.reached for own in layers.values())
            words = min(reached, default=0)
            if self.project.board.machines.get(each.id, UNAIDED) == machine and words > so_far:
                found[each.id] = {name: (layer, words) for name, layer in layers.items()}
        return found

    def _counted(
        self, document: int, layers: dict[str, tuple[OwnLayer, int]], *, so_far: bool
    ) -> tuple[Revision, CountTable]:
        revision = tuple(
            (name, each, each.revision, words) for name, (each, words) in layers.items()
        )
        known = self._rows.get((document, so_far))
        if known is None or known[0] != revision:
            pinned = self.project.pinned(document)
            references = {
                name: _first(pinned.document(each.segmentation()), words)
                for name, (each, words) in layers.items()
            }
            known = revision, count_documents(pinned.name, {}, references, self.task)
            self._rows[document, so_far] = known
        return known


def _first(document: Document, words: int) -> Document:
    """The first words of a document."""
    if words == document.segmentation.length:
        return document
    return document.some(np.arange(document.segmentation.length) < words)
