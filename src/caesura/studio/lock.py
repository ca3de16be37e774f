"""Locks: one server at a time uses a database; the lock of a killed server is released."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from caesura.studio.integrity import DamagedError

NUMBER = 0x63616573757261
"""The number of the advisory lock in PostgreSQL."""
PRIVATE = 0o600
"""The mode of files that only their owner may read."""
PATIENCE = 3.0
"""How many seconds a killed server may need until PostgreSQL notices it."""


class Lock(Protocol):
    """A lock that a server holds while it has a database open."""

    def take(self) -> bool:
        """Take the lock; whether nobody else has it."""

    def is_held(self) -> bool:
        """Whether the database is still the one that was locked."""

    def release(self) -> None:
        """Release the lock."""

    def note(self, identity: str, number: int) -> None:
        """Remember outside of the database how many events a project has."""

    def noted(self, identity: str) -> int:
        """The number of events of a project that was noted last; 0 if none was."""


class FileLock:
    """The lock of an SQLite database: a file next to it, unlocked when the process ends.

    The file also notes the number of the last event: an SQLite database whose write-ahead log was
    left behind looks whole, but is older.
    """

    def __init__(self, database: Path) -> None:
        self._database, self._path = database, Path(f"{database}.lock")
        self._file: int | None = None
        self._place: tuple[int, int] | None = None

    def take(self) -> bool:
        """Lock the file next to the database, which from then on nobody else can read."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE)
        try:
            _lock(file)
        except OSError:
            os.close(file)
            return False
        self._file = file
        self._make_private()
        return True

    def _make_private(self) -> None:
        """Create the database, or take it from others' eyes; SQLite gives its log the same mode."""
        if not self._database.exists():
            os.close(os.open(self._database, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
            self._write("")
        elif not self._database.stat().st_size:
            number = self._read().rpartition(" ")[2]
            if number.isdecimal() and int(number):
                raise DamagedError(
                    str(self._database), f"it is empty; it had {int(number):,} events"
                )
        for path in (self._database, self._path, *map(Path, self._logs())):
            with suppress(OSError):  # it is not there, or belongs to somebody else
                path.chmod(PRIVATE)

    def _logs(self) -> list[str]:
        return [f"{self._database}-{end}" for end in ("wal", "shm", "journal")]

    def note(self, identity: str, number: int) -> None:
        """Write into the lock's file."""
        self._write(f"{identity} {number:020d}")

    def noted(self, identity: str) -> int:
        """Read from the lock's file; what another project has noted does not count."""
        name, _, number = self._read().rpartition(" ")
        return int(number) if name == identity and number.isdecimal() else 0

    def _read(self) -> str:
        if self._file is None:
            return ""
        os.lseek(self._file, 0, os.SEEK_SET)
        return os.read(self._file, 256).decode("ascii", "replace").strip()

    def _write(self, text: str) -> None:
        if self._file is not None:
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, f"{text:<64}".encode())

    def is_held(self) -> bool:
        """Whether the database is in its place: what is written to a removed file is lost."""
        try:
            found = self._database.stat()
        except OSError:
            return False
        place = found.st_dev, found.st_ino
        self._place = self._place or place
        return place == self._place

    def release(self) -> None:
        """Unlock the file, which stays: another server may be waiting for it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class AdvisoryLock:
    """The lock of a PostgreSQL database, which ends with the connection that took it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def take(self) -> bool:
        """Lock the database, waiting a moment for the end of a server that was killed."""
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        deadline = time.monotonic() + PATIENCE
        try:
            while not connection.execute(text(f"SELECT pg_try_advisory_lock({NUMBER})")).scalar():
                if time.monotonic() > deadline:
                    connection.close()
                    return False
                time.sleep(0.1)
        except DBAPIError:
            connection.close()
            raise
        self._connection = connection
        return True

    def is_held(self) -> bool:
        """Whether the connection lives, or the lock could be taken again."""
        if self._connection is not None:
            try:
                self._connection.execute(text("SELECT 1"))
            except DBAPIError:
                self.release()
        return self._connection is not None or self.take()

    def note(self, identity: str, number: int) -> None:
        """Note nothing: the database has no part that could be left behind."""

    def noted(self, identity: str) -> int:  # noqa: ARG002
        """Return 0."""
        return 0

    def release(self) -> None:
        """Close the connection for good."""
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.invalidate()
                self._connection.close()
            self._connection = None


class NoLock:
    """The lock of a database in memory, which nobody else can open."""

    def take(self) -> bool:
        """Take it."""
        return True

    def is_held(self) -> bool:
        """Always."""
        return True

    def note(self, identity: str, number: int) -> None:
        """Do nothing."""

    def noted(self, identity: str) -> int:  # noqa: ARG002
        """Return 0."""
        return 0

    def release(self) -> None:
        """Do nothing."""


def lock_of(engine: Engine) -> Lock:
    """The lock of a database."""
    if engine.dialect.name != "sqlite":
        return AdvisoryLock(engine)
    name = engine.url.database
    return FileLock(Path(name)) if name and name != ":memory:" else NoLock()
