"""Workers: processes that hunt side by side, each watched, so that none can hang or die unseen."""

import tempfile
import time
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from queue import Empty
from typing import Any

from fuzz.hunt import Failure, Hunt, limit_memory

STUCK = 300.0
"""Seconds after which a process that is still at the same case is ended."""
SPAWN = get_context("spawn")


@dataclass(frozen=True)
class Plan:
    """What is hunted: cases from the first up to a number or a time, of some kinds and commands."""

    seed: str
    names: tuple[str, ...]
    commands: tuple[str, ...]
    first: int
    stop: int
    until: float
    jobs: int = 1


@dataclass
class Worker:
    """A process, the case it is at, and since when."""

    at: Any
    tried: Any
    process: BaseProcess
    seen: int = -1
    since: float = 0.0

    @classmethod
    def started(cls, plan, first, out):
        """A process that tries every case of its own from the first on."""
        at, tried = SPAWN.Value("q", first), SPAWN.Value("q", 0)
        process = SPAWN.Process(target=work, args=(plan, first, at, tried, out))
        process.start()
        return cls(at, tried, process, since=time.monotonic())

    def is_stuck(self):
        """Whether it has been at the same case for long."""
        if self.at.value != self.seen:
            self.seen, self.since = self.at.value, time.monotonic()
        return time.monotonic() - self.since > STUCK


def work(plan, first, at, tried, out):
    """Try the cases of one process."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        hunt = Hunt(plan.seed, folder, plan.names, plan.commands)
        limit_memory()
        for number in range(first, plan.stop, plan.jobs):
            if time.time() > plan.until:
                return
            at.value = number
            failure = hunt.tried(number)
            tried.value += 1
            if failure:
                out.put(failure)


def hunted(plan):
    """Every failure as it is found, and at the end the number of cases."""
    out = SPAWN.Queue()
    workers = [Worker.started(plan, plan.first + at, out) for at in range(plan.jobs)]
    done = 0
    while workers:
        yield from _taken(out)
        for worker in list(workers):
            is_stuck = worker.is_stuck()
            if not is_stuck and worker.process.exitcode is None:
                continue
            worker.process.kill()
            worker.process.join()
            workers.remove(worker)
            done += worker.tried.value
            if is_stuck or worker.process.exitcode:
                why = "stuck" if is_stuck else f"exit code {worker.process.exitcode}"
                number = worker.at.value
                yield Failure(number, "process", "any", f"the process ended: {why}", why)
                done += 1
                workers.append(Worker.started(plan, number + plan.jobs, out))
    yield from _taken(out)
    yield done


def _taken(out):
    try:
        while True:
            yield out.get(timeout=0.3)
    except Empty:
        return
