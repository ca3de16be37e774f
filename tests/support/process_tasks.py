"""Tasks for other processes, which import them from here."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

from caesura.core.row import Row, SourceCounts
from caesura.errors import FormatError


@dataclass(frozen=True)
class Lengths:
    """A task that counts bytes, and dies the first times it meets a file named `fatal`."""

    deaths: str = ""

    def count(self, case):
        path = Path(case.systems["s"])
        if path.stem == "fatal":
            tally = Path(self.deaths)
            left = int(tally.read_text())
            tally.write_text(str(left - 1))
            if left > 0:
                os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        if path.stem == "bad":
            raise FormatError(str(path), "bad", "fix it", line=3)
        size = path.stat().st_size
        return [Row("s", case.document, "source", None, SourceCounts(1, size, 1, ("bytes",)))]


@dataclass(frozen=True)
class Threads:
    """A task that counts the threads that a worker may calculate with."""

    def count(self, case):
        number = int(os.environ["OPENBLAS_NUM_THREADS"])
        return [Row("s", case.document, "source", None, SourceCounts(1, number, 1, ("n",)))]


@dataclass(frozen=True)
class Together(Lengths):
    """Counts many at once, unless one is odd."""

    is_counted_together = True

    def count_many(self, cases):
        if any(case.document == "odd" for case in cases):
            return None
        return [row for case in cases for row in self.count(case)]
