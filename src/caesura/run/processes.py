"""Processes of this machine that count chunks."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING

from caesura.run.chunks import Chunk
from caesura.run.machine import keep_memory
from caesura.run.worker import Result, Worker

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.connection import Connection

SIZE = 8 << 20
"""Bytes of a chunk at most."""
PAUSE = 0.3
"""The seconds that a process that is killed may take to be gone."""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


class Pool:
    """Processes that are started afresh, not forked from this one, which may have threads.

    Each listens to the end of a pipe whose other end is here alone: when that is closed, or this
    process is gone, however it ended, they end as well.
    """

    size = SIZE

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.pool, self.leash = self._started()

    def _started(self) -> tuple[ProcessPoolExecutor, Connection]:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        ways = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
        if "forkserver" in ways:
            context.set_forkserver_preload(_loaded())
        there, here = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(self.jobs, context, initializer=_begin, initargs=(there,))
        return pool, here

    def send(self, worker: Worker, chunk: Chunk) -> Future[list[Result]]:
        """Have a chunk counted; a process is started for it if there are fewer than jobs."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            with _undisturbed(), _one_thread():
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
        self.pool, self.leash = self._started()

    def close(self) -> None:
        """Kill the processes."""
        with _undisturbed():
            self.leash.close()
            self.pool.shutdown(wait=True, cancel_futures=True)


def _loaded() -> list[str]:
    """What is imported here and will be needed there; processes are forked when they have it."""
    return [name for name in sys.modules if name.startswith("caesura.")]


def _begin(leash: Connection) -> None:
    """Ctrl-C is for the process that started the others; it ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    keep_memory()
    Thread(target=_end_with, args=(leash,), daemon=True).start()


def _end_with(leash: Connection) -> None:
    """End this process when the other end of the pipe is closed."""
    from multiprocessing.connection import wait

    wait([leash])
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


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait, so that no process is left half started or half ended."""
    if current_thread() is not main_thread():
        yield
        return
    waiting: list[object] = []
    before = signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt
