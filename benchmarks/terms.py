"""Term discovery beside zerospeech-tde, and alone on a full set of English.

    python benchmarks/terms.py [--quick] [--markdown] [--share PATH] [--only SECTION …]

The gold alignments and class files come with zerospeech-tde. Its classes run in this process on the
same files, as its command would, which cannot be started on a current Python. Every number is
compared, and a difference above 1e-12 stops the benchmark. One run of its grouping on Buckeye takes
minutes and gigabytes: `--quick` leaves that measure out there, on both sides. The English set has
an interval for each of 350,000 words with its edges jittered, in clusters by spelling; on it the
published program runs out of memory. Both wall-clock and CPU seconds are shown; ratios are of
CPU seconds, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import io
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from caesura.core.score import values
from caesura.core.timed_intervals import Intervals
from caesura.run.inputs import Case
from caesura.tasks.terms import counting as tasks
from caesura.tasks.terms import measures
from caesura.tasks.terms.counting import TermsTask
from caesura.tasks.terms.measures import TermCounts, Terms
from caesura.tasks.terms.speech import Discovered, read_intervals
from common import print_table, times
from watch import CAESURA, watched

SEED = 12345
JITTER = 0.02
SHORTEST = 0.01
ALL = "all"
KINDS = ("boundary", "token", "type", "grouping")


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to run, on which files."""

    share: Path
    intervals: int
    all_grouping: bool
    runs: int
    markdown: bool


class Spent(NamedTuple):
    """Seconds by the clock, and of all cores together."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Spent:
        """Seconds so far."""
        return cls(time.perf_counter(), time.process_time())

    def since(self, start: Spent) -> Spent:
        """Seconds from one time to another."""
        return Spent(self.wall - start.wall, self.cpu - start.cpu)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A class file and its gold."""

    classes: Path
    phones: Path
    words: Path

    @classmethod
    def of(cls, share: Path, classes: str, language: str) -> Corpus:
        """Files of the package, which have to be there."""
        names = (f"{classes}.class", f"{language}.phn", f"{language}.wrd")
        found = [share / name for name in names]
        for path in found:
            if not path.is_file():
                sys.exit(f"error: {path}: no such file; unpack zerospeech-tde and give --share")
        return cls(*found)

    @property
    def case(self) -> Case:
        """The files as the task wants them."""
        gold = {"phones": str(self.phones), "words": str(self.words)}
        return Case("corpus", {"system": str(self.classes)}, gold)

    def count(self, profile: str = "2017") -> TermCounts:
        """Everything that the command does, without its start-up and its output."""
        tasks._read_gold.cache_clear()
        rows = TermsTask(profile=profile).count(self.case)  # type: ignore[arg-type]
        counts = next(row.counts for row in rows if row.measure == Terms.name)
        assert isinstance(counts, TermCounts)
        return counts

    def command(self, profile: str) -> list[str]:
        """The same from the shell."""
        gold = ["--phones", str(self.phones), "--words", str(self.words)]
        return [CAESURA, "terms", "--quiet", str(self.classes), *gold, "--profile", profile]


@dataclass
class Watch:
    """Seconds spent in some functions, by a name for each."""

    spent: dict[str, Spent] = field(default_factory=dict)

    @property
    def total(self) -> Spent:
        """All together."""
        wall, cpu = zip(*self.spent.values(), strict=True)
        return Spent(math.fsum(wall), math.fsum(cpu))

    @contextmanager
    def over(self, places: Mapping[str, tuple[ModuleType | type, str]]) -> Iterator[None]:
        """Take the time of functions, each named by its module and attribute."""
        with ExitStack() as stack:
            for name, (owner, attribute) in places.items():
                timed = partial(self.run, name, getattr(owner, attribute))
                stack.enter_context(patch.object(owner, attribute, timed))
            yield

    def run(self, name: str, function: Callable[..., Any], *given: Any, **options: Any) -> Any:
        """Call a function, and add its seconds."""
        start = Spent.now()
        result = function(*given, **options)
        wall, cpu = Spent.now().since(start)
        before = self.spent.get(name, Spent(0.0, 0.0))
        self.spent[name] = Spent(before.wall + wall, before.cpu + cpu)
        return result


