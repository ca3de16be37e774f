"""What `limits.py` is made of: inputs, commands run by turns, growth, and a line of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from made_text import Block, Words
from watch import CAESURA, Watched, watched

MB = 10**6
ONE, TWO = ["--engine", "serial"], ["--engine", "processes", "-j", "2"]
HEADER = (
    "work", "limit or peer", "takes", "ours", "ratio", "aim", "reached", "time ~ n^", "memory ~ n^",
)  # fmt: skip
NAMES = ("even", "odd")
NO_AIM = "–"


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to run, and how often."""

    text: int
    memory: int
    treebank: int
    trees: int
    translated: int
    documents: int
    transcript: int
    references: tuple[int, int]
    systems: tuple[int, int]
    cluster: int
    aligned: tuple[int, int]
    profiles: int
    rounds: int


FULL = Plan(
    7_500_000, 3 * 10**6, 10**6, 10**6, 31_000, 5000, 10**6, (1000, 10_000), (10_000, 1000),
    20_000, (10_000, 100_000), 10**6, 3,
)  # fmt: skip
QUICK = Plan(
    200_000,
    60_000,
    25_000,
    20_000,
    2_000,
    100,
    50_000,
    (20, 1000),
    (100, 100),
    200,
    (10_000, 20_000),
    20_000,
    1,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table; `takes` is what the peer takes, or the limit."""

    work: str
    peer: str
    takes: str
    ours: str
    ratio: float
    aim: str
    time: str = "–"
    memory: str = "–"

    @property
    def cells(self) -> tuple[str, ...]:
        """The line as it is printed."""
        ratio = f"{self.ratio:.2f}" if self.ratio < 10 else f"{self.ratio:,.0f}"
        ends = self.aim, self.reached, self.time, self.memory
        return self.work, self.peer, self.takes, self.ours, ratio, *ends

    @property
    def reached(self) -> str:
        """Whether the aim is reached, in words."""
        if self.aim == NO_AIM:
            return NO_AIM
        sign, bound = self.aim.split()
        is_reached = self.ratio <= float(bound) if sign == "≤" else self.ratio >= float(bound)
        return "yes" if is_reached else "no"


@dataclass(frozen=True)
class Bench:
    """A folder for each kind of work, and how much to run there."""

    whole: Path
    plan: Plan

    @property
    def folder(self) -> Path:
        """The folder of the present kind."""
        folder = self.whole / "kind"
        folder.mkdir(exist_ok=True)
        return folder

    @cached_property
    def vocabulary(self) -> Words:
        """Words that texts are made of."""
        return Words.of(min(10**6, self.plan.text), np.random.default_rng(1))

    @cached_property
    def start(self) -> Watched:
        """What the smallest of runs takes."""
        pair = [self.whole / "one.txt", self.whole / "other.txt"]
        self.write(pair, 200)
        command = [CAESURA, "transcript", "--quiet", str(pair[0]), "--ref", str(pair[1]), *ONE]
        return best([command], 1 + self.plan.rounds)[0]

    def write(self, paths: Sequence[Path], number: int, *, changed: int = 0) -> None:
        """Write a version of about `number` words to each file, the first with changed words."""
        vocabulary = self.vocabulary
        versions = [vocabulary.version() for _ in paths[1:]]
        versions.insert(0, vocabulary.version(changed=changed))
        each = vocabulary.data.size / vocabulary.blanks.size
        Block(versions, np.random.default_rng(2)).write(paths, number * each)

    def small(self, name: str, number: int, size: int, versions: int) -> list[Path]:
        """Folders with `number` documents of `size` words, one folder for each version."""
        folders = [self.folder / name / f"v{at}" for at in range(versions)]
        tokens = self.vocabulary.data.tobytes().decode().split()
        chance = np.random.default_rng(3)
        begins = chance.integers(0, len(tokens) - size, number).tolist()
        for folder in folders:
            folder.mkdir(parents=True)
            for at, (begin, cut) in enumerate(
                zip(begins, chance.integers(1, size, number).tolist(), strict=True)
            ):
                some = tokens[begin : begin + size]
                text = f"{' '.join(some[:cut])}\n{' '.join(some[cut:])}\n"
                (folder / f"{NAMES[at % 2]}{at}.txt").write_text(text, encoding="utf-8")
        return folders


def best(commands: Sequence[list[str]], rounds: int) -> list[Watched]:
    """The quickest run of each command, by turns."""
    turns = [[watched(each) for each in commands] for _ in range(rounds)]
    return [min(each, key=lambda run: run.wall) for each in zip(*turns, strict=True)]


def power(sizes: Sequence[float], values: Sequence[float], start: float = 0.0) -> str:
    """The exponent by which values grow, beyond what the start takes."""
    beyond = [value - start for value in values]
    if len(set(sizes)) < 2 or min(beyond) <= 0.05 * start:
        return "–"
    return f"{np.polyfit(np.log(sizes), np.log(beyond), 1)[0]:.2f}"


def powers(start: Watched, sizes: Sequence[float], runs: Sequence[Watched]) -> dict[str, str]:
    """The exponents of CPU time, which is the steadier one, and of the first process's memory."""
    time = power(sizes, [run.cpu for run in runs], start.cpu)
    memory = power(sizes, [run.first_peak for run in runs], start.first_peak)
    return {"time": time, "memory": memory}


def scored(
    task: str, systems: Sequence[Path | str], gold: Sequence[Path | str], *how: str
) -> list[str]:
    """A command that prints JSON."""
    flag = "--gold" if task in ("text", "trees") else "--ref"
    named = [part for path in gold for part in (flag, str(path))]
    return [CAESURA, task, "--quiet", "-f", "json", *map(str, systems), *named, *how]


def seconds(value: float) -> str:
    """Write seconds, or milliseconds."""
    return f"{value:.2f} s" if value >= 0.1 else f"{1000 * value:.2g} ms"


def megabytes(value: float) -> str:
    """Write megabytes."""
    return f"{value / MB:,.0f} MB"
