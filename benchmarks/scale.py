"""Scale: one process, two, and two workers of Dask, on the same documents; growth; memory.

    python benchmarks/scale.py [--quick] [--markdown] [--only SECTION …] [--most MB]

Documents are made up, from a fixed seed, in a temporary folder that is removed. Before anything is
timed, the rows of all engines are compared byte for byte; a difference stops the benchmark. All
ratios are of times taken in one run, one after the other.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from caesura.engine import engine
from caesura.evaluate import Task
from caesura.sources import Case
from caesura.tasks.text import TextTask
from caesura.tasks.transcript import Transcript
from common import print_table

CAESURA = str(Path(sys.executable).with_name("caesura"))
WORDS = 20_000
SENTENCES = 100_000
MB = 10**6
# Samples the memory of a command and of all processes that it starts, every tenth of a second.
PEAK = """
import subprocess, sys, time
from pathlib import Path
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, start_new_session=True)
peak = 0
while process.poll() is None:
    total = 0
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if place.joinpath("stat").read_text().rsplit(") ", 1)[1].split()[3] == str(process.pid):
                lines = place.joinpath("smaps_rollup").read_text().splitlines()
                total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        except (OSError, IndexError):
            continue
    peak = max(peak, total)
    time.sleep(0.1)
print(peak)
sys.exit(process.returncode)
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to run, and how often."""

    documents: int
    each: int
    growth: tuple[float, ...]
    runs: int
    markdown: bool


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder to work in, and what is run there."""

    folder: Path
    plan: Plan

    def table(self, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
        print_table(header, rows, markdown=self.plan.markdown)

    def corpus(self) -> Path:
        """Many documents as two systems and two references have them."""
        place = self.folder / "corpus"
        if not place.exists():
            rng = np.random.default_rng(1)
            vocabulary = _vocabulary(rng)
            for number in range(self.plan.documents):
                words = _words(rng, vocabulary, self.plan.each)
                for who in ("s1", "s2", "r1", "r2"):
                    path = place / who / f"d{number}.txt"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(_parted(rng, words))
        return place

    def pair(self, megabytes: float) -> Path:
        """One pair of texts, of so many megabytes each, with one word in 2,000 changed."""
        place = self.folder / f"pair{megabytes:g}"
        if not place.exists():
            place.mkdir()
            rng = np.random.default_rng(2)
            vocabulary = _vocabulary(rng)
            size = 0
            with (place / "gold.txt").open("w") as gold, (place / "system.txt").open("w") as other:
                while size < megabytes * MB:
                    words = _words(rng, vocabulary, SENTENCES)
                    size += gold.write(_parted(rng, words))
                    for at in rng.integers(len(words), size=len(words) // 2000).tolist():
                        words[at] = words[at][::-1] + "x"
                    other.write(_parted(rng, words))
        return place


def _vocabulary(rng: np.random.Generator) -> list[str]:
    letters = rng.integers(ord("a"), ord("z") + 1, size=(WORDS, 9)).astype(np.uint8)
    sizes = rng.integers(1, 9, size=WORDS).tolist()
    return [bytes(row[:size]).decode() for row, size in zip(letters, sizes, strict=True)]


def _words(rng: np.random.Generator, vocabulary: list[str], number: int) -> list[str]:
    return [vocabulary[at] for at in np.minimum(rng.zipf(1.3, number), WORDS - 1).tolist()]


def _parted(rng: np.random.Generator, words: list[str]) -> str:
    ends = rng.random(len(words)) < 0.06
    return "".join(
        f"{word}\n" if end else f"{word} " for word, end in zip(words, ends, strict=True)
    )


def _commands(corpus: Path) -> dict[str, list[str]]:
    s1, s2, r1, r2 = (str(corpus / who) for who in ("s1", "s2", "r1", "r2"))
    return {
        "transcript": ["transcript", f"S1={s1}", f"S2={s2}", "--ref", r1, "--ref", r2],
        "text": ["text", f"S1={s1}", f"S2={s2}", "--gold", r1],
    }


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*.txt")) / MB


def _run(*arguments: str) -> None:
    subprocess.run([CAESURA, *arguments], check=True, stdout=subprocess.DEVNULL)


def _best(function: Callable[[], object], runs: int) -> float:
    def once() -> float:
        start = time.perf_counter()
        function()
        return time.perf_counter() - start

    return min(once() for _ in range(runs))


ENGINES = {
    "one process": ["--engine", "serial"],
    "two processes": ["--engine", "processes", "-j", "2"],
    "by itself": ["-j", "2"],
}


def compare_engines(bench: Bench) -> None:
    """One process, two, what is chosen by itself, and two workers of a cluster that runs."""
    import distributed

    corpus = bench.corpus()
    print(f"{bench.plan.documents} documents, {_size(corpus):.0f} MB; commands with start-up.\n")
    rows = []
    with distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    ) as cluster:
        dask = {"two workers of Dask": ["--engine", f"dask={cluster.scheduler_address}"]}
        for task, command in _commands(corpus).items():
            rows += list(_engines(bench, task, command, ENGINES | dask))
    bench.table(("task", "engine", "s", "MB/s", "× one process"), rows)


def _engines(
    bench: Bench, task: str, command: list[str], engines: dict[str, list[str]]
) -> Iterator[tuple[str, ...]]:
    saved = {}
    for name, options in engines.items():
        path = bench.folder / "rows.jsonl"
        _run(*command, *options, "--rows", str(path))
        saved[name] = path.read_bytes()
    if len(set(saved.values())) != 1:
        sys.exit(f"{task}: the rows differ")
    times = {
        name: _best(lambda: _run(*command, *options), bench.plan.runs)  # noqa: B023
        for name, options in engines.items()
    }
    size, first = _size(bench.corpus()), times["one process"]
    for name, seconds in times.items():
        yield task, name, f"{seconds:.2f}", f"{size / seconds:.1f}", f"{first / seconds:.2f}"


@dataclass(frozen=True, slots=True)
class Timed:
    """Counts a case, and tells which process spent how much CPU time on it."""

    task: Task

    def __call__(self, case: Case) -> tuple[int, float]:
        start = time.process_time()
        self.task.count(case)
        return os.getpid(), time.process_time() - start


def share_cpu(bench: Bench) -> None:
    """CPU time with one process and with two: what other programs do does not disturb it."""
    corpus = bench.corpus()
    names = [f"d{number}" for number in range(bench.plan.documents)]
    rows: list[tuple[str, ...]] = []
    tasks = (("transcript", Transcript(), ("r1", "r2")), ("text", TextTask(), ("r1",)))
    for name, task, references in tasks:
        cases = [
            Case(each, *(_paths(corpus, who, each) for who in (("s1", "s2"), references)))
            for each in names
        ]
        alone, _, _ = _cpu(cases, task, "serial")
        every, most, first = _cpu(cases, task, "processes")
        cells = (f"{seconds:.2f}" for seconds in (alone, every, most, first))
        rows.append((name, *cells, f"{alone / (most + first):.2f}"))
    header = ("task", "one process", "two", "the busier", "the first", "× on idle cores")
    print("CPU seconds; the first process only sends and gathers.\n")
    bench.table(header, rows)


def _cpu(cases: list[Case], task: Task, how: str) -> tuple[float, float, float]:
    """CPU seconds of all who count, of the busiest of them, and of this process beside that."""
    start = time.process_time()
    spent: dict[int, float] = {}
    for process, seconds in engine(how, 2)(Timed(task), cases):
        spent[process] = spent.get(process, 0) + seconds
    own = time.process_time() - start - spent.get(os.getpid(), 0)
    return sum(spent.values()), max(spent.values()), own


def _paths(corpus: Path, who: tuple[str, ...], name: str) -> dict[str, str]:
    return {each: str(corpus / each / f"{name}.txt") for each in who}


def time_small(bench: Bench) -> None:
    """What little there is to do must not take longer with -j."""
    corpus = bench.corpus()
    rows: list[tuple[str, ...]] = []
    for task, command in _commands(corpus).items():
        few = [each.replace(str(corpus), str(_few(corpus))) for each in command]
        one = _best(lambda: _run(*few, "--engine", "serial"), bench.plan.runs + 2)  # noqa: B023
        two = _best(lambda: _run(*few, "-j", "2"), bench.plan.runs + 2)  # noqa: B023
        rows.append((task, f"{one:.2f}", f"{two:.2f}", f"{two / one:.2f}"))
    print("Four documents; commands with start-up.\n")
    bench.table(("task", "one process, s", "-j 2, s", "ratio"), rows)


def _few(corpus: Path) -> Path:
    few = corpus.with_name("few")
    if not few.exists():
        for who in corpus.iterdir():
            (few / who.name).mkdir(parents=True)
            for number in range(4):
                (few / who.name / f"d{number}.txt").symlink_to(who / f"d{number}.txt")
    return few


def time_growth(bench: Bench) -> None:
    """One pair of texts that grows: time, and the memory of all processes together."""
    rows: list[tuple[str, ...]] = []
    points = []
    for megabytes in bench.plan.growth:
        pair = bench.pair(megabytes)
        command = ["text", str(pair / "system.txt"), "--gold", str(pair / "gold.txt")]
        size = _size(pair)
        seconds = _best(lambda: _run(*command, "--engine", "serial"), 1)  # noqa: B023
        two = _best(lambda: _run(*command, "-j", "2"), 1)  # noqa: B023
        peak = [_peak(*command, *how) for how in (["--engine", "serial"], ["-j", "2"])]
        points.append((size, seconds))
        cells = f"{size:.0f}", f"{seconds:.1f}", f"{size / seconds:.1f}", f"{two:.1f}"
        rows.append((*cells, f"{peak[0]:.0f}", f"{peak[1]:.0f}"))
        for path in pair.iterdir():
            path.unlink()
    print("One pair of texts, one word in 2,000 changed; MB are of both files.\n")
    header = ("MB", "one process, s", "MB/s", "-j 2, s", "peak MB", "peak MB, -j 2")
    bench.table(header, rows)
    (small, first), (large, last) = points[0], points[-1]
    if large > 10 * small:
        slope = math.log(last / first) / math.log(large / small)
        print(f"\ntime grows as size to the power of {slope:.2f}, start-up included")


def _peak(*arguments: str) -> float:
    found = subprocess.run(
        [sys.executable, "-c", PEAK, CAESURA, *arguments],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return int(found.stdout) * 1024 / MB


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "engines": compare_engines,
    "cpu": share_cpu,
    "small": time_small,
    "growth": time_growth,
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, some seconds")
    parser.add_argument("--markdown", action="store_true", help="print tables for the docs")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help="run these sections only")
    parser.add_argument("--most", type=float, default=1000, help="the largest text, in MB")
    return parser.parse_args()


def main() -> None:
    """Run the sections that were asked for."""
    given = _arguments()
    growth = (1, 10, 100, 500, 1000, 2500, 5000)
    plan = Plan(200, 20_000, tuple(s for s in growth if s <= given.most), 2, given.markdown)
    if given.quick:
        plan = Plan(60, 20_000, (1, 4), 1, given.markdown)
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}, {os.cpu_count()} cores\n")
    with TemporaryDirectory() as folder:
        for name in given.only or SECTIONS:
            SECTIONS[name](Bench(Path(folder), plan))
            print()
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"load average {os.getloadavg()[0]:.1f}; CPU {spent.ru_utime + spent.ru_stime:.0f} s")


if __name__ == "__main__":
    main()
