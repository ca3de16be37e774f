"""The folder that relative paths start from: this process's, or that of the sender of the work.

A worker on another machine may serve several runs at a time, each from a folder of its own, so the
folder belongs to what is being counted, not to the process. Messages show paths as they were given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from glob import glob
from pathlib import Path

_FOLDER: ContextVar[str] = ContextVar("folder", default="")


def local(path: str) -> str:
    """Where a path leads from the folder; an absolute one is as it was.

    >>> with paths_from("/data"):
    ...     local("refs/v6.txt"), local("/v6.txt")
    ('/data/refs/v6.txt', '/v6.txt')
    """
    folder = _FOLDER.get()
    return os.path.join(folder, path) if folder else path  # noqa: PTH118


# Those of `Path` raise an error where a name is too long, as a text taken for a path may be.
exists, is_file, is_dir = os.path.exists, os.path.isfile, os.path.isdir


def listed(path: str) -> list[str] | None:
    """The files of a folder, or those that match a pattern; None if a path is neither."""
    if is_dir(path):
        return _in_folder(Path(path))
    if exists(path) or not re.search(r"[*?\[]", path):
        return None
    paths = glob(path, recursive=True)  # noqa: PTH207
    return [file for file in paths if is_file(file)]


def _in_folder(place: Path) -> list[str]:
    """The files of a folder, but for hidden ones, without a look at each."""
    head = "" if place == Path() else str(place / "_")[:-1]
    with os.scandir(place) as entries:
        return [head + e.name for e in entries if not e.name.startswith(".") and e.is_file()]


def folder() -> str | None:
    """The folder, if it is not this process's own."""
    return _FOLDER.get() or None


@contextmanager
def paths_from(place: str) -> Iterator[None]:
    """Let relative paths lead from a folder, in this thread."""
    token = _FOLDER.set(place)
    try:
        yield
    finally:
        _FOLDER.reset(token)
