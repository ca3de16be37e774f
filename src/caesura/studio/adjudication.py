"""Adjudication: the gaps in dispute, what was decided, and the result when a document is closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nsmallest

import numpy as np

from caesura.studio.events import MAJORITY, MARKS, Event, EventError
from caesura.studio.project import Project
from caesura.studio.state import NO_BOUNDARY, Codes, OwnLayer
from caesura.studio.store import Person

AROUND = 8
"""How many words are shown on each side of a gap."""
MOST_PATTERNS = 50


def codes_of(project: Project, document: int) -> Codes:
    """What the finished layers of a document have at its gaps: a row for each layer."""
    layers = project.votes(document).values()
    gaps = max(0, project.documents[document].length - 1)
    return np.array([layer.codes[:gaps] for layer in layers], np.uint8).reshape(len(layers), gaps)


def differing(project: Project, document: int) -> list[int]:
    """The gaps on which finished layers differ; where marks are off, only in boundaries."""
    codes = codes_of(project, document)
    compared = codes if project.board.has_marks else codes > NO_BOUNDARY
    gaps: list[int] = np.flatnonzero((compared != compared[:1]).any(axis=0)).tolist()
    return gaps


def disputes(project: Project, document: int) -> list[int]:
    """The gaps on which finished layers differ, decided against all of them, or to discuss."""
    gaps = set(differing(project, document))
    unanimous = _unanimous(project, document)
    decisions = dict(project.board.decisions.get(document, {}))
    for gap, decision in decisions.items():
        if not decision.is_made or decision.value not in (MAJORITY, unanimous.get(gap)):
            gaps.add(gap)
    return sorted(gaps)


def open_disputes(project: Project, document: int) -> list[int]:
    """The gaps in dispute that are not decided."""
    decisions = dict(project.board.decisions.get(document, {}))
    made = {gap for gap, decision in decisions.items() if decision.is_made}
    return [gap for gap in disputes(project, document) if gap not in made]


def _unanimous(project: Project, document: int) -> dict[int, str]:
    """The boundaries that all have, with the mark of most of them."""
    codes = codes_of(project, document)
    gaps = np.flatnonzero(codes.all(axis=0)) if codes.size else ()
    return {gap: _mark(codes[:, gap]) for gap in map(int, gaps)}


def _mark(codes: Codes) -> str:
    """The most frequent mark of some boundaries; of equally frequent ones, the first of MARKS."""
    return MARKS[int(np.bincount(codes)[1:].argmax())]


def result(project: Project, document: int) -> dict[int, str]:
    """Boundaries that all have, and what was decided; a dispute that is open has no boundary."""
    boundaries = _unanimous(project, document)
    codes = codes_of(project, document)
    for gap, decision in dict(project.board.decisions.get(document, {})).items():
        value = decision.value
        if value == MAJORITY:
            own = codes[:, gap][codes[:, gap] > NO_BOUNDARY]
            value = _mark(own) if 2 * own.size > len(codes) else None
        if decision.is_made and value is None:
            boundaries.pop(gap, None)
        elif decision.is_made:
            boundaries[gap] = str(value)
    return dict(sorted(boundaries.items()))


def unfinished(project: Project, document: int) -> dict[int, str]:
    """The people who are assigned and have not finished, by number."""
    return {
        person: project.name_of(person)
        for (_, person, _), layer in project.board.of_document(document)
        if not layer.is_finished
    }


def close(
    project: Project, person: Person, document: int, withdrawn: Sequence[int] = ()
) -> list[Event]:
    """Close a document and store its result; people who have not finished must be withdrawn."""
    return project.made(person, lambda: [_closing(project, document, withdrawn)])


def _closing(project: Project, document: int, withdrawn: Sequence[int]) -> Event:
    project.pinned(document)
    votes = project.votes(document)
    late = unfinished(project, document)
    if late.keys() - set(withdrawn):
        names = ", ".join(name for who, name in late.items() if who not in withdrawn)
        raise EventError(f"not finished yet: {names}; withdraw them, or wait")
    if set(withdrawn) - late.keys():
        raise EventError("only people who have not finished can be withdrawn")
    if not votes:
        raise EventError("nobody has finished this document")
    still = len(open_disputes(project, document))
    if still:
        raise EventError(f"{still:,} gaps are not decided")
    decisions = project.board.decisions.get(document, {})
    return Event.of_project(
        "close",
        document,
        boundaries={str(gap): mark for gap, mark in result(project, document).items()},
        layers=[[person, number] for _, person, number in votes],
        decided={str(gap): made.person for gap, made in sorted(decisions.items()) if made.is_made},
        withdrawn=sorted(withdrawn),
    )


def layer_of(project: Project, document: int) -> OwnLayer:
    """The result of a document that is closed, or what all agree on and what was decided."""
    closed = project.board.closed.get(document)
    boundaries = closed.boundaries if closed else result(project, document)
    return OwnLayer.from_length(project.documents[document].length, boundaries)


def patterns(project: Project, documents: Iterable[int]) -> list[dict[str, object]]:
    """The words before and after gaps in dispute, most frequent first, each with an example."""
    times: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], tuple[int, int]] = {}
    for document in documents:
        gaps = differing(project, document)
        words = project.pinned(document).shown.split(" ") if gaps else []
        for gap in gaps:
            for key in ("before", words[gap + 1].casefold()), ("after", words[gap].casefold()):
                times[key] += 1
                first.setdefault(key, (document, gap))
    often = [(key, number) for key, number in times.items() if number > 1]
    ranked = nsmallest(MOST_PATTERNS, often, key=lambda pair: (-pair[1], pair[0]))
    return [
        {"side": key[0], "word": key[1], "times": number} | _example(project, *first[key])
        for key, number in ranked
    ]


def _example(project: Project, document: int, gap: int) -> dict[str, object]:
    """A gap in dispute as it is shown: its document, the words around it, and who has what."""
    words = project.pinned(document).shown.split(" ")
    marks = {
        project.name_of(key[1]): layer.mark_at(gap)
        for key, layer in project.votes(document).items()
    }
    before, after = words[max(0, gap + 1 - AROUND) : gap + 1], words[gap + 1 : gap + 1 + AROUND]
    example = {"gap": gap, "marks": marks, "before": " ".join(before), "after": " ".join(after)}
    return {"document": project.documents[document].name, "example": example}
