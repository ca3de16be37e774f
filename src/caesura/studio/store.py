"""Store: the database of a project, SQLite in its folder.

What `append` has returned is on disk. Each event extends a hash over all events before it. The hash
of the last one is stored in the same transaction, so that a log from which rows were lost or
changed does not lead to it.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from caesura.errors import CaesuraError, UsageError
from caesura.studio.events import Event
from caesura.studio.lock import DamagedError, Lock, StoreError
from caesura.studio.security import hashed, new_token

DATABASE = "studio.sqlite"
"""The file of a project in its folder."""
VERSION = 3
"""The version of the tables."""
SESSION_SECONDS = 30 * 86400
"""How long a session lasts."""
SETUP = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=5000",
    "PRAGMA secure_delete=ON",
    "PRAGMA temp_store=MEMORY",
)
"""What each connection begins with: what is committed is on disk, what is deleted is overwritten,
and nobody waits for ever."""
TABLES = (
    "settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    # `content` is what the page shows, as JSON, and `seal` its hash; `digest` is that of the words.
    "documents (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, "
    "digest TEXT NOT NULL, length INTEGER NOT NULL, content TEXT NOT NULL, seal TEXT NOT NULL)",
    # `invitation` is the hash of the token in a link; somebody deleted has no name.
    "people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, is_manager INTEGER NOT NULL, "
    "is_revoked INTEGER NOT NULL DEFAULT 0, invitation TEXT UNIQUE)",
    # `token` is the hash of what the cookie holds.
    "sessions (token TEXT PRIMARY KEY, person INTEGER NOT NULL REFERENCES people, "
    "since REAL NOT NULL)",
    "events (number INTEGER PRIMARY KEY AUTOINCREMENT, person INTEGER NOT NULL REFERENCES people, "
    "at REAL NOT NULL, client TEXT NOT NULL, sequence INTEGER NOT NULL, document INTEGER NOT NULL, "
    "kind TEXT NOT NULL, gap INTEGER NOT NULL, value TEXT, UNIQUE (client, sequence))",
)
INDEX = "CREATE INDEX IF NOT EXISTS events_of_a_document ON events (document, number)"
CHAIN, ERASING, IDENTITY = "log", "erasing", "identity"
"""The settings with the last link of the chain, with an erasure that has not ended, and with what
no other project has."""
_ERASE_PERSON = (
    "DELETE FROM sessions WHERE person = ?",
    "DELETE FROM events WHERE person = ? AND kind IN ('set', 'comment', 'state', 'seen')",
    "DELETE FROM events WHERE kind IN ('assign', 'withdraw', 'layer') "
    "AND json_extract(value, '$.person') = ?",
    "UPDATE people SET name = NULL, invitation = NULL, is_revoked = 1 WHERE id = ?",
)
_EVENT = ", ".join(Event.__match_args__)
_PERSON = "people.id, coalesce(name, 'deleted ' || people.id), is_manager, is_revoked, name IS NULL"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who works in a project, or worked in it and was deleted."""

    id: int
    name: str
    is_manager: bool
    is_revoked: bool = False
    is_erased: bool = False

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> Person:
        """A person as the database has them."""
        number, name, *flags = row
        return cls(number, name, *map(bool, flags))


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as the database has it, without its content."""

    id: int
    name: str
    digest: str
    length: int


Row = tuple[int | None, str, str, int, object]
"""A document that is stored: its number, if it has one, name, digest, length and content."""


@dataclass(frozen=True, slots=True)
class Logged:
    """An event with its number in the log, who did it, and when the server took it."""

    number: int
    person: int
    at: float
    event: Event

    def after(self, digest: str) -> str:
        """The hash over all events until this one."""
        row = [self.number, self.person, self.at, *_values(self.event)]
        return sha256((digest + json.dumps(row)).encode()).hexdigest()


class Store:
    """The database of one project; without a path it is in memory, for one thread."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._idle: list[sqlite3.Connection] = []
        self._lock = Lock(path)
        try:
            with _as_store_error():
                self._lock.take()
            self._prepare()
        except CaesuraError:
            self.close()
            raise

    def __str__(self) -> str:
        return str(self._path or "the database")

    def _prepare(self) -> None:
        """Create the tables, or check that they are the studio's, whole and unchanged."""
        with self._transaction() as connection:
            (problem,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if problem != "ok":
                raise DamagedError(str(self), str(problem).strip().splitlines()[-1])
            for at, table in enumerate(TABLES):
                connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")
                if not at:
                    self._require_version(connection)
            connection.execute(INDEX)
            _set(connection, "version", str(VERSION))
            for name, content, seal in connection.execute(
                "SELECT name, content, seal FROM documents"
            ):
                if sha256(content.encode()).hexdigest() != seal:
                    raise DamagedError(str(self), f"the text of '{name}' was altered")
        self._lock.is_held()
        ((last,),) = self._rows("SELECT coalesce(max(number), 0) FROM events")
        noted = self._lock.noted(self.identity)
        if noted > last:
            raise DamagedError(
                str(self),
                f"its log ends at event {last:,}, but {noted:,} was acknowledged",
                "put studio.sqlite-wal next to it; if it is a backup, remove studio.sqlite.lock",
            )
        if self.setting(ERASING):
            self._clean()

    def _require_version(self, connection: sqlite3.Connection) -> None:
        """Raise an error for the tables of another caesura."""
        query = "SELECT value FROM settings WHERE name = 'version'"
        (version,) = connection.execute(query).fetchone() or (str(VERSION),)
        if version in ("1", "2"):
            raise UsageError(
                f"{self} was made by caesura 0.1.0; export it with 0.1.0, then give the export to "
                "caesura studio import"
            )
        if version != str(VERSION):
            raise UsageError(f"{self} was made by a newer caesura; upgrade caesura")

    def close(self) -> None:
        """Close all connections."""
        while self._idle:
            self._idle.pop().close()
        self._lock.release()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection that no other thread has; it is kept for the next who needs one."""
        with _as_store_error():
            connection = self._idle.pop() if self._idle else self._connect()
            try:
                yield connection
            finally:
                self._idle.append(connection)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path or ":memory:", isolation_level=None, check_same_thread=False
        )
        try:
            for statement in SETUP:
                connection.execute(statement)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A connection on which all is written, or nothing."""
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._connection() as connection:
            return connection.execute(query, values).fetchall()

    def setting(self, name: str, default: str = "") -> str:
        """One setting of the project."""
        found = self._rows("SELECT value FROM settings WHERE name = ?", name)
        return found[0][0] if found else default

    def set(self, name: str, value: str) -> None:
        """Change a setting of the project."""
        with self._connection() as connection:
            _set(connection, name, value)

    def add_documents(self, rows: Sequence[Row]) -> list[StoredDocument]:
        """Store documents, all or none."""
        with self._transaction() as connection:
            return [_add_document(connection, row) for row in rows]

    def documents(self) -> list[StoredDocument]:
        """All documents, in the order in which they were added."""
        rows = self._rows("SELECT id, name, digest, length FROM documents ORDER BY id")
        return [StoredDocument(*row) for row in rows]

    def content(self, document: int) -> Any:
        """The words and times of a document that the page shows."""
        ((content,),) = self._rows("SELECT content FROM documents WHERE id = ?", document)
        return json.loads(content)

    def people(self) -> list[Person]:
        """Everyone, in the order in which they were invited."""
        rows = self._rows(f"SELECT {_PERSON} FROM people ORDER BY id")
        return [Person.from_row(row) for row in rows]

    def invite(self, name: str, *, is_manager: bool = False) -> tuple[Person, str]:
        """Add a person, and return the token of their link; only its hash is kept."""
        token = new_token()
        query = "INSERT INTO people (name, is_manager, invitation) VALUES (?, ?, ?) RETURNING id"
        ((number,),) = self._rows(query, name, is_manager, hashed(token))
        return Person(number, name, is_manager), token

    def invite_again(self, person: int, *, ends_sessions: bool = True) -> str:
        """A new link for a person; the old one ends, and all their sessions, if that is said."""
        token = new_token()
        query = "UPDATE people SET invitation = ?, is_revoked = 0 WHERE id = ?"
        self._rows(query, hashed(token), person)
        if ends_sessions:
            self._rows("DELETE FROM sessions WHERE person = ?", person)
        return token

    def revoke(self, person: int) -> None:
        """End a person's link and sessions; what they did stays."""
        self._rows("UPDATE people SET invitation = NULL, is_revoked = 1 WHERE id = ?", person)
        self._rows("DELETE FROM sessions WHERE person = ?", person)

    def enter(self, token: str) -> tuple[Person, str] | None:
        """The person of a link, and the token of a new session; None if there is no such link."""
        return self._begin_session("invitation = ?", hashed(token))

    def enter_as(self, person: int) -> tuple[Person, str] | None:
        """The person of a number, and the token of a new session."""
        return self._begin_session("id = ?", person)

    def _begin_session(self, is_who: str, value: object) -> tuple[Person, str] | None:
        """Begin a session, and remove those that have expired."""
        session, now = new_token(), time.time()
        with self._transaction() as connection:
            query = f"SELECT {_PERSON} FROM people WHERE NOT is_revoked AND {is_who}"
            row = connection.execute(query, (value,)).fetchone()
            if row is None:
                return None
            connection.execute("DELETE FROM sessions WHERE since <= ?", (now - SESSION_SECONDS,))
            connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?)", (hashed(session), row[0], now)
            )
        return Person.from_row(row), session

    def person(self, session: str) -> Person | None:
        """The person of a session."""
        rows = self._rows(
            f"SELECT {_PERSON} FROM people JOIN sessions ON sessions.person = people.id "
            "WHERE token = ? AND since > ? AND NOT is_revoked",
            hashed(session),
            time.time() - SESSION_SECONDS,
        )
        return Person.from_row(rows[0]) if rows else None

    def leave(self, session: str) -> None:
        """End a session."""
        self._rows("DELETE FROM sessions WHERE token = ?", hashed(session))

    def log(self, after: int = 0) -> Iterator[Logged]:
        """All events after a number, in the order in which they were taken.

        Reading all of them ends with an error if some are missing or were changed.
        """
        digest, last = "", 0
        with self._connection() as connection:
            query = f"SELECT number, person, at, {_EVENT} FROM events WHERE number > ? ORDER BY 1"
            for number, person, at, *values in connection.execute(query, (after,)):
                logged = Logged(number, person, at, Event(*values))
                if not after:
                    digest, last = logged.after(digest), number
                yield logged
        if not after:
            self._require_same(last, digest)

    def _require_same(self, last: int, digest: str) -> None:
        """Raise an error if the log does not lead to the hash that was stored with it."""
        number, _, stored = self.setting(CHAIN).partition(" ")
        if int(number or 0) > last:
            raise DamagedError(str(self), f"its log ends at event {last:,}, not at {number}")
        if stored != digest:
            raise DamagedError(str(self), f"events before {last:,} are missing or were changed")

    def acts(self, document: int, person: int) -> list[tuple[str, int, str | None]]:
        """What a person did at the gaps of a document: kind, gap and value, in order."""
        return self._rows(
            "SELECT kind, gap, value FROM events WHERE document = ? AND person = ? "
            "AND kind IN ('set', 'comment', 'state') ORDER BY number",
            document,
            person,
        )

    def decisions(self, document: int) -> list[tuple[int, int, str | None]]:
        """What was decided of a document: by whom, of which gap and how, in order."""
        return self._rows(
            "SELECT person, gap, value FROM events WHERE document = ? AND kind = 'decide' "
            "ORDER BY number",
            document,
        )

    def append(self, events: Sequence[tuple[int, float, Event]]) -> list[int]:
        """Add events to the log, all or none, and return their numbers.

        An error may come after they were written, if the database went in between: read the log.
        """
        with _as_store_error():
            is_ours = self._lock.is_held()
        if not is_ours:
            raise StoreError("the database was removed, or is open in another studio")
        try:
            with self._transaction() as connection:
                numbers = _append(connection, events)
        except sqlite3.IntegrityError as problem:
            raise StoreError(f"the log has other events: {problem}") from None
        self._lock.note(self.identity, numbers[-1])
        return numbers

    def restore(
        self,
        documents: Sequence[Row],
        people: Sequence[Person],
        log: Sequence[tuple[int, float, Event]],
    ) -> None:
        """Become the project of a log, all or nothing; this one has to be new."""
        query = "INSERT INTO people (id, name, is_manager, is_revoked) VALUES (?, ?, ?, ?)"
        with self._transaction() as connection:
            connection.execute("DELETE FROM people")
            for who in people:
                name = None if who.is_erased else who.name
                connection.execute(query, (who.id, name, who.is_manager, who.is_revoked))
            for row in documents:
                _add_document(connection, row)
            numbers = _append(connection, log)
        self._lock.note(self.identity, numbers[-1] if numbers else 0)

    def erase(
        self,
        by: tuple[int, float, Event],
        *,
        document: int | None = None,
        person: int | None = None,
    ) -> None:
        """Erase a document or a person from the database, and write down that somebody did.

        The hash over the log begins anew. Who is deleted remains as a number: decisions and acts of
        the project stay, without a name.
        """
        with self._transaction() as connection:
            if document is not None:
                connection.execute("DELETE FROM events WHERE document = ?", (document,))
                connection.execute("DELETE FROM documents WHERE id = ?", (document,))
            for statement in _ERASE_PERSON if person is not None else ():
                connection.execute(statement, (person,))
            (number,) = _append(connection, [by])
            digest = ""
            query = f"SELECT number, person, at, {_EVENT} FROM events ORDER BY number"
            for at, who, when, *values in connection.execute(query):
                digest = Logged(at, who, when, Event(*values)).after(digest)
            _set(connection, CHAIN, f"{number} {digest}")
            _set(connection, ERASING, "1")
        self._lock.note(self.identity, number)
        self._clean()

    def _clean(self) -> None:
        """Write the file anew without what was erased, and empty the write-ahead log."""
        with self._connection() as connection:
            connection.execute("VACUUM")
            connection.execute("DELETE FROM settings WHERE name = ?", (ERASING,))
            deadline = time.monotonic() + 5
            while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                if time.monotonic() > deadline:
                    raise StoreError("what was erased is still in studio.sqlite-wal; open it again")
                time.sleep(0.05)  # somebody reads

    @cached_property
    def identity(self) -> str:
        """What no other project has, made when it is first opened."""
        known = self.setting(IDENTITY)
        if not known:
            known = new_token()[:16]
            self.set(IDENTITY, known)
        return known


