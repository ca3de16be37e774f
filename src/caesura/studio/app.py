"""Server: the pages and the requests of a project, as a Starlette application."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from importlib import resources
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from caesura.core.escapes import printable
from caesura.errors import CaesuraError, on_command_line
from caesura.studio import adjudication, assignment, files, imports, views
from caesura.studio.adjudication import Patterns
from caesura.studio.agreement import LiveAgreement
from caesura.studio.events import ANNOTATOR, MANAGER, PROJECT, ROLES, Event
from caesura.studio.export import export as exported
from caesura.studio.hub import Hub, Writer
from caesura.studio.lock import StoreError
from caesura.studio.project import Project
from caesura.studio.security import (
    COOKIE,
    LARGEST_FILE,
    LARGEST_JSON,
    LARGEST_SOUND,
    Guard,
    Limiter,
    OneTime,
    Origin,
    hashed,
)
from caesura.studio.state import JUDGES, NotAllowedError, NotFoundError, OutOfOrderError
from caesura.studio.store import SESSION_SECONDS, Person

SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>caesura studio</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/studio.css">
</head>
<body><noscript>The studio needs JavaScript, which it brings with it.</noscript>
<script src="/assets/studio.js"></script>
</body>
</html>
"""
ASSETS = {"studio.js": "text/javascript", "studio.css": "text/css"}
BY_PAGES = (
    "role", "assign", "withdraw", "reopen", "guidelines", "seen", "order", "arrange", "rename",
    "marks",
)  # fmt: skip
"""The acts of the project that pages send; the server makes the others itself."""
QUIET = 15.0
"""How many seconds a page that listens may hear nothing."""


@dataclass
class Studio:
    """A project that is served, and what its requests share."""

    project: Project
    origin: Origin
    is_secure: bool = False
    cookie: str = COOKIE
    hub: Hub = field(default_factory=Hub)
    once: OneTime = field(default_factory=OneTime)
    tries: Limiter = field(default_factory=lambda: Limiter(100, 60))
    acts: Limiter = field(default_factory=lambda: Limiter(2000, 60))

    def __post_init__(self) -> None:
        self.writer = Writer(self.project, self.hub.tell)
        self.agreement = LiveAgreement(self.project)
        self.patterns = Patterns(self.project)

    def close(self) -> None:
        """Write the events that are still queued, and close the database."""
        self.writer.close()
        self.project.store.close()

    async def person(self, request: Request) -> Person:
        """Who asks; an error if nobody that is known."""
        token = request.cookies.get(self.cookie, "")
        found = await run_in_threadpool(self.project.store.person, token) if token else None
        if found is None:
            raise HTTPException(401, "open the studio with your link")
        return found

    async def enter(self, token: str) -> tuple[Person, str] | None:
        """The person of a link, and a new session; None if there is no such link."""
        store, person = self.project.store, self.once.use(token)
        if person is None:
            return await run_in_threadpool(store.enter, token)
        return await run_in_threadpool(store.enter_as, person)

    async def one_of(self, request: Request, *roles: str) -> Person:
        """The same, if they have one of some roles."""
        person = await self.person(request)
        if self.project.role(person.id) not in roles:
            raise HTTPException(403, f"only {' or '.join(roles)} may do this")
        return person

    async def manager(self, request: Request) -> Person:
        """The same, if they manage the project."""
        return await self.one_of(request, MANAGER)

    async def do(
        self, person: Person, act: Callable[..., list[Event]], *given: object
    ) -> list[Event]:
        """Do something to the project, and tell the pages that are open."""
        events = await run_in_threadpool(act, *given)
        if events:
            self.hub.tell(person, events)
        return events


Handler = Callable[[Studio, Request], Awaitable[Response]]


async def shell(_studio: Studio, _request: Request) -> Response:
    """The empty page."""
    return HTMLResponse(SHELL)


async def asset(_studio: Studio, request: Request) -> Response:
    """The script and the style of the page."""
    name = request.path_params["name"]
    if name not in ASSETS:
        raise HTTPException(404, "there is nothing here")
    text = (resources.files("caesura.studio") / "assets" / name).read_text(encoding="utf-8")
    return Response(text, media_type=ASSETS[name])