def theirs(corpus: Corpus, watch: Watch, *, grouping: bool) -> dict[str, float]:
    """Every score of zerospeech-tde, step by step as its command takes them."""
    from tde.measures.boundary import Boundary
    from tde.measures.coverage import Coverage
    from tde.measures.grouping import Grouping
    from tde.measures.ned import Ned
    from tde.measures.token_type import TokenType
    from tde.readers.disc_reader import Disc
    from tde.readers.gold_reader import Gold

    with redirect_stdout(io.StringIO()):
        gold = watch.run(
            "reading the gold", Gold, wrd_path=str(corpus.words), phn_path=str(corpus.phones)
        )
        disc = watch.run("reading and transcribing classes", Disc, str(corpus.classes), gold)
        boundary, token_type = Boundary(gold, disc), TokenType(gold, disc)
        coverage, ned = Coverage(gold, disc), Ned(disc)
        watch.run("boundary", boundary.compute_boundary)
        watch.run("token and type", token_type.compute_token_type)
        watch.run("coverage", coverage.compute_coverage)
        watch.run("NED", ned.compute_ned)
        scores = {
            "boundary_precision": boundary.precision,
            "boundary_recall": boundary.recall,
            **_two("precision", token_type.precision),
            **_two("recall", token_type.recall),
            "coverage": coverage.coverage,
            "ned": ned.ned,
            "ned_pairs": ned.n_pairs,
        }
        if grouping:
            groups = Grouping(disc)
            watch.run("grouping", groups.compute_grouping)
            scores |= {"grouping_precision": groups.precision, "grouping_recall": groups.recall}
    return {name: float(value) for name, value in scores.items()}


def _two(name: str, values: tuple[float, float]) -> dict[str, float]:
    return {f"token_{name}": values[0], f"type_{name}": values[1]}


def require_equal(ours: TermCounts, peer: Mapping[str, float]) -> str:
    """Stop at a score that differs by more than 1e-12; else tell how near they are."""
    mine = values(Terms.scores, ours)
    apart = {name: abs(mine[name] - value) for name, value in peer.items()}
    for name, distance in apart.items():
        if not distance <= 1e-12:
            sys.exit(f"error: {name}: {mine[name]!r} here, {peer[name]!r} in zerospeech-tde")
    worst = max(apart.values())
    return "equal" if worst == 0 else f"within {10.0 ** math.ceil(math.log10(worst)):.0e}"


def best(function: Callable[[Watch], object], runs: int) -> Watch:
    """The run that took the least CPU time."""
    watches = [Watch() for _ in range(runs)]
    for watch in watches:
        watch.run(ALL, function, watch)
    return min(watches, key=lambda watch: watch.spent[ALL].cpu)


def compare_with_peer(plan: Plan) -> None:
    """zerospeech-tde and ours on the same files, from reading to the last score."""
    print("Beside zerospeech-tde 2.0.3: seconds from the files to all scores, its one run and our")
    print(f"best of {plan.runs}. The ratio is of CPU seconds.\n")
    cases = {
        "kamper_mandarin on mandarin": (Corpus.of(plan.share, "kamper_mandarin", "mandarin"), True),
        "gold on buckeye": (Corpus.of(plan.share, "gold", "buckeye"), plan.all_grouping),
    }
    rows, splits = [], {}
    for name, (corpus, grouping) in cases.items():
        watch = Watch()
        scores = theirs(corpus, watch, grouping=grouping)
        numbers = f"{len(scores)} {require_equal(corpus.count(), scores)}"
        taken, ours = watch.total, count_ours(corpus, plan.runs, grouping=grouping)
        label = name if grouping else f"{name}, no grouping"
        figures = (f"{side:.2f}" for pair in (taken, ours) for side in pair)
        rows.append((label, *figures, times(taken.cpu / ours.cpu), numbers))
        splits[label] = watch.spent
    header = ("classes", "tde, wall", "CPU", "ours, wall", "CPU", "ratio", "numbers")
    print_table(header, rows, markdown=plan.markdown)
    print()
    steps = next(iter(splits.values()))
    shown = [(step, *(_cpu(split.get(step)) for split in splits.values())) for step in steps]
    print_table(("its steps, CPU seconds", *splits), shown, markdown=plan.markdown)


def count_ours(corpus: Corpus, runs: int, *, grouping: bool) -> Spent:
    nothing = dict.fromkeys((f"grouping_{kind}" for kind in ("hits", "found", "gold")), 0)
    with ExitStack() as stack:
        if not grouping:
            stack.enter_context(patch.object(measures, "_grouping", lambda *_: nothing))
        return best(lambda _: corpus.count(), runs).spent[ALL]


def _cpu(spent: Spent | None) -> str:
    return "–" if spent is None else f"{spent.cpu:.2f}"


