"""Work with a limit: each kind beside its peer or limit, by turns, and how it grows.

`benchmarks/all.py` runs this. All input is made up from a fixed seed, in a folder that is removed.
Commands are timed with their start-up, which is subtracted where growth is fitted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

import profiles
import resegment
import text
import trees
from common import Clock, cpu_seconds, peak_bytes, words
from limit_bench import (
    MB,
    NO_AIM,
    ONE,
    TWO,
    Bench,
    Figure,
    best,
    megabytes,
    power,
    powers,
    scored,
    seconds,
)
from made_text import Words
from text_samples import load
from watch import Watched, cluster, watched

CHANGED = 1000
ENOUGH = 30
"""Megabytes from which on what Python and NumPy hold alone is little beside them."""
RATES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
READ = """
import sys
for name in sys.stdin.read().splitlines():
    open(name, encoding="utf-8").read().split()
"""


def texts(bench: Bench) -> Iterator[Figure]:
    """Plain text beside `wc -w`."""
    sizes = [bench.plan.text // part for part in (4, 2, 1)]
    for name, changed in (("equal words", 0), (f"1 word in {CHANGED:,} differs", CHANGED)):
        ours, theirs = [], []
        for number in sizes:
            pair = [bench.folder / "system.txt", bench.folder / "gold.txt"]
            bench.write(pair, number, changed=changed)
            counting = ["wc", "-w", *map(str, pair)]
            scoring = scored("text", pair[:1], pair[1:], *ONE)
            runs = best([counting, scoring], bench.plan.rounds)
            theirs.append(runs[0])
            ours.append(runs[1])
        yield Figure(
            f"text, {sizes[-1] / MB:.3g}M words a side, {name}", "`wc -w` of both files",
            seconds(theirs[-1].wall), seconds(ours[-1].wall), ours[-1].wall / theirs[-1].wall,
            "≤ 2.0", **powers(bench.start, sizes, ours),
        )  # fmt: skip


def memory(bench: Bench) -> Iterator[Figure]:
    """The peak memory of one large document, beyond a small run's, beside the size of its files."""
    number = bench.plan.memory
    pair = [bench.folder / "system.txt", bench.folder / "gold.txt"]
    bench.write(pair, number, changed=CHANGED)
    versions = [bench.folder / f"version{at}.txt" for at in range(3)]
    bench.write(versions, number)
    conllu = _samples(bench).conllu(number)
    gold, system, _ = trees.write(bench.folder, number // 3)
    large: tuple[tuple[str, str, str, list[Path], list[Path]], ...] = (
        ("text", "words a side", "≤ 6.5", pair[:1], pair[1:]),
        ("transcript", "words × 3 versions", "≤ 6.5", versions[:1], versions[1:]),
        ("text", "words a side in CoNLL-U", "≤ 6", [conllu.system], [conllu.gold]),
        ("trees", "tokens a side", "≤ 8", [system], [gold]),
    )
    for task, what, aim, ours, theirs in large:
        size = number // 3 if task == "trees" else number
        files = sum(path.stat().st_size for path in (*ours, *theirs))
        held = watched(scored(task, ours, theirs, *ONE)).first_peak - bench.start.first_peak
        yield Figure(
            f"memory: {task}, {words(size)} {what}", "size of the files", megabytes(files),
            megabytes(held), held / files, aim if files >= ENOUGH * MB else NO_AIM,
        )  # fmt: skip


def _samples(bench: Bench) -> text.Bench:
    """The sample of `text.py`, repeated as often as it is needed."""
    plan = text.make_plan(quick=True, markdown=True)
    return text.Bench(load(), bench.folder, Clock(), plan)


def treebank(bench: Bench) -> Iterator[Figure]:
    """CoNLL-U with treebank scores beside UD's script: CPU seconds in process."""
    number = bench.plan.treebank
    samples = _samples(bench)
    text.check_ud(samples, samples.sample.words)
    pairs = [samples.conllu(number // part) for part in (4, 1)]
    ours = [cpu_seconds(pair.count, bench.plan.rounds) for pair in pairs]
    theirs = cpu_seconds(partial(text.score_by_ud, pairs[-1], {}), 1)
    ours[-1] = min(ours[-1], cpu_seconds(pairs[-1].count, bench.plan.rounds))
    peaks = [watched(pair.command).peak for pair in pairs]
    sizes = [pair.words for pair in pairs]
    yield Figure(
        f"CoNLL-U with treebank scores, {pairs[-1].words:,} words", "UD's script",
        seconds(theirs), seconds(ours[-1]), theirs / ours[-1], "≥ 60",
        power(sizes, ours), power(sizes, peaks, bench.start.peak),
    )  # fmt: skip


def small_documents(bench: Bench) -> Iterator[Figure]:
    """Many small transcripts beside plain Python, in one process and in two."""
    sizes = [bench.plan.documents // part for part in (4, 1)]
    taken: list[list[Watched]] = []
    few = bench.small("few", 4, 60, 3)
    start = watched([*scored("transcript", few[:1], few[1:]), *TWO])
    for number in sizes:
        folders = bench.small(f"small{number}", number, 60, 3)
        ours = scored("transcript", folders[:1], folders[1:])
        names = bench.folder / "names"
        names.write_text("\n".join(str(path) for each in folders for path in each.iterdir()))
        plainly = ["sh", "-c", f'"{sys.executable}" -c "$0" < "{names}"', READ]
        commands = [plainly, [*ours, *ONE], [*ours, *TWO]]
        taken.append(best(commands, bench.plan.rounds))
    plain, one, two = zip(*taken, strict=True)
    work = f"{sizes[-1]:,} documents of 60 words × 3 versions"
    reading, alone, both = plain[-1].wall, one[-1].wall, two[-1].wall
    yield Figure(
        f"{work}, one process", "reading and splitting in Python", seconds(reading),
        seconds(alone), alone / reading, "≤ 8", **powers(bench.start, sizes, one),
    )  # fmt: skip
    yield Figure(
        f"{work}, two processes", "one process", seconds(alone), seconds(both), alone / both,
        "≥ 1.7", **powers(start, sizes, two),
    )  # fmt: skip
    yield _shared(bench, 8 * sizes[-1])


def _shared(bench: Bench, number: int) -> Figure:
    """How much two processes gain where start-up matters less."""
    folders = bench.small("more", number, 60, 3)
    ours = scored("transcript", folders[:1], folders[1:], "-f", "table")
    one, two = best([[*ours, *ONE], [*ours, *TWO]], 2)
    return Figure(
        f"{number:,} documents of 60 words × 3 versions, two processes", "one process",
        seconds(one.wall), seconds(two.wall), one.wall / two.wall, "≥ 1.7",
    )  # fmt: skip


def transcript(bench: Bench) -> Iterator[Figure]:
    """One transcript of five versions, from its files."""
    sizes, runs = [bench.plan.transcript // part for part in (4, 1)], []
    for number in sizes:
        paths = [bench.folder / f"transcript{at}.txt" for at in range(5)]
        bench.write(paths, number)
        command = scored("transcript", paths[:2], paths[2:], *ONE)
        runs += best([command], bench.plan.rounds)
    yield _limited(
        f"transcript, {words(sizes[-1])} words × 5 versions, from files", runs[-1].wall, 0.6,
        powers(bench.start, sizes, runs),
    )  # fmt: skip


def _limited(work: str, taken: float, limit: float, grown: Mapping[str, str]) -> Figure:
    return Figure(work, "limit", seconds(limit), seconds(taken), taken / limit, "≤ 1", **grown)


def many_versions(bench: Bench) -> Iterator[Figure]:
    """One transcript with many references, and with many systems."""
    for name, (most, size) in (
        ("references", bench.plan.references),
        ("systems", bench.plan.systems),
    ):
        folder = bench.folder / name
        folder.mkdir()
        paths = [folder / f"v{at}.txt" for at in range(most + 2)]
        _write_versions(paths, size)
        sizes = [most // part for part in (4, 2, 1)]
        for form in ("table", "json"):
            runs = []
            for number in sizes:
                sides = paths[:1], paths[1 : number + 1]
                ours, theirs = sides if name == "references" else (sides[1], [paths[0], paths[-1]])
                runs += [watched(scored("transcript", ours, theirs, *ONE, "-f", form))]
            work = f"{most:,} {name}, {words(size)} words each, {form}"
            yield _limited(work, runs[-1].wall, 5.0, powers(bench.start, sizes, runs))


def _write_versions(paths: Sequence[Path], size: int) -> None:
    vocabulary = Words.of(size, np.random.default_rng(4))
    for path in paths:
        path.write_bytes(b"\n".join(vocabulary.version()) + b"\n")


def documents_on_dask(bench: Bench) -> Iterator[Figure]:
    """What the first process holds of each document, with two workers of Dask."""
    few = bench.plan.cluster
    one, other = bench.small("dask", 2 * few, 5, 2)
    patterns = {1: "even0.txt", few: "even*.txt", 2 * few: "*.txt"}
    with cluster() as address:
        how = "--engine", f"dask={address}", "-f", "table"
        runs = [
            watched(scored("transcript", [f"a={one / which}"], [f"b={other / which}"], *how))
            for which in (patterns[1], *patterns.values())  # the workers import on the first
        ][1:]
    each = (runs[2].first_peak - runs[1].first_peak) / few
    sizes = list(patterns)[1:]
    yield Figure(
        f"{few:,} documents more on Dask, memory of the first process", "limit", "2 kB a document",
        f"{each / 1000:.2g} kB a document", each / 2000, "≤ 1",
        **powers(runs[0], sizes, runs[1:]),
    )  # fmt: skip


def alignment(bench: Bench) -> Iterator[Figure]:
    """Word alignment beside rapidfuzz: CPU seconds in process."""
    from align import Pair, require_equal

    few, many = bench.plan.aligned
    for number, rates, aim in ((few, RATES, "≥ 1"), (many, (0.15,), "≥ 5.3")):
        for rate in rates:
            pair = Pair.of(number, rate)
            require_equal(pair.rapidfuzz(), pair.plain().errors)
            runs = 10 * bench.plan.rounds if number == few else bench.plan.rounds
            theirs, ours = _turns([pair.rapidfuzz, pair.plain], runs)
            smaller = [Pair.of(number // part, rate) for part in (4, 2)]
            sizes = [number // 4, number // 2, number]
            taken = [*(cpu_seconds(each.plain, runs) for each in smaller), ours]
            held = [peak_bytes(each.plain) for each in (*smaller, pair)]
            yield Figure(
                f"aligning {words(number)} words, {rate:.0%} errors", "rapidfuzz", seconds(theirs),
                seconds(ours), theirs / ours, aim, power(sizes, taken), power(sizes, held),
            )  # fmt: skip


def _turns(calls: Sequence[Callable[[], object]], runs: int) -> list[float]:
    turns = [[cpu_seconds(call, 1) for call in calls] for _ in range(runs)]
    return [min(each) for each in zip(*turns, strict=True)]


def foreign_words(bench: Bench) -> Iterator[Figure]:
    """Aligning transcripts with no word, or no string of words, in common."""
    from align import drawn

    most = bench.plan.aligned[1]
    sizes = [most // part for part in (4, 2, 1)]
    for name, letters in (("no word in common", "ab"), ("unrelated, frequent words shared", "aa")):
        chance, runs = np.random.default_rng(5), []
        for number in sizes:
            pair = [bench.folder / f"{side}.txt" for side in ("one", "other")]
            for path, letter in zip(pair, letters, strict=True):
                spelt = [f"{letter}{word}" for word in drawn(number, chance).tolist()]
                lines = [" ".join(spelt[at : at + 15]) for at in range(0, number, 15)]
                path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            runs.append(watched(scored("transcript", pair[:1], pair[1:], "--align", *ONE)))
        work = f"aligning {words(most)} × {words(most)} words, {name}"
        yield _limited(work, runs[-1].wall, 5.0, powers(bench.start, sizes, runs))


KINDS: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    "text": texts,
    "memory": memory,
    "treebank": treebank,
    "trees": trees.figures,
    "segments": resegment.figures,
    "profiles": profiles.figures,
    "small": small_documents,
    "transcript": transcript,
    "many": many_versions,
    "dask": documents_on_dask,
    "alignment": alignment,
    "foreign": foreign_words,
}
