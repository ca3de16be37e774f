"""Store: the database of a project, SQLite in its folder or PostgreSQL for a team.

What `append` has returned is on disk.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    create_engine,
    event,
    func,
    insert,
    make_url,
    select,
    update,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.pool import StaticPool

from caesura.errors import CaesuraError, UsageError
from caesura.studio.events import Event
from caesura.studio.integrity import (
    SETTING,
    DamagedError,
    Link,
    StoreError,
    is_damage,
    require_same,
    require_sound,
)
from caesura.studio.lock import lock_of
from caesura.studio.schema import (
    DOCUMENTS,
    EVENTS,
    METADATA,
    OF_THE_PROJECT,
    PEOPLE,
    SESSIONS,
    SETTINGS,
    VERSION,
)
from caesura.studio.security import Usage, hashed, new_token

DATABASE = "studio.sqlite"
"""The file of a project in its folder."""
SESSION_SECONDS = 30 * 86400
"""How long a session lasts."""
SQLITE, POSTGRES = "sqlite", "postgresql"
SETUP = {
    SQLITE: (
        "PRAGMA journal_mode=WAL",
        "PRAGMA synchronous=FULL",
        "PRAGMA foreign_keys=ON",
        "PRAGMA busy_timeout=5000",
    ),
    POSTGRES: (
        "SET lock_timeout = '5s'",
        "SELECT set_config('synchronous_commit', 'on', false) "
        "WHERE current_setting('synchronous_commit') = 'off'",
    ),
}
"""What each connection begins with: what is committed is on disk, and nobody waits for ever."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who works in a project."""

    id: int
    name: str
    is_manager: bool
    is_revoked: bool = False


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as the database has it, without its content."""

    id: int
    name: str
    digest: str
    length: int


@dataclass(frozen=True, slots=True)
class Logged:
    """An event with its number in the log, who did it, and when the server took it."""

    number: int
    person: int
    at: float
    event: Event


class Store:
    """The database of one project."""

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        self._lock = lock_of(self._engine)
        self.is_older = False
        try:
            self._take()
            self._prepare()
            self._check_end()
        except CaesuraError:
            self.close()
            raise

    def __str__(self) -> str:
        return self._engine.url.render_as_string(hide_password=True)

    def _take(self) -> None:
        """Lock the database against other servers."""
        with _as_store_error():
            is_ours = self._lock.take()
        if not is_ours:
            raise UsageError(f"{self} is open in another studio; use that one, or close it")

    def _prepare(self) -> None:
        """Create the tables, or check that they are the studio's."""
        with self._transaction() as connection:
            if self._engine.dialect.name == SQLITE:
                require_sound(connection, str(self))
            METADATA.create_all(connection)
            found = connection.execute(
                select(SETTINGS.c.value).where(SETTINGS.c.name == "version")
            ).scalar()
            if found is None:
                connection.execute(insert(SETTINGS).values(name="version", value=str(VERSION)))
            elif not found.isdecimal() or int(found) > VERSION:
                raise UsageError(
                    f"{self} was made by a newer caesura (its tables have version {found}, not "
                    f"{VERSION}); upgrade caesura"
                )
            self.is_older = found is not None and int(found) < VERSION
            if not connection.execute(select(DOCUMENTS.c.id).where(DOCUMENTS.c.id == 0)).first():
                connection.execute(insert(DOCUMENTS).values(OF_THE_PROJECT))
        self._lock.is_held()

    def _check_end(self) -> None:
        """Raise an error if the log ends before the last event that was acknowledged.

        The chain is extended to events that an earlier caesura has written without it.
        """
        ((last,),) = self._rows(select(func.coalesce(func.max(EVENTS.c.number), 0)))
        noted = self._lock.noted(self.setting("identity"))
        if noted > last:
            raise DamagedError(
                str(self),
                f"its log ends at event {last:,}, but {noted:,} was acknowledged",
                "put studio.sqlite-wal next to it; if it is a backup, remove studio.sqlite.lock",
            )
        link = Link.from_setting(self.setting(SETTING)) or Link()
        if link.number < last:
            for each in self.log(link.number):
                link = link.after(each.number, each.person, each.at, each.event)
            self.set(SETTING, link.setting())

    def upgraded(self) -> None:
        """Note that the project of an earlier studio is up to date."""
        self.set("version", str(VERSION))
        self.is_older = False

    def close(self) -> None:
        """Close all connections."""
        self._lock.release()
        self._engine.dispose()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with _as_store_error(), self._engine.begin() as connection:
            yield connection

    def _rows(self, query: Any) -> Sequence[Any]:
        with self._transaction() as connection:
            return connection.execute(query).all()

    def setting(self, name: str, default: str = "") -> str:
        """One setting of the project."""
        found = self._rows(select(SETTINGS.c.value).where(SETTINGS.c.name == name))
        return found[0][0] if found else default

    def set(self, name: str, value: str) -> None:
        """Change a setting of the project."""
        with self._transaction() as connection:
            _set(connection, name, value)

    def add_document(self, name: str, digest: str, length: int, content: object) -> StoredDocument:
        """Store a document; its words never change."""
        return self.add_documents([(name, digest, length, content)])[0]

    def add_documents(self, every: Sequence[tuple[str, str, int, object]]) -> list[StoredDocument]:
        """Store documents, all or none: name, digest, length and content of each."""
        found = []
        with self._transaction() as connection:
            for name, digest, length, content in every:
                text = json.dumps(content, ensure_ascii=False)
                row = {"name": name, "digest": digest, "length": length, "content": text}
                done = connection.execute(insert(DOCUMENTS).values(before="{}", **row))
                (number,) = done.inserted_primary_key or (0,)
                found.append(StoredDocument(number, name, digest, length))
        return found

    def documents(self) -> list[StoredDocument]:
        """All documents, in the order in which they were added."""
        columns = (DOCUMENTS.c.id, DOCUMENTS.c.name, DOCUMENTS.c.digest, DOCUMENTS.c.length)
        query = select(*columns).where(DOCUMENTS.c.id > 0).order_by(DOCUMENTS.c.id)
        return [StoredDocument(*row) for row in self._rows(query)]

    def content(self, document: int) -> Any:
        """The words and times of a document that the page shows."""
        ((content,),) = self._rows(select(DOCUMENTS.c.content).where(DOCUMENTS.c.id == document))
        return json.loads(content)

    def beginnings(self) -> dict[int, dict[int, str]]:
        """The initial boundaries of annotators, for documents that have any."""
        found = self._rows(select(DOCUMENTS.c.id, DOCUMENTS.c.before))
        each = ((number, json.loads(before)) for number, before in found)
        return {
            number: {int(at): mark for at, mark in before.items()}
            for number, before in each
            if before
        }

    def begin_with(self, document: int, boundaries: dict[int, str]) -> None:
        """Set the initial boundaries of annotators."""
        with self._transaction() as connection:
            connection.execute(
                update(DOCUMENTS)
                .where(DOCUMENTS.c.id == document)
                .values(before=json.dumps(boundaries))
            )

    def people(self) -> list[Person]:
        """Everyone, in the order in which they were invited."""
        columns = (PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.is_manager, PEOPLE.c.is_revoked)
        return [Person(*row) for row in self._rows(select(*columns).order_by(PEOPLE.c.id))]

    def invite(self, name: str, *, is_manager: bool = False) -> tuple[Person, str]:
        """Add a person, and return the token of their link; only its hash is kept."""
        token = new_token()
        try:
            with self._transaction() as connection:
                done = connection.execute(
                    insert(PEOPLE).values(
                        name=name, is_manager=is_manager, invitation=hashed(token), is_revoked=False
                    )
                )
                (number,) = done.inserted_primary_key or (0,)
        except IntegrityError:
            raise UsageError(f"there is a person named '{name}' already; choose another") from None
        return Person(number, name, is_manager), token

    def invite_again(self, person: int) -> str:
        """A new link for a person; the old one and all their sessions end."""
        token = new_token()
        with self._transaction() as connection:
            connection.execute(SESSIONS.delete().where(SESSIONS.c.person == person))
            connection.execute(
                update(PEOPLE)
                .where(PEOPLE.c.id == person)
                .values(invitation=hashed(token), is_revoked=False)
            )
        return token

    def revoke(self, person: int) -> None:
        """End a person's link and sessions; what they did stays."""
        with self._transaction() as connection:
            connection.execute(SESSIONS.delete().where(SESSIONS.c.person == person))
            connection.execute(
                update(PEOPLE).where(PEOPLE.c.id == person).values(invitation=None, is_revoked=True)
            )

    def enter(self, token: str) -> tuple[Person, str] | None:
        """The person of a link, and the token of a new session; None if there is no such link."""
        return self._begin_session(PEOPLE.c.invitation == hashed(token))

    def enter_as(self, person: int) -> tuple[Person, str] | None:
        """The person of a number, and the token of a new session."""
        return self._begin_session(PEOPLE.c.id == person)

    def _begin_session(self, is_who: ColumnElement[bool]) -> tuple[Person, str] | None:
        """Begin a session, and remove those that have expired."""
        columns = (PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.is_manager, PEOPLE.c.is_revoked)
        session, now = new_token(), time.time()
        with self._transaction() as connection:
            row = connection.execute(select(*columns).where(is_who)).first()
            if row is None or row.is_revoked:
                return None
            connection.execute(SESSIONS.delete().where(SESSIONS.c.since <= now - SESSION_SECONDS))
            connection.execute(
                insert(SESSIONS).values(token=hashed(session), person=row.id, since=now)
            )
        return Person(*row), session

    def person(self, session: str) -> Person | None:
        """The person of a session."""
        columns = (PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.is_manager, PEOPLE.c.is_revoked)
        query = select(*columns).join(SESSIONS).where(SESSIONS.c.token == hashed(session))
        rows = self._rows(query.where(SESSIONS.c.since > time.time() - SESSION_SECONDS))
        return Person(*rows[0]) if rows and not rows[0].is_revoked else None

    def leave(self, session: str) -> None:
        """End a session."""
        with self._transaction() as connection:
            connection.execute(SESSIONS.delete().where(SESSIONS.c.token == hashed(session)))

    def log(self, after: int = 0) -> Iterator[Logged]:
        """All events after a number, in the order in which they were taken.

        Reading all of them ends with an error if some are missing or were changed.
        """
        query = select(EVENTS).where(EVENTS.c.number > after).order_by(EVENTS.c.number)
        stored = Link.from_setting(self.setting(SETTING))
        link, computed = Link(), None
        with self._transaction() as connection:
            for row in connection.execution_options(yield_per=10_000).execute(query):
                number, person, at, *values = row
                event = Event(*values)
                if not after:
                    link = link.after(number, person, at, event)
                    computed = link if stored and stored.number == number else computed
                yield Logged(number, person, at, event)
        if not after:
            require_same(stored, computed, link.number, str(self))

    def acts(self, document: int, person: int) -> list[tuple[str, int, str | None]]:
        """What a person did at the gaps of a document: kind, gap and value, in order."""
        query = select(EVENTS.c.kind, EVENTS.c.gap, EVENTS.c.value).order_by(EVENTS.c.number)
        is_own = (EVENTS.c.document == document) & (EVENTS.c.person == person)
        own = query.where(is_own, EVENTS.c.kind.in_(("set", "comment", "state")))
        return [(kind, gap, value) for kind, gap, value in self._rows(own)]

    def usage(self) -> dict[int, Usage]:
        """What each person has in the log."""
        size = func.sum(func.coalesce(func.length(EVENTS.c.value), 0))
        query = select(EVENTS.c.person, EVENTS.c.kind, func.count(), size)
        found: dict[int, Usage] = {}
        for person, kind, count, length in self._rows(
            query.group_by(EVENTS.c.person, EVENTS.c.kind)
        ):
            usage = found.setdefault(person, Usage())
            usage.events += count
            if kind == "comment":
                usage.comments, usage.characters = count, int(length)
        return found

    def append(self, events: Sequence[tuple[int, float, Event]]) -> list[int]:
        """Add events to the log, all or none, and return their numbers.

        An error may come after they were written, if the database went in between: read the log.
        """
        with _as_store_error():
            is_ours = self._lock.is_held()
        if not is_ours:
            raise StoreError("the database was removed, or is open in another studio")
        rows = [
            {"person": person, "at": at}
            | {name: getattr(each, name) for name in Event.__match_args__}
            for person, at, each in events
        ]
        query = insert(EVENTS).returning(EVENTS.c.number, sort_by_parameter_order=True)
        try:
            with self._transaction() as connection:
                setting = select(SETTINGS.c.value).where(SETTINGS.c.name == SETTING)
                link = Link.from_setting(connection.execute(setting).scalar() or "") or Link()
                numbers = list(connection.execute(query, rows).scalars())
                for number, (person, at, each) in zip(numbers, events, strict=True):
                    link = link.after(number, person, at, each)
                _set(connection, SETTING, link.setting())
        except IntegrityError as problem:
            raise StoreError(f"the log has other events: {_reason(problem)}") from None
        self._lock.note(self._identity, link.number)
        return numbers

    @cached_property
    def _identity(self) -> str:
        return self.setting("identity")


