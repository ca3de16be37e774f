"""Run a command, and note what it and all processes that it starts have taken.

    python benchmarks/watch.py RESULT COMMAND …

RESULT becomes a line of JSON. Memory is looked at every half second, in the command's own processes
only, which takes some milliseconds each time. Only Linux can tell all this.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Event, Thread

CAESURA = str(Path(sys.executable).with_name("caesura"))
EVERY = 0.5
ADOPT = 36
"""PR_SET_CHILD_SUBREAPER: a process whose parent has ended becomes a child of this one."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Seconds by the clock; CPU seconds and bytes at most, of all processes and of the first."""

    wall: float
    cpu: float
    peak: int
    first_cpu: float
    first_peak: int
    each: list[int] = field(default_factory=list)
    """The bytes at most of each process that was there when memory was looked at."""

    def since(self, start: Watched) -> Watched:
        """What was taken beyond that, but for memory."""
        cpu, first = self.cpu - start.cpu, self.first_cpu - start.first_cpu
        return Watched(self.wall - start.wall, cpu, self.peak, first, self.first_peak)


def watched(command: list[str], output: Path | None = None) -> Watched:
    """Run a command in a small process of its own; `output` gets what it prints."""
    with NamedTemporaryFile("r") as result, (output or Path(os.devnull)).open("wb") as printed:
        watching = [sys.executable, __file__, result.name, *command]
        subprocess.run(watching, check=True, stdout=printed)
        return Watched(**json.load(result))


def keep_bytecode(folder: Path) -> None:
    """Let commands start as those of an installed package do, which is compiled once."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)


@contextmanager
def cluster() -> Iterator[str]:
    """Two workers of Dask, compiled and imported as the processes are."""
    import distributed

    with distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    ) as workers:
        yield workers.scheduler_address


def main() -> None:
    """Run the command."""
    ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    result, *command = sys.argv[1:]
    start = time.perf_counter()
    process = subprocess.Popen(command)
    samples, is_over, each = [0], Event(), dict[int, int]()
    sampler = Thread(target=_sample, args=(process.pid, samples, each, is_over))
    sampler.start()
    _, status, first = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    is_over.set()
    sampler.join()
    _wait_for_all()
    every = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = max(*samples, every.ru_maxrss << 10)
    found = Watched(wall, _cpu(every), peak, _cpu(first), first.ru_maxrss << 10, [*each.values()])
    Path(result).write_text(json.dumps(asdict(found)))
    sys.exit(os.waitstatus_to_exitcode(status) != 0)


def _cpu(used: resource.struct_rusage) -> float:
    return used.ru_utime + used.ru_stime


def _wait_for_all() -> None:
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def _sample(process: int, samples: list[int], each: dict[int, int], is_over: Event) -> None:
    while not is_over.wait(EVERY):
        now = {number: _memory(number) for number in _family(process)}
        samples.append(sum(now.values()))
        for number, memory in now.items():
            each[number] = max(memory, each.get(number, 0))


def _family(process: int) -> Iterator[int]:
    """A process and all that it has started."""
    yield process
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in _read(task).split():
            yield from _family(int(child))


def _memory(process: int) -> int:
    """Its share of memory, in bytes: what two processes share counts half in each."""
    lines = _read(Path(f"/proc/{process}/smaps_rollup")).splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) << 10


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


if __name__ == "__main__":
    main()
