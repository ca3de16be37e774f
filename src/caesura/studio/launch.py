"""Launch: open the folder of a project, add its documents, and run its server."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from caesura.errors import UsageError, option, reason
from caesura.studio.app import Studio, application
from caesura.studio.project import MANAGER, Project
from caesura.studio.security import COOKIE, Origin
from caesura.studio.store import DATABASE, Store
from caesura.studio.transfer import add_folder

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """Where the studio listens, and the address that people use if it is another."""

    host: str = "127.0.0.1"
    port: int = 8765
    url: str = ""

    @property
    def base(self) -> str:
        """The address with which links begin."""
        return self.url.rstrip("/") or f"http://{self.shown}:{self.port}"

    @property
    def shown(self) -> str:
        """The host to put into a link; this machine's address if the studio listens on all."""
        host = _outward() if self.host in ("0.0.0.0", "::", "") else self.host
        return f"[{host}]" if ":" in host else host

    @property
    def is_local(self) -> bool:
        """Whether only this machine is served."""
        return self.host in LOCAL_HOSTS


@dataclass(frozen=True, slots=True)
class Opened:
    """An open project, the manager's token, and notes on its files."""

    project: Project
    token: str
    problems: tuple[str, ...] = ()


def open_project(folder: Path, database: str = "", *, as_written: bool = False) -> Opened:
    """Open the project of a folder, or begin one, and add the documents that are new."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; give one with transcripts")
    url = database or f"sqlite:///{(folder / DATABASE).resolve()}"
    store = Store(_driven(url))
    try:
        return _opened(store, folder, as_written=as_written)
    except BaseException:
        store.close()
        raise


def _opened(store: Store, folder: Path, *, as_written: bool) -> Opened:
    """Read the project that is in a database, and bring it up to date with its folder."""
    project = Project.open(store)
    project.name = folder.resolve().name or "project"
    problems, changed = add_folder(project, folder, as_written=as_written)
    problems += [
        f"{name} has changed since it was added; the studio keeps the words that it has"
        for name in changed
    ]
    manager = next((each for each in project.people.values() if each.is_manager), None)
    if manager is None:
        _, token = project.invite(MANAGER, is_manager=True)
    else:
        token = project.invite_again(manager.id)
    return Opened(project, token, tuple(problems))


def _driven(url: str) -> str:
    """An address of PostgreSQL with the driver that is installed."""
    for prefix in ("postgresql://", "postgres://"):
        if url.startswith(prefix):
            return f"postgresql+psycopg://{url.removeprefix(prefix)}"
    return url


def serve(opened: Opened, address: Address, ready: Callable[[str], None]) -> None:
    """Serve a project until it is stopped; `ready` is called with the manager's link."""
    listening = bound(address)
    origin = Origin.from_address(address.shown, address.port, address.url)
    # Browsers keep the cookies of all ports of a host together: each studio has one of its own.
    cookie = f"{COOKIE}_{address.port}"
    is_secure = address.url.startswith("https://")
    studio = Studio(opened.project, origin, is_secure=is_secure, cookie=cookie)
    config = uvicorn.Config(
        application(studio), log_level="warning",
        access_log=False, server_header=False, timeout_graceful_shutdown=3, timeout_keep_alive=75,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1"),
    )  # fmt: skip
    ready(f"{address.base}/#{opened.token}")
    with suppress(KeyboardInterrupt):
        Serving(config, studio).run(sockets=[listening])


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
        found.listen(2048)
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
