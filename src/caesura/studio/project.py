"""Project: documents, people and what they did; the only place where it changes."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from threading import RLock

from caesura import __version__
from caesura.core.segmentation import Document
from caesura.errors import CaesuraError, UsageError, shortened
from caesura.formats.transcripts import Tokens
from caesura.studio.documents import Pinned
from caesura.studio.events import LEAST, NEXT, PROJECT, RANDOM, SERVER, Event, EventError
from caesura.studio.layers import OwnLayer
from caesura.studio.names import checked_name, name_key, plain_name, require_no_file
from caesura.studio.rules import ANNOTATOR, MANAGER, NotAllowedError, NotFoundError, require_allowed
from caesura.studio.state import Board, Key, Sent
from caesura.studio.store import Person, Store, StoredDocument

ADJUDICATED = "adjudicated"
"""The name of what is decided in a project."""
A_DETECTOR = "a detector"
"""With what documents of earlier studios begin, which did not note its name."""
LONGEST_NAME = 256
"""The most characters of a document's name."""
Taken = list[Event] | BaseException
"""What came of a request: its new events, or an error."""


@dataclass
class Project:
    """Everything of one project, read from its store and kept in memory.

    `audio` are the files of sound by the names of the documents, `sounds` the folder of those that
    were sent. `as_written` and `tokens` say how new documents are pinned. `identity` is no other
    project's: browsers keep unsent work by it.
    """

    store: Store
    documents: dict[int, StoredDocument] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    board: Board = field(default_factory=Board)
    name: str = "project"
    language: str = ""
    identity: str = ""
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
        documents = {each.id: each for each in store.documents()}
        lengths = {each.id: each.length for each in documents.values()}
        people = {each.id: each for each in store.people()}
        roles = {each.id: role_of(each) for each in people.values()}
        board = Board(lengths, dict(store.beginnings()), roles)
        board.machines |= dict.fromkeys(board.beginnings, A_DETECTOR)
        project = cls(store, documents, people, board, identity=_identity(store))
        project._catch_up()
        project._migrate()
        return project

    def _migrate(self) -> None:
        """Bring a project of an earlier studio up to date, once, by an event."""
        if self.store.is_older:
            managers = [each for each in self.people.values() if each.is_manager]
            if managers and self.board.count and not self.board.is_migrated:
                self.do(managers[0], Event.of_project("migrate"))
            self.store.upgraded()

    def role(self, person: int) -> str:
        """The role of a person."""
        return self.board.roles.get(person, ANNOTATOR)

    def name_of(self, person: int) -> str:
        """The name of a person."""
        return self.people[person].name

    @property
    def annotators(self) -> list[Person]:
        """The annotators that are not hidden, and who else has a layer, as they were invited."""
        layered = {person for _, person, _ in list(self.board.layers)}
        return [
            each
            for each in self.people.values()
            if (self.role(each.id) == ANNOTATOR or each.id in layered)
            and (PROJECT, each.id, None) not in self.board.hidden
        ]

    @property
    def listed(self) -> list[StoredDocument]:
        """The documents that are not hidden, in the manager's order."""
        place = {number: at for at, number in enumerate(self.board.order)}
        hidden = self.board.hidden
        found = [each for each in self.documents.values() if (each.id, None, None) not in hidden]
        return sorted(found, key=lambda each: (place.get(each.id, len(place)), each.id))

    def queue(self, person: int) -> list[tuple[StoredDocument, OwnLayer]]:
        """The documents of an annotator in the order in which they come, and their layers.

        A random order is another for everyone, and stays. Of the least annotated ones, those that
        the person has begun come first.
        """
        pairs = ((each, self.board.current(each.id, person)) for each in self.listed)
        own = [(each, layer) for each, layer in pairs if layer is not None]
        if self.board.arrangement == RANDOM:
            own.sort(key=lambda pair: _drawn(f"{self.identity}/{person}/{pair[0].id}"))
        elif self.board.arrangement == LEAST:
            own.sort(key=lambda pair: (not pair[1].acts, self._finished(pair[0].id, person)))
        return own

    def _finished(self, document: int, person: int) -> int:
        """How many others have finished a document."""
        every = self.board.of_document(document)
        return sum(layer.is_done for key, layer in every if key[1] != person)

    def add(self, pinned: Pinned) -> tuple[StoredDocument, bool]:
        """Add a document; if one of its name exists, return whether its words are the same."""
        with self._lock:
            known = self.named(pinned.name)
            if known is not None:
                return known, known.digest == pinned.digest
            return self.add_all([pinned])[0], True

    def named(self, name: str) -> StoredDocument | None:
        """The document of a name, if there is one."""
        every = self.documents.values()
        return next((each for each in every if plain_name(each.name) == plain_name(name)), None)

    def add_all(self, every: Sequence[Pinned]) -> list[StoredDocument]:
        """Add documents, all or none; those of which name and words are known stay as they are."""
        with self._lock:
            fresh: dict[str, Pinned] = {}
            for each in every:
                _require_document_name(each.name)
                known = self.named(each.name) or fresh.get(plain_name(each.name))
                if known is None:
                    fresh[plain_name(each.name)] = each
                elif known.digest != each.digest:
                    raise UsageError(
                        f"there is a document '{shortened(each.name)}' with other words; rename "
                        "the file"
                    )
            rows = [(one.name, one.digest, one.length, asdict(one)) for one in fresh.values()]
            added = {each.id: each for each in self.store.add_documents(rows)}
            self.board.lengths |= {number: each.length for number, each in added.items()}
            self.documents = {**self.documents, **added}
            return [found for each in every if (found := self.named(each.name))]

    def invite(
        self, name: str, role: str = ANNOTATOR, *, is_manager: bool = False
    ) -> tuple[Person, str]:
        """Add a person, and return the token of their link."""
        name, role = checked_name(name), MANAGER if is_manager else role
        require_no_file(name)
        if name_key(name) in {name_key(each.name) for each in self.people.values()}:
            raise UsageError(f"the name '{name}' is taken; choose another")
        person, token = self.store.invite(name, is_manager=role == MANAGER)
        self.people = {**self.people, person.id: person}
        self.board.roles[person.id] = role_of(person)
        if role not in (MANAGER, ANNOTATOR):
            self.do(self.manager, Event.of_project("role", person=person.id, role=role))
        return person, token

    @property
    def manager(self) -> Person:
        """The first manager."""
        found = [each for each in self.people.values() if self.role(each.id) == MANAGER]
        if not found:
            raise UsageError("the project has no manager; open it with caesura studio first")
        return found[0]

    def invite_again(self, person: int) -> str:
        """A new link for a person; the old one and all their sessions end."""
        self._known(person)
        token = self.store.invite_again(person)
        self.people = {each.id: each for each in self.store.people()}
        return token

    def begin_with(self, document: int, detector: str | None, by: Person | None = None) -> int:
        """Let annotators start with a detector's boundaries, or with none; return their number."""
        from caesura.detect.sentences import detected

        pinned = self.pinned(document)
        boundaries: dict[int, str] = {}
        if detector is not None:
            require_detector(detector)
            found = detected(detector, pinned.for_detectors()).segmentation
            boundaries = dict.fromkeys(found.positions("drop").tolist(), "")
        version = f"(caesura {__version__})" if detector else ""
        self.do(
            by or self.manager,
            Event.of_project(
                "begin", document, detector=detector or "", version=version, boundaries=boundaries
            ),
        )
        return len(boundaries)

    def do(self, person: Person, *events: Event) -> list[Event]:
        """Accept acts of the project, in the name of a person; they are on disk."""
        return self.take(person, events)

    def made(self, person: Person, make: Callable[[], Sequence[Event]]) -> list[Event]:
        """Accept acts that are made from the state in which they are taken."""
        with self._lock:
            self._catch_up()
            return self.take(person, make())

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

    def take_all(self, requests: Sequence[tuple[Person, Sequence[Event]]]) -> list[Taken]:
        """Accept the events of several requests with one write, each request as a whole or not."""
        with self._lock:
            try:
                self._catch_up()
            except CaesuraError as problem:
                return [problem for _ in requests]
            found: list[Taken] = []
            for batch in _batches(requests):
                found += self._taken(batch)
            return found

    def _taken(self, requests: Sequence[tuple[Person, Sequence[Event]]]) -> list[Taken]:
        """Accept requests that do not depend on each other."""
        found: list[Taken] = []
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
        found: list[Taken],
    ) -> list[Taken]:
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

    def pinned(self, document: int) -> Pinned:
        """The words of a document."""
        if document not in self.documents:
            raise NotFoundError(f"there is no document {document}")
        if document not in self._pinned:
            self._pinned[document] = Pinned.from_json(self.store.content(document))
        return self._pinned[document]

    def counted(self, document: int, *, in_work: bool = False) -> dict[str, OwnLayer]:
        """The layers that count, by name: finished, blind, of people who are not left out.

        Of a person's passes it is the first that was blind. With `in_work`, those that somebody
        has begun count, too.
        """
        omitted = self.board.omitted
        if (document, None, None) in omitted:
            return {}
        found: dict[str, OwnLayer] = {}
        for (_, person, _), layer in self.board.of_document(document):
            counts = layer.is_blind and (layer.is_done or (in_work and layer.acts))
            if counts and (PROJECT, person, None) not in omitted:
                found.setdefault(self.name_of(person), layer.first)
        return found

    def votes(self, document: int) -> dict[Key, OwnLayer]:
        """The finished layers that are adjudicated, one of each person; blind ones first."""
        done = [(key, layer) for key, layer in self.board.of_document(document) if layer.is_done]
        found: dict[int, tuple[Key, OwnLayer]] = {}
        for key, layer in sorted(done, key=lambda each: not each[1].is_blind):
            found.setdefault(key[1], (key, layer))
        return dict(sorted(found.values(), key=lambda each: each[0]))

    def references(self, document: int) -> dict[str, Document]:
        """The versions of a document that count, as documents of the library."""
        pinned = self.pinned(document)
        return {
            name: pinned.document(layer.segmentation())
            for name, layer in self.counted(document).items()
        }

    def others(self, document: int, person: int) -> dict[str, OwnLayer]:
        """What may be shown to a person of others: of annotators finished layers only."""
        is_annotator = self.role(person) == ANNOTATOR
        return {
            self.name_of(key[1]): layer.first if layer.is_done else layer
            for key, layer in self.board.of_document(document)
            if key[1] != person and (layer.is_done or (layer.acts and not is_annotator))
        }

    def show(self, person: Person, *documents: int) -> list[Event]:
        """Show others' boundaries of documents to a person: this ends their blind layers.

        When it returns, that is on disk. Documents in which there is nothing to show stay blind.
        """
        return self.made(person, lambda: list(self._showing(person, documents)))

    def _showing(self, person: Person, documents: Sequence[int]) -> Iterator[Event]:
        for document in documents:
            own = self.board.current(document, person.id)
            name = self.documents[document].name
            if (document, person.id) in self.board.shown or not self.others(document, person.id):
                continue
            if own is not None and not own.is_finished:
                raise NotAllowedError(f"finish {name} first; then others can be shown")
            is_free = document in self.board.released or document in self.board.closed
            if own is not None and self.board.waits and not is_free:
                raise NotAllowedError(f"others are shown when {name} is released")
            yield Event.of_project("shown", document)

    def closed(self, document: int) -> Document | None:
        """The adjudicated version of a document, if it is closed."""
        found, pinned = self.board.closed.get(document), self.pinned(document)
        if found is None:
            return None
        return pinned.document(OwnLayer.from_length(pinned.length, found.boundaries).segmentation())

    def _known(self, person: int) -> Person:
        if person not in self.people:
            raise NotFoundError(f"there is no person {person}")
        return self.people[person]


def role_of(person: Person) -> str:
    """The role with which a person begins."""
    return MANAGER if person.is_manager else ANNOTATOR


def _drawn(text: str) -> bytes:
    """A number that looks random, and is the same for the same text."""
    return sha256(text.encode()).digest()


def _require_document_name(name: str) -> None:
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"'{shortened(name)}' cannot be the name of a document; rename the file")


def _batches(
    requests: Sequence[tuple[Person, Sequence[Event]]],
) -> Iterator[list[tuple[Person, Sequence[Event]]]]:
    """Requests that can be written together: boundaries and comments, which nothing depends on."""
    batch: list[tuple[Person, Sequence[Event]]] = []
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