def _engine(url: str) -> Engine:
    try:
        kind = make_url(url).get_backend_name()
    except ArgumentError:
        raise UsageError(f"the database is no address; {_GIVE}") from None
    if kind not in SETUP:
        raise UsageError(f"the studio cannot use {kind}; {_GIVE}")
    try:
        engine = create_engine(url, **_options(url, kind))
    except ModuleNotFoundError:
        raise UsageError("PostgreSQL needs: pip install 'caesura-eval[team]'") from None
    event.listen(engine, "connect", _set_up(SETUP[kind]))
    return engine


_GIVE = "give postgresql://USER@HOST/NAME, or none to keep everything in the folder"


def _options(url: str, kind: str) -> dict[str, object]:
    """Options of the connection: time out after some seconds if the database does not answer."""
    if kind == POSTGRES:
        return {
            "pool_pre_ping": True, "pool_timeout": 5, "connect_args": {"connect_timeout": 5}
        }  # fmt: skip
    if make_url(url).database in (None, "", ":memory:"):
        return {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
    return {"pool_timeout": 5}


def _set_up(statements: Sequence[str]) -> Callable[[object, object], None]:
    def begin(connection: Any, _record: object) -> None:
        try:
            with closing(connection.cursor()) as cursor:
                for statement in statements:
                    cursor.execute(statement)
            connection.commit()
        except BaseException:
            connection.close()
            raise

    return begin


def _set(connection: Connection, name: str, value: str) -> None:
    """Change a setting, or add it."""
    done = connection.execute(update(SETTINGS).where(SETTINGS.c.name == name).values(value=value))
    if not done.rowcount:
        connection.execute(insert(SETTINGS).values(name=name, value=value))


@contextmanager
def _as_store_error() -> Iterator[None]:
    """Turn failures of the database into one error; violated constraints pass through."""
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, NoConnectionError, OSError) as problem:
        if is_damage(_reason(problem)):
            raise DamagedError("the database", _reason(problem)) from None
        raise StoreError(f"the database cannot be used: {_reason(problem)}") from None


def _reason(problem: Exception) -> str:
    """The message of the database, in one line."""
    text = str(getattr(problem, "orig", None) or problem).strip().splitlines()
    return text[0] if text else type(problem).__name__
