"""How far word errors move a score that is computed with `--align`.

The words of a system's transcript are replaced, left out or followed by others at some rate, as a
recogniser would; its boundaries stay after the words they stood after (after a word that is left
out, after the one before it). Then the boundaries are carried over to the references' words and
scored. What remains of the difference to the score without word errors is the cost of alignment.

    python benchmarks/mishearing.py [FOLDER]     S1, S2 and ref1 to ref3 as .txt
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import caesura
from caesura.align.versions import project
from caesura.core.segmentation import Document, IntArray, Panel
from caesura.formats.plain import parse
from caesura.measures.boundary import Boundary
from caesura.measures.wisebe import Wisebe

RATES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
SEEDS = 20
FOLDER = Path(__file__).parents[2] / "shared" / "data" / "wisebe" / "text"


def misheard(document: Document, rate: float, seed: int) -> Document:
    """The document with word errors: half substitutions, a quarter deletions and insertions each.

    New words are drawn from the document's own.
    """
    chance = np.random.default_rng(seed)
    words, is_end = document.words, np.zeros(document.segmentation.length, dtype=bool)
    is_end[document.segmentation.boundaries] = True
    kinds = chance.choice(4, len(words), p=[1 - rate, rate / 2, rate / 4, rate / 4])
    drawn: IntArray = chance.integers(0, len(words), len(words))
    heard: list[str] = []
    for index, (word, kind) in enumerate(zip(words, kinds.tolist(), strict=True)):
        other = words[drawn[index]]
        heard += [[word], [other], [], [word, other]][kind]
        if is_end[index] and heard and heard[-1] != "//":
            heard.append("//")
    return parse(" ".join(heard), "slashes")


@dataclass(frozen=True, slots=True)
class Finding:
    """What some word errors do: means over the seeds, and the score's standard deviation."""

    word_error_rate: float
    in_place: float
    score: float
    spread: float


def study(folder: Path, name: str) -> dict[float, Finding]:
    """For each rate how far boundaries and WiSeBE move."""
    references = [caesura.read(folder / f"ref{number}.txt") for number in (1, 2, 3)]
    system = caesura.read(folder / f"{name}.txt")
    panel = Panel(tuple(each.segmentation for each in references))
    found = {}
    for rate in RATES:
        scores, errors, in_place = [], [], []
        for seed in range(SEEDS if rate else 1):
            carried = project(misheard(system, rate, seed), references[0])
            placed = carried.document.segmentation
            scores.append(Wisebe().count(placed, panel).score)
            errors.append(carried.counts.word_error_rate)
            in_place.append(Boundary().count(placed, system.segmentation).recall)
        means = [float(np.mean(each)) for each in (errors, in_place, scores)]
        found[rate] = Finding(means[0], means[1], means[2], float(np.std(scores)))
    return found


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    results = {name: study(folder, name) for name in ("S1", "S2")}
    print("| errors made | WER found | boundaries in place | WiSeBE of S1 | WiSeBE of S2 |")
    print("|---|---|---|---|---|")
    for rate in RATES:
        first, second = (each[rate] for each in results.values())
        scores = " | ".join(f"{each.score:.3f} ± {each.spread:.3f}" for each in (first, second))
        moved = f"{first.word_error_rate:.3f} | {first.in_place:.3f}"
        print(f"| {rate:.0%} | {moved} | {scores} |")


if __name__ == "__main__":
    main()
