"""Connections: limits on how many there are, and on how long a request may take to arrive.

A server that waits for ever for half a request can be filled by anyone. Here the head and the body
of a request have a time limit, and when the server is full, a newcomer replaces a connection of the
host that has the most.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 800
"""The most connections at a time; fewer if the system allows fewer open files."""
AT_ONCE = 100
"""How many connections are accepted before any of them is looked at."""
HEAD_SECONDS = 10.0
"""How long the head of a request may take, or the first one of a connection may not come."""
BODY_SECONDS, PACE = 20.0, 16 << 10
"""The seconds that a body may take, plus one for each of these bytes received."""


class Waiting(Protocol):
    """A connection that may be waiting for the rest of a request."""

    host: str
    began: float

    def is_waiting(self) -> bool:
        """Whether the server is waiting for the client."""

    def is_late(self, now: float) -> bool:
        """Whether the client has used up its time."""

    def cut(self) -> None:
        """Close the connection at once."""


class TimedConnection(H11Protocol):
    """A connection of the server that is closed if its request does not arrive in time."""

    host: str = ""
    began: float = 0.0
    received: int = 0
    is_idle: bool = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a connection, in place of another if there are too many."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self.host = self.client[0] if self.client else ""
        self._begin()
        if len(self.connections) > most_connections():
            victim(each for each in self.connections if isinstance(each, TimedConnection)).cut()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; the first one after a pause starts the clock."""
        if self.is_idle:
            self._begin()
        self.received += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Note that the next request may take its time."""
        super().on_response_complete()
        self._begin()
        self.is_idle = self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]

    def is_waiting(self) -> bool:
        """Whether the server is waiting for a request, or for the rest of one."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def is_late(self, now: float) -> bool:
        """Whether the head or the body of a request takes too long."""
        if self.is_idle or not self.is_waiting():
            return False
        if self.conn.their_state is h11.IDLE:
            return now > self.began + HEAD_SECONDS
        return now > self.began + HEAD_SECONDS + BODY_SECONDS + self.received / PACE

    def cut(self) -> None:
        """Close the connection at once; it does not count any more."""
        self.connections.discard(self)
        self.transport.abort()

    def _begin(self) -> None:
        self.began, self.received, self.is_idle = self.loop.time(), 0, False

    def _watch(self) -> None:
        """Look every second whether the client is late, until the connection has ended."""
        if self not in self.connections:
            return
        if self.is_late(self.loop.time()):
            self.cut()
        else:
            self.loop.call_later(min(1.0, HEAD_SECONDS / 4), self._watch)


def victim(connections: Iterable[Waiting]) -> Waiting:
    """The connection to close for a new one: the oldest that waits, of the host with most of them.

    If no connection waits for its client, it is the newest one, so that nobody's work is cut.
    """
    every = list(connections)
    waiting = [each for each in every if each.is_waiting()]
    if not waiting:
        return max(every, key=lambda each: each.began)
    count = Counter(each.host for each in every)
    return min(waiting, key=lambda each: (-count[each.host], each.began))


def most_connections() -> int:
    """How many connections there may be, with some files left for everything else."""
    if sys.platform == "win32":
        return MOST
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft < 0 else min(MOST, soft * 3 // 4)
