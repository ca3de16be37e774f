"""Agreement: how far annotators agree, kept up to date by counting only what has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from caesura.core.segmentation import Document
from caesura.core.summary import Summary
from caesura.core.table import CountTable
from caesura.scores.summarize import summarize
from caesura.studio.project import Project
from caesura.tasks import TASKS
from caesura.tasks.transcript.counting import Transcript, count_documents

Revision = tuple[tuple[str, int], ...]
"""Who has a layer of a document, and how often its boundaries have changed."""


@dataclass(slots=True)
class LiveAgreement:
    """The counts of each document, made again when one of its layers has changed.

    The numbers are those of `caesura agreement` on what is exported: of documents that all have,
    among those who have begun.
    """

    project: Project
    task: Transcript = field(default_factory=Transcript)
    _rows: dict[tuple[int, bool], tuple[Revision, CountTable]] = field(default_factory=dict)

    def summary(
        self, people: Sequence[str] | None = None, *, so_far: bool = False
    ) -> Summary | None:
        """The agreement of the given annotators, or of all; None if there are fewer than two.

        With `so_far`, it is that on the words that all have reached.
        """
        named = self.project.documents
        documents = sorted(named, key=lambda each: named[each].name)
        names = list(people) if people is not None else self._everyone(documents)
        shared = [each for each in documents if self._has_all(each, names)]
        if so_far:
            shared = [each for each in shared if self._reached(each, names) > 1]
        if len(names) < 2 or not shared:
            return None
        counted = [self._counted(document, names, so_far=so_far) for document in shared]
        return summarize(TASKS["agreement"], CountTable.from_tables(counted), (), names, self.task)

    def _everyone(self, documents: Sequence[int]) -> list[str]:
        """The annotators who have done something in any document."""
        begun = {name for document in documents for name in self.project.layers(document)}
        return [each.name for each in self.project.annotators if each.name in begun]

    def _has_all(self, document: int, names: Sequence[str]) -> bool:
        layers = self.project.layers(document)
        return all(name in layers for name in names)

    def _reached(self, document: int, names: Sequence[str]) -> int:
        """The number of words of a document that all given annotators have reached."""
        layers, length = self.project.layers(document), self.project.documents[document].length
        reached = (length if layers[n].is_finished else layers[n].reached for n in names)
        return min(reached, default=0)

    def _counted(self, document: int, names: Sequence[str], *, so_far: bool) -> CountTable:
        layers = self.project.layers(document)
        words = self._reached(document, names) if so_far else 0
        revision = (("", words), *((name, layers[name].revision) for name in names))
        known = self._rows.get((document, so_far))
        if known is None or known[0] != revision:
            every = self.project.references(document)
            references = {n: _first(every[n], words) if so_far else every[n] for n in names}
            name = self.project.documents[document].name
            known = revision, count_documents(name, {}, references, self.task)
            self._rows[document, so_far] = known
        return known[1]


def _first(document: Document, words: int) -> Document:
    """The first words of a document."""
    return document.some(np.arange(document.segmentation.length) < words)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A gap on which annotators differ: what each has, the words around it, and a decision."""

    gap: int
    marks: dict[str, str | None]
    before: str
    after: str
    decision: str | None
    is_decided: bool


def disputes(project: Project, document: int, around: int = 8) -> Iterator[Dispute]:
    """The gaps of a document on which the annotators who have started it disagree."""
    layers = {name: each.boundaries() for name, each in project.layers(document).items()}
    words = project.pinned(document).shown.split(" ")
    decisions = project.board.decisions.get(document, {})
    places = sorted({at for each in layers.values() for at in each if at < len(words) - 1})
    for at in places:
        marks = {name: each.get(at) for name, each in layers.items()}
        if len(set(marks.values())) > 1:
            yield Dispute(
                at,
                marks,
                " ".join(words[max(0, at + 1 - around) : at + 1]),
                " ".join(words[at + 1 : at + 1 + around]),
                decisions.get(at),
                at in decisions,
            )
