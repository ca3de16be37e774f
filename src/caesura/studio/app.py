"""Server: the pages and the requests of a project, as a Starlette application.

A handler is called with who asks and what they sent, once it is known that they may.
"""

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
    JSONResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from caesura.core.escapes import printable
from caesura.errors import CaesuraError, on_command_line
from caesura.studio import adjudication, assignment, files, imports, views
from caesura.studio.agreement import LiveAgreement
from caesura.studio.events import ANNOTATOR, MANAGER, PROJECT, ROLES, Event
from caesura.studio.export import archive
from caesura.studio.hub import Hub, Writer
from caesura.studio.lock import StoreError
from caesura.studio.project import Project
from caesura.studio.security import (
    COOKIE,
    LARGEST_FILE,
    LARGEST_JSON,
    LARGEST_SOUND,
    Guard,
    Origin,
    hashed,
)
from caesura.studio.state import JUDGES, NotAllowedError, NotFoundError, OutOfOrderError
from caesura.studio.store import SESSION_SECONDS, Person

ASSETS = {"index.html": "text/html", "studio.js": "text/javascript", "studio.css": "text/css"}
BY_PAGES = (
    "role", "assign", "withdraw", "reopen", "guidelines", "seen", "order", "arrange", "rename",
    "marks",
)  # fmt: skip
"""The acts of the project that pages send; the server makes the others itself."""
QUIET = 15.0
"""How many seconds a page that listens may hear nothing."""


@dataclass
class Studio:
    """A project that is served, and what its requests share.

    `once` are the people of links that work once, by the hash of their token.
    """

    project: Project
    origin: Origin
    is_secure: bool = False
    cookie: str = COOKIE
    hub: Hub = field(default_factory=Hub)
    once: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.writer = Writer(self.project, self.hub.tell)
        self.agreement = LiveAgreement(self.project)

    async def person(self, request: Request) -> Person:
        """Who asks; an error if nobody that is known."""
        token = request.cookies.get(self.cookie, "")
        person = await run_in_threadpool(self.project.store.person, token) if token else None
        if person is None:
            raise HTTPException(401, "open the studio with your link")
        return person

    def enter(self, token: str) -> tuple[Person, str] | None:
        """The person of a link, and a new session; None if there is no such link."""
        store, person = self.project.store, self.once.pop(hashed(token), None)
        return store.enter(token) if person is None else store.enter_as(person)


@dataclass(frozen=True, slots=True)
class Call:
    """A request of somebody who may make it, and the JSON that came with it."""

    studio: Studio
    request: Request
    who: Person
    given: Any = None

    @property
    def project(self) -> Project:
        """The project that is served."""
        return self.studio.project

    @property
    def number(self) -> int:
        """The number in the path."""
        number: int = self.request.path_params["number"]
        return number

    def take(self, name: str, kind: type) -> Any:
        """A value that was sent, which is of a kind."""
        value = self.given.get(name) if isinstance(self.given, dict) else None
        if not isinstance(value, kind):
            raise HTTPException(400, f"give {name}")
        return value

    def tell(self, events: list[Event]) -> list[Event]:
        """Tell the pages that are open what was done."""
        if events:
            self.studio.hub.tell(self.who, events)
        return events

    def end_pages(self) -> None:
        """End what the pages of the person in the path listen to."""
        self.studio.hub.close(lambda each: each.person.id == self.number)


def me(call: Call) -> object:
    """Who asks, and what project it is."""
    return views.me(call.project, call.who)


def documents(call: Call) -> object:
    """All documents, and how far the person is."""
    return views.documents(call.project, call.who)


def document(call: Call) -> object:
    """One document: its words, and what the person may see."""
    return views.document(call.project, call.who, call.number)


def past(call: Call) -> object:
    """What the person did in a document before: to undo it, and to go on from there."""
    return views.past(call.project, call.who, call.number)


