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
from contextlib import chdir, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from caesura.io.files import read_bytes
from support.fault_corpus import COMMAND, ROWS, SCORE, is_finished, make_corpus
from support.waiting import until

VICTIMS = {
    "serial": ("main", "disk", "torn"),
    "processes": ("main", "worker", "forkserver", "disk", "torn"),
    "dask": ("main", "worker", "scheduler"),
}
"""Who is killed; after that of the first process, rows may be torn anywhere, too."""
SUFFIXES = ("", ".gz", ".zst")
TABLE = Path("made.txt")
LIMIT = 120
"""The seconds after which a command hangs."""
CHAIN = 8
"""The most faults before a command is left alone."""


class FaultError(Exception):
    """Something was lost, or was said in more than a line."""


@dataclass
class Cluster:
    """A Dask scheduler and two workers, each a process."""

    address: Path
    processes: dict[str, subprocess.Popen] = field(default_factory=dict)

    def start(self):
        """Start what is not there."""
        if self.is_gone("scheduler"):
            self.close()
            self.address.unlink(missing_ok=True)
            self._run("scheduler", "--host", "127.0.0.1", "--port", "0")
            wait_for(self.address.exists)
        for name in ("worker0", "worker1"):
            if self.is_gone(name):
                self._run(name, "--no-nanny", "--nthreads", "1")

    def is_gone(self, name):
        return name not in self.processes or self.processes[name].poll() is not None

    def _run(self, name, *options):
        module = f"distributed.cli.dask_{name.rstrip('01')}"
        command = [sys.executable, "-m", module, "--scheduler-file", self.address, "--no-dashboard"]
        self.processes[name] = subprocess.Popen(
            [*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self, name):
        self.processes[name].kill()
        self.processes[name].wait()

    def close(self):
        for name in self.processes:
            self.kill(name)
        self.processes.clear()


class Killer:
    """Runs one command again and again, with a fault each time, and compares what comes of it."""

    def __init__(self, folder, seed, engines=tuple(VICTIMS)):
        self.engines, self.chance, self.done = engines, random.Random(seed), Counter()
        os.chdir(make_corpus(folder, documents=40))
        Path("slow.sh").write_text("#!/bin/sh\nsleep 0.01\ncat\n")
        self.cluster, self.rows = Cluster(folder / "scheduler.json"), ROWS
        self.run("serial")
        self.expected = ROWS.read_bytes(), TABLE.read_bytes()
        self.clear()

    @property
    def kills(self):
        return sum(count for (_, victim), count in self.done.items() if victim != "disk")

    def kill(self):
        """A few faults, one after the other, then a run that is left alone."""
        self.rows = Path(f"{ROWS}{self.chance.choice(SUFFIXES)}")
        for _ in range(self.chance.randint(1, CHAIN)):
            engine = self.chance.choice(self.engines)
            self.disturb(engine, self.chance.choice(VICTIMS[engine]))
            if TABLE.exists() and is_finished(self.rows):
                break
        self.require_equal()

    def finish(self):
        counts = ", ".join(f"{engine} {who} {n}" for (engine, who), n in sorted(self.done.items()))
        return f"all rows equal ({counts})"

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
            self.cluster.start()
            where = f"dask={self.cluster.address}"
        process = self.started(where)
        self.wait(process)
        self.done[engine, victim] += self.hit(process, engine, victim)
        self.ended(process, engine, victim)
        if victim == "torn" and self.rows.exists():
            os.truncate(self.rows, self.chance.randint(0, self.rows.stat().st_size))
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
        wait_for(lambda: process.poll() is not None or _size(self.rows) > size or TABLE.exists())
        time.sleep(self.chance.uniform(0, 0.2))

    def hit(self, process, engine, victim):
        """Do what is to be done to a process; whether there was anything to do it to."""
        if victim in ("main", "torn"):
            process.kill()
            return True
        if engine == "dask":
            self.cluster.kill(victim if victim == "scheduler" else self.chance.choice(WORKERS))
            return True
        if victim == "disk":
            return _fill(process.pid, _size(self.rows) + self.chance.randint(0, 999))
        found = [each for each in _children(process.pid) if "forkserver" in _command(each)]
        if victim == "worker":
            found = [worker for each in found for worker in _children(each)]
        if found:
            with suppress(ProcessLookupError):
                os.kill(self.chance.choice(found), signal.SIGKILL)
        return bool(found)

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
        self.cluster.close()


WORKERS = ("worker0", "worker1")


def wait_for(seen):
    """Wait for something that has to happen."""
    if not until(seen, LIMIT, pause=0.002):
        raise FaultError("nothing happens")


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


def hunt(make, description, **options):
    """Kill as often as the command line asks for: `make` gives a killer for a folder and a seed."""
    parser = argparse.ArgumentParser(description=description.partition("\n\n")[0])
    parser.add_argument("--kills", type=int, default=20, help="how many processes to kill")
    parser.add_argument("--minutes", type=float, default=1e9, help="the most time to take")
    parser.add_argument("--seed", type=int, default=1)
    for name, default in options.items():
        parser.add_argument(f"--{name}", default=default)
    asked = parser.parse_args()
    more = [getattr(asked, name) for name in options]
    with TemporaryDirectory(prefix="caesura-") as folder, chdir(folder):
        with closing(make(Path(folder), asked.seed, *more)) as killer:
            start = time.monotonic()
            while killer.kills < asked.kills and time.monotonic() < start + 60 * asked.minutes:
                killer.kill()
                print(f"\r{killer.kills} of {asked.kills} kills", end="", file=sys.stderr)
            told, spent = killer.finish(), time.monotonic() - start
        print(f"\n{killer.kills} kills in {spent:.0f} s: {told}")


def _of_rows(folder, seed, engines):
    return Killer(folder, seed, tuple(engines.split(",")))


if __name__ == "__main__":
    hunt(_of_rows, __doc__, engines=",".join(VICTIMS))
