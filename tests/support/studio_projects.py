"""Projects, events and servers of the studio, for tests."""

import asyncio
import copy
import io
import json
import threading
import zipfile
from contextlib import contextmanager
from dataclasses import asdict

import httpx
import uvicorn

from caesura.studio.app import Studio
from caesura.studio.assignment import assign_all
from caesura.studio.documents import Pinned
from caesura.studio.events import MANAGER, Event
from caesura.studio.launch import Address, bound, configured
from caesura.studio.project import Project
from caesura.studio.security import Origin
from caesura.studio.store import Store

HEADERS = {"x-caesura": "studio"}
WORDS = "so it rained a lot and then we went home to eat"


def words(text=WORDS, name="talk"):
    """A document of some words."""
    return Pinned(name, text, text)


def opened(path):
    store = Store(path)
    try:
        return Project.open(store)
    except BaseException:
        store.close()
        raise


def event(client="tab", sequence=0, document=1, kind="set", gap=0, value=""):
    return Event(client, sequence, document, kind, gap, value)


def sets(client, gaps, document=1, value="", start=0):
    """Boundaries after some words, one after the other."""
    return [event(client, at, document, "set", gap, value) for at, gap in enumerate(gaps, start)]


def team(project, names=("Anna", "Ben", "Chloé"), texts=None, *, assigned=True):
    """A manager and annotators of a project with documents; their people and tokens by name."""
    for name, text in (texts or {"talk": WORDS}).items():
        project.add(words(text, name))
    found = {MANAGER: project.invite(MANAGER, is_manager=True)}
    found |= {name: project.invite(name) for name in names}
    if assigned:
        assign_everyone(project)
    return found


def persons(project, *how, **options):
    """The people of a team, by name."""
    return {name: person for name, (person, _) in team(project, *how, **options).items()}


def unzipped(content):
    """The texts of an export, by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def act(kind, document=0, **says):
    """An act of the project."""
    return Event.of_project(kind, document, **says)


def assign(person, document=1, number=1):
    return act("assign", document, person=person, **{"pass": number})


def assign_everyone(project):
    """Assign everything to all annotators."""
    for person in project.annotators:
        assign_all(project, project.manager, person.id)


def finish(project, *people, document=1, tab="finish"):
    for person in people:
        project.take(
            person, [event(f"{tab}{person.id}/{document}", 0, document, "state", 0, "finished")]
        )


PAGES = []
"""Those that are open."""


class Page(httpx.Client):
    """What a page of one person does."""

    def __init__(self, base, token=None):
        super().__init__(base_url=base, headers=HEADERS, timeout=20)
        self.base = base
        PAGES.append(self)
        if token is not None:
            self.enter(token).raise_for_status()

    def enter(self, token):
        return self.post("/api/enter", json={"token": token})

    def act(self, *events):
        values = [asdict(each) if isinstance(each, Event) else each for each in events]
        return self.post("/api/events", json={"events": values})


@contextmanager
def served(project, url="", **options):
    """A real server on a free port; its address."""
    listening = bound(Address(port=0))
    port = listening.getsockname()[1]
    studio = Studio(project, Origin.from_address("127.0.0.1", port, url), **options)
    config = configured(studio)
    config.lifespan = "off"
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    while not server.started:
        threading.Event().wait(0.005)
    try:
        yield f"http://127.0.0.1:{port}", studio
    finally:
        studio.hub.close()
        while PAGES:
            PAGES.pop().close()
        server.should_exit = True
        thread.join()


def listen(page, enough, seconds=5):
    """What a page is told, until it is enough."""
    found, ready = [], threading.Event()

    def read():
        with httpx.stream(
            "GET", f"{page.base}/api/live", cookies=dict(page.cookies), timeout=seconds
        ) as stream:
            try:
                for line in stream.iter_lines():
                    ready.set()
                    if line.startswith("event: "):
                        found.append([line.removeprefix("event: ")])
                    elif line.startswith("data: "):
                        found[-1].append(json.loads(line.removeprefix("data: ")))
                        if enough(found):
                            return
            except httpx.ReadTimeout:
                return

    thread = threading.Thread(target=read)
    thread.start()
    assert ready.wait(seconds)
    return found, thread


def require_same(first, second):
    """Two boards are the same."""
    assert snapshot(first) == snapshot(second)
    assert first.last == second.last


def snapshot(board):
    """All that a board has, as plain values that can be compared."""
    found = {
        name: getattr(board, name)
        for name in type(board).__dataclass_fields__
        if name not in ("layers", "last", "keys", "count")
    }
    found["layers"] = {key: values_of(layer) for key, layer in board.layers.items()}
    return copy.deepcopy(found)


def values_of(layer):
    found = {name: copy.copy(getattr(layer, name)) for name in layer.__dataclass_fields__}
    return found | {"codes": layer.codes.tolist()}
