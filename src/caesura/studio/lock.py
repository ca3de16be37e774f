"""Lock: one server at a time uses a project; the lock of a killed server is released."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from caesura.errors import CaesuraError, UsageError

PRIVATE = 0o600
"""The mode of files that only their owner may read."""
RESTORE = "restore a backup, or import the log of the last export (docs/studio/running.md)"


class StoreError(CaesuraError):
    """A database that cannot be used now: locked, full or gone."""


class DamagedError(StoreError):
    """A database that is damaged; it is not opened."""

    def __init__(self, what: str, problem: str, cure: str = RESTORE) -> None:
        super().__init__(f"{what} is damaged: {problem}; {cure}")


class Lock:
    """A file next to the database, unlocked when the process ends; none for one in memory.

    The file also notes the number of the last event: a database whose write-ahead log was left
    behind looks whole, but is older.
    """

    def __init__(self, database: Path | None) -> None:
        self._database = database
        self._file: int | None = None
        self._place: tuple[int, int] | None = None

    def take(self) -> None:
        """Lock the database, which from then on nobody else can read."""
        if self._database is None:
            return
        file = os.open(f"{self._database}.lock", os.O_RDWR | os.O_CREAT, PRIVATE)
        try:
            _lock(file)
        except OSError:
            os.close(file)
            raise UsageError(
                f"{self._database} is open in another studio; use that one, or close it"
            ) from None
        self._file = file
        self._require_present(self._database)
        for end in ("", ".lock", "-wal", "-shm", "-journal"):
            with suppress(OSError):  # it is not there, or belongs to somebody else
                Path(f"{self._database}{end}").chmod(PRIVATE)

    def _require_present(self, database: Path) -> None:
        """Create the database; an error if it is gone or empty and had events."""
        is_there = database.exists()
        number = self._read().rpartition(" ")[2]
        if not (is_there and database.stat().st_size) and number.isdecimal() and int(number):
            problem = f"it is {'empty' if is_there else 'gone'}; it had {int(number):,} events"
            cure = f"{RESTORE}; to begin anew, remove {database.name}.lock"
            raise DamagedError(str(database), problem, cure)
        if not is_there:  # SQLite gives its log the same mode
            os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))

    def note(self, identity: str, number: int) -> None:
        """Remember outside of the database how many events a project has."""
        if self._file is not None:
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, f"{identity} {number:020d}".ljust(64).encode())

    def noted(self, identity: str) -> int:
        """The number that was noted last; what another project has noted does not count."""
        name, _, number = self._read().rpartition(" ")
        return int(number) if name == identity and number.isdecimal() else 0

    def _read(self) -> str:
        if self._file is None:
            return ""
        os.lseek(self._file, 0, os.SEEK_SET)
        return os.read(self._file, 256).decode("ascii", "replace").strip()

    def is_held(self) -> bool:
        """Whether the database is in its place: what is written to a removed file is lost."""
        if self._database is None:
            return True
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
