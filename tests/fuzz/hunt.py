"""The hunt: case after case, each made from the seed and its number alone."""

import os
import random
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import caesura
from caesura.errors import CaesuraError
from fuzz.kinds import kinds
from fuzz.lines import FILES, Line, drawn, place_of
from fuzz.mutations import compressed, mutated
from fuzz.outcome import TEMPORARY, BrokenPromiseError
from fuzz.pool import Pool, usual
from fuzz.targets import often, target_of

SECONDS = 5.0
MEMORY = 1 << 30
NO_MEMORY = "does not fit in memory"
"""What caesura says where memory is lacking, which none of these small files should need."""
PACKED, UNPACKED = 0.04, ("unfinished", "model")
"""How often a file is compressed, and which never are."""
LINES, MUTATED = 0.5, 0.15
"""How often a case is a command line, and how often its file is mutated."""
HERE = str(Path(caesura.__file__).parent)


class TooSlowError(BaseException):
    """A case that takes too long; not an exception that what decodes a file would catch."""


@dataclass(frozen=True)
class Failure:
    """A case that failed: what was done with what, and what came of it."""

    number: int
    file: str
    target: str
    problem: str
    place: str
    trace: str = ""
    data: bytes = b""

    def __str__(self):
        return f"case {self.number}: {self.file}, {self.target}: {self.problem} ({self.place})"


class Hunt:
    """Cases of some kinds of files and some commands, in a folder that becomes the current one."""

    def __init__(self, seed, folder, names=(), commands=()):
        os.chdir(folder)
        Path(TEMPORARY).mkdir(exist_ok=True)
        tempfile.tempdir = str(Path(folder, TEMPORARY))
        self.seed, self.kinds = seed, kinds(Path(folder))
        for what, given, known in (("kind", names, self.kinds), ("command", commands, FILES)):
            for name in {*given} - {*known}:
                raise SystemExit(f"no {what} '{name}'; known: {', '.join(known)}")
        self.commands, self.lines = commands or tuple(FILES), 1.0 if commands else LINES
        self.names = names or [name for name, kind in self.kinds.items() if kind.seeds]
        self.weighted = [name for name in self.names for _ in range(often(name))]
        for name, kind in self.kinds.items():
            if kind.seeds:
                Path(f"seed-{name}{kind.suffix}").write_bytes(kind.seeds[0])
        self.pool = Pool(self.kinds)

    def made(self, number):
        """A case: its file, the data, what is done with it, and what goes on with chance."""
        rng = random.Random(f"{self.seed}:{number}")
        if rng.random() < self.lines:
            return self._line(number, rng)
        name = rng.choice(self.weighted)
        target = target_of(name, rng)
        kind = self.kinds[name]
        data = mutated(rng.choice(kind.seeds), kind.shape, rng, rng.choice(kind.seeds))
        suffix = kind.suffix
        if name not in UNPACKED and rng.random() < PACKED:
            packed = rng.choice((".gz", ".xz"))
            data, suffix = compressed(data, packed), suffix + packed
            data = mutated(data, "bytes", rng) if rng.random() < 0.5 else data
        return f"{name}{suffix}", data, target, rng

    def _line(self, number, rng):
        """A case that is a command line, with a file that most often is valid."""
        place = place_of(rng, self.commands, self.names)
        kind = self.kinds[place[-1]]
        data = usual(kind.seeds, rng)
        if rng.random() < MUTATED:
            data = mutated(data, kind.shape, rng, rng.choice(kind.seeds))
        path = f"case-{number}/x{kind.suffix}"
        return f"{place[-1]}{kind.suffix}", data, drawn(rng, place, path, self.pool), rng

    def tried(self, number):
        """What failed of a case, if anything did; a command line with no option to spare."""
        file, data, target, rng = self.made(number)
        failure = self.used(number, file, data, rng, target)
        if failure and isinstance(target, Line):
            if TooSlowError.__name__ not in failure.problem:
                failure = self._least(failure, file, rng, target)
            self.pool.put()
        return failure

    def _least(self, failure, file, rng, line):
        """The failure of a command line, with no option that it does not need."""
        for each in line.shorter():
            found = self.used(failure.number, file, failure.data, rng, each)
            if found and found.place == failure.place:
                return self._least(found, file, rng, each)
        return failure

    def used(self, number, file, data, rng, target):
        """What failed when something was done with a file, which is called KIND.SUFFIX."""
        folder = Path(f"case-{number}")
        folder.mkdir()
        name = next(each for each in sorted(self.kinds, key=len)[::-1] if file.startswith(each))
        path = folder / f"x{file.removeprefix(name)}"
        path.write_bytes(data)
        try:
            with _guarded(), warnings.catch_warnings(action="error"):
                target(str(path), rng, name)
        except (Exception, TooSlowError) as problem:
            if isinstance(problem, CaesuraError) and NO_MEMORY not in str(problem):
                return None
            said = f"{type(problem).__name__}: {problem}"[:200]
            trace = "".join(traceback.format_exception(problem, limit=-30))
            return Failure(number, file, target.__name__, said, _place(problem), trace, data)
        finally:
            shutil.rmtree(folder)
        return None


@contextmanager
def _guarded():
    """Raise an error in what takes long, where the system can; only its own time counts."""
    if sys.platform == "win32":
        yield
        return
    signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _too_slow(_signal, _frame):
    raise TooSlowError(f"more than {SECONDS:g} seconds")


def _place(problem):
    """The innermost line of caesura's that was at work; or the promise that is broken."""
    if isinstance(problem, BrokenPromiseError):
        return str(problem).partition(":")[0]
    frames = traceback.extract_tb(problem.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(HERE)] or frames
    frame = ours[-1]
    return f"{frame.filename.removeprefix(HERE + '/')}:{frame.lineno}"


def limit_memory(room=MEMORY):
    """Let this process take no more than some bytes beyond what it has, where the system can."""
    try:
        import resource
    except ImportError:
        return
    pages = Path("/proc/self/statm")
    if pages.exists():
        taken = int(pages.read_text().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (taken + room, hard))
