"""The hunt: case after case, each made from the seed and its number alone."""

import os
import random
import shutil
import signal
import sys
import traceback
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import caesura
from caesura.errors import CaesuraError
from fuzz.kinds import kinds
from fuzz.mutations import compressed, mutated
from fuzz.targets import BrokenPromiseError, often, target_of

SECONDS = 5.0
MEMORY = 1 << 30
NO_MEMORY = "does not fit in memory"
"""What caesura says where memory is lacking, which none of these small files should need."""
PACKED, UNPACKED = 0.04, ("journal", "model")
"""How often a file is compressed, and which never are."""
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
    """Cases of some kinds of files, in a folder that becomes the current one."""

    def __init__(self, seed, folder, names=()):
        os.chdir(folder)
        self.seed, self.kinds = seed, kinds(Path(folder))
        for name in names:
            if name not in self.kinds:
                raise SystemExit(f"no kind '{name}'; known: {', '.join(self.kinds)}")
        self.names = names or [name for name, kind in self.kinds.items() if kind.seeds]
        self.names = [name for name in self.names for _ in range(often(name))]
        for name, kind in self.kinds.items():
            if kind.seeds:
                Path(f"seed-{name}{kind.suffix}").write_bytes(kind.seeds[0])

    def made(self, number):
        """A case: the kind of its file, the suffix, the data, and what goes on with chance."""
        rng = random.Random(f"{self.seed}:{number}")
        name = rng.choice(self.names)
        kind = self.kinds[name]
        data = mutated(rng.choice(kind.seeds), kind.shape, rng, rng.choice(kind.seeds))
        suffix = kind.suffix
        if name not in UNPACKED and rng.random() < PACKED:
            packed = rng.choice((".gz", ".xz"))
            data, suffix = compressed(data, packed), suffix + packed
            data = mutated(data, "bytes", rng) if rng.random() < 0.5 else data
        return name, suffix, data, rng

    def tried(self, number):
        """What failed of a case, if anything did."""
        name, suffix, data, rng = self.made(number)
        return self.used(number, f"{name}{suffix}", data, rng, target_of(name, rng))

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
    """Raise an error in what takes too long, where the system can."""
    if sys.platform == "win32":
        yield
        return
    signal.signal(signal.SIGALRM, _too_slow)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


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
