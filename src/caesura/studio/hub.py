"""Hub: who listens to what happens, and how it is written down."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field

from starlette.concurrency import run_in_threadpool

from caesura.studio.events import Event
from caesura.studio.project import Project, Request, Taken
from caesura.studio.store import Person

BEHIND = 1000
"""How many messages a listener may be behind, before it has to begin again."""
TOLD = (
    "assign", "withdraw", "close", "reopen", "role", "guidelines", "order", "arrange", "rename",
    "marks", "erase",
)  # fmt: skip
"""The acts of managers and adjudicators after which annotators' pages load again."""


class Writer:
    """Writes events in one order: all that wait at once, so that one write serves many people."""

    def __init__(self, project: Project, tell: Callable[[Person, Sequence[Event]], None]) -> None:
        self._project, self._tell = project, tell
        self._waiting: list[tuple[Request, asyncio.Future[list[Event]]]] = []
        self._task: asyncio.Task[None] | None = None

    async def take(self, person: Person, events: Sequence[Event]) -> list[Event]:
        """Write events; they are on disk when this returns."""
        done: asyncio.Future[list[Event]] = asyncio.get_running_loop().create_future()
        self._waiting.append(((person, events), done))
        if self._task is None:
            self._task = asyncio.create_task(self._write())
        return await done

    async def _write(self) -> None:
        """Write as long as anybody waits; an exception answers requests, and ends nothing."""
        while self._waiting:
            batch, self._waiting = self._waiting, []
            requests = [request for request, _ in batch]
            try:
                answers: Sequence[Taken] = await run_in_threadpool(self._project.take_all, requests)
            except Exception as problem:
                answers = [problem for _ in batch]
            for ((person, _), done), taken in zip(batch, answers, strict=True):
                if not isinstance(taken, BaseException) and taken:
                    self._tell(person, taken)
                if done.done():  # who has gone needs no answer
                    continue
                if isinstance(taken, BaseException):
                    done.set_exception(taken)
                else:
                    done.set_result(taken)
        self._task = None


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
