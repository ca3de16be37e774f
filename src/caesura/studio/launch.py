"""Launch: open the folder of a project, add its documents, and run its server."""

from __future__ import annotations

import errno
import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import escape
from ipaddress import ip_address
from pathlib import Path

import uvicorn

from caesura.errors import UsageError, option, reason, shortened
from caesura.formats.transcripts import Tokens
from caesura.studio.app import Studio, application
from caesura.studio.events import MANAGER
from caesura.studio.files import add_folder, find_sounds, read_guidelines
from caesura.studio.lock import PRIVATE
from caesura.studio.project import Project
from caesura.studio.security import COOKIE, Origin, checked_url, hashed, new_token
from caesura.studio.store import DATABASE, Store

OPENING = f"{DATABASE}.html"
"""The page that leads the browser to the studio; while it is there, it holds the link."""
_OPENING = """<!doctype html>
<meta charset="utf-8"><title>caesura studio</title>
<meta http-equiv="refresh" content="0; url={0}"><a href="{0}">Open the studio</a>
"""


LANGUAGE = "language"
"""The setting with the language of the texts."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the studio listens, the address that people use if it is another."""

    host: str = "127.0.0.1"
    port: int = 8765
    url: str = ""

    def __post_init__(self) -> None:
        if self.url:
            object.__setattr__(self, "url", checked_url(self.url))

    @property
    def base(self) -> str:
        """The address with which links begin."""
        return self.url or f"http://{self.shown}:{self.port}"

    @property
    def shown(self) -> str:
        """The host to put into a link; this machine's address if the studio listens on all."""
        host = _outward() if self.host in ("0.0.0.0", "::", "") else self.host
        return f"[{host}]" if ":" in host else host

    @property
    def is_local(self) -> bool:
        """Whether only this machine is served."""
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def warning(self) -> str:
        """What is dangerous about this address; nothing if nothing is."""
        if self.is_local or self.url.startswith("https://"):
            return ""
        return (
            f"{self.host} can be reached by other machines, without encryption: whoever sees the "
            "network sees links and texts; run the studio behind a TLS proxy and give its address "
            f"with {option('url', 'https://…')}"
        )


def open_project(
    folder: Path, *, as_written: bool = False, tokens: Tokens = "auto"
) -> tuple[Project, list[str]]:
    """Open the project of a folder, or begin one, and add what is new; and notes on its files."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; give one with transcripts")
    store = Store((folder / DATABASE).resolve())
    try:
        project = Project.open(store)
        project.folder_name = folder.resolve().name or "project"
        project.language = store.setting(LANGUAGE)
        project.as_written, project.tokens = as_written, tokens
        if not project.people:
            project.invite(MANAGER, is_manager=True)
        find_sounds(project, folder)
        notes = add_folder(project, folder)
        read_guidelines(project, folder)
    except BaseException:
        store.close()
        raise
    return project, notes


def serve(project: Project, address: Address, ready: Callable[[str], None]) -> None:
    """Serve a project until it is stopped; `ready` is called with a link that works once."""
    listening = bound(address)
    origin = Origin.from_address(address.shown, address.port, address.url)
    # Browsers keep the cookies of all ports of a host together: each studio has one of its own.
    cookie, is_secure = f"{COOKIE}_{address.port}", address.url.startswith("https://")
    studio = Studio(project, origin, is_secure=is_secure, cookie=cookie)
    token = new_token()
    studio.once[hashed(token)] = project.manager.id
    ready(f"{address.base}/#{token}")
    with suppress(KeyboardInterrupt):
        Serving(configured(studio), studio).run(sockets=[listening])


def configured(studio: Studio) -> uvicorn.Config:
    """The server of a studio, and how long it waits."""
    return uvicorn.Config(
        application(studio), log_level="error", http="h11", access_log=False, server_header=False,
        proxy_headers=False, timeout_graceful_shutdown=3, timeout_keep_alive=75,
    )  # fmt: skip


def set_language(project: Project, language: str) -> None:
    """Say in which language the texts of a project are; an error if it is not a language tag."""
    if not re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", language):
        raise UsageError(f"'{shortened(language)}' is not a language tag; give one such as de")
    project.store.set(LANGUAGE, language)
    project.language = language


@contextmanager
def opening_page(folder: Path, link: str) -> Iterator[Path]:
    """A page that only its owner can read and that leads to a link.

    The browser is given its path, since everyone on a machine can read the arguments of processes.
    """
    path = folder / OPENING
    path.unlink(missing_ok=True)
    path.touch(PRIVATE, exist_ok=False)
    try:
        path.write_text(_OPENING.format(escape(link)), encoding="utf-8")
        yield path
    finally:
        path.unlink(missing_ok=True)


class Serving(uvicorn.Server):
    """A server that disconnects listening pages when it ends."""

    def __init__(self, config: uvicorn.Config, studio: Studio) -> None:
        super().__init__(config)
        self._studio = studio

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what never ends by itself, then everything."""
        self._studio.hub.close()
        await super().shutdown(sockets)


def bound(address: Address) -> socket.socket:
    """The socket on which the studio listens."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # Only connections of a socket that says it is TCP are told not to wait for more to send.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((address.host, address.port))
        found.listen()
    except OSError as problem:
        found.close()
        if problem.errno == errno.EADDRINUSE:
            message = f"port {address.port} is in use; choose another with {option('port', '…')}"
        else:
            place = f"{address.host}:{address.port}"
            cure = f"choose another {option('host', '…')}"
            message = f"{place} cannot be listened on ({reason(problem)}); {cure}"
        raise UsageError(message) from None
    return found


def _outward() -> str:
    """The address of this machine in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