async def enter(studio: Studio, request: Request) -> Response:
    """Begin a session with the token of a link; others' bad tries do not keep a good one out."""
    values = await body(request)
    token = values.get("token") if isinstance(values, dict) else None
    found = await studio.enter(token) if isinstance(token, str) else None
    if found is None:
        if not studio.tries.allows(request.client.host if request.client else ""):
            raise HTTPException(429, "too many tries; wait a minute")
        raise HTTPException(401, "this link does not work (any more); ask for a new one")
    person, session = found
    response = JSONResponse(views.me(studio.project, person))
    response.set_cookie(
        studio.cookie, session, max_age=SESSION_SECONDS, httponly=True, samesite="strict",
        secure=studio.is_secure, path="/",
    )  # fmt: skip
    return response


async def leave(studio: Studio, request: Request) -> Response:
    """End the session, and what its pages listen to."""
    session = request.cookies.get(studio.cookie, "")
    await run_in_threadpool(studio.project.store.leave, session)
    studio.hub.close_session(hashed(session))
    response = JSONResponse({})
    response.delete_cookie(studio.cookie, path="/")
    return response


async def me(studio: Studio, request: Request) -> Response:
    """Who asks, and what project it is."""
    return JSONResponse(views.me(studio.project, await studio.person(request)))


async def documents(studio: Studio, request: Request) -> Response:
    """All documents, and how far the person is."""
    person = await studio.person(request)
    return JSONResponse(views.documents(studio.project, person))


async def document(studio: Studio, request: Request) -> Response:
    """One document: its words, and what the person may see; or the end of it."""
    which = number(request)
    if request.method == "DELETE":
        asking = await studio.manager(request)
        await studio.do(asking, studio.project.erase_document, asking, which)
        return JSONResponse({})
    person = await studio.person(request)
    return JSONResponse(await run_in_threadpool(views.document, studio.project, person, which))


async def acts(studio: Studio, request: Request) -> Response:
    """Take acts of the project: roles, assignments, guidelines, …"""
    person = await studio.person(request)
    values = await body(request)
    listed = values.get("acts") if isinstance(values, dict) else None
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise HTTPException(400, "give a list of acts")
    found = [_act(dict(each)) for each in listed]
    await studio.do(person, studio.project.do, person, *found)
    if any(each.kind == "role" for each in found):
        studio.hub.close_changed(studio.project.role)
    return JSONResponse({"taken": len(found)})


def _act(values: dict[str, Any]) -> Event:
    """An act as a page sends it: its kind, the document if it is of one, and what it says."""
    kind, which = values.pop("kind", None), values.pop("document", PROJECT)
    if kind not in BY_PAGES or type(which) is not int:
        raise HTTPException(400, f"an act has a kind, one of {', '.join(BY_PAGES)}")
    return Event.of_project(kind, which, **{str(name): each for name, each in values.items()})


async def design(studio: Studio, request: Request) -> Response:
    """Assign documents to people by design, and tell how many new ones each has."""
    person = await studio.manager(request)
    values = await body(request)
    if not isinstance(values, dict) or not set(values) <= {"documents", "people", "each"}:
        raise HTTPException(400, "give documents, people and each")
    made = await studio.do(person, assignment.assign, studio.project, person, values)
    new = {(event.document, event.says["person"]) for event in made}
    return JSONResponse({"assigned": Counter(studio.project.name_of(who) for _, who in new)})


async def close(studio: Studio, request: Request) -> Response:
    """Close a document, and withdraw those who have not finished it."""
    person = await studio.one_of(request, *JUDGES)
    values = await body(request)
    withdrawn = values.get("withdraw", []) if isinstance(values, dict) else None
    if not isinstance(withdrawn, list) or not all(type(each) is int for each in withdrawn):
        raise HTTPException(400, "give the numbers of people to withdraw")
    args = studio.project, person, number(request), tuple(withdrawn)
    await studio.do(person, adjudication.close, *args)
    return JSONResponse({})


async def guidelines(studio: Studio, request: Request) -> Response:
    """The guidelines, and those that the person saw last."""
    return JSONResponse(views.guidelines(studio.project, await studio.person(request)))


async def earlier(studio: Studio, request: Request) -> Response:
    """What the person did in a document before: to undo it, and to go on from there."""
    person = await studio.person(request)
    return JSONResponse(
        await run_in_threadpool(views.past, studio.project, person, number(request))
    )


async def events(studio: Studio, request: Request) -> Response:
    """Take events; they are on disk when this answers."""
    person = await studio.person(request)
    values = await body(request)
    listed = values.get("events") if isinstance(values, dict) else None
    if not isinstance(listed, list) or len(listed) > 1000:
        raise HTTPException(400, "give a list of up to 1,000 events")
    if not studio.acts.allows(str(person.id), len(listed) or 1):
        raise HTTPException(429, "too many events; wait a moment")
    sent = [Event.from_json(each) for each in listed]
    taken = await studio.writer.take(person, sent)
    return JSONResponse({"taken": len(taken)})


