"""Resegmentation: `caesura resegment` beside mweralign, on made-up translations and transcripts.

`benchmarks/all.py --kinds segments` runs this. The sum of edits is compared with rapidfuzz's before
anything is timed, and a difference stops the run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Levenshtein

from limit_bench import MB, Bench, Figure, best, megabytes, powers, seconds
from watch import CAESURA

TRANSLATED, SPOKEN = 0.6, 0.12
"""The share of words that differ, in translations and in recognised speech."""
MWERALIGN = """
import sys
from mweralign import mweralign
ref, hyp = (open(path).read() for path in sys.argv[1:3])
open(sys.argv[3], "w").write(mweralign.align_texts(ref, hyp))
"""


def write(folder: Path, words: int, share: float) -> tuple[Path, Path]:
    """Write a text on one line and a reference in segments, of about as many words."""
    chance = np.random.default_rng(1)
    ranks = np.minimum(chance.zipf(1.3, words), 50_000)
    reference = [f"w{each}" for each in ranks.tolist()]
    change, other = chance.random(words), np.minimum(chance.zipf(1.3, words), 50_000)
    own: list[str] = []
    for at, word in enumerate(reference):
        kind = change[at] / share
        if kind < 0.25:
            continue
        own.append(word if kind > 0.75 else f"w{other[at]}")
        if 0.75 < kind < 1:
            own.append(f"w{other[at]}")
    every = np.cumsum(chance.integers(5, 30, words // 5))
    ends = np.append(every[every < words], words).tolist()
    starts = [0, *ends[:-1]]
    paths = folder / f"hyp{words}.txt", folder / f"ref{words}.txt"
    paths[0].write_text(" ".join(own) + "\n")
    lines = (" ".join(reference[start:end]) for start, end in zip(starts, ends, strict=True))
    paths[1].write_text("\n".join(lines) + "\n")
    return paths


def figures(bench: Bench) -> Iterator[Figure]:
    """Translations beside mweralign, and a million words of speech beside a limit."""
    sizes = [bench.plan.translated // part for part in (4, 1)]
    runs = []
    for size in sizes:
        hyp, ref = write(bench.folder, size, TRANSLATED)
        ours = _command(hyp, ref)
        _require_least(ours, hyp, ref)
        output = str(bench.folder / "mweralign.txt")
        theirs = [sys.executable, "-c", MWERALIGN, str(ref), str(hyp), output]
        runs.append(best([theirs, ours], bench.plan.rounds))
    their, own = runs[-1]
    work = f"resegmenting {sizes[-1]:,} words, {TRANSLATED:.0%} differ"
    yield Figure(
        work, "mweralign", seconds(their.wall), seconds(own.wall), their.wall / own.wall, "≥ 10",
        **powers(bench.start, sizes, [run[1] for run in runs]),
    )  # fmt: skip
    yield Figure(work, "limit", "1.00 s", seconds(own.wall), own.wall, "≤ 1")
    yield Figure(
        f"{work}, peak memory", "mweralign", megabytes(their.peak), megabytes(own.peak),
        their.peak / own.peak, "≥ 1",
    )  # fmt: skip
    hyp, ref = write(bench.folder, bench.plan.transcript, SPOKEN)
    (speech,) = best([_command(hyp, ref)], bench.plan.rounds)
    millions = bench.plan.transcript / MB
    yield Figure(
        f"resegmenting {millions:.3g}M words of speech, {SPOKEN:.0%} differ", "limit", "10.00 s",
        seconds(speech.wall), speech.wall / 10, "≤ 1",
    )  # fmt: skip


def _command(hyp: Path, ref: Path) -> list[str]:
    return [CAESURA, "resegment", "--quiet", str(hyp), "--to", str(ref)]


def _require_least(ours: list[str], hyp: Path, ref: Path) -> None:
    """Stop if the edits are not as few as possible."""
    printed = subprocess.run([*ours, "-f", "json"], check=True, capture_output=True, text=True)
    edits = json.loads(printed.stdout)["edits"]
    least = Levenshtein.distance(hyp.read_text().split(), ref.read_text().split())
    if edits != least:
        raise SystemExit(f"{edits} edits, where {least} are enough")
