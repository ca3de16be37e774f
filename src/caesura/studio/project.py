"""Project: documents, people and what they did; the only place where it changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from threading import RLock

from caesura.errors import CaesuraError, UsageError, shortened
from caesura.formats.transcripts import Tokens
from caesura.studio.documents import Pinned, checked_name, name_key, plain_name, require_no_file
from caesura.studio.events import ANNOTATOR, MANAGER, NEXT, RANDOM, SERVER, Event, EventError
from caesura.studio.state import (
    Board,
    Key,
    NotAllowedError,
    NotFoundError,
    OwnLayer,
    Sent,
    require_allowed,
)
from caesura.studio.store import Person, Store, StoredDocument

ADJUDICATED = "adjudicated"
"""The name of what is decided in a project."""
LONGEST_NAME = 256
"""The most characters of a document's name."""
Request = tuple[Person, Sequence[Event]]
Taken = list[Event] | BaseException
"""What came of a request: its new events, or an error."""


@dataclass
class Project:
    """Everything of one project, read from its store and kept in memory.

    `sources` are the files of the folder by the names of their documents, `audio` those with sound,
    `sounds` the folder of those that were sent. `as_written` and `tokens` say how new documents are
    pinned.
    """

    store: Store
    documents: dict[int, StoredDocument] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    board: Board = field(default_factory=Board)
    folder_name: str = "project"
    language: str = ""
    sources: dict[str, Path] = field(default_factory=dict)
    audio: dict[str, Path] = field(default_factory=dict)
    sounds: Path | None = None
    as_written: bool = False
    tokens: Tokens = "auto"
    _pinned: dict[int, Pinned] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)
    _last: int = 0
    _is_behind: bool = True

    @classmethod
    def open(cls, store: Store) -> Project:
        """Read a project, and replay its log."""
        project = cls(store)
        project._read()
        return project

    def _read(self) -> None:
        self.documents = {each.id: each for each in self.store.documents()}
        self.people = {each.id: each for each in self.store.people()}
        lengths = {each.id: each.length for each in self.documents.values()}
        self.board = Board(lengths, {each.id: role_of(each) for each in self.people.values()})
        self._pinned, self._last, self._is_behind = {}, 0, True
        self._catch_up()
        for each in self.people.values():
            if each.is_erased:
                del self.board.roles[each.id]

    @property
    def name(self) -> str:
        """The name that a manager gave it, or that of its folder."""
        return self.board.name or self.folder_name

    @property
    def identity(self) -> str:
        """What no other project has: browsers keep unsent work by it."""
        return self.store.identity

    def role(self, person: int) -> str:
        """The role of a person."""
        return self.board.roles.get(person, ANNOTATOR)

    def name_of(self, person: int) -> str:
        """The name of a person."""
        return self.people[person].name

    @property
    def present(self) -> list[Person]:
        """Everyone who was not deleted, as they were invited."""
        return [each for each in self.people.values() if not each.is_erased]

    @property
    def annotators(self) -> list[Person]:
        """The annotators, and who else has a layer."""
        layered = {person for _, person, _ in list(self.board.layers)}
        return [
            each for each in self.present if self.role(each.id) == ANNOTATOR or each.id in layered
        ]

    @property
    def manager(self) -> Person:
        """The first manager."""
        managers = [each for each in self.present if self.role(each.id) == MANAGER]
        if not managers:
            raise UsageError("the project has no manager; open it with caesura studio first")
        return managers[0]

    @property
    def listed(self) -> list[StoredDocument]:
        """The documents in the manager's order."""
        place = {number: at for at, number in enumerate(self.board.order)}
        documents = self.documents.values()
        return sorted(documents, key=lambda each: (place.get(each.id, len(place)), each.id))

    def queue(self, person: int) -> list[tuple[StoredDocument, OwnLayer]]:
        """The documents of an annotator in the order in which they come, and their layers.

        A random order is another for everyone, and stays.
        """
        pairs = ((each, self.board.current(each.id, person)) for each in self.listed)
        queue = [(each, layer) for each, layer in pairs if layer is not None]
        if self.board.arrangement == RANDOM:
            seed = f"{self.identity}/{person}"
            queue.sort(key=lambda pair: sha256(f"{seed}/{pair[0].id}".encode()).digest())
        return queue

    def named(self, name: str) -> StoredDocument | None:
        """The document of a name, if there is one."""
        plain, documents = plain_name(name), self.documents.values()
        return next((each for each in documents if plain_name(each.name) == plain), None)

    def pinned(self, document: int) -> Pinned:
        """The words of a document."""
        if document not in self.documents:
            raise NotFoundError(f"there is no document {document}")
        if document not in self._pinned:
            self._pinned[document] = Pinned.from_json(self.store.content(document))
        return self._pinned[document]

    def add(self, pinned: Pinned) -> tuple[StoredDocument, bool]:
        """Add a document; if one of its name exists, return whether its words are the same."""
        with self._lock:
            known = self.named(pinned.name)
            if known is not None:
                return known, known.digest == pinned.digest
            return self.add_all([pinned])[0], True

    def add_all(self, new: Sequence[Pinned]) -> list[StoredDocument]:
        """Add documents, all or none; those of which name and words are known stay as they are."""
        with self._lock:
            fresh: dict[str, Pinned] = {}
            for each in new:
                if len(each.name) > LONGEST_NAME or not each.name.isprintable():
                    name = shortened(each.name)
                    raise UsageError(f"'{name}' cannot be the name of a document; rename the file")
                known = self.named(each.name) or fresh.get(plain_name(each.name))
                if known is None:
                    fresh[plain_name(each.name)] = each
                elif known.digest != each.digest:
                    raise UsageError(
                        f"there is a document '{shortened(each.name)}' with other words; rename "
                        "the file"
                    )
            rows = [(None, *_row(pinned)) for pinned in fresh.values()]
            added = {each.id: each for each in self.store.add_documents(rows)}
            self.board.lengths |= {number: each.length for number, each in added.items()}
            self.documents = {**self.documents, **added}
            return [stored for each in new if (stored := self.named(each.name))]

    def person_named(self, name: str) -> Person | None:
        """The person of a name, if there is one."""
        key = name_key(name)
        return next((each for each in self.present if name_key(each.name) == key), None)

    def invite(
        self, name: str, role: str = ANNOTATOR, *, is_manager: bool = False
    ) -> tuple[Person, str]:
        """Add a person, and return the token of their link."""
        name, role = checked_name(name), MANAGER if is_manager else role
        require_no_file(name)
        if self.person_named(name):
            raise UsageError(f"the name '{name}' is taken; choose another")
        person, token = self.store.invite(name, is_manager=role == MANAGER)
        self.people = {**self.people, person.id: person}
        self.board.roles[person.id] = role_of(person)
        if role not in (MANAGER, ANNOTATOR):
            self.do(self.manager, Event.of_project("role", person=person.id, role=role))
        return person, token

    def invite_again(self, person: int, *, ends_sessions: bool = True) -> str:
        """A new link for a person; the old one ends, and all their sessions, if that is said."""
        self._require_person(person)
        token = self.store.invite_again(person, ends_sessions=ends_sessions)
        self.people = {each.id: each for each in self.store.people()}
        return token

    def revoke(self, person: int) -> None:
        """End a person's link and sessions."""
        self._require_person(person)
        self.store.revoke(person)
        self.people = {each.id: each for each in self.store.people()}

    def files_of(self, document: int) -> list[Path]:
        """The files of the folder that go with a document: its own, and its sound."""
        name = self.documents[document].name
        return [files[name] for files in (self.sources, self.audio) if name in files]

    def erase_document(self, by: Person, document: int) -> list[Event]:
        """Erase a document: its words, everything that was made of it, its files and its sound."""
        self.pinned(document)
        name = self.documents[document].name
        with self._lock:
            self._require_allowed(by, Event.of_project("erase", what="document"))
            source = self.sources.get(name)
            if source and list(self.sources.values()).count(source) > 1:
                raise UsageError(
                    f"{source.name} holds other documents, too; remove {name} from it, open the "
                    "studio again, and delete it then"
                )
            for path in self.files_of(document):
                path.unlink(missing_ok=True)
            for files in (self.sources, self.audio):
                files.pop(name, None)
            return self._erase(by, "document", document=document)

    def erase_person(self, by: Person, person: int) -> list[Event]:
        """Erase a person: name, boundaries, comments; decisions and closed results stay."""
        self._require_person(person)
        if person == by.id:
            raise NotAllowedError("you cannot delete yourself; another manager can")
        with self._lock:
            return self._erase(by, "person", person=person)

    def _erase(self, by: Person, what: str, **which: int) -> list[Event]:
        """Erase something from the store, and begin anew with what is left."""
        self._catch_up()
        event = self._numbered(by, Event.of_project("erase", what=what), {})
        self._require_allowed(by, event)
        last = self.board.last
        try:
            self.store.erase((by.id, time.time(), event), **which)
        finally:
            self._read()
        for client, sent in last.items():  # pages go on with the numbers that they have
            known = self.board.last.get(client)
            if known is None or known[1].sequence < sent[1].sequence:
                self.board.last[client] = sent
        return [event]

    def do(self, person: Person, *events: Event) -> list[Event]:
        """Accept acts of the project, in the name of a person; they are on disk."""
        return self.take(person, events)

    def made(self, person: Person, make: Callable[[], Sequence[Event]]) -> list[Event]:
        """Accept acts that are made from the state in which they are taken."""
        with self._lock:
            self._catch_up()
            return self.take(person, make())

    def take(self, person: Person, events: Sequence[Event]) -> list[Event]:
        """Accept a person's new events, all or none; returned events are on disk."""
        (taken,) = self.take_all([(person, events)])
        if isinstance(taken, BaseException):
            raise taken
        return taken

    def take_all(self, requests: Sequence[Request]) -> list[Taken]:
        """Accept the events of several requests with one write, each request as a whole or not."""
        with self._lock:
            try:
                self._catch_up()
            except CaesuraError as problem:
                return [problem for _ in requests]
            return [taken for batch in _batches(requests) for taken in self._taken(batch)]

    def _taken(self, requests: Sequence[Request]) -> list[Taken]:
        """Accept requests that do not depend on each other."""
        answers: list[Taken] = []
        ahead: dict[str, Sent] = {}
        for person, events in requests:
            try:
                fresh = list(self._fresh(person, events, ahead))
                ahead |= {each.client: (person.id, each) for each in fresh}
                answers.append(fresh)
            except EventError as problem:
                answers.append(problem)
        return self._written(requests, answers)

    def _fresh(
        self, person: Person, events: Sequence[Event], ahead: Mapping[str, Sent]
    ) -> Iterator[Event]:
        """The events that are new; an error if one is invalid.

        `ahead` are the last events of clients that will be taken before these.
        """
        last = dict(ahead)
        for given in events:
            event = self._numbered(person, given, last)
            before = last.get(event.client)
            if self.board.is_known(person.id, event, before):
                continue
            self._require_allowed(person, event)
            last[event.client] = person.id, event
            yield event

    def _numbered(self, person: Person, event: Event, ahead: Mapping[str, Sent]) -> Event:
        """An act of the project with the next number of its person."""
        if event.sequence != NEXT:
            return event
        client = f"{SERVER}{person.id}"
        last = ahead.get(client) or self.board.last.get(client)
        return replace(event, client=client, sequence=last[1].sequence + 1 if last else 0)

    def _require_allowed(self, person: Person, event: Event) -> None:
        known = self.people.get(person.id, person)
        if known.is_revoked:
            raise NotAllowedError("this link has ended; ask for a new one")
        require_allowed(self.board, person.id, event)

    def _written(self, requests: Sequence[Request], answers: list[Taken]) -> list[Taken]:
        """The accepted events, once they are on disk, or the error if they cannot be written."""
        pairs = [
            (person, event)
            for (person, _), taken in zip(requests, answers, strict=True)
            if not isinstance(taken, BaseException)
            for event in taken
        ]
        if not pairs:
            return answers
        self._is_behind, now = True, time.time()
        try:
            *_, last = self.store.append([(person.id, now, event) for person, event in pairs])
        except CaesuraError as problem:
            return [taken if isinstance(taken, EventError) else problem for taken in answers]
        for person, event in pairs:
            self.board.take(person.id, event, now)
        self._last, self._is_behind = last, False
        return answers

    def restore(
        self,
        documents: Mapping[int, Pinned],
        people: Sequence[Person],
        log: Sequence[tuple[int, float, Event]],
    ) -> None:
        """Become the project of a log, with its numbers and times; this one has to be new."""
        rows = [(number, *_row(pinned)) for number, pinned in documents.items()]
        with self._lock:
            self.store.restore(rows, people, log)
            self._read()

    def _catch_up(self) -> None:
        """Apply events that are in the log but not in memory."""
        if self._is_behind:
            for each in self.store.log(self._last):
                self.board.take(each.person, each.event, each.at)
                self._last = each.number
            self._is_behind = False

    def counted(self, document: int, *, in_work: bool = False) -> dict[str, OwnLayer]:
        """The layers that count, by name: finished and blind, of each person the first pass.

        With `in_work`, those that somebody has begun count, too.
        """
        counted: dict[str, OwnLayer] = {}
        for (_, person, _), layer in self.board.of_document(document):
            if layer.is_blind and (layer.is_finished or (in_work and layer.acts)):
                counted.setdefault(self.name_of(person), layer)
        return counted

    def votes(self, document: int) -> dict[Key, OwnLayer]:
        """The finished layers that are adjudicated, one of each person; blind ones first."""
        layers = [pair for pair in self.board.of_document(document) if pair[1].is_finished]
        votes: dict[int, tuple[Key, OwnLayer]] = {}
        for key, layer in sorted(layers, key=lambda pair: not pair[1].is_blind):
            votes.setdefault(key[1], (key, layer))
        return dict(sorted(votes.values(), key=lambda pair: pair[0]))

    def layers_of(self, person: int) -> list[OwnLayer]:
        """The layers of a person in all documents."""
        return [
            layer
            for document in self.listed
            for key, layer in self.board.of_document(document.id)
            if key[1] == person
        ]

    def is_in_work(self, document: int, person: int) -> bool:
        """Whether somebody has to finish a document before they see others' boundaries."""
        layer = self.board.current(document, person)
        return layer is not None and not layer.is_finished

    def require_done(self, person: int, *documents: int) -> None:
        """Raise an error if somebody who annotates a document would see others' boundaries."""
        for document in documents:
            if self.is_in_work(document, person):
                name = self.documents[document].name
                raise NotAllowedError(
                    f"{name} is assigned to you and not finished; withdraw yourself from it first"
                )

    def _require_person(self, person: int) -> None:
        if person not in self.people or self.people[person].is_erased:
            raise NotFoundError(f"there is no person {person}")


def _row(pinned: Pinned) -> tuple[str, str, int, object]:
    """A document as it is stored: name, digest, length and content."""
    return pinned.name, pinned.digest, pinned.length, asdict(pinned)


def role_of(person: Person) -> str:
    """The role with which a person begins."""
    return MANAGER if person.is_manager else ANNOTATOR


def _batches(requests: Sequence[Request]) -> Iterator[list[Request]]:
    """Requests that can be written together: boundaries and comments, which nothing depends on."""
    batch: list[Request] = []
    for request in requests:
        if all(each.kind in ("set", "comment") for each in request[1]):
            batch.append(request)
            continue
        if batch:
            yield batch
        yield [request]
        batch = []
    if batch:
        yield batch