async def live(studio: Studio, request: Request) -> Response:
    """Tell a page what happens, as long as it is open."""
    person = await studio.person(request)
    session = hashed(request.cookies.get(studio.cookie, ""))
    watches = studio.project.role(person.id) in JUDGES

    async def messages() -> AsyncIterator[str]:
        async with studio.hub.listening(person, session, watches=watches) as listener:
            yield "retry: 2000\n\n"
            while not await request.is_disconnected():
                try:
                    message = await asyncio.wait_for(listener.queue.get(), QUIET)
                except TimeoutError:
                    message = ": still here\n\n"
                if message is None:
                    return
                yield message

    return StreamingResponse(messages(), media_type="text/event-stream")


async def agreement(studio: Studio, request: Request) -> Response:
    """How far annotators agree, and how far they are."""
    await studio.one_of(request, *JUDGES)
    return JSONResponse(await run_in_threadpool(views.agreement, studio.project, studio.agreement))


async def patterns(studio: Studio, request: Request) -> Response:
    """Where annotators differ most often, in documents that the person need not finish first."""
    person, project = await studio.one_of(request, *JUDGES), studio.project
    layers = {each: project.board.current(each, person.id) for each in project.documents}
    seen = [each for each, layer in layers.items() if layer is None or layer.is_finished]
    return JSONResponse(await run_in_threadpool(studio.patterns.common, seen))


async def people(studio: Studio, request: Request) -> Response:
    """Everyone; a manager may invite."""
    asking, project = await studio.manager(request), studio.project
    if request.method == "POST":
        values = await body(request)
        given = values if isinstance(values, dict) else {}
        name, role = given.get("name"), given.get("role", ANNOTATOR)
        if not isinstance(name, str) or role not in ROLES:
            raise HTTPException(400, f"give a name, and a role: {', '.join(ROLES)}")
        person, token = await run_in_threadpool(project.invite, name, role)
        if given.get("everything") is True and role == ANNOTATOR:
            await studio.do(asking, assignment.assign_all, project, asking, person.id)
        return JSONResponse(views.person(project, person) | {"token": token}, 201)
    return JSONResponse(await run_in_threadpool(views.people, project))


async def person(studio: Studio, request: Request) -> Response:
    """A new link for a person, or the end of everything that is theirs."""
    asking, who = await studio.manager(request), number(request)
    if request.method == "DELETE":
        await studio.do(asking, studio.project.erase_person, asking, who)
        studio.hub.close(who)
        return JSONResponse({})
    is_other = who != asking.id
    token = await run_in_threadpool(studio.project.invite_again, who, ends_sessions=is_other)
    if is_other:
        studio.hub.close(who)
    return JSONResponse({"token": token})


async def end(studio: Studio, request: Request) -> Response:
    """End a person's link; what they did stays."""
    asking, who = await studio.manager(request), number(request)
    if who == asking.id:
        raise HTTPException(400, "you cannot end your own link")
    await run_in_threadpool(studio.project.revoke, who)
    studio.hub.close(who)
    return JSONResponse({})


async def upload(studio: Studio, request: Request) -> Response:
    """Add the documents of a file, or the sound of one."""
    asking, project = await studio.manager(request), studio.project
    name = request.query_params.get("name", "")
    if files.is_sound(name):
        with files.incoming(project, name) as file:
            async for piece in pieces(request, LARGEST_SOUND):
                await run_in_threadpool(file.write, piece)
        found = files.Uploaded([], sound=True)
    else:
        data = await raw(request, LARGEST_FILE)
        found = await run_in_threadpool(files.upload, project, name, data)
    studio.hub.tell(asking, [])
    return JSONResponse(asdict(found), 201)


async def layers(studio: Studio, request: Request) -> Response:
    """Import boundaries that were made elsewhere, as finished layers of named people."""
    asking = await studio.manager(request)
    values = await body(request, LARGEST_FILE)
    try:
        told, made = await run_in_threadpool(imports.import_sent, studio.project, asking, values)
    except imports.NewNamesError as problem:
        new = {"documents": problem.documents, "people": problem.people}
        return JSONResponse({"error": problem.message} | new, 409)
    studio.hub.tell(asking, made)
    return JSONResponse({"told": told}, 201)


