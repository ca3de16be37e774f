"""Project: documents, people and what they did; the only place where it changes."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock

from caesura.core.segmentation import Document, Segmentation
from caesura.errors import CaesuraError, UsageError, shortened
from caesura.studio.documents import Pinned
from caesura.studio.events import MARKS, Event, EventError
from caesura.studio.names import checked_name, name_key, plain_name, require_no_file
from caesura.studio.state import Board, OwnLayer, Sent
from caesura.studio.store import Person, Store, StoredDocument

MANAGER, ADJUDICATED = "manager", "adjudicated"
"""The names of who starts a project, and of what is decided in it."""
LONGEST_NAME = 256
"""The most characters of a document's name."""


class NotAllowedError(EventError):
    """Raised for what a person may not do or see."""


class NotFoundError(EventError):
    """Raised for documents and people that do not exist."""


@dataclass
class Project:
    """Everything of one project, read from its store and kept in memory.

    `audio` are the files of sound by the names of the documents. `identity` is no other project's:
    browsers keep unsent work by it.
    """

    store: Store
    documents: dict[int, StoredDocument] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    board: Board = field(default_factory=Board)
    name: str = "project"
    identity: str = ""
    audio: dict[str, Path] = field(default_factory=dict)
    _pinned: dict[int, Pinned] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _last: int = 0
    _is_behind: bool = True

    @classmethod
    def open(cls, store: Store) -> Project:
        """Read a project, and replay its log."""
        documents = {each.id: each for each in store.documents()}
        lengths = {each.id: each.length for each in documents.values()}
        people = {each.id: each for each in store.people()}
        board = Board(lengths, dict(store.beginnings()))
        project = cls(store, documents, people, board, identity=_identity(store))
        project._catch_up()
        return project

    @property
    def annotators(self) -> list[Person]:
        """The annotators in the order of their invitations, with managers who placed boundaries."""
        begun = {person for _, person in list(self.board.layers)}
        return [each for each in self.people.values() if not each.is_manager or each.id in begun]

    def add(self, pinned: Pinned) -> tuple[StoredDocument, bool]:
        """Add a document; if one of its name exists, return whether its words are the same."""
        if len(pinned.name) > LONGEST_NAME or not pinned.name.isprintable():
            raise UsageError(f"'{shortened(pinned.name)}' cannot be the name of a document")
        with self._lock:
            for known in self.documents.values():
                if plain_name(known.name) == plain_name(pinned.name):
                    return known, known.digest == pinned.digest
            found = self.store.add_document(
                pinned.name, pinned.digest, pinned.length, asdict(pinned)
            )
            self.board.lengths[found.id] = found.length
            self.documents = {**self.documents, found.id: found}
        return found, True

    def invite(self, name: str, *, is_manager: bool = False) -> tuple[Person, str]:
        """Add a person, and return the token of their link."""
        name = checked_name(name)
        require_no_file(name)
        if name_key(name) in {name_key(each.name) for each in self.people.values()}:
            raise UsageError(f"the name '{name}' is taken; choose another")
        person, token = self.store.invite(name, is_manager=is_manager)
        self.people = {**self.people, person.id: person}
        return person, token

    def invite_again(self, person: int) -> str:
        """A new link for a person; the old one and all their sessions end."""
        self._known(person)
        token = self.store.invite_again(person)
        self.people = {each.id: each for each in self.store.people()}
        return token

    def begin_with(self, document: int, detector: str | None) -> int:
        """Let annotators start with a detector's boundaries, or with none; return their number."""
        from caesura.detect.sentences import detected

        pinned = self.pinned(document)
        if detector is not None:
            require_detector(detector)
        boundaries: dict[int, str] = {}
        if detector is not None:
            alone = Segmentation.from_positions([], pinned.length)
            found = detected(detector, pinned.document(alone)).segmentation
            boundaries = dict.fromkeys(found.positions("drop").tolist(), "")
        with self._lock:
            if any(key[0] == document for key in self.board.layers):
                raise UsageError("somebody has begun this document; it stays as it is")
            self.store.begin_with(document, boundaries)
            self.board.beginnings[document] = boundaries
        return len(boundaries)

    def revoke(self, person: int) -> None:
        """End a person's link and sessions."""
        self._known(person)
        self.store.revoke(person)
        self.people = {each.id: each for each in self.store.people()}

    def take(self, person: Person, events: Sequence[Event]) -> list[Event]:
        """Accept a person's new events, all or none; returned events are on disk."""
        (found,) = self.take_all([(person, events)])
        if isinstance(found, BaseException):
            raise found
        return found

    def take_all(
        self, requests: Sequence[tuple[Person, Sequence[Event]]]
    ) -> list[list[Event] | BaseException]:
        """Accept the events of several requests with one write, each request as a whole or not."""
        with self._lock:
            try:
                self._catch_up()
            except CaesuraError as problem:
                return [problem for _ in requests]
            found: list[list[Event] | BaseException] = []
            ahead: dict[str, Sent] = {}
            for person, events in requests:
                try:
                    fresh = list(self._fresh(person, events, ahead))
                    ahead |= {each.client: (person.id, each) for each in fresh}
                    found.append(fresh)
                except EventError as problem:
                    found.append(problem)
            return self._written(requests, found)

    def restore(self, log: Sequence[tuple[int, float, Event]]) -> None:
        """Accept earlier events that are valid, with their original times."""
        with self._lock:
            self._is_behind = True
            if log:
                self.store.append(log)
            self._catch_up()

    def _catch_up(self) -> None:
        """Apply events that are in the log but not in memory."""
        if self._is_behind:
            for each in self.store.log(self._last):
                self.board.take(each.person, each.event, each.at)
                self._last = each.number
            self._is_behind = False

    def _written(
        self,
        requests: Sequence[tuple[Person, Sequence[Event]]],
        found: list[list[Event] | BaseException],
    ) -> list[list[Event] | BaseException]:
        """The accepted events, once they are on disk, or the error if they cannot be written."""
        pairs = [
            (person, event)
            for (person, _), each in zip(requests, found, strict=True)
            if not isinstance(each, BaseException)
            for event in each
        ]
        if not pairs:
            return found
        self._is_behind, now = True, time.time()
        try:
            *_, last = self.store.append([(person.id, now, event) for person, event in pairs])
        except CaesuraError as problem:
            return [each if isinstance(each, EventError) else problem for each in found]
        for person, event in pairs:
            self.board.take(person.id, event, now)
        self._last, self._is_behind = last, False
        return found

    def _fresh(
        self, person: Person, events: Sequence[Event], ahead: Mapping[str, Sent]
    ) -> Iterator[Event]:
        """The events that are new; an error if one is invalid.

        `ahead` are the last events of clients that will be taken before these.
        """
        last = dict(ahead)
        for event in events:
            self._require_allowed(person, event)
            before = last.get(event.client)
            if self.board.is_known(person.id, event, before):
                continue
            last[event.client] = person.id, event
            yield event

    def _require_allowed(self, person: Person, event: Event) -> None:
        if person.is_revoked:
            raise NotAllowedError("this link has ended; ask for a new one")
        if event.kind == "decide" and not person.is_manager:
            raise NotAllowedError("only the manager decides")

    def pinned(self, document: int) -> Pinned:
        """The words of a document."""
        if document not in self.documents:
            raise NotFoundError(f"there is no document {document}")
        if document not in self._pinned:
            self._pinned[document] = Pinned.from_json(self.store.content(document))
        return self._pinned[document]

    def layers(self, document: int) -> dict[str, OwnLayer]:
        """The layers of all annotators who have done something in a document, by name."""
        return {
            person.name: self.board.layers[document, person.id]
            for person in self.annotators
            if (document, person.id) in self.board.layers
        }

    def references(self, document: int) -> dict[str, Document]:
        """The versions of a document by annotator, as documents of the library."""
        pinned = self.pinned(document)
        return {
            name: pinned.document(layer.segmentation())
            for name, layer in self.layers(document).items()
        }

    def decided(self, document: int) -> Segmentation:
        """The adjudicated boundaries: those that all agree on, and the manager's decisions."""
        layers = list(self.layers(document).values())
        length = self.documents[document].length
        decisions = self.board.decisions.get(document, {})
        return decided(length, layers, decisions)

    def _known(self, person: int) -> Person:
        if person not in self.people:
            raise NotFoundError(f"there is no person {person}")
        return self.people[person]