def guidelines(call: Call) -> object:
    """The guidelines, and those that the person saw last."""
    return views.guidelines(call.project, call.who)


def people(call: Call) -> object:
    """Everyone, with what they have."""
    return views.people(call.project)


def agreement(call: Call) -> object:
    """How far annotators agree, and how far they are."""
    return views.agreement(call.project, call.studio.agreement)


def patterns(call: Call) -> object:
    """Where annotators differ most often, in documents that the person need not finish first."""
    project, who = call.project, call.who.id
    seen = [number for number in project.documents if not project.is_in_work(number, who)]
    return adjudication.patterns(call.project, seen)


async def events(call: Call) -> object:
    """Take events; they are on disk when this answers."""
    sent = [Event.from_json(each) for each in call.take("events", list)]
    return {"taken": len(await call.studio.writer.take(call.who, sent))}


def acts(call: Call) -> object:
    """Take acts of the project: roles, assignments, guidelines, …"""
    listed = call.take("acts", list)
    if not all(isinstance(each, dict) for each in listed):
        raise HTTPException(400, "give a list of acts")
    made = call.tell(call.project.do(call.who, *(_act(dict(each)) for each in listed)))
    if any(each.kind == "role" for each in made):
        role = call.project.role  # their pages listen again
        call.studio.hub.close(lambda each: each.watches != (role(each.person.id) in JUDGES))
    return {"taken": len(made)}


def _act(values: dict[str, Any]) -> Event:
    """An act as a page sends it: its kind, the document if it is of one, and what it says."""
    kind, which = values.pop("kind", None), values.pop("document", PROJECT)
    if kind not in BY_PAGES or type(which) is not int:
        raise HTTPException(400, f"an act has a kind, one of {', '.join(BY_PAGES)}")
    return Event.of_project(kind, which, **{str(name): each for name, each in values.items()})


def design(call: Call) -> object:
    """Assign documents to people by design, and tell how many new ones each has."""
    documents, people = call.take("documents", list), call.take("people", list)
    each = call.given.get("each", len(people))
    made = call.tell(assignment.assign(call.project, call.who, documents, people, each))
    new = {(event.document, event.says["person"]) for event in made}
    return {"assigned": Counter(call.project.name_of(who) for _, who in new)}


def close(call: Call) -> object:
    """Close a document, and withdraw those who have not finished it."""
    withdrawn = call.take("withdraw", list)
    if not all(type(each) is int for each in withdrawn):
        raise HTTPException(400, "give the numbers of people to withdraw")
    call.tell(adjudication.close(call.project, call.who, call.number, withdrawn))
    return {}


def erase_document(call: Call) -> object:
    """Delete a document for good."""
    call.tell(call.project.erase_document(call.who, call.number))
    return {}


def invite(call: Call) -> object:
    """Add a person, and answer with the token of their link."""
    name, role = call.take("name", str), call.given.get("role", ANNOTATOR)
    if role not in ROLES:
        raise HTTPException(400, f"a role is one of {', '.join(ROLES)}")
    person, token = call.project.invite(name, role)
    if call.given.get("everything") is True and role == ANNOTATOR:
        call.tell(assignment.assign_all(call.project, call.who, person.id))
    return JSONResponse(views.person(call.project, person) | {"token": token}, 201)


def renew_link(call: Call) -> object:
    """A new link for a person; the old one ends, and for others all that they have open."""
    is_other = call.number != call.who.id
    token = call.project.invite_again(call.number, ends_sessions=is_other)
    if is_other:
        call.end_pages()
    return {"token": token}


def end_link(call: Call) -> object:
    """End a person's link; what they did stays."""
    if call.number == call.who.id:
        raise HTTPException(400, "you cannot end your own link")
    call.project.revoke(call.number)
    call.end_pages()
    return {}


def erase_person(call: Call) -> object:
    """Delete a person for good."""
    call.tell(call.project.erase_person(call.who, call.number))
    call.end_pages()
    return {}