def _add_document(connection: sqlite3.Connection, row: Row) -> StoredDocument:
    number, name, digest, length, content = row
    text = json.dumps(content, ensure_ascii=False)
    added = connection.execute(
        "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)",
        (number, name, digest, length, text, sha256(text.encode()).hexdigest()),
    ).lastrowid
    return StoredDocument(added or 0, name, digest, length)


def _values(event: Event) -> list[Any]:
    return [getattr(event, name) for name in Event.__match_args__]


def _append(
    connection: sqlite3.Connection, events: Sequence[tuple[int, float, Event]]
) -> list[int]:
    """Add events and the hash over all of them."""
    row = connection.execute("SELECT value FROM settings WHERE name = ?", (CHAIN,)).fetchone()
    digest = row[0].partition(" ")[2] if row else ""
    numbers = []
    query = f"INSERT INTO events (person, at, {_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    for person, at, event in events:
        number = connection.execute(query, (person, at, *_values(event))).lastrowid or 0
        digest = Logged(number, person, at, event).after(digest)
        numbers.append(number)
    if numbers:
        _set(connection, CHAIN, f"{numbers[-1]} {digest}")
    return numbers


def _set(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Change a setting, or add it."""
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))


@contextmanager
def _as_store_error() -> Iterator[None]:
    """Turn failures of the database into one error; violated constraints pass through."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except (sqlite3.Error, OSError) as problem:
        reason = (str(problem).strip().splitlines() or [type(problem).__name__])[0]
        if "malformed" in reason or "not a database" in reason:
            raise DamagedError("the database", reason) from None
        raise StoreError(f"the database cannot be used: {reason}") from None
