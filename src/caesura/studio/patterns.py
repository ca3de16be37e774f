"""Patterns of disagreement: the words around gaps in dispute, counted where something changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import asdict, dataclass, field
from heapq import nsmallest
from itertools import chain
from threading import Lock

from caesura.core.json_values import plain
from caesura.studio.adjudication import disputed_gaps, disputes
from caesura.studio.project import Project

MOST_PATTERNS = 50
Key = tuple[str, str]
"""The side of the gap on which a word is, and the word."""
Place = tuple[int, int]
"""A document, and a gap in it."""
Revision = tuple[tuple[object, ...], ...]
"""Whose layers of a document are compared, how often they have changed, and how far they count."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How often each word is next to a gap in dispute in a document, and where first."""

    revision: Revision
    times: Counter[Key]
    first: dict[Key, int]


@dataclass(slots=True)
class Patterns:
    """The counts of each document, made again when one of its finished layers has changed.

    `_total` is the sum over `_summed`, the counts that it was made of.
    """

    project: Project
    _counted: dict[int, Counted] = field(default_factory=dict)
    _total: Counter[Key] = field(default_factory=Counter)
    _summed: dict[int, Counted] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def common(self, documents: Sequence[int]) -> list[dict[str, object]]:
        """The most frequent words in some documents, each with an example."""
        with self._lock:
            return self._common(documents)

    def _common(self, documents: Sequence[int]) -> list[dict[str, object]]:
        counted = {document: self._of(document) for document in documents}
        self._sum(counted)
        often = [(key, number) for key, number in self._total.items() if number > 1]
        ranked = nsmallest(MOST_PATTERNS, often, key=lambda pair: (-pair[1], pair[0]))
        places = {key: _first(counted, key) for key, _ in ranked}
        examples = self._examples(set(places.values()))
        return [
            {"side": key[0], "word": key[1], "times": number,
             "document": self.project.documents[places[key][0]].name,
             "example": examples.get(places[key])}
            for key, number in ranked
        ]  # fmt: skip

    def _sum(self, counted: dict[int, Counted]) -> None:
        """Bring the total up to date: only what has changed is taken off and added."""
        for document in {*self._summed, *counted}:
            old, new = self._summed.get(document), counted.get(document)
            if old is not new:
                self._total.subtract(old.times if old else ())
                self._total.update(new.times if new else ())
        self._summed = counted

    def _examples(self, places: Set[Place]) -> dict[Place, object]:
        """The disputes at some gaps of some documents."""
        gaps: dict[int, list[int]] = {}
        for document, gap in places:
            gaps.setdefault(document, []).append(gap)
        return {
            (document, each.gap): plain(asdict(each))
            for document, own in gaps.items()
            for each in disputes(self.project, document, own)
        }

    def _of(self, document: int) -> Counted:
        votes = self.project.votes(document)
        revision = tuple(
            (*key, each.first.revision, each.first.voted) for key, each in votes.items()
        )
        known = self._counted.get(document)
        if known is None or known.revision != revision:
            known = self._counted[document] = self._count(document, revision)
        return known

    def _count(self, document: int, revision: Revision) -> Counted:
        gaps = disputed_gaps(self.project, document)
        words = self.project.pinned(document).shown.split(" ") if gaps else []
        keys = [
            (("before", words[gap + 1].casefold()), ("after", words[gap].casefold()))
            for gap in gaps
        ]
        times = Counter(chain.from_iterable(keys))
        pairs = zip(reversed(keys), reversed(gaps), strict=True)
        return Counted(revision, times, {key: gap for both, gap in pairs for key in both})


def _first(counted: dict[int, Counted], key: Key) -> Place:
    """The first place at which a word is next to a gap in dispute."""
    return next((document, own.first[key]) for document, own in counted.items() if key in own.first)