async def upload(call: Call) -> object:
    """Add the documents of a file, or the sound of one."""
    name = call.request.query_params.get("name", "")
    if files.is_sound(name):
        with files.incoming(call.project, name) as file:
            async for piece in pieces(call.request, LARGEST_SOUND):
                await run_in_threadpool(file.write, piece)
        uploaded = files.Uploaded([], sound=True)
    else:
        data = b"".join([piece async for piece in pieces(call.request, LARGEST_FILE)])
        uploaded = await run_in_threadpool(files.upload, call.project, name, data)
    call.studio.hub.tell(call.who, [])
    return JSONResponse(asdict(uploaded), 201)


def layers(call: Call) -> object:
    """Import boundaries that were made elsewhere, as finished layers of named people."""
    try:
        told, made = imports.import_sent(call.project, call.who, call.given)
    except imports.NewNamesError as problem:
        new = {"documents": problem.documents, "people": problem.people}
        return JSONResponse({"error": problem.message} | new, 409)
    call.studio.hub.tell(call.who, made)
    return JSONResponse({"told": told}, 201)


def export(call: Call) -> object:
    """Everything, as an archive of files that the commands take."""
    call.project.require_done(call.who.id, *call.project.documents)
    name = f"attachment; filename*=UTF-8''{quote(call.project.name, safe='')}.zip"
    headers = {"content-disposition": name}
    return Response(archive(call.project), media_type="application/zip", headers=headers)


def audio(call: Call) -> object:
    """The sound of a document."""
    is_own = call.project.board.current(call.number, call.who.id) is not None
    may = is_own or call.project.role(call.who.id) != ANNOTATOR
    known = call.project.documents.get(call.number) if may else None
    path = call.project.audio.get(known.name) if known else None
    if path is None or not path.is_file():
        raise HTTPException(404, "there is no sound of this document")
    return FileResponse(path)


async def live(call: Call) -> object:
    """Tell a page what happens, as long as it is open."""
    session = hashed(call.request.cookies.get(call.studio.cookie, ""))
    watches = call.project.role(call.who.id) in JUDGES

    async def messages() -> AsyncIterator[str]:
        async with call.studio.hub.listening(call.who, session, watches=watches) as listener:
            yield "retry: 2000\n\n"
            while not await call.request.is_disconnected():
                try:
                    message = await asyncio.wait_for(listener.queue.get(), QUIET)
                except TimeoutError:
                    message = ": still here\n\n"
                if message is None:
                    return
                yield message

    return StreamingResponse(messages(), media_type="text/event-stream")


Handler = Callable[[Call], object]
ROUTES: tuple[tuple[str, str, tuple[str, ...], Handler], ...] = (
    ("GET", "/api/me", ROLES, me),
    ("GET", "/api/documents", ROLES, documents),
    ("GET", "/api/documents/{number:int}", ROLES, document),
    ("DELETE", "/api/documents/{number:int}", (MANAGER,), erase_document),
    ("GET", "/api/documents/{number:int}/past", ROLES, past),
    ("POST", "/api/documents/{number:int}/close", JUDGES, close),
    ("GET", "/api/guidelines", ROLES, guidelines),
    ("POST", "/api/events", ROLES, events),
    ("POST", "/api/acts", ROLES, acts),
    ("GET", "/api/live", ROLES, live),
    ("GET", "/audio/{number:int}", ROLES, audio),
    ("GET", "/api/agreement", JUDGES, agreement),
    ("GET", "/api/patterns", JUDGES, patterns),
    ("GET", "/api/people", (MANAGER,), people),
    ("POST", "/api/people", (MANAGER,), invite),
    ("POST", "/api/people/{number:int}", (MANAGER,), renew_link),
    ("POST", "/api/people/{number:int}/end", (MANAGER,), end_link),
    ("DELETE", "/api/people/{number:int}", (MANAGER,), erase_person),
    ("POST", "/api/design", (MANAGER,), design),
    ("POST", "/api/upload", (MANAGER,), upload),
    ("POST", "/api/layers", (MANAGER,), layers),
    ("GET", "/api/export", (MANAGER,), export),
)
"""The requests of people: method, path, the roles that may make it, and who handles it.

What an act or an event needs besides is said in `state.MAY`.
"""


