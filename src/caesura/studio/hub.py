"""Hub: who listens to what happens, and the thread that writes it down.

All events are written by one thread, so that they have one order. It takes all that wait at once,
so that one write to disk serves many people.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from queue import SimpleQueue
from threading import Thread

from caesura.studio.events import Event
from caesura.studio.project import Project
from caesura.studio.store import Person

AT_ONCE = 256
"""The most requests that are written together."""
BEHIND = 1000
"""How many messages a listener may be behind, before it has to begin again."""
TOLD = (
    "assign", "withdraw", "close", "reopen", "role", "guidelines", "order", "arrange", "rename",
    "marks", "erase",
)  # fmt: skip
"""The acts of managers and adjudicators after which annotators' pages load again."""


@dataclass(slots=True)
class Request:
    """Events to be written, and the future that answers their sender."""

    person: Person
    events: Sequence[Event]
    done: Future[list[Event]] = field(default_factory=Future)


class Writer:
    """The thread that writes events."""

    def __init__(self, project: Project, tell: Callable[[Person, Sequence[Event]], None]) -> None:
        self._project, self._tell = project, tell
        self._queue: SimpleQueue[Request | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="studio-writer", daemon=True)
        self._thread.start()

    async def take(self, person: Person, events: Sequence[Event]) -> list[Event]:
        """Write events; they are on disk when this returns."""
        request = Request(person, events)
        self._queue.put(request)
        return await asyncio.wrap_future(request.done)

    def close(self) -> None:
        """Write the events that are still queued, and stop."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        is_open = True
        while is_open:
            batch = [self._queue.get()]
            while len(batch) < AT_ONCE and not self._queue.empty():
                batch.append(self._queue.get())
            is_open = None not in batch
            self._write([each for each in batch if each is not None])

    def _write(self, waiting: list[Request]) -> None:
        batch = [each for each in waiting if each.done.set_running_or_notify_cancel()]
        for request, found in zip(batch, self._taken(batch), strict=True):
            if isinstance(found, BaseException):
                request.done.set_exception(found)
            else:
                request.done.set_result(found)
                if found:
                    self._tell(request.person, found)

    def _taken(self, batch: Sequence[Request]) -> list[list[Event] | BaseException]:
        """The results of a batch; an exception becomes a result, so that the thread survives."""
        try:
            return self._project.take_all([(each.person, each.events) for each in batch])
        except Exception as problem:
            return [problem for _ in batch]


@dataclass(eq=False, slots=True)
class Listener:
    """A page that receives its own person's events; who watches hears that others did something.

    `session` is the hash of the session with which it was opened.
    """

    person: Person
    session: str = ""
    watches: bool = False
    queue: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(BEHIND))


class Hub:
    """All listeners; any thread may notify them."""

    def __init__(self) -> None:
        self._listeners: dict[Listener, None] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    @asynccontextmanager
    async def listening(
        self, person: Person, session: str = "", *, watches: bool = False
    ) -> AsyncIterator[Listener]:
        """Listen as long as a page is open."""
        self._loop = asyncio.get_running_loop()
        listener = Listener(person, session, watches)
        self._listeners[listener] = None
        try:
            yield listener
        finally:
            self._listeners.pop(listener, None)

    def tell(self, person: Person, events: Sequence[Event]) -> None:
        """Notify a person's other pages of what they did, and managers that something happened."""
        if self._loop is None:
            return
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self._send, person, list(events))

    def close(self, ends: Callable[[Listener], bool] = lambda _: True) -> None:
        """End the listeners of which something holds, or all of them."""
        for listener in [each for each in self._listeners if ends(each)]:
            _clear(listener)
            listener.queue.put_nowait(None)

    def _send(self, person: Person, events: list[Event]) -> None:
        concerns_all = any(each.kind in TOLD for each in events)
        documents = sorted({each.document for each in events})
        for listener in list(self._listeners):
            if listener.person.id == person.id:
                _put(listener, "events", [asdict(each) for each in events])
            elif concerns_all and not listener.watches:
                _put(listener, "again", {})
            if listener.watches:
                _put(listener, "progress", {"person": person.name, "documents": documents})


def _put(listener: Listener, kind: str, data: object) -> None:
    if listener.queue.full():
        _clear(listener)
        kind, data = "again", {}
    text = json.dumps(data, ensure_ascii=False)
    listener.queue.put_nowait(f"event: {kind}\ndata: {text}\n\n")


def _clear(listener: Listener) -> None:
    while not listener.queue.empty():
        listener.queue.get_nowait()
