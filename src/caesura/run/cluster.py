"""A Dask cluster whose workers count chunks."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from caesura.detect.programs import end_programs
from caesura.errors import SourceError, UsageError, option
from caesura.io.cwd import exists, paths_from
from caesura.io.writing import new_folder
from caesura.run.worker import Chunk, Result, Worker, cores, keep_memory

SIZE = 64 << 20
"""Bytes of a chunk at most; sending one costs more than it does to a process."""
MANY = 100
"""The number of workers assumed while a cluster has none yet."""
FRESH = 2.0
"""The seconds for which the number of workers is cached."""
PATIENCE = 10.0
"""Seconds to wait for a scheduler."""


class Dask:
    """Workers of a Dask cluster; without an address, processes of this machine.

    An address is `tcp://host:8786`, or the scheduler's file. Dask itself sends to others what dead
    workers had. Workers may come while others count. Processes of this machine end with their
    programs and temporary files.
    """

    size = SIZE

    def __init__(self, address: str, jobs: int) -> None:
        try:
            import distributed
            from distributed.comm.core import CommClosedError
        except ImportError:
            raise UsageError(
                f"{option('engine', 'dask')} needs the package distributed; "
                "pip install 'caesura-eval[cluster]'"
            ) from None
        self.most, self.place = jobs, f"dask={address}" if address else "dask"
        self.levels = _silenced()
        self.folder = self.cluster = None
        if not address:
            self.folder = new_folder()
            self.cluster = distributed.LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=jobs or cores(), threads_per_worker=1, dashboard_address="127.0.0.1:0",
                env={"TMPDIR": self.folder.name},
            )  # fmt: skip
        self.client = _client(distributed, address or self.cluster)
        self.killed = distributed.KilledWorker
        self.lost = distributed.CancelledError, CommClosedError
        self.workers, self.known_at = 0, -FRESH

    @property
    def jobs(self) -> int:
        """How many workers there are, or may be used."""
        if time.monotonic() - self.known_at >= FRESH:
            self.known_at = time.monotonic()
            with suppress(OSError):
                self.workers = len(self.client.nthreads())
        here = self.workers or MANY
        return min(self.most, here) if self.most else here

    def send(self, worker: Worker, chunk: Chunk) -> Any:
        """Have a chunk counted."""
        return self.client.submit(_count_there, str(Path.cwd()), worker, chunk, pure=False)

    def result(self, sent: Any) -> list[Result]:
        """Wait for a result; raises what was raised there."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            counted: list[Result] = sent.result()
        except self.killed:
            raise BrokenProcessPool from None
        except self.lost:
            cure = f"restart it and run this again, with {option('resume')} if it saves rows"
            raise SourceError(self.place, "the scheduler is gone", cure) from None
        return counted

    def restart(self) -> None:
        """Do nothing: the cluster lives on."""

    def close(self) -> None:
        """Leave the cluster; end it if it was started here."""
        if self.cluster is not None:
            self.client.run(end_programs, on_error="ignore")
        self.client.close()
        if self.cluster is not None and self.folder is not None:
            self.cluster.close()
            self.folder.cleanup()
        for log, level in self.levels.items():
            log.setLevel(level)


def _count_there(folder: str, worker: Worker, chunk: Chunk) -> list[Result]:
    """Count with paths that lead from the caller's folder."""
    keep_memory()
    with paths_from(folder):
        return worker(chunk)


def _silenced() -> dict[logging.Logger, int]:
    """Silence Dask's loggers, since the error says it in one line; return their levels."""
    names = [*logging.root.manager.loggerDict]
    logs = [logging.getLogger(name) for name in names if name.split(".")[0] == "distributed"]
    levels = {log: log.level for log in logs}
    for log in levels:
        log.setLevel(logging.CRITICAL)
    return levels


def _client(distributed: Any, address: Any) -> Any:
    is_file = isinstance(address, str) and "://" not in address and exists(address)
    try:
        if is_file:
            return distributed.Client(scheduler_file=address, timeout=PATIENCE)
        return distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as problem:
        place = f"dask={address}"
        raise SourceError(place, f"no scheduler ({problem})", "check the address") from None