async def called(studio: Studio, request: Request, roles: tuple[str, ...], handler: Handler) -> Any:
    """The answer of a handler, if the person who asks may have it."""
    who = await studio.person(request)
    if studio.project.role(who.id) not in roles:
        raise HTTPException(403, f"only {' or '.join(roles)} may do this")
    sends = request.method == "POST" and handler is not upload
    most = LARGEST_FILE if handler is layers else LARGEST_JSON
    given = await body(request, most) if sends else None
    call = Call(studio, request, who, given)
    if asyncio.iscoroutinefunction(handler):
        return await handler(call)
    return await run_in_threadpool(handler, call)


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
    """The JSON of a request; None if it has none."""
    data = b"".join([piece async for piece in pieces(request, most)])
    try:
        return json.loads(data) if data else None
    except (ValueError, RecursionError):
        raise HTTPException(400, "this is not JSON") from None


async def asset(_studio: Studio, request: Request) -> Response:
    """The empty page, its script and its style."""
    name = request.path_params.get("name", "index.html")
    if name not in ASSETS:
        raise HTTPException(404, "there is nothing here")
    text = (resources.files("caesura.studio") / "assets" / name).read_text(encoding="utf-8")
    return Response(text, media_type=ASSETS[name])


async def enter(studio: Studio, request: Request) -> Response:
    """Begin a session with the token of a link."""
    given = await body(request)
    token = given.get("token") if isinstance(given, dict) else None
    entered = await run_in_threadpool(studio.enter, token) if isinstance(token, str) else None
    if entered is None:
        raise HTTPException(401, "this link does not work (any more); ask for a new one")
    person, session = entered
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
    studio.hub.close(lambda each: each.session == hashed(session))
    response = JSONResponse({})
    response.delete_cookie(studio.cookie, path="/")
    return response


def application(studio: Studio) -> Starlette:
    """The application of a studio."""

    def of_anybody(
        handler: Callable[[Studio, Request], Awaitable[Response]],
    ) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await handler(studio, request)

        return endpoint

    def of_people(roles: tuple[str, ...], handler: Handler) -> Callable[..., Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            answer = await called(studio, request, roles, handler)
            return answer if isinstance(answer, Response) else JSONResponse(answer)

        return endpoint

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            studio.project.store.close()

    return Starlette(
        routes=[
            Route("/", of_anybody(asset)),
            Route("/assets/{name}", of_anybody(asset)),
            Route("/api/enter", of_anybody(enter), methods=["POST"]),
            Route("/api/leave", of_anybody(leave), methods=["POST"]),
            *(
                Route(path, of_people(roles, handler), methods=[method])
                for method, path, roles, handler in ROUTES
            ),
        ],
        middleware=[Middleware(Guard, origin=studio.origin)],
        exception_handlers=dict.fromkeys((HTTPException, CaesuraError, ClientDisconnect), refused),
        lifespan=lifespan,
    )


async def refused(_request: Request, problem: Any) -> Response:
    """Why a request was not answered: for the page, or for nobody if it is gone."""
    if isinstance(problem, ClientDisconnect):
        return Response(status_code=400)
    if isinstance(problem, HTTPException):
        return JSONResponse({"error": problem.detail}, problem.status_code)
    if isinstance(problem, OutOfOrderError):
        return JSONResponse({"error": problem.message, "expected": problem.expected}, 409)
    statuses = {NotFoundError: 404, NotAllowedError: 403, StoreError: 503}
    status = next((own for kind, own in statuses.items() if isinstance(problem, kind)), 400)
    return JSONResponse({"error": printable(on_command_line(problem.message))}, status)
