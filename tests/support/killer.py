"""Processes killed at random moments, and disks that fill up: what is resumed afterwards must be,
byte for byte, what an undisturbed run gives.

    PYTHONPATH=tests python -m support.killer --kills 500 --seed 1 --engines serial,processes,dask
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from caesura.io.files import read_bytes
from support.fault_corpus import COMMAND, ROWS, SCORE, is_finished, make_corpus

VICTIMS = {
    "serial": ("main", "disk", "torn"),
    "processes": ("main", "worker", "forkserver", "disk", "torn"),
    "dask": ("main", "worker", "scheduler"),
}
KILLED = ("main", "torn", "worker", "forkserver", "scheduler")
"""Who is killed; after that of the first process, rows may be torn anywhere, too."""
SUFFIXES = ("", ".gz", ".zst")
TABLE = Path("made.txt")
SLOWLY = "#!/bin/sh\nsleep 0.01\ncat\n"
LIMIT = 120
"""The seconds after which a command hangs."""
CHAIN = 8
"""The most faults before a command is left alone."""


class FaultError(Exception):
    """Something was lost, or was said in more than a line."""


@dataclass
class Cluster:
    """A Dask scheduler and two workers, each a process."""

    folder: Path
    processes: dict[str, subprocess.Popen] = field(default_factory=dict)

    @property
    def address(self):
        return self.folder / "scheduler.json"

    def start(self):
        """Start what is not there."""
        if self.is_gone("scheduler"):
            self.close()
            self.address.unlink(missing_ok=True)
            self._run("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
            until(self.address.exists)
        for name in ("worker0", "worker1"):
            if self.is_gone(name):
                self._run(name, "--no-nanny", "--nthreads", "1", "--no-dashboard")

    def is_gone(self, name):
        return name not in self.processes or self.processes[name].poll() is not None

    def _run(self, name, *options):
        module = f"distributed.cli.dask_{name.rstrip('01')}"
        command = [sys.executable, "-m", module, "--scheduler-file", str(self.address), *options]
        self.processes[name] = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self, name):
        self.processes[name].kill()
        self.processes[name].wait()

    def close(self):
        for name in list(self.processes):
            self.kill(name)
        self.processes.clear()


@dataclass
class Killer:
    """Runs one command again and again, with a fault each time, and compares what comes of it."""

    folder: Path
    seed: int
    engines: tuple[str, ...] = tuple(VICTIMS)
    done: Counter = field(default_factory=Counter)
    plain_or_packed: Counter = field(default_factory=Counter)
    cluster: Cluster | None = None

    def __post_init__(self):
        self.chance = random.Random(self.seed)
        os.chdir(make_corpus(self.folder, documents=40))
        Path("slow.sh").write_text(SLOWLY)
        self.rows = ROWS
        self.run("serial")
        self.expected = ROWS.read_bytes(), TABLE.read_bytes()
        self.clear()

    @property
    def kills(self):
        return sum(count for (_, victim), count in self.done.items() if victim in KILLED)

    def chain(self):
        """A few faults, one after the other, then a run that is left alone."""
        self.rows = Path(f"{ROWS}{self.chance.choice(SUFFIXES)}")
        for _ in range(self.chance.randint(1, CHAIN)):
            engine = self.chance.choice(self.engines)
            self.disturb(engine, self.chance.choice(VICTIMS[engine]))
            if TABLE.exists() and is_finished(self.rows):
                break
        self.require_equal()

    def require_equal(self):
        """Resume, left alone: all that is written has to be what it is without any fault."""
        self.run(self.chance.choice(("serial", "processes")))
        if (read_bytes(str(self.rows)), TABLE.read_bytes()) != self.expected:
            raise FaultError(f"other rows, after {dict(self.done)}")
        self.clear()

    def disturb(self, engine, victim):
        """One run with one fault; rows that are there have to be whole."""
        where = engine
        if engine == "dask":
            self.cluster = self.cluster or Cluster(self.folder)
            self.cluster.start()
            where = f"dask={self.cluster.address}"
        process = self.started(where)
        self.wait(process)
        is_hit = self.hit(process, victim)
        self.ended(process, engine, victim)
        if victim == "torn" and self.rows.exists():
            os.truncate(self.rows, self.chance.randint(0, self.rows.stat().st_size))
        self.done[engine, victim] += is_hit
        self.plain_or_packed[self.rows.suffix] += is_hit and victim in KILLED
        if is_finished(self.rows) and read_bytes(str(self.rows)) != self.expected[0]:
            raise FaultError(f"{engine}, {victim}: rows that are not whole")

    def started(self, engine):
        slow = ("--run", "slow=cmd:sh slow.sh", "--engine", engine, "-j", "2", "--resume")
        command = [*COMMAND, *SCORE, "--rows", str(self.rows), *slow, "-o", str(TABLE)]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    def run(self, engine):
        """A run that is left alone."""
        process = self.started(engine)
        errors = process.communicate(timeout=LIMIT)[1]
        if process.returncode:
            raise FaultError(f"undisturbed, and yet: {errors}")

    def wait(self, process):
        """Wait for a moment of the run, from its first to its last."""
        moment = self.chance.uniform(-0.1, 1.1)
        if moment < 0:
            time.sleep(self.chance.uniform(0, 1))
            return
        size = min(moment, 1) * len(self.expected[0]) / (8 if self.rows.suffix != ".jsonl" else 1)
        until(lambda: process.poll() is not None or _size(self.rows) > size or TABLE.exists())
        time.sleep(self.chance.uniform(0, 0.2))

    def hit(self, process, victim):
        """Do what is to be done to a process; whether there was anything to do it to."""
        if victim in ("main", "torn"):
            process.kill()
        elif victim == "disk":
            return _fill(process.pid, _size(self.rows) + self.chance.randint(0, 999))
        elif self.cluster is not None and victim == "scheduler":
            self.cluster.kill(victim)
        elif self.cluster is not None and f"dask={self.cluster.address}" in process.args:
            self.cluster.kill(f"worker{self.chance.randint(0, 1)}")
        else:
            return self._kill_one(process.pid, victim)
        return True

    def _kill_one(self, pid, victim):
        found = [each for each in _children(pid) if "forkserver" in _command(each)]
        if victim == "worker":
            found = [worker for each in found for worker in _children(each)]
        if not found:
            return False
        with suppress(ProcessLookupError):
            os.kill(self.chance.choice(found), signal.SIGKILL)
        return True

    def ended(self, process, engine, victim):
        """Wait for the end of a run: killed, done, or an error in one line."""
        try:
            errors = process.communicate(timeout=LIMIT)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            raise FaultError(f"{engine}, {victim}: it hangs") from None
        if process.returncode == -signal.SIGKILL and victim in ("main", "torn"):
            return
        bad = [line for line in errors.splitlines() if not line.startswith("warning: ")]
        is_one = len(bad) == 1 and bad[0].startswith("error: ") and "; " in bad[0]
        if process.returncode == 1 and is_one:
            return
        if bad or process.returncode:
            raise FaultError(f"{engine}, {victim}, {process.returncode}: {errors}")

    def clear(self):
        for path in (self.rows, TABLE, *Path().glob(".caesura-*")):
            path.unlink(missing_ok=True)

    def close(self):
        if self.cluster is not None:
            self.cluster.close()


def until(seen, limit=LIMIT):
    """Wait for something to be so."""
    deadline = time.monotonic() + limit
    while not seen():
        if time.monotonic() > deadline:
            raise FaultError("nothing happens")
        time.sleep(0.002)


def _size(path):
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _fill(pid, size):
    """Let no file of a process become larger than this."""
    import resource

    try:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, size))
    except ProcessLookupError:
        return False
    return True


def _children(pid):
    try:
        return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    except OSError:
        return []


def _command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--kills", type=int, default=20, help="how many processes to kill")
    parser.add_argument("--minutes", type=float, default=1e9, help="the most time to take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engines", default="serial,processes,dask")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="caesura-")))
        stack.callback(os.chdir, Path.cwd())
        killer = Killer(folder, asked.seed, tuple(asked.engines.split(",")))
        stack.callback(killer.close)
        start, chains = time.monotonic(), 0
        deadline = start + 60 * asked.minutes
        while killer.kills < asked.kills and time.monotonic() < deadline:
            killer.chain()
            chains += 1
            print(f"\r{killer.kills} of {asked.kills} kills", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        for (engine, victim), count in sorted(killer.done.items()):
            print(f"{engine:10} {victim:10} {count:4}")
        for suffix, count in sorted(killer.plain_or_packed.items()):
            print(f"{suffix:21} {count:4}")
        spent = time.monotonic() - start
        print(f"{killer.kills} kills, then {chains} resumed runs: all rows equal ({spent:.0f} s)")


if __name__ == "__main__":
    main()
