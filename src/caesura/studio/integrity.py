"""Integrity: notice that a database is damaged, or that events are missing from its log.

Each event extends a hash over all events before it. The hash of the last one is stored in the same
transaction, so a log from which rows were lost or changed does not lead to it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, text

from caesura.errors import CaesuraError
from caesura.studio.events import Event

SETTING = "log"
"""The name of the setting that holds the last link of the chain."""
FORM = "1"
"""What is hashed, and how; the chain of another form is begun again without a check."""
RESTORE = "restore a backup, or import the log of the last export (docs/studio/running.md)"


class StoreError(CaesuraError):
    """A database that cannot be used now: locked, full or gone."""


class DamagedError(StoreError):
    """A database that is damaged; it is not opened."""

    def __init__(self, what: str, problem: str, cure: str = RESTORE) -> None:
        super().__init__(f"{what} is damaged: {problem}; {cure}")


@dataclass(frozen=True, slots=True)
class Link:
    """The number of an event in the log, and the hash over all events until it."""

    number: int = 0
    digest: str = ""

    @classmethod
    def from_setting(cls, value: str) -> Link | None:
        """The link that was stored; None if there is none that can be checked."""
        form, _, rest = value.partition(" ")
        number, _, digest = rest.partition(" ")
        return cls(int(number), digest) if form == FORM and number.isdecimal() else None

    def setting(self) -> str:
        """The link as it is stored."""
        return f"{FORM} {self.number} {self.digest}"

    def after(self, number: int, person: int, at: float, event: Event) -> Link:
        """The link of the next event."""
        row = [number, person, at, *(getattr(event, name) for name in Event.__match_args__)]
        return Link(number, sha256((self.digest + json.dumps(row)).encode()).hexdigest())


def is_damage(reason: str) -> bool:
    """Whether SQLite says that its file is damaged."""
    return "malformed" in reason or "not a database" in reason


def require_sound(connection: Connection, what: str) -> None:
    """Raise an error if SQLite finds its file damaged."""
    rows = connection.execute(text("PRAGMA integrity_check(1)")).scalars().all()
    if rows != ["ok"]:
        raise DamagedError(what, str(rows[0]).strip().splitlines()[-1])


def require_same(stored: Link | None, computed: Link | None, last: int, what: str) -> None:
    """Raise an error if a log does not lead to the link that was stored with it.

    `computed` is the link at the number of the stored one; None if no event has this number.
    """
    if stored is None or stored.number == 0 or computed == stored:
        return
    if last < stored.number:
        raise DamagedError(what, f"its log ends at event {last:,}, not at {stored.number:,}")
    raise DamagedError(what, f"events before {stored.number:,} are missing or were changed")
