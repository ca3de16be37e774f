"""Adjudication: the gaps in dispute, what was decided, and the result when a document is closed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from caesura.studio.events import MARKS, Event, EventError
from caesura.studio.layers import OwnLayer
from caesura.studio.project import Project
from caesura.studio.state import Decision
from caesura.studio.store import Person

AROUND = 8
"""How many words are shown on each side of a gap."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A gap on which annotators differ, or that was decided against all of them.

    `marks` is what each has, without those who have not reached it; `later` is what those have
    now who changed it after they saw others. `state` is open, decided or discuss. `unsure` are
    those who are unsure of their boundary.
    """

    gap: int
    marks: dict[str, str | None]
    later: dict[str, str | None]
    before: str
    after: str
    state: str
    decision: str | None = None
    by: str = ""
    is_against_all: bool = False
    unsure: tuple[str, ...] = ()

    @property
    def is_of_marks(self) -> bool:
        """Whether all agree that there is a boundary, and differ in its mark."""
        return None not in self.marks.values() and not self.is_against_all


@dataclass(frozen=True, slots=True)
class Votes:
    """Whose layers are adjudicated: boundaries as they were blind, how far, and as they are."""

    blind: dict[str, dict[int, str]]
    reach: dict[str, int]
    later: dict[str, dict[int, str]]
    unsure: dict[str, set[int]]

    @classmethod
    def from_project(cls, project: Project, document: int) -> Votes:
        """The finished layers of a document."""
        layers = {project.name_of(key[1]): each for key, each in project.votes(document).items()}
        return cls(
            {name: each.first.boundaries() for name, each in layers.items()},
            {name: each.first.voted for name, each in layers.items()},
            {name: each.boundaries() for name, each in layers.items() if each.is_revised},
            {name: each.first.unsure for name, each in layers.items()},
        )

    def at(self, gap: int) -> dict[str, str | None]:
        """What each has at a gap who has reached it."""
        return {name: own.get(gap) for name, own in self.blind.items() if gap < self.reach[name]}

    @property
    def places(self) -> list[int]:
        """The gaps at which anybody has a boundary."""
        return sorted({gap for own in self.blind.values() for gap in own})


def disputes(
    project: Project, document: int, only: Collection[int] | None = None
) -> Iterator[Dispute]:
    """The gaps on which finished layers differ, and those decided against all; or some of them."""
    votes = Votes.from_project(project, document)
    words = project.pinned(document).shown.split(" ")
    decisions = dict(project.board.decisions.get(document, {}))
    for gap in sorted({*votes.places, *decisions} if only is None else only):
        marks, decision = votes.at(gap), decisions.get(gap)
        differs = len(set(marks.values())) > 1
        if gap < len(words) - 1 and (differs or (decision and not _agrees(decision, marks))):
            yield Dispute(
                gap,
                marks,
                {
                    name: own.get(gap)
                    for name, own in votes.later.items()
                    if own.get(gap) != votes.blind[name].get(gap)
                },
                " ".join(words[max(0, gap + 1 - AROUND) : gap + 1]),
                " ".join(words[gap + 1 : gap + 1 + AROUND]),
                _state(decision),
                decision.value if decision and decision.is_made else None,
                project.name_of(decision.person) if decision else "",
                not differs,
                tuple(name for name, own in votes.unsure.items() if gap in own),
            )


def _state(decision: Decision | None) -> str:
    if decision is None:
        return "open"
    return "decided" if decision.is_made else "discuss"


def _agrees(decision: Decision, marks: Mapping[str, str | None]) -> bool:
    """Whether a decision says what all say, so that nothing need be shown."""
    return decision.is_made and set(marks.values()) <= {decision.value}


def result(project: Project, document: int) -> dict[int, str]:
    """Boundaries that all have, with the mark of most of them, and what was decided."""
    votes = Votes.from_project(project, document)
    found: dict[int, str] = {}
    for gap in votes.places:
        marks = [mark for mark in votes.at(gap).values() if mark is not None]
        if marks and len(marks) == len(votes.at(gap)):
            found[gap] = max(marks, key=lambda mark: (marks.count(mark), -MARKS.index(mark)))
    for gap, decision in dict(project.board.decisions.get(document, {})).items():
        if decision.is_made and decision.value is None:
            found.pop(gap, None)
        elif decision.is_made:
            found[gap] = str(decision.value)
    return found


def disputed_gaps(project: Project, document: int) -> list[int]:
    """The gaps at which somebody who has reached them has another code than somebody else."""
    layers = [each.first for each in project.votes(document).values()]
    length = project.documents[document].length
    codes = np.array([each.codes for each in layers], np.int16).reshape(len(layers), length)
    reached = np.arange(length) < np.array([each.voted for each in layers], int)[:, None]
    # (gaps,) the lowest and the highest code of those who have reached a gap
    lowest = np.where(reached, codes, 99).min(axis=0, initial=99)
    highest = np.where(reached, codes, -1).max(axis=0, initial=-1)
    gaps: list[int] = np.flatnonzero((lowest < highest)[: length - 1]).tolist()
    return gaps


def open_disputes(project: Project, document: int) -> tuple[int, int]:
    """The numbers of gaps in dispute, and of those that are not decided, counted at once."""
    decisions = dict(project.board.decisions.get(document, {}))
    disputed = set(disputed_gaps(project, document))
    made = {gap for gap, each in decisions.items() if each.is_made}
    return len(disputed | (decisions.keys() - made)), len((disputed | decisions.keys()) - made)


def unfinished(project: Project, document: int) -> dict[int, str]:
    """The people who are assigned and have not finished, by number."""
    return {
        person: project.name_of(person)
        for (_, person, _), layer in project.board.of_document(document)
        if not layer.is_done
    }


def close(
    project: Project, person: Person, document: int, withdrawn: tuple[int, ...] = ()
) -> list[Event]:
    """Close a document and store its result; people who have not finished must be withdrawn."""
    return project.made(person, lambda: [_closing(project, document, withdrawn)])


def _closing(project: Project, document: int, withdrawn: tuple[int, ...]) -> Event:
    project.pinned(document)
    votes = project.votes(document)
    left = unfinished(project, document)
    if set(left) - set(withdrawn):
        names = ", ".join(name for who, name in left.items() if who not in withdrawn)
        raise EventError(f"{names} have not finished; withdraw them, or wait")
    if set(withdrawn) - set(left):
        raise EventError("only people who have not finished can be withdrawn")
    if not votes:
        raise EventError("nobody has finished this document")
    still = sum(each.state != "decided" for each in disputes(project, document))
    if still:
        raise EventError(f"{still:,} gaps are not decided")
    decisions = project.board.decisions.get(document, {})
    return Event.of_project(
        "close",
        document,
        boundaries={str(gap): mark for gap, mark in sorted(result(project, document).items())},
        layers=[[person, number] for _, person, number in votes],
        decided={str(gap): each.person for gap, each in sorted(decisions.items()) if each.is_made},
        withdrawn=sorted(withdrawn),
    )


def changes_since(project: Project, document: int) -> dict[str, object] | None:
    """How the result would differ if a closed document were closed now; None if it would not."""
    closed = project.board.closed.get(document)
    if closed is None:
        return None
    now, layers = result(project, document), [key[1:] for key in project.votes(document)]
    gaps = sum(now.get(gap) != closed.boundaries.get(gap) for gap in {*now, *closed.boundaries})
    people = {who for who, _ in {*layers} ^ {*closed.layers}}
    if not gaps and not people:
        return None
    return {"gaps": gaps, "people": sorted(map(project.name_of, people))}


def layer_of(project: Project, document: int) -> OwnLayer:
    """What all agree on and what was decided, whether or not the document is closed."""
    return OwnLayer.from_length(project.documents[document].length, result(project, document))
