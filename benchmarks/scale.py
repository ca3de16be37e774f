"""Scale: beside other programs; one process, two, and two workers of Dask; growth; memory.

    python benchmarks/scale.py [--quick] [--only SECTION …] [--most MB] [--folder PATH]
                               [--markdown] [--into docs/scale.md]

Documents are made up from a fixed seed (see `made_text.py`), in a temporary folder that is removed.
What the engines print, with the counts of every document, is compared byte for byte; a difference
stops the benchmark. All ratios are of times taken in one run, one after the other. Commands are
timed with their start-up, and memory is sampled in the very runs that are timed (see `watch.py`).
With `--into`, what is printed takes the place of the figures in a page of the docs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import terms
from common import Clock, Tee, print_table, put, require_place
from made_text import Block, Words
from scale_peers import HEADER, beside_terms, beside_text, beside_transcript
from watch import CAESURA, Watched, cluster, keep_bytecode, watched

MB = 10**6
WHO = ("s1", "s2", "r1", "r2")
CHANGED = 2000
Point = tuple[float, Watched]
BEGIN, END = "<!-- figures -->", "<!-- end of the figures -->"
ONE, TWO = ["--engine", "serial"], ["-j", "2"]
TERABYTE, WORKERS, LARGE, DISK = 1e12, 100, 10 * MB, 5e9


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to run, and how often."""

    documents: int
    each: float
    systems: int
    growth: tuple[float, ...]
    many: int
    words: int
    budget: float
    runs: int
    quick: bool = False


FULL = Plan(800, 0.75 * MB, 32, (1, 10, 100, 500, 1000), 2000, 10**6, 5, 2)
QUICK = Plan(20, 0.05 * MB, 2, (1, 4), 100, 10**4, 0.1, 1, quick=True)


