"""A `map` that counts here, in many processes, or on many machines: always the same numbers.

Workers receive cases, which are paths, and return rows. Neighbouring cases are sent together, in
bundles of about the same number of bytes, smaller ones last. Few bundles are under way
at a time, and results are given in the order of the cases, so memory does not grow with the corpus.
"""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, current_thread, main_thread
from typing import TYPE_CHECKING, Any, Protocol

from caesura.errors import SourceError, UsageError, WorkerError
from caesura.io.files import STDIN
from caesura.run.cases import Case
from caesura.run.counting import Count, Map
from caesura.run.memory import keep_memory

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

BIG = 64 << 20
"""More bytes than this are distributed at once."""
SOON, LONG = 0.2, 2.0
"""The seconds after which the remaining time is estimated, and what counts as long."""
BUNDLE, PARCEL = 8 << 20, 64 << 20
"""Bytes of a bundle at most: for a process, and for a cluster, where sending one costs more."""
MOST = 256
AHEAD = 4
MANY = 100
"""The number of workers assumed while a cluster has none yet."""
FRESH = 2.0
"""The seconds for which the number of workers of a cluster is cached."""
TRIES = 3
PATIENCE = 10.0
"""Seconds to wait for a scheduler."""


class Workers(Protocol):
    """What a bundle of at most `size` bytes can be sent to; `jobs` are counted at a time."""

    size: int

    @property
    def jobs(self) -> int:
        """How many bundles are counted at a time; that may change."""
        ...

    def send(self, count: Count, bundle: Sequence[Case]) -> Any:
        """Have a bundle counted; gives something to ask for the result."""
        ...

    def result(self, sent: Any) -> list[Any]:
        """Wait for a result; raises what was raised there."""
        ...

    def restart(self) -> None:
        """Start again after workers have died."""
        ...

    def close(self) -> None:
        """Stop everything."""
        ...


def engine(name: str = "", jobs: int = 0) -> Map:
    """The requested `map`: `serial`, `processes`, `dask`, `dask=ADDRESS`, or the best.

    With no name, small work is counted here and more by as many processes as there are cores.
    `jobs` is the most workers.
    """
    kind, _, address = name.partition("=")
    if kind not in {"", "serial", "processes", "dask"} or (address and kind != "dask"):
        raise UsageError(
            f"there is no engine '{name}'; choose serial, processes, dask or dask=ADDRESS"
        )
    if kind == "serial":
        return map
    if kind == "dask":
        return lambda count, cases: _on_dask(count, list(cases), address, jobs)
    return _Processes(jobs or cores(), is_asked=kind == "processes")


def _on_dask(count: Count, cases: list[Case], address: str, jobs: int) -> Iterable[Any]:
    """Have a cluster count; nobody else can read this process's standard input."""
    if any(STDIN in {*case.systems.values(), *case.references.values()} for case in cases):
        return map(count, cases)
    return _shared_out(count, cases, _weights(cases), _Dask(address, jobs))


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class _Processes:
    """Processes of this machine, unless there is too little to do for more than one."""

    most: int
    is_asked: bool

    def __call__(self, count: Count, cases: Iterable[Case]) -> Iterable[Any]:
        cases = list(cases)
        if min(self.most, len(cases)) <= 1:
            return map(count, cases)
        weights = _weights(cases)
        is_much = self.is_asked or sum(weights) > BIG
        return (self._shared if is_much else self._from_here)(count, cases, weights)

    def _shared(self, count: Count, cases: list[Case], weights: list[int]) -> Iterator[Any]:
        return _shared_out(count, cases, weights, _Pool(min(self.most, len(cases))))

    def _from_here(self, count: Count, cases: list[Case], weights: list[int]) -> Iterator[Any]:
        """Begin here; if there seems to be enough left, let others go on."""
        left, done, start = sum(weights), 0, time.monotonic()
        for at, (case, own) in enumerate(zip(cases, weights, strict=True), 1):
            yield count(case)
            left, done = left - own, done + own
            spent = time.monotonic() - start
            if spent > SOON and spent * left > LONG * done and at + 1 < len(cases):
                yield from self._shared(count, cases[at:], weights[at:])
                return


def _weights(cases: Iterable[Case]) -> list[int]:
    """How much work each case is, at least 1."""
    return [case.weight + 1 for case in cases]


