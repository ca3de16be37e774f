"""Agreement: how far annotators agree, kept up to date by counting only what has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from caesura.core.results import Summary
from caesura.core.row import Row
from caesura.scores.summary import summarize
from caesura.studio.project import Project
from caesura.tasks.transcript import Transcript, count_documents

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
    _rows: dict[int, tuple[Revision, list[Row]]] = field(default_factory=dict)

    def summary(self, people: Sequence[str] | None = None) -> Summary | None:
        """The agreement of some annotators, of all by default; None if it takes one more."""
        named = self.project.documents
        documents = sorted(named, key=lambda each: named[each].name)
        names = list(people) if people is not None else self._everyone(documents)
        shared = [each for each in documents if self._has_all(each, names)]
        if len(names) < 2 or not shared:
            return None
        rows = [row for document in shared for row in self._counted(document, names)]
        return summarize("agreement", rows, (), names, self.task)

    def _everyone(self, documents: Sequence[int]) -> list[str]:
        """Those who have done something in any document."""
        begun = {name for document in documents for name in self.project.layers(document)}
        return [each.name for each in self.project.annotators if each.name in begun]

    def _has_all(self, document: int, names: Sequence[str]) -> bool:
        layers = self.project.layers(document)
        return all(name in layers for name in names)

    def _counted(self, document: int, names: Sequence[str]) -> list[Row]:
        layers = self.project.layers(document)
        revision = tuple((name, layers[name].revision) for name in names)
        known = self._rows.get(document)
        if known is None or known[0] != revision:
            every = self.project.references(document)
            references = {name: every[name] for name in names}
            name = self.project.documents[document].name
            known = revision, count_documents(name, {}, references, self.task)
            self._rows[document] = known
        return known[1]


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
    """The gaps of a document on which those who have begun it do not all agree."""
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
