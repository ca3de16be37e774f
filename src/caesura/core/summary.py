"""Summary: the result of scoring, which tables, the report and JSON show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from caesura.core.profile import Profile
from caesura.core.results import (
    Ceiling,
    Corpus,
    RankingCurve,
    ReferenceAgreement,
    Resampled,
    Streams,
    System,
    Version,
)
from caesura.core.score import ALSO, BOUNDARY, Scores
from caesura.core.task import Kind, Task
from caesura.errors import number

if TYPE_CHECKING:
    from caesura.core.comparisons import Comparisons


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The result of scoring: everything that tables, the report and JSON show.

    `notes` say how inputs were read where that was guessed, `warnings` what looks misread.
    `words` are those on which transcripts are scored. `profile` is that of a community. `skipped`
    are the documents that were left out, with the reason. Where annotators vary, `panels` says how
    many documents have how many references, and `who` which documents each version has. `curves`
    are those of systems that give a score for each place.
    """

    caesura: str
    task: Task
    signature: str
    options: Mapping[str, Any]
    references: tuple[str, ...]
    documents: tuple[str, ...]
    words: int = 0
    systems: tuple[System, ...] = ()
    sources: dict[str, Version] = field(default_factory=dict)
    axes: dict[str, str] = field(default_factory=dict)
    agreement: ReferenceAgreement | None = None
    ceiling: Ceiling | None = None
    streams: Streams | None = None
    gold: Corpus | None = None
    confidence: Resampled | None = None
    comparison: Comparisons | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    profile: Profile | None = None
    skipped: Mapping[str, str] = field(default_factory=dict)
    panels: Mapping[int, int] = field(default_factory=dict)
    who: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    curves: tuple[RankingCurve, ...] = ()

    @property
    def kind(self) -> Kind:
        """Whose scores they are: a profile's, or a task's; also the command that it is of."""
        return Kind(self.task, self.profile, tuple(self.options.get(ALSO) or ()))

    @property
    def task_kind(self) -> Kind:
        """The kind without its profile: the scores of the task under their own names."""
        return self.kind._replace(profile=None)

    @property
    def shows_own_tables(self) -> bool:
        """Whether a profile's table has the task's own below it, which most show if asked to."""
        profile = self.profile
        return not profile or ALSO not in profile.takes or BOUNDARY in self.options.get(ALSO, ())

    def __repr__(self) -> str:
        sides = (
            ("system", self.systems),
            ("reference", self.references),
            ("document", self.documents),
        )
        return f"<Summary of {self.kind}: {', '.join(number(len(s), noun) for noun, s in sides)}>"

    def by_document(self) -> Iterator[tuple[str, str, Scores]]:
        """The scores of every system on each document, document by document."""
        names = [system.name for system in self.systems]
        if self.who:
            for document in self.documents:
                for system in self.systems:
                    if document in system.by_document:
                        yield document, system.name, system.by_document[document]
            return
        each = zip(*(system.by_document.values() for system in self.systems), strict=True)
        for document, scores in zip(self.documents, each, strict=False):
            for name, own in zip(names, scores, strict=True):
                yield document, name, own