def decided(
    length: int, layers: Sequence[OwnLayer], decisions: Mapping[int, str | None]
) -> Segmentation:
    """Boundaries that every layer has, with the mark of most of them, and what was decided."""
    votes: dict[int, list[str]] = {}
    for layer in layers:
        for at, mark in layer.boundaries().items():
            votes.setdefault(at, []).append(mark)
    found: dict[int, str] = {
        at: max(marks, key=lambda mark: (marks.count(mark), -MARKS.index(mark)))
        for at, marks in votes.items()
        if len(marks) == len(layers)
    }
    for at, value in dict(decisions).items():
        if value in MARKS:
            found[at] = str(value)
        elif value is None:
            found.pop(at, None)
    return OwnLayer.from_length(length, found).segmentation()


def require_detector(spec: str) -> None:
    """Raise an error if a detector runs a program or reads a file: requests may do neither."""
    from caesura.detect.names import ADAPTERS, BASELINES, NETWORKS

    name, _, argument = spec.partition(":")
    is_number = not argument or re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", argument) is not None
    if (name not in NETWORKS | BASELINES and spec not in ADAPTERS) or not is_number:
        raise UsageError(
            f"'{shortened(spec)}' cannot be used from here; use a detector that caesura knows by "
            "its name, such as best"
        )


def _identity(store: Store) -> str:
    """The identity of a project, made when it is first opened."""
    found = store.setting("identity")
    if not found:
        found = secrets.token_hex(8)
        store.set("identity", found)
    return found
