"""What this process holds: open files, sockets, and the processes below it."""

import ctypes
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
NO_FILES = ("/dev/", "/proc/", "pipe:", "anon_inode:", "/memfd:")
SERVICES = ("resource_tracker", "forkserver")
"""Processes that multiprocessing starts once and keeps."""


def adopt_orphans():
    """Make processes whose parent ends children of this one, so that `held` names them."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def held():
    """Open files, sockets and running children; empty where the system is not Linux."""
    return {*open_files(), *children()} if sys.platform == "linux" else set()


def open_files():
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one that listed them
            name = str(descriptor.readlink())
            if not name.startswith(NO_FILES):
                yield name


def children():
    for thread in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # threads and processes may end meanwhile
            for pid in (thread / "children").read_text().split():
                command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                if command and not any(name in command for name in SERVICES):
                    yield f"process {pid}: {command}"


def close_archives():
    """Close the last few archives and connections, which caesura keeps for what follows."""
    from caesura.io import column_files, packed  # not before conftest.py has set numpy's threads

    for module in (packed, column_files):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()
    if "fsspec" in sys.modules:
        for kind in sys.modules["fsspec"].registry.values():
            kind.clear_instance_cache()
