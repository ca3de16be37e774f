"""What all benchmarks share: timing, memory, tables, and pages of the docs that hold figures."""

from __future__ import annotations

import gc
import io
import os
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of the best of some runs, and of the median one."""

    best: float
    median: float
    runs: int


@dataclass
class Clock:
    """Takes the best of up to `runs` runs, stopping early after `patience` seconds.

    Noise only ever adds time, so the best run is the least disturbed; how far the median lies
    above it is kept, to show how quiet the machine was.
    """

    runs: int = 9
    patience: float = 1.0
    spreads: list[float] = field(default_factory=list)

    def time(self, function: Callable[[], object], *, already: Sequence[float] = ()) -> Timing:
        """Time a function once or more, with garbage collection off as in `timeit`.

        `already` are the seconds of runs that count as well.
        """
        taken = list(already)
        enough = self.patience + sum(already)
        with _no_garbage_collection():
            while len(taken) < self.runs and sum(taken) < enough:
                start = time.perf_counter()
                function()
                taken.append(time.perf_counter() - start)
        timing = Timing(min(taken), statistics.median(taken), len(taken))
        if timing.runs > 2:
            self.spreads.append(timing.median / timing.best)
        return timing

    def best(self, function: Callable[[], object]) -> float:
        """Seconds of the best run."""
        return self.time(function).best

    @property
    def noise(self) -> str:
        """How quiet the machine was, in words."""
        if not self.spreads:
            return "noise not measured (too few runs)"
        typical, worst = statistics.median(self.spreads), max(self.spreads)
        return (
            f"noise: the median run took {typical:.2f} times the best one, at worst {worst:.2f}; "
            f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        )


def cpu_seconds(function: Callable[[], object], runs: int = 5, patience: float = 60.0) -> float:
    """CPU seconds of the best of some runs, fewer where they take long.

    Other work on the machine disturbs them less than seconds by the clock.
    """
    taken: list[float] = []
    with _no_garbage_collection():
        while not taken or (len(taken) < runs and sum(taken) < patience):
            start = time.process_time()
            function()
            taken.append(time.process_time() - start)
    return min(taken)


def time_once(function: Callable[[], float]) -> tuple[float, float]:
    """The seconds of one run, and its result."""
    with _no_garbage_collection():
        start = time.perf_counter()
        result = function()
        taken = time.perf_counter() - start
    return taken, result


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def peak_bytes(function: Callable[[], object]) -> int:
    """The most memory a call held at once, beyond what was there before; NumPy's included."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def print_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1, markdown: bool
) -> None:
    """Print a table: the first `left` columns to the left, the others to the right."""
    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    aligned = [_aligned(line, widths, left) for line in lines]
    if markdown:
        rule = [
            "-" * (width - (at >= left)) + ":" * (at >= left) for at, width in enumerate(widths)
        ]
        aligned.insert(1, rule)
    for line in aligned:
        print(f"| {' | '.join(line)} |" if markdown else "  ".join(line).rstrip())


def _aligned(line: Sequence[str], widths: Sequence[int], left: int) -> list[str]:
    sized = enumerate(zip(line, widths, strict=True))
    return [cell.ljust(width) if at < left else cell.rjust(width) for at, (cell, width) in sized]


def milliseconds(seconds: float) -> str:
    """Write milliseconds with three figures."""
    value = seconds * 1e3
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def times(ratio: float) -> str:
    """Write how many times faster."""
    if ratio >= 10:
        return f"{ratio:,.0f}×"
    return f"{ratio:.1f}×" if ratio >= 1 else f"{ratio:.2f}×"


def words(number: int) -> str:
    """Write a round number of words shortly: 10k, 1M."""
    for unit, name in ((10**6, "M"), (10**3, "k")):
        if number >= unit and number % unit == 0:
            return f"{number // unit}{name}"
    return str(number)


class Tee(io.StringIO):
    """Keeps what is printed, and prints it."""

    def write(self, text: str) -> int:
        """Do both."""
        sys.__stdout__.write(text)  # type: ignore[union-attr]
        return super().write(text)


def require_place(page: Path, begin: str, end: str) -> None:
    """Stop where a page has no place for figures."""
    if not page.is_file() or begin not in page.read_text() or end not in page.read_text():
        sys.exit(f"error: {page}: no place for figures; write {begin} and {end}")


def put(page: Path, figures: str, begin: str, end: str) -> None:
    """Put figures into a page, in the place of those that are there."""
    before, _, rest = page.read_text().partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n\n{figures.strip()}\n\n{end}{after}")
