"""Designs: who annotates which document, by hand or balanced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from caesura.errors import UsageError
from caesura.studio.events import Event
from caesura.studio.project import Project
from caesura.studio.rules import ANNOTATOR
from caesura.studio.store import Person


def balanced(
    words: Mapping[int, int], people: Sequence[int], each: int, shared: int = 0
) -> dict[int, list[int]]:
    """Each document by `each` of some people, the first `shared` by all of them.

    Long documents are given first, each to those with the fewest words, and among them to those
    who share least with whom has it already, so that work and pairs are balanced.

    >>> balanced({1: 10, 2: 10, 3: 10}, [7, 8, 9], each=2)
    {1: [7, 8], 2: [7, 9], 3: [8, 9]}
    """
    if not 1 <= each <= len(people):
        raise UsageError(f"each document can be given to 1 to {len(people)} of these people")
    found = {document: sorted(people) for document in list(words)[:shared]}
    load = {person: sum(words[document] for document in found) for person in people}
    pairs: Counter[tuple[int, int]] = Counter()
    for document in sorted(list(words)[shared:], key=lambda each: -words[each]):
        own: list[int] = []
        for _ in range(each):
            free = (person for person in people if person not in own)
            own.append(min(free, key=lambda who: (load[who], _together(pairs, who, own), who)))
        for person in own:
            load[person] += words[document]
        pairs.update(combinations(sorted(own), 2))
        found[document] = sorted(own)
    return found


def _together(pairs: Mapping[tuple[int, int], int], who: int, others: Sequence[int]) -> int:
    """How many documents somebody shares with others already."""
    return sum(pairs.get((min(who, each), max(who, each)), 0) for each in others)


def assign(project: Project, by: Person, values: Mapping[str, Any]) -> list[Event]:
    """Assign documents as a manager's page asks: which, to whom, to how many, and the share."""
    known = {each.id: each.length for each in project.listed}
    documents = values.get("documents", list(known))
    people = values.get("people", [who.id for who in project.annotators])
    each, shared = values.get("each", 0), values.get("all", 0)
    lists = isinstance(documents, list) and isinstance(people, list)
    if not lists or not all(type(one) is int for one in (*documents, *people, each, shared)):
        raise UsageError("documents, people, each and all are numbers")
    words = {number: known[number] for number in documents if number in known}
    design = balanced(words, people, each or len(people), max(0, shared))
    return project.made(by, lambda: _assignments(project, design))


def assign_all(project: Project, by: Person, person: int) -> list[Event]:
    """Assign everything that is not closed to a person."""
    design = {each.id: [person] for each in project.listed}
    return project.made(by, lambda: _assignments(project, design))


def _assignments(project: Project, design: Mapping[int, Sequence[int]]) -> list[Event]:
    """The events of a design; what is assigned already stays, what is closed is left out.

    Somebody who was withdrawn goes on with the last pass, and has the earlier ones again.
    """
    board = project.board
    return [
        Event.of_project("assign", document, person=person, **{"pass": number})
        for document, people in design.items()
        if document not in board.closed
        for person in people
        if board.current(document, person) is None and project.role(person) == ANNOTATOR
        for number in range(board.passes.get((document, person), 1), 0, -1)
    ]
