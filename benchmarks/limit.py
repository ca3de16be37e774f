"""Text beside the limit: `caesura text -j 1` and `wc -w` by turns, from 1 to 128 MB a file.

    python benchmarks/limit.py [--quick] [--markdown]

The input is text drawn from the sample, so that hardly a string occurs twice in 16 MB; the system's
has other tokens and sentences, and either the same characters or one token in 1,000 altered. Larger
files repeat it. CPU seconds tell more than the clock where other programs run. Growth is the
exponent of the time beyond start-up, and of the peak memory, from one size to the next.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from common import print_table
from samples import SEED, altered, drawn, load, retokenized
from watch import CAESURA, Watched, keep_bytecode, watched

BYTES_A_WORD = 5.1
MOST = 16
HEADER = ("characters", "MB a file", "CPU s", "× wc", "s", "× wc", "growth", "peak MB", "× files",
          "growth")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Texts:
    """A gold text, and what two systems have: the same characters, or some others."""

    gold: bytes
    systems: dict[str, bytes]

    @classmethod
    def drawn(cls, megabytes: int) -> Texts:
        """Made of so many million bytes, about."""
        rng = np.random.default_rng(SEED)
        sentences = drawn(load(), round(megabytes * 1e6 / BYTES_A_WORD), rng)
        equal = retokenized(sentences, rng)
        systems = {"equal": equal, "1 in 1,000 altered": altered(equal, 1000, rng).data}
        return cls(b"\n".join(sentences) + b"\n", systems)

    def write(self, folder: Path, megabytes: int) -> tuple[Path, dict[str, Path]]:
        """Files of so many million bytes."""
        many = max(1, round(megabytes * 1e6 / len(self.gold)))
        gold = folder / f"{megabytes}.gold.txt"
        gold.write_bytes(self.gold * many)
        paths = {name: folder / f"{megabytes}.{at}.txt" for at, name in enumerate(self.systems)}
        for name, path in paths.items():
            path.write_bytes(self.systems[name] * many)
        return gold, paths


@dataclass
class Best:
    """The least of some runs, of each quantity for itself."""

    runs: list[Watched] = field(default_factory=list)

    def least(self, name: str) -> float:
        """The least value of a quantity."""
        return min(float(getattr(run, name)) for run in self.runs)


def measure(gold: Path, systems: dict[str, Path], rounds: int) -> dict[str, Best]:
    """Run `wc -w` and each system by turns; `wc` is on the files of the first."""
    first = next(iter(systems.values()))
    commands = {"wc": ["wc", "-w", str(first), str(gold)]}
    for name, path in systems.items():
        options = ["--quiet", "--force", "-j", "1"]
        commands[name] = [CAESURA, "text", *options, str(path), "--gold", str(gold)]
    found = {name: Best() for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].runs.append(watched(command))
    return found


def growth(before: float, after: float, ratio: float) -> str:
    """The exponent with which something has grown."""
    return f"{log(after / before) / log(ratio):.2f}" if min(before, after) > 0 else ""


def _rows(measured: dict[int, dict[str, Best]], sizes: dict[int, int]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    smallest = measured[min(measured)]
    for name in list(smallest)[1:]:
        start, last = smallest[name].least("cpu"), 0
        for megabytes, found in measured.items():
            ours, wc = found[name], found["wc"]
            cpu, wall, peak = (ours.least(each) for each in ("cpu", "wall", "peak"))
            grown = ("", "")
            if last:
                ratio, before = megabytes / last, measured[last][name]
                grown = (
                    growth(before.least("cpu") - start, cpu - start, ratio),
                    growth(before.least("peak"), peak, ratio),
                )
            rows.append(
                (
                    name,
                    str(megabytes),
                    f"{cpu:.2f}",
                    f"{cpu / wc.least('cpu'):.2f}",
                    f"{wall:.2f}",
                    f"{wall / wc.least('wall'):.2f}",
                    grown[0],
                    f"{peak / 1e6:.0f}",
                    f"{peak / sizes[megabytes]:.2f}",
                    grown[1],
                )
            )
            last = megabytes
    return rows


def main() -> None:
    """Write the files, run everything, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, some seconds")
    parser.add_argument("--markdown", action="store_true", help="print the table for the docs")
    arguments = parser.parse_args()
    sizes = (1, 4) if arguments.quick else (1, 4, 16, 64, 128)
    os.environ["LC_ALL"] = "C"
    measured: dict[int, dict[str, Best]] = {}
    both: dict[int, int] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        keep_bytecode(folder / "bytecode")
        for megabytes in sizes:
            texts = Texts.drawn(min(megabytes, MOST))
            gold, systems = texts.write(folder, megabytes)
            measured[megabytes] = measure(gold, systems, 1 if arguments.quick else 5)
            both[megabytes] = gold.stat().st_size + next(iter(systems.values())).stat().st_size
            for path in (gold, *systems.values()):
                path.unlink()
    print(
        "`caesura text -j 1` and `LC_ALL=C wc -w` of both files, by turns, the best of the runs.\n"
    )
    print_table(HEADER, _rows(measured, both), markdown=arguments.markdown)


if __name__ == "__main__":
    main()