@dataclass(frozen=True)
class Bench:
    """A folder to work in, what is run there, and what was found."""

    folder: Path
    plan: Plan
    markdown: bool
    clock: Clock
    alone: dict[str, Watched] = field(default_factory=dict)

    def table(self, header: tuple[str, ...], rows: list[tuple[str, ...]], left: int = 1) -> None:
        print_table(header, rows, left=left, markdown=self.markdown)

    @cached_property
    def block(self) -> Block:
        """Some versions of one text."""
        words = Words.of(10**6 if self.plan.quick else 6 * 10**6, np.random.default_rng(1))
        return Block([words.version() for _ in WHO], words.rng)

    @cached_property
    def pair(self) -> Block:
        """Two versions of one text, one word in 2,000 changed in the first."""
        words = Words.of(10**6 if self.plan.quick else 8 * 10**6, np.random.default_rng(2))
        return Block([words.version(changed=CHANGED), words.version()], words.rng)

    @cached_property
    def share(self) -> Path:
        """The data of zerospeech-tde."""
        return terms.share_folder(None)

    def corpus(self, number: int, each: float) -> Path:
        """Documents of this size in bytes in each version."""
        place = self.folder / f"{number} of {each:.0f}"
        if not place.exists():
            for who in WHO:
                (place / who).mkdir(parents=True)
            for at in range(number):
                self.block.write([place / who / f"d{at}.txt" for who in WHO], each)
        return place

    @cached_property
    def classes(self) -> tuple[terms.Corpus, list[str]]:
        """A corpus of speech, and its classes under many names."""
        corpus = (
            terms.Corpus.of(self.share, "kamper_mandarin", "mandarin")
            if self.plan.quick
            else terms.make_english(self.share, self.folder, 350_000)
        )
        return corpus, [f"S{at}={corpus.classes}" for at in range(self.plan.systems)]

    @cached_property
    def commands(self) -> dict[str, list[str]]:
        """What is run on large inputs, by task."""
        plan = self.plan
        return {
            "text": command("text", self.corpus(plan.documents, plan.each)),
            "transcript": command("transcript", self.corpus(plan.documents // 2, plan.each)),
            "terms": self.terms(len(self.classes[1])),
        }

    def terms(self, systems: int) -> list[str]:
        """The same classes under the names of several systems."""
        corpus, names = self.classes
        gold = ["--phones", str(corpus.phones), "--words", str(corpus.words)]
        return [CAESURA, "terms", "--quiet", *names[:systems], *gold]

    def run(self, what: list[str]) -> tuple[Watched, bytes]:
        """Run a command; what it took, and what it prints."""
        output = self.folder / "output"
        return watched([*what, "-f", "json"], output), output.read_bytes()


def command(task: str, corpus: Path, names: str = "") -> list[str]:
    """Two systems and one reference or two, as folders or as one file of each."""
    s1, s2, r1, r2 = (str(corpus / who / names) for who in WHO)
    references = ["--gold", r1] if task == "text" else ["--ref", f"R1={r1}", "--ref", f"R2={r2}"]
    return [CAESURA, task, "--quiet", f"S1={s1}", f"S2={s2}", *references]


def size_of(what: list[str]) -> float:
    """Megabytes of all files that a command names, each as often as it is named."""
    places = [Path(each.partition("=")[2] or each) for each in what[1:]]
    files = [
        file
        for place in places
        if place.exists()
        for file in (place.rglob("*.txt") if place.is_dir() else [place])
    ]
    return sum(file.stat().st_size for file in files) / MB


def compare_with_peers(bench: Bench) -> None:
    """Beside other programs."""
    plan = bench.plan
    rows = [
        *beside_text(bench.folder, bench.clock, plan.words, 4 * plan.budget),
        *beside_transcript(bench.clock, plan.words, plan.budget),
    ]
    if not plan.quick:
        rows += beside_terms(bench.share, "kamper_mandarin", "mandarin")
    print("One process, without start-up but for the command; the numbers are equal. More is in")
    print("[Benchmarks](benchmarks.md).\n")
    bench.table(HEADER, rows, left=3)


def compare_engines(bench: Bench) -> None:
    """Two processes, and Dask."""
    with cluster() as address:
        rows = [_engines(bench, task, ["--engine", f"dask={address}"]) for task in bench.commands]
    print("The best of some runs by the clock, by turns, with start-up; the cluster was running")
    print(f"before. *Terms* are {bench.plan.systems} systems on one corpus. The output is the same")
    print("byte for byte.\n")
    speed = "task", "MB", "one process, s", "MB/s", "two, s", "× one", "Dask, s", "of two"
    bench.table((*speed, "CPU s, one", "CPU s, two", "peak MB, two"), rows)


def _engines(bench: Bench, task: str, dask: list[str]) -> tuple[str, ...]:
    what = bench.commands[task]
    turns = [[bench.run([*what, *how]) for how in (ONE, TWO, dask)] for _ in range(bench.plan.runs)]
    if len({printed for turn in turns for _, printed in turn}) > 1:
        sys.exit(f"{task}: the output differs")
    one, two, workers = (
        min((watched for watched, _ in each), key=lambda watched: watched.wall)
        for each in zip(*turns, strict=True)
    )
    bench.alone[task] = one
    size = size_of(what)
    times = f"{one.wall:.2f}", f"{size / one.wall:.0f}", f"{two.wall:.2f}"
    ratios = f"{one.wall / two.wall:.2f}", f"{workers.wall:.2f}", f"{two.wall / workers.wall:.0%}"
    spent = f"{one.cpu:.2f}", f"{two.cpu:.2f}", f"{two.peak / MB:.0f}"
    return task, f"{size:.0f}", *times, *ratios, *spent


def time_small(bench: Bench) -> None:
    """Little to do."""
    few = bench.corpus(4, 0.1 * MB)
    what = {task: command(task, few) for task in ("text", "transcript")}
    what["terms"] = [
        *[CAESURA, "terms", "--quiet", *(f"{s}={bench.share / 'test.class'}" for s in "AB")],
        *["--phones", str(bench.share / "test.phn"), "--words", str(bench.share / "test.wrd")],
    ]
    rows: list[tuple[str, ...]] = []
    for task, small in what.items():
        taken = [
            [watched([*small, *how]) for how in (ONE, TWO)] for _ in range(4 * bench.plan.runs - 3)
        ]
        one, two = (min(each, key=lambda w: w.wall) for each in zip(*taken, strict=True))
        ratio = f"{two.wall / one.wall:.2f}"
        rows.append((task, f"{one.wall:.3f}", f"{two.wall:.3f}", ratio, f"{two.cpu / one.cpu:.2f}"))
    print("Four documents, two systems: `-j 2` has to choose one process by itself. The best of")
    print("some runs, by turns, with start-up.\n")
    bench.table(("task", "one process, s", "`-j 2`, s", "ratio", "ratio of CPU"), rows)


def grow_text(bench: Bench) -> None:
    """One huge text."""
    print("A pair of texts, one word in 2,000 changed.")
    _grow(bench, bench.pair, ("system", "gold"), "text", "--gold")


def grow_transcript(bench: Bench) -> None:
    """One huge transcript."""
    print("A transcript as one system and two references have it.")
    block = Block(bench.block.versions[1:], np.random.default_rng(3))
    _grow(bench, block, ("system", "anna", "ben"), "transcript", "--ref")


def _grow(bench: Bench, block: Block, names: tuple[str, ...], task: str, flag: str) -> None:
    paths = [bench.folder / f"{name}.txt" for name in names]
    against = [part for path in paths[1:] for part in (flag, str(path))]
    what = [CAESURA, task, "--quiet", str(paths[0]), *against, *ONE]
    block.write(paths, 1)
    start = min((watched(what) for _ in range(bench.plan.runs + 1)), key=lambda run: run.wall)
    points: list[Point] = []
    for megabytes in bench.plan.growth:
        block.write(paths, megabytes * MB / len(paths))
        points.append((size_of(what), watched(what)))
    for path in paths:
        path.unlink()
    _show_growth(bench, start, points)


def _show_growth(bench: Bench, start: Watched, points: list[Point]) -> None:
    print("MB are of all files; *× files* is the memory beyond that of the smallest run.\n")
    rows: list[tuple[str, ...]] = [
        (
            f"{size:,.0f}", f"{run.wall:.1f}", f"{run.cpu:.1f}", f"{size / run.wall:.0f}",
            f"{run.first_peak / MB:,.0f}", f"{(run.first_peak - start.first_peak) / MB / size:.1f}",
        )
        for size, run in points
    ]  # fmt: skip
    bench.table(("MB", "s", "CPU s", "MB/s", "peak MB", "× files"), rows, 0)
    slope = _slope([(size, run.cpu - start.cpu) for size, run in points], start.cpu)
    print(f"\nCPU time grows as the size to the power of {slope}. This is fitted to")
    print(f"the logarithms, after what the smallest run takes ({start.cpu:.2f} s) was subtracted;")
    print("sizes that take less than five times as long are left out.")


def _slope(points: list[tuple[float, float]], start: float) -> str:
    """The power by which time grows with the size, where it is well beyond start-up."""
    far = [(size, seconds) for size, seconds in points if seconds > 4 * start]
    if len(far) < 2:
        return "– (too small to tell)"
    sizes, seconds = (np.log(each) for each in zip(*far, strict=True))
    slope = float(np.polyfit(sizes, seconds, 1)[0])
    return f"{slope:.2f} ({far[0][0]:,.0f} to {far[-1][0]:,.0f} MB)"


def estimate(bench: Bench) -> None:
    """A terabyte on 100 workers: an estimate."""
    print("Measured: $r$ is what one core counts in a second, start-up apart; $p$ is the CPU time")
    print(f"and $m$ the memory that the first process takes for a document, from {bench.plan.many}")
    print("small documents beside a tenth of them.\n")
    if bench.plan.quick:
        print("The sizes of --quick are too small to tell; this shows the form.\n")
    known = {task: _rates(bench, task) for task in ("text", "transcript")}
    rows: list[tuple[str, ...]] = [
        (task, f"{r / MB:.0f} MB/s", f"{p * 1e3:.2f} ms", f"{m / 1e3:.1f} kB")
        for task, (r, p, m) in known.items()
    ]
    bench.table(("two systems", "$r$", "$p$", "$m$"), rows)
    documents = TERABYTE / LARGE
    print(
        f"\nEstimated from that: 1 TB in {documents:,.0f} documents, {WORKERS} workers, and a file"
    )
    print(f"system of {DISK / 1e9:.0f} GB/s.\n")
    rows = []
    for task, (r, p, m) in known.items():
        counting, reading, first = TERABYTE / WORKERS / r, TERABYTE / DISK, documents * p
        total = max(counting, reading) + first
        seconds = (f"{each:,.0f}" for each in (counting, reading, first))
        rows.append((task, *seconds, f"{total / 60:.0f}", f"{documents * m / 1e9:.1f}"))
    header = ("counting, s", "reading, s", "the first process, s", "together, minutes", "its GB")
    bench.table(("two systems", *header), rows)


def _rates(bench: Bench, task: str) -> tuple[float, float, float]:
    """Bytes a second on one core; seconds and bytes that the first process takes for a document."""
    plan = bench.plan
    large = bench.alone.get(task) or bench.run([*bench.commands[task], *ONE])[0]
    many = plan.many
    less, more = (
        watched([*command(task, bench.corpus(number, 2000)), "--engine", "processes", *TWO])
        for number in (many // 10, many)
    )
    start = watched([*command(task, bench.corpus(1, 2000)), *ONE])
    each = more.since(less).first_cpu / (many - many // 10)
    memory = (more.first_peak - less.first_peak) / (many - many // 10)
    return size_of(bench.commands[task]) * MB / large.since(start).cpu, each, memory


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "peers": compare_with_peers,
    "engines": compare_engines,
    "small": time_small,
    "text": grow_text,
    "transcript": grow_transcript,
    "estimate": estimate,
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, some seconds")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help="run these sections only")
    parser.add_argument("--most", type=float, metavar="MB", help="the largest text, in MB")
    parser.add_argument("--folder", type=Path, metavar="PATH", help="make documents in here")
    parser.add_argument("--markdown", action="store_true", help="print tables for the docs")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="put them into a page, too")
    return parser.parse_args()


def _require_room(folder: str, plan: Plan) -> None:
    """Stop before anything is made that does not fit."""
    needed = 1.1 * (max(plan.growth) * MB + 7 * plan.documents * plan.each) + 100 * MB
    free = shutil.disk_usage(folder).free
    if free < needed:
        sys.exit(
            f"error: {folder}: {free / MB:,.0f} MB free, {needed / MB:,.0f} needed; "
            "name another place with --folder, or a smaller --most"
        )


def _warm_up(bench: Bench) -> None:
    """Run every command once, so that it is compiled."""
    for task in ("text", "transcript"):
        watched([*command(task, bench.corpus(1, 2000)), "-f", "json"])
    watched([CAESURA, "terms", "--help"])


def _run_sections(bench: Bench, names: list[str]) -> None:
    start = time.monotonic()
    _warm_up(bench)
    loads = [os.getloadavg()[0]]
    for name in names:
        section = SECTIONS[name]
        print(f"{'### ' * bench.markdown}{(section.__doc__ or '').rstrip('.')}\n")
        section(bench)
        loads.append(os.getloadavg()[0])
        print(flush=True)
    version = f"Python {sys.version.split()[0]}, NumPy {np.__version__}, {os.cpu_count()} cores"
    busy = f"load average {min(loads):.1f} to {max(loads):.1f}"
    print(f"{version}; {busy}; {(time.monotonic() - start) / 60:.0f} minutes in all.")


def main() -> None:
    """Run the sections that were asked for."""
    given = _arguments()
    plan: Any = QUICK if given.quick else FULL
    if given.most:
        plan = Plan(**{**_fields(plan), "growth": tuple(s for s in plan.growth if s <= given.most)})
    if given.into:
        require_place(given.into, BEGIN, END)
    with TemporaryDirectory(dir=given.folder) as folder, redirect_stdout(Tee()) as printed:
        _require_room(folder, plan)
        keep_bytecode(Path(folder) / "bytecode")
        clock = Clock(runs=3, patience=0.03) if given.quick else Clock(runs=7, patience=2)
        bench = Bench(Path(folder), plan, given.markdown or given.into is not None, clock)
        _run_sections(bench, given.only or list(SECTIONS))
    if given.into:
        put(given.into, printed.getvalue(), BEGIN, END)


def _fields(plan: Plan) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in plan.__slots__}


if __name__ == "__main__":
    main()
