"""Engines: chunks are counted here, by processes, or by a cluster, with the same results.

Workers receive chunks, which are paths, and return rows. Few chunks are under way at a time, and
results are given in the order of the documents, so memory does not grow with the corpus.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Protocol

from caesura.errors import CaesuraError, UsageError, WorkerError
from caesura.io.files import STDIN
from caesura.run.chunks import MOST, Chunk, CountsApart, Sized, chunks
from caesura.run.inputs import weights
from caesura.run.machine import cores
from caesura.run.worker import Outcome, Result, Worker

BIG = 64 << 20
"""More bytes than this are shared out at once."""
SOON, LONG = 0.2, 2.0
"""The seconds after which the remaining time is estimated, and what counts as long."""
SMALL = 1 << 20
"""Bytes of a chunk that is counted here."""
AHEAD = 4
TRIES = 3
Results = Iterator[tuple[Chunk, list[Result]]]
"""Every chunk, in order, and what came of it."""


class Workers(Protocol):
    """What a chunk of at most `size` bytes can be sent to; `jobs` are counted at a time."""

    size: int

    @property
    def jobs(self) -> int:
        """How many chunks are counted at a time; that may change."""
        ...

    def send(self, worker: Worker, chunk: Chunk) -> Any:
        """Have a chunk counted; gives something to ask for the result."""
        ...

    def result(self, sent: Any) -> list[Result]:
        """Wait for a result; raises what was raised there."""
        ...

    def restart(self) -> None:
        """Start again after workers have died."""
        ...

    def close(self) -> None:
        """Stop everything."""
        ...


class Engine:
    """Counts in this process."""

    def map(self, worker: Worker, documents: Iterable[Sized], weight: int) -> Results:
        """Count all documents, which cost `weight` together."""
        for chunk in here(worker, documents, weight):
            yield chunk, worker(chunk)

    def close(self) -> None:
        """Stop everything."""

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def counted(engine: Engine, worker: Worker, documents: Iterable[Sized], weight: int) -> Results:
    """Count all documents; where a task counts systems apart, each system is a case of its own."""
    task = worker.task
    if worker.reads or not isinstance(task, CountsApart):
        yield from engine.map(worker, documents, weight)
        return
    for document in documents:
        cases = task.apart(document.case)
        systems = [*map(Sized, cases, weights(cases))]
        weight = sum(each.cost for each in systems)
        results = (each for _, some in engine.map(worker, systems, weight) for _, each in some)
        yield [document], [(1, _joined(task, results))]


def _joined(task: CountsApart, results: Iterable[Outcome | CaesuraError]) -> Outcome | CaesuraError:
    """The rows of all systems, or what is wrong with the first that is bad."""
    rows = []
    for result in results:
        if isinstance(result, CaesuraError):
            return result
        rows.append(result.counted)
    return Outcome(task.joined(rows))


def here(worker: Worker, documents: Iterable[Sized], weight: int) -> Iterator[Chunk]:
    """The chunks that are counted in this process: small ones, so that little is lost."""
    most = MOST if worker.counts_many else 1
    return chunks(documents, weight, jobs=1, size=SMALL, most=most)


class SharedEngine(Engine):
    """Counts by workers that are started when there is something for them to do."""

    def __init__(self) -> None:
        self.workers: Workers | None = None

    def started(self) -> Workers:
        """Start the workers."""
        raise NotImplementedError

    def share(self, worker: Worker, documents: Iterable[Sized], weight: int) -> Results:
        """Have workers count the documents."""
        self.workers = self.workers or self.started()
        return share_out(worker, documents, weight, self.workers)

    def close(self) -> None:
        """Stop the workers."""
        if self.workers is not None:
            self.workers.close()


class ProcessEngine(SharedEngine):
    """Processes of this machine, unless there is too little to do for more than one."""

    def __init__(self, jobs: int, *, is_asked: bool) -> None:
        super().__init__()
        self.jobs, self.is_asked = jobs, is_asked

    def started(self) -> Workers:
        """Start the processes."""
        from caesura.run.processes import Pool

        return Pool(self.jobs)

    def map(self, worker: Worker, documents: Iterable[Sized], weight: int) -> Results:
        """Count all documents, which cost `weight` together."""
        waiting = iter(documents)
        first = [*islice(waiting, 2)]
        documents = chain(first, waiting)
        if self.jobs == 1 or len(first) < 2:
            return super().map(worker, documents, weight)
        is_much = self.is_asked or weight > BIG or self.workers is not None
        return (self.share if is_much else self._from_here)(worker, documents, weight)

    def _from_here(self, worker: Worker, documents: Iterable[Sized], weight: int) -> Results:
        """Begin here; if there seems to be enough left, let others go on."""
        left, start, waiting = weight, time.monotonic(), here(worker, documents, weight)
        for chunk in waiting:
            yield chunk, worker(chunk)
            left -= sum(each.cost for each in chunk)
            spent = time.monotonic() - start
            if spent > SOON and spent * left > LONG * (weight - left):
                yield from self.share(worker, chain.from_iterable(waiting), left)
                return


class DaskEngine(SharedEngine):
    """Workers of a Dask cluster; without an address, one that is started on this machine."""

    def __init__(self, address: str, jobs: int) -> None:
        super().__init__()
        self.address, self.jobs = address, jobs

    def started(self) -> Workers:
        """Connect to the cluster."""
        from caesura.run.cluster import Dask

        return Dask(self.address, self.jobs)

    def map(self, worker: Worker, documents: Iterable[Sized], weight: int) -> Results:
        """Count all documents; nobody else can read this process's standard input."""
        waiting = iter(documents)
        first = [*islice(waiting, 1)]
        if any(STDIN in each.case.files for each in first):
            return super().map(worker, chain(first, waiting), weight)
        return self.share(worker, chain(first, waiting), weight)