async def export(studio: Studio, request: Request) -> Response:
    """Everything, as an archive of files that the commands take."""
    person = await studio.manager(request)
    studio.project.require_done(person.id, *studio.project.documents)
    data = await run_in_threadpool(exported, studio.project)
    name = f"attachment; filename*=UTF-8''{quote(studio.project.name, safe='')}.zip"
    return Response(data, media_type="application/zip", headers={"content-disposition": name})


async def audio(studio: Studio, request: Request) -> Response:
    """The sound of a document."""
    person, which = await studio.person(request), number(request)
    is_own = studio.project.board.current(which, person.id) is not None
    may = is_own or studio.project.role(person.id) != ANNOTATOR
    known = studio.project.documents.get(which) if may else None
    path = studio.project.audio.get(known.name) if known else None
    if path is None or not path.is_file():
        raise HTTPException(404, "there is no sound of this document")
    return FileResponse(path)


ROUTES: dict[str, tuple[Handler, list[str]]] = {
    "/": (shell, ["GET"]),
    "/assets/{name}": (asset, ["GET"]),
    "/api/enter": (enter, ["POST"]),
    "/api/leave": (leave, ["POST"]),
    "/api/me": (me, ["GET"]),
    "/api/documents": (documents, ["GET"]),
    "/api/upload": (upload, ["POST"]),
    "/api/layers": (layers, ["POST"]),
    "/api/documents/{number:int}": (document, ["GET", "DELETE"]),
    "/api/documents/{number:int}/past": (earlier, ["GET"]),
    "/api/documents/{number:int}/close": (close, ["POST"]),
    "/api/acts": (acts, ["POST"]),
    "/api/design": (design, ["POST"]),
    "/api/guidelines": (guidelines, ["GET"]),
    "/api/events": (events, ["POST"]),
    "/api/live": (live, ["GET"]),
    "/api/agreement": (agreement, ["GET"]),
    "/api/patterns": (patterns, ["GET"]),
    "/api/people": (people, ["GET", "POST"]),
    "/api/people/{number:int}": (person, ["POST", "DELETE"]),
    "/api/people/{number:int}/end": (end, ["POST"]),
    "/audio/{number:int}": (audio, ["GET"]),
    "/api/export": (export, ["GET"]),
}


def number(request: Request) -> int:
    """The number in a path."""
    found: int = request.path_params["number"]
    return found


async def raw(request: Request, most: int) -> bytes:
    """What a request has brought; an error if it is too much."""
    return b"".join([piece async for piece in pieces(request, most)])


async def pieces(request: Request, most: int) -> AsyncIterator[bytes]:
    """What a request brings, piece by piece; an error if it is too much."""
    size = request.headers.get("content-length", "0")
    problem = f"at most {most >> 20} MiB are taken" if most >> 20 else "this is too much"
    if not size.isdecimal() or int(size) > most:
        raise HTTPException(413, problem)
    taken = 0
    async for piece in request.stream():
        taken += len(piece)
        if taken > most:
            raise HTTPException(413, problem)
        yield piece


async def body(request: Request, most: int = LARGEST_JSON) -> object:
    """The JSON of a request."""
    data = await raw(request, most)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise HTTPException(400, "this is not JSON") from None


def application(studio: Studio) -> Starlette:
    """The application of a studio."""

    def handled(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await handler(studio, request)

        return endpoint

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            studio.close()

    return Starlette(
        routes=[
            Route(path, handled(handler), methods=methods)
            for path, (handler, methods) in ROUTES.items()
        ],
        middleware=[Middleware(Guard, origin=studio.origin)],
        exception_handlers={
            HTTPException: _http_error,
            OutOfOrderError: _out_of_order,
            CaesuraError: _error,
            ClientDisconnect: _gone,
        },
        lifespan=lifespan,
    )


async def _http_error(_request: Request, problem: Any) -> Response:
    return JSONResponse({"error": problem.detail}, problem.status_code)


async def _out_of_order(_request: Request, problem: Any) -> Response:
    return JSONResponse({"error": problem.message, "expected": problem.expected}, 409)


async def _error(_request: Request, problem: Any) -> Response:
    status = 503 if isinstance(problem, StoreError) else 400
    status = 403 if isinstance(problem, NotAllowedError) else status
    status = 404 if isinstance(problem, NotFoundError) else status
    return JSONResponse({"error": printable(on_command_line(problem.message))}, status)


async def _gone(_request: Request, _problem: object) -> Response:
    return Response(status_code=400)
