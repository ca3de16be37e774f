"""Assignment: who annotates which document, by hand or balanced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from caesura.errors import UsageError
from caesura.studio.events import ANNOTATOR, Event
from caesura.studio.project import Project
from caesura.studio.store import Person

Design = Mapping[int, Sequence[int]]
"""The people of each document."""


def balanced(
    new: Sequence[int], people: Sequence[int], each: int, lengths: Mapping[int, int], has: Design
) -> dict[int, list[int]]:
    """Give each of some documents to `each` of some people; those who have it keep it.

    `has` is who has what so far. Long documents are given first, each to those with the fewest
    words, then to those who share the fewest documents with whom has it, then in the order of the
    people: so work is balanced, and everybody can be compared with everybody.

    >>> balanced([1, 2, 3], [7, 8, 9], 2, {1: 10, 2: 10, 3: 10}, {})
    {1: [7, 8], 2: [7, 9], 3: [8, 9]}
    """
    if not 1 <= each <= len(people):
        raise UsageError(f"each document can be given to 1 to {len(people)} of these people")
    words: Counter[int] = Counter()
    shared: Counter[tuple[int, int]] = Counter()

    def give(document: int, who: int, others: Sequence[int]) -> None:
        words[who] += lengths[document]
        shared.update((min(who, other), max(who, other)) for other in others)

    for document, owners in has.items():
        for at, who in enumerate(owners):
            give(document, who, owners[:at])
    design = {document: [who for who in has.get(document, ()) if who in people] for document in new}
    for document in sorted(new, key=lambda number: -lengths[number]):
        owners = design[document]
        while len(owners) < each:
            chosen = min(
                (who for who in people if who not in owners),
                key=lambda who: (
                    words[who],
                    sum(shared[min(who, other), max(who, other)] for other in owners),
                    people.index(who),
                ),
            )
            give(document, chosen, owners)
            owners.append(chosen)
    return {document: sorted(owners, key=people.index) for document, owners in design.items()}


def owners(project: Project) -> dict[int, list[int]]:
    """Who has each document, finished or not."""
    return {
        document: list(dict.fromkeys(key[1] for key, _ in project.board.of_document(document)))
        for document in project.documents
    }


def loads(project: Project) -> Counter[int]:
    """How many words are assigned to each person, finished or not."""
    words: Counter[int] = Counter()
    for document, people in owners(project).items():
        words.update(dict.fromkeys(people, project.documents[document].length))
    return words


def assign(
    project: Project, by: Person, documents: list[Any], people: list[Any], each: Any
) -> list[Event]:
    """Give each of some documents to `each` of some people; what is closed is left out."""
    if not all(type(number) is int for number in (*documents, *people, each)):
        raise UsageError("documents, people and each are numbers")
    annotators = {who.id: who.name for who in project.present if project.role(who.id) == ANNOTATOR}
    if not set(people) <= annotators.keys():
        raise UsageError("only annotators are assigned; change the role first")
    chosen = sorted(set(people), key=annotators.__getitem__)
    lengths = {number: stored.length for number, stored in project.documents.items()}

    def events() -> list[Event]:
        board = project.board
        new = [at for at in documents if at in lengths and at not in board.closed]
        design = balanced(new, chosen, each, lengths, owners(project))
        # Somebody who was withdrawn goes on with the last pass, and has the earlier ones again.
        return [
            Event.of_project("assign", document, person=person, **{"pass": number})
            for document, people in design.items()
            for person in people
            if board.current(document, person) is None
            for number in range(board.passes.get((document, person), 1), 0, -1)
        ]

    return project.made(by, events)


def assign_all(project: Project, by: Person, person: int) -> list[Event]:
    """Assign everything that is not closed to a person."""
    return assign(project, by, list(project.documents), [person], 1)
