"""The engine: chunks are counted here, by processes, or by a cluster, with the same results.

Workers receive chunks, which are paths, and return counts. Few chunks are under way at a time, and
results are given in the order of the documents, so memory does not grow with the corpus.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Protocol

from caesura.errors import UsageError, WorkerError
from caesura.io.files import STDIN
from caesura.run.worker import Chunk, Result, Sized, Worker, cores

BIG = 64 << 20
"""More bytes than this are shared out at once."""
SOON, LONG = 0.2, 2.0
"""The seconds after which the remaining time is estimated, and what counts as long."""
SMALL = 1 << 20
"""Bytes of a chunk that is counted here."""
MOST = 256
"""The most documents of a chunk."""
AHEAD, TRIES = 4, 3
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
    """Where documents are counted: `serial`, `processes`, `dask` or `dask=ADDRESS`.

    Without a name, processes go on where that is worth it; 0 jobs are as many as there are cores.
    Without a name and a number of jobs no process is started: each would run a script that calls
    caesura again, if it has no `if __name__ == "__main__"`.
    """

    def __init__(self, name: str = "", jobs: int | None = 0) -> None:
        self.kind, _, self.address = name.partition("=")
        known = self.kind in ("", "serial", "processes", "dask")
        if not known or (self.address and self.kind != "dask"):
            raise UsageError(
                f"unknown engine '{name}'; choose serial, processes, dask or dask=ADDRESS"
            )
        if not self.kind and jobs is None:
            self.kind = "serial"
        self.jobs = jobs or 0
        self.workers: Workers | None = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        if self.workers is not None:
            self.workers.close()

    def map(
        self, worker: Worker, documents: Iterable[Sized], weight: int, most: int = MOST
    ) -> Results:
        """Every chunk, in order, and what came of it; all documents cost `weight` together.

        Begin here, unless there is much to do; if enough seems to be left, let workers go on.
        Here at most `most` documents are counted at a time.
        """
        waiting = iter(documents)
        first = [*islice(waiting, 2)]
        documents, left, start = chain(first, waiting), weight, time.monotonic()
        if patience := self._patience(first, weight):
            here = chunks(documents, weight, jobs=1, size=SMALL, most=most)
            for chunk in here:
                yield chunk, worker(chunk)
                left -= sum(each.cost for each in chunk)
                spent = time.monotonic() - start
                if spent > SOON and spent * left > patience * (weight - left):
                    break
            else:
                return
            documents = chain.from_iterable(here)
        self.workers = self.workers or self._started()
        size, jobs = self.workers.size, self.workers.jobs
        yield from _shared(worker, chunks(documents, left, jobs=jobs, size=size), self.workers)

    def _patience(self, first: list[Sized], weight: int) -> float:
        """The seconds that what is left may take here, before workers are asked; or no end."""
        if self.kind == "dask":  # nobody else can read this process's standard input
            return math.inf if any(STDIN in each.case.files for each in first[:1]) else 0
        if self.kind == "serial" or len(first) < 2 or (self.jobs or cores()) == 1:
            return math.inf
        return 0 if self.kind or weight > BIG or self.workers else LONG

    def _started(self) -> Workers:
        if self.kind == "dask":
            from caesura.run.cluster import Dask

            return Dask(self.address, self.jobs)
        from caesura.run.processes import Pool

        return Pool(self.jobs or cores())


def _shared(worker: Worker, coming: Iterator[Chunk], workers: Workers) -> Results:
    """Send chunks ahead, and give the results in order; what dead workers had is sent again.

    After a death the first chunk is sent alone, one by one, so that the culprit can be named.
    """
    from concurrent.futures.process import BrokenProcessPool

    back: deque[Chunk] = deque()
    sent: deque[tuple[Chunk, Any]] = deque()
    deaths = 0
    while True:
        try:
            while len(sent) < (1 if deaths else AHEAD * workers.jobs):
                back.extend(islice(coming, 0 if back else 1))
                if not back:
                    break
                sent.append((back[0], workers.send(worker, back[0])))
                back.popleft()
            if not sent:
                return
            results = workers.result(sent[0][1])
        except BrokenProcessPool:
            deaths += 1
            back.extendleft(chunk for chunk, _ in reversed(sent))
            sent.clear()
            if deaths == TRIES:
                raise WorkerError(back[0][0].case.document) from None
            back.extendleft([each] for each in reversed(back.popleft()))
            workers.restart()
            continue
        deaths = 0
        yield sent.popleft()[0], results


def chunks(
    documents: Iterable[Sized], weight: int, *, jobs: int, size: int, most: int = MOST
) -> Iterator[list[Sized]]:
    """Put neighbours together, up to `size` bytes and a share of the weight that is left.

    So the last chunks are small, and all workers end at about the same time.
    """
    chunk: list[Sized] = []
    held = 0
    for each in documents:
        full = held + each.cost > min(size, weight // (4 * jobs)) or len(chunk) >= most
        if chunk and full:
            yield chunk
            weight, chunk, held = weight - held, [], 0
        chunk.append(each)
        held += each.cost
    if chunk:
        yield chunk
