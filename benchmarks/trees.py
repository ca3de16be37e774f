"""Trees: `caesura trees` beside evalb and PYEVALB, on made-up trees.

`benchmarks/all.py --kinds trees` runs this. evalb is compiled from its source, which is taken from
the path in EVALB_SOURCE or from the folder beside the project; without it there is no figure. What
all programs count is compared before anything is timed, and a difference stops the run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from caesura.run.inputs import Case
from caesura.run.run import Running, run
from caesura.tasks.trees.counting import TreesTask
from common import cpu_seconds
from limit_bench import MB, ONE, Bench, Figure, best, powers, scored, seconds

SOURCE = Path(__file__).parents[2] / "shared" / "data" / "trees" / "evalb" / "evalb.c"
PARAMETERS = "DELETE_LABEL TOP\nDELETE_LABEL -NONE-\nMAX_ERROR 1000000\n"
LABELS = ("S", "NP", "VP", "PP", "SBAR", "ADJP", "ADVP", "NP-SBJ", "WHNP", "PRN", "QP")
TAGS = ("NN", "NNS", "VB", "VBD", "IN", "DT", "JJ", "RB", "PRP", "CC", "CD")
FLAT = 3
"""The most tokens right under a bracket."""
NOISE = 0.08
"""How many of the system's brackets are dropped, and how many have another label."""
SECTION = 2416
"""The sentences of the Penn Treebank's section 23, on which parsers are compared."""


class Maker:
    """Makes random trees in pairs: a gold one, and the same with errors."""

    def __init__(self, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        numbers = self.chance.integers(1, 1 << 20, 20_000)
        self.words = [f"w{each:x}"[: 2 + each % 6] for each in numbers.tolist()]

    def pair(self) -> tuple[str, str, int]:
        """A gold tree, the system's, and how many tokens they have."""
        size = int(self.chance.integers(5, 45))
        gold, system = self._span(size)
        return f"(TOP {gold})", f"(TOP (S {system}))", size

    def _span(self, size: int) -> tuple[str, str]:
        gold, system = self._leaves(size) if size <= FLAT else self._halves(size)
        label, other = (LABELS[at] for at in self.chance.integers(0, len(LABELS), 2).tolist())
        is_dropped, is_other = (self.chance.random(2) < NOISE).tolist()
        ours = system if is_dropped else f"({other if is_other else label} {system})"
        return f"({label} {gold})", ours

    def _leaves(self, size: int) -> tuple[str, str]:
        words = self.chance.integers(0, len(self.words), size)
        tags = self.chance.integers(0, len(TAGS), size)
        pairs = zip(tags.tolist(), words.tolist(), strict=True)
        leaves = " ".join(f"({TAGS[tag]} {self.words[word]})" for tag, word in pairs)
        return leaves, leaves

    def _halves(self, size: int) -> tuple[str, str]:
        cut = int(self.chance.integers(1, size))
        one, other = self._span(cut), self._span(size - cut)
        return f"{one[0]} {other[0]}", f"{one[1]} {other[1]}"


def write(folder: Path, tokens: int) -> tuple[Path, Path, int]:
    """Write a pair of files of about as many tokens; how many sentences they have."""
    maker, pairs, done = Maker(1), [], 0
    while done < tokens:
        gold, system, size = maker.pair()
        pairs.append((gold, system))
        done += size
    paths = folder / f"gold{tokens}.mrg", folder / f"system{tokens}.mrg"
    for path, trees in zip(paths, zip(*pairs, strict=True), strict=True):
        path.write_text("\n".join(trees) + "\n", encoding="utf-8")
    return paths[0], paths[1], len(pairs)


def compiled(folder: Path) -> Path | None:
    """The program evalb, if its source and a compiler are there."""
    source = Path(os.environ.get("EVALB_SOURCE", SOURCE))
    program = folder / "evalb"
    command = ["cc", "-O2", "-w", "-o", str(program), str(source)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return program


def figures(bench: Bench) -> Iterator[Figure]:
    """Trees beside evalb, and beside PYEVALB."""
    evalb = compiled(bench.folder)
    if evalb is None:
        print("evalb cannot be compiled: no figures of trees", file=sys.stderr)
        return
    parameters = bench.folder / "all.prm"
    parameters.write_text(PARAMETERS)
    sizes = [bench.plan.trees // part for part in (4, 1)]
    runs = []
    for size in sizes:
        gold, system, _ = write(bench.folder, size)
        theirs = [str(evalb), "-p", str(parameters), str(gold), str(system)]
        ours = scored("trees", [system], [gold])
        _require_same(theirs, [*ours, *ONE])
        runs.append(best([theirs, [*ours, *ONE]], bench.plan.rounds))
    theirs_run, one = runs[-1]
    work = f"trees, {sizes[-1] / MB:.3g}M tokens a side"
    alone = [run[1] for run in runs]
    yield Figure(
        work, "evalb", seconds(theirs_run.wall), seconds(one.wall), one.wall / theirs_run.wall,
        "≤ 4", **powers(bench.start, sizes, alone),
    )  # fmt: skip
    yield from _beside_python(bench)


def _require_same(theirs: list[str], ours: list[str]) -> None:
    """Stop if evalb counts other brackets than caesura."""
    printed = subprocess.run(theirs, check=True, capture_output=True, text=True).stdout
    total = printed[: printed.index("=== Summary ===")].splitlines()[-1].split()
    found = json.loads(subprocess.run(ours, check=True, capture_output=True, text=True).stdout)
    own = found["systems"][0]["brackets"]
    counts = [own["tp"], own["tp"] + own["fn"], own["tp"] + own["fp"]]
    if counts != [int(each) for each in total[2:5]]:
        raise SystemExit(f"evalb counts {total[2:5]}, caesura {counts}")


def _beside_python(bench: Bench) -> Iterator[Figure]:
    """A section as PYEVALB scores it: CPU seconds in process, as start-up would be most of ours."""
    tokens = min(bench.plan.trees, 24 * SECTION)
    gold, system, sentences = write(bench.folder, tokens)
    try:
        from PYEVALB.scorer import Scorer
    except ImportError:
        print("PYEVALB is not installed: no figure", file=sys.stderr)
        return
    output = str(bench.folder / "pyevalb.txt")
    case = Case("trees", {"system": str(system)}, {"gold": str(gold)})
    their = cpu_seconds(lambda: Scorer().evalb(str(gold), str(system), output), 1)
    own = cpu_seconds(lambda: run([case], TreesTask(), Running(engine="serial")), 5)
    yield Figure(
        f"trees, {sentences:,} sentences", "PYEVALB", seconds(their), seconds(own), their / own,
        "≥ 50",
    )  # fmt: skip
