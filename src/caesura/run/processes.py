"""Processes of this machine that count chunks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from shutil import rmtree
from threading import Thread

from caesura.detect.programs import end_programs
from caesura.io.signals import ENDING, undisturbed
from caesura.io.writing import new_folder
from caesura.run.worker import Chunk, Result, Worker, keep_memory

SIZE = 8 << 20
"""Bytes of a chunk at most."""
PAUSE = 0.3
"""The seconds that a process that is killed may take to be gone."""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


class Pool:
    """Processes that are started afresh, not forked from this one, which may have threads.

    Each listens to the end of a pipe whose other end is here alone: when that is closed, or this
    process is gone, however it ended, they end as well, with the programs that they run. Their
    temporary files are in one folder, which is removed here; if this process is gone, by them.
    """

    size = SIZE

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._start()

    def _start(self) -> None:
        ways = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
        if "forkserver" in ways:
            context.set_forkserver_preload(_loaded())
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
            ensure_running()  # the process that tracks resources: a hang-up must not end it
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self.folder = new_folder()
        there, self.leash = context.Pipe(duplex=False)
        self.pool = ProcessPoolExecutor(
            self.jobs, context, initializer=_begin, initargs=(there, self.folder.name)
        )

    def send(self, worker: Worker, chunk: Chunk) -> Future[list[Result]]:
        """Have a chunk counted; a process is started for it if there are fewer than jobs."""
        try:
            with undisturbed(), _one_thread():
                return self.pool.submit(worker, chunk)
        except (EOFError, OSError):  # the process that starts the others is gone
            raise BrokenProcessPool from None

    def result(self, sent: Future[list[Result]]) -> list[Result]:
        """Wait for a result; raises what was raised there."""
        return sent.result()

    def restart(self) -> None:
        """Start again after processes have died, when they have had the time to."""
        self.close()
        time.sleep(PAUSE)
        self._start()

    def close(self) -> None:
        """Kill the processes."""
        with undisturbed():
            self.leash.close()
            self.pool.shutdown(wait=True, cancel_futures=True)
            self.folder.cleanup()


def _loaded() -> list[str]:
    """What is imported here and will be needed there; processes are forked when they have it."""
    return [name for name in sys.modules if name.startswith("caesura.")]


def _begin(leash: Connection, shared: str) -> None:
    """Prepare a worker; what ends the process that started it closes the pipe, and ends it then."""
    for number in (signal.SIGINT, *ENDING):
        signal.signal(number, signal.SIG_IGN)
    folder = tempfile.tempdir = tempfile.mkdtemp(dir=shared)
    signal.signal(signal.SIGTERM, lambda *_: Thread(target=_end, args=(folder,)).start())
    keep_memory()
    Thread(target=_end, args=(folder, leash), daemon=True).start()


def _end(folder: str, leash: Connection | None = None) -> None:
    """End this process, its programs and its temporary files; or when a pipe is closed."""
    if leash is not None:
        wait([leash])
    end_programs()
    rmtree(folder, ignore_errors=True)
    with suppress(OSError):  # other workers have theirs beside it
        Path(folder).parent.rmdir()
    os._exit(1)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let processes that are started now calculate with one thread each: they share the cores."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ |= dict.fromkeys(THREADS, "1")
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ |= {} if value is None else {name: value}