def make_english(share: Path, folder: Path, number: int) -> Corpus:
    """An interval for each of some words, chosen by chance, with its edges moved."""
    gold = Corpus.of(share, "gold", "english")
    words = read_intervals(str(gold.words), tier="words").without("SIL")
    chance = np.random.default_rng(SEED)
    chosen = np.sort(chance.permutation(len(words))[:number])
    moved = chance.normal(0.0, JITTER, (2, chosen.size))
    on = np.maximum(0.0, words.on[chosen] + moved[0])
    off = np.maximum(on + SHORTEST, words.off[chosen] + moved[1])
    path = folder / "english.class"
    path.write_text(_classes(words, chosen, on, off), encoding="utf-8")
    return Corpus(path, gold.phones, gold.words)


def _classes(
    words: Intervals, chosen: np.ndarray[Any, Any], on: Sequence[float], off: Sequence[float]
) -> str:
    order = np.argsort(words.label[chosen], kind="stable")
    label, file = words.label[chosen].tolist(), words.file[chosen].tolist()
    lines: list[str] = []
    last = -1
    for at in order.tolist():
        if label[at] != last:
            last = label[at]
            lines += ["", f"Class {last}"] if lines else [f"Class {last}"]
        lines.append(f"{words.files[file[at]]} {on[at]:.4f} {off[at]:.4f}")
    return "\n".join([*lines, "", ""])


STEPS: dict[str, tuple[ModuleType | type, str]] = {
    "reading phones and words": (tasks, "read_intervals"),
    "reading classes": (tasks, "read_clusters"),
    "transcribing": (Discovered, "from_clusters"),
    "NED": (measures, "edit_distances"),
    "boundary": (measures, "_boundary"),
    "token and type": (measures, "_right_tokens"),
    "grouping": (measures, "_grouping"),
    "coverage": (measures, "_covered"),
}


def time_english(plan: Plan) -> None:
    """Ours alone: the whole, its steps, and the memory of the command."""
    print(f"English: {plan.intervals:,} intervals from english.wrd, their edges moved by some")
    print(f"{JITTER * 1e3:.0f} ms (normal, seed {SEED}), clusters by spelling; seconds, best of")
    print(f"{plan.runs} runs. What steps share is counted in the first that needs it.\n")
    with TemporaryDirectory() as folder:
        corpus = make_english(plan.share, Path(folder), plan.intervals)
        spent = best(partial(_in_steps, corpus), plan.runs).spent
        whole = spent.pop(ALL)
        spent["the rest"] = whole.since(Watch(spent).total)
        spent["all, profile 2017"] = whole
        paper = best(lambda _: corpus.count("paper"), plan.runs)
        spent["all, profile paper"] = paper.spent[ALL]
        rows = [(name, f"{each.wall:.2f}", f"{each.cpu:.2f}") for name, each in spent.items()]
        print_table(("step", "wall", "CPU"), rows, markdown=plan.markdown)
        print(f"\n{_scores(corpus.count())}")
        for profile in ("2017", "paper"):
            print(f"\ncaesura terms --profile {profile}: {_command(corpus.command(profile))}")


def _in_steps(corpus: Corpus, watch: Watch) -> None:
    with watch.over(STEPS):
        corpus.count()


def _scores(counts: TermCounts) -> str:
    shown = [f"{name} {getattr(counts, name).f1:.4f}" for name in KINDS]
    return f"F1: {', '.join(shown)}; NED {counts.ned:.4f} over {counts.ned_pairs:,} pairs"


def _command(command: list[str]) -> str:
    """Seconds of a command with its start-up, and the most memory that it held."""
    spent = watched(command)
    took = f"{spent.wall:.2f} s with start-up ({spent.cpu:.2f} s CPU)"
    return f"{took}, {spent.peak / 1e6:,.0f} MB at most"


SECTIONS: dict[str, Callable[[Plan], None]] = {
    "english": time_english,
    "peer": compare_with_peer,
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a small set, no slow grouping")
    parser.add_argument("--markdown", action="store_true", help="print tables for the docs")
    parser.add_argument("--share", type=Path, metavar="PATH", help="the data of zerospeech-tde")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help="run these sections only")
    return parser.parse_args()


def share_folder(given: Path | None) -> Path:
    if given is not None:
        return given
    try:
        return Path(str(files("tde") / "share"))
    except ModuleNotFoundError:
        sys.exit("error: zerospeech-tde is not installed; give its data with --share PATH")


def main() -> None:
    """Run the sections that were asked for."""
    arguments = _arguments()
    quick = arguments.quick
    share = share_folder(arguments.share)
    intervals, runs = (35_000, 2) if quick else (350_000, 5)
    plan = Plan(share, intervals, not quick, runs, arguments.markdown)
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}\n")
    for name in arguments.only or SECTIONS:
        SECTIONS[name](plan)
        print()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
