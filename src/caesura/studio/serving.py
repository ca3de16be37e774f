"""Serving: a project's folder opened, its documents added, and its server run."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from caesura.errors import UsageError
from caesura.studio.project import MANAGER, Project
from caesura.studio.security import Origin
from caesura.studio.server import Studio, application
from caesura.studio.store import Store
from caesura.studio.transfer import add_folder

DATABASE = "studio.sqlite"
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """Where the studio listens, and the address that people use if it is another."""

    host: str = "127.0.0.1"
    port: int = 8765
    url: str = ""

    @property
    def base(self) -> str:
        """What links begin with."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.url.rstrip("/") or f"http://{host}:{self.port}"

    @property
    def is_local(self) -> bool:
        """Whether only this machine is served."""
        return self.host in LOCAL_HOSTS


@dataclass(frozen=True, slots=True)
class Opened:
    """A project that is ready, the manager's token, and what there is to say of its files."""

    project: Project
    token: str
    problems: tuple[str, ...] = ()


def open_project(folder: Path, database: str = "", *, as_written: bool = False) -> Opened:
    """Open the project of a folder, or begin one, and add the documents that are new."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; give one with transcripts")
    url = database or f"sqlite:///{(folder / DATABASE).resolve()}"
    project = Project.open(Store(_driven(url)))
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
    """Serve a project until it is stopped; `ready` is told the manager's link."""
    import uvicorn

    origin = Origin.from_address(address.host, address.port, address.url)
    studio = Studio(opened.project, origin, is_secure=address.url.startswith("https://"))
    config = uvicorn.Config(
        application(studio), host=address.host, port=address.port, log_level="warning",
        access_log=False, server_header=False, timeout_graceful_shutdown=3,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1"),
    )  # fmt: skip
    server = uvicorn.Server(config)
    ready(f"{address.base}/#{opened.token}")
    server.run()
