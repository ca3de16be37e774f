"""Workers: processes that hunt side by side, each watched, so that none can hang or die unseen."""

import tempfile
import time
from multiprocessing import get_context
from queue import Empty

from fuzz.hunt import Failure, Hunt, limit_memory

STUCK = 300.0
"""Seconds after which a process that is still at the same case is ended."""
SPAWN = get_context("spawn")


class Worker:
    """A process that tries every case of its own from the first on."""

    def __init__(self, plan, first, out):
        self.at, self.tried = SPAWN.Value("q", first), SPAWN.Value("q", 0)
        args = plan, first, self.at, self.tried, out
        self.process = SPAWN.Process(target=work, args=args)
        self.process.start()
        self.seen, self.since = first, time.monotonic()

    def ended(self):
        """Why it ended, or was ended for being at one case for long; None if it goes on."""
        if self.at.value != self.seen:
            self.seen, self.since = self.at.value, time.monotonic()
        if time.monotonic() - self.since > STUCK:
            self.process.kill()
            self.process.join()
            return "stuck"
        code = self.process.exitcode
        return f"exit code {code}" if code else None if code is None else ""


def work(plan, first, at, tried, out):
    """Try the cases of one process."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        hunt = Hunt(plan.seed, folder, plan.kind, plan.command)
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
    """Every failure as it is found, and at the end the number of cases.

    The plan has the arguments of the program, the first case, and those before which to stop: a
    number and a time.
    """
    out = SPAWN.Queue()
    workers = [Worker(plan, plan.first + at, out) for at in range(plan.jobs)]
    done = 0
    while workers:
        yield from _taken(out)
        for worker in list(workers):
            why = worker.ended()
            if why is None:
                continue
            workers.remove(worker)
            done += worker.tried.value
            if why == "exit code 1" and not worker.tried.value:
                raise SystemExit(1)  # it has said what is wrong with the plan
            if why:
                number = worker.at.value
                yield Failure(number, "process", "any", f"the process ended: {why}", why)
                done += 1
                workers.append(Worker(plan, number + plan.jobs, out))
    yield from _taken(out)
    yield done


def _taken(out):
    try:
        while True:
            yield out.get(timeout=0.3)
    except Empty:
        return