def engine(name: str = "", jobs: int | None = 0) -> Engine:
    """The engine of a name; without one, processes where that is worth it.

    `serial`, `processes`, `dask` or `dask=ADDRESS`; 0 jobs are as many as there are cores. Without
    a name and a number of jobs no process is started: each would run a script that calls caesura
    again, if it has no `if __name__ == "__main__"`.
    """
    kind, _, address = name.partition("=")
    if kind not in ("", "serial", "processes", "dask") or (address and kind != "dask"):
        raise UsageError(f"unknown engine '{name}'; choose serial, processes, dask or dask=ADDRESS")
    if kind == "serial" or (not kind and jobs is None):
        return Engine()
    if kind == "dask":
        return DaskEngine(address, jobs or 0)
    return ProcessEngine(jobs or cores(), is_asked=kind == "processes")


def share_out(worker: Worker, documents: Iterable[Sized], weight: int, workers: Workers) -> Results:
    """Send chunks ahead, and give the results in order; what dead workers had is sent again.

    After a death the first chunk is sent alone, one by one, so that the culprit can be named.
    """
    from concurrent.futures.process import BrokenProcessPool

    waiting = _Waiting(chunks(documents, weight, jobs=workers.jobs, size=workers.size))
    sent: deque[tuple[Chunk, Any]] = deque()
    deaths = 0
    while True:
        try:
            _send(worker, waiting, sent, workers, 1 if deaths else AHEAD * workers.jobs)
            if not sent:
                return
            results = workers.result(sent[0][1])
        except BrokenProcessPool:
            deaths += 1
            waiting.put_back([chunk for chunk, _ in sent])
            sent.clear()
            if deaths == TRIES:
                raise WorkerError(next(waiting)[0].case.document) from None
            waiting.put_back([[each] for each in next(waiting)])
            workers.restart()
            continue
        deaths = 0
        yield sent.popleft()[0], results


class _Waiting:
    """Chunks that are to be sent; some may come back."""

    def __init__(self, coming: Iterator[Chunk]) -> None:
        self.coming = coming
        self.back: deque[Chunk] = deque()

    def __next__(self) -> Chunk:
        return self.back.popleft() if self.back else next(self.coming)

    def put_back(self, found: Sequence[Chunk]) -> None:
        self.back.extendleft(reversed(found))


def _send(
    worker: Worker, waiting: _Waiting, sent: deque[tuple[Chunk, Any]], workers: Workers, most: int
) -> None:
    while len(sent) < most:
        try:
            chunk = next(waiting)
        except StopIteration:
            return
        waiting.put_back([chunk])
        sent.append((chunk, workers.send(worker, chunk)))
        next(waiting)