def bundles(
    cases: Sequence[Case], weights: Sequence[int], jobs: int, most: int = BUNDLE
) -> Iterator[list[Case]]:
    """Put neighbours together, up to a share of the bytes that are left.

    So the last bundles are small, and all workers end at about the same time.
    """
    left, size = sum(weights), 0
    bundle: list[Case] = []
    for at, (case, own) in enumerate(zip(cases, weights, strict=True)):
        share = min(most, left // (4 * jobs))
        number = min(MOST, (len(cases) - at) // (4 * jobs))
        if bundle and (size + own > share or len(bundle) >= number):
            yield bundle
            left, bundle, size = left - size, [], 0
        bundle.append(case)
        size += own
    if bundle:
        yield bundle


def _shared_out(
    count: Count, cases: list[Case], weights: list[int], workers: Workers
) -> Iterator[Any]:
    """Send bundles ahead, and give the results in order; what dead workers had is sent again.

    After a death the first bundle is sent alone, case by case, so that the culprit can be named.
    """
    from concurrent.futures.process import BrokenProcessPool

    waiting = deque(bundles(cases, weights, workers.jobs, workers.size))
    sent: deque[tuple[list[Case], Any]] = deque()
    deaths = 0
    try:
        while waiting or sent:
            try:
                _send(count, waiting, sent, workers, 1 if deaths else AHEAD * workers.jobs)
                results = workers.result(sent[0][1])
            except BrokenProcessPool:
                deaths += 1
                waiting.extendleft(bundle for bundle, _ in reversed(sent))
                sent.clear()
                if deaths == TRIES:
                    raise WorkerError(waiting[0][0].document) from None
                waiting.extendleft([case] for case in reversed(waiting.popleft()))
                workers.restart()
                continue
            sent.popleft()
            deaths = 0
            yield from results
    finally:
        workers.close()


def _send(
    count: Count, waiting: deque[list[Case]], sent: deque[Any], workers: Workers, most: int
) -> None:
    while waiting and len(sent) < most:
        sent.append((waiting[0], workers.send(count, waiting[0])))
        waiting.popleft()


def _count_bundle(count: Count, bundle: Sequence[Case]) -> list[Any]:
    return [count(case) for case in bundle]


class _Pool:
    """Processes that are started afresh, not forked from this one, which may have threads."""

    size = BUNDLE

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self.pool = self._started()

    @property
    def jobs(self) -> int:
        return self._jobs

    def _started(self) -> ProcessPoolExecutor:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        ways = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
        if "forkserver" in ways:
            context.set_forkserver_preload([__name__])
        return ProcessPoolExecutor(self._jobs, context, initializer=_begin)

    def send(self, count: Count, bundle: Sequence[Case]) -> Future[list[Any]]:
        with _undisturbed():
            return self.pool.submit(_count_bundle, count, bundle)

    def result(self, sent: Future[list[Any]]) -> list[Any]:
        return sent.result()

    def restart(self) -> None:
        self.close()
        self.pool = self._started()

    def close(self) -> None:
        with _undisturbed():
            running = list((self.pool._processes or {}).values())
            for process in running:
                process.terminate()
            self.pool.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.join()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait, so that no process is left half started or half ended."""
    if current_thread() is not main_thread():
        yield
        return
    waiting: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt


_FOLDER = Lock()


def _count_there(folder: str, count: Count, bundle: Sequence[Case]) -> list[Any]:
    """Count in the caller's folder, so that relative paths work."""
    keep_memory()
    if not Path(folder).is_dir():
        return _count_bundle(count, bundle)
    with _FOLDER, chdir(folder):
        return _count_bundle(count, bundle)


def _begin() -> None:
    """Ctrl-C is for the process that started the others; it ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    keep_memory()


class _Dask:
    """Workers of a Dask cluster; without an address, processes of this machine.

    An address is `tcp://host:8786`, or the scheduler's file. Dask itself sends to others what dead
    workers had. Workers may come while others count.
    """

    size = PARCEL

    def __init__(self, address: str, jobs: int) -> None:
        try:
            import distributed
        except ImportError:
            raise UsageError(
                "--engine dask needs the package distributed; pip install 'caesura[cluster]'"
            ) from None
        self.most = jobs
        self.cluster = None if address else _local(distributed, jobs or cores())
        self.client = _client(distributed, address or self.cluster)
        self.killed = distributed.KilledWorker
        self.workers, self.known_at = 0, -FRESH

    @property
    def jobs(self) -> int:
        if time.monotonic() - self.known_at >= FRESH:
            self.known_at = time.monotonic()
            with suppress(OSError):
                self.workers = len(self.client.nthreads())
        here = self.workers or MANY
        return min(self.most, here) if self.most else here

    def send(self, count: Count, bundle: Sequence[Case]) -> Any:
        return self.client.submit(_count_there, str(Path.cwd()), count, bundle, pure=False)

    def result(self, sent: Any) -> list[Any]:
        from concurrent.futures.process import BrokenProcessPool

        try:
            counted: list[Any] = sent.result()
        except self.killed:
            raise BrokenProcessPool from None
        return counted

    def restart(self) -> None:
        """Do nothing: the cluster lives on."""

    def close(self) -> None:
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


def _local(distributed: Any, jobs: int) -> Any:
    """A cluster on this machine, with its dashboard on any free port."""
    return distributed.LocalCluster(
        n_workers=jobs, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    )


def _client(distributed: Any, address: Any) -> Any:
    is_file = isinstance(address, str) and "://" not in address and Path(address).exists()
    try:
        if is_file:
            return distributed.Client(scheduler_file=address, timeout=PATIENCE)
        return distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as problem:
        place = f"dask={address}"
        raise SourceError(place, f"no scheduler ({problem})", "check the address") from None
