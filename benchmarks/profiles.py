"""Profiles: `caesura score` beside the programs of other communities, on their files.

`benchmarks/all.py --kinds profiles` runs this. SIGHAN's, DISRPT's and SIGMORPHON's programs and
files are taken from the folder in COMMUNITIES, or from the one beside the project; what is not
there has no figure. What a program prints is compared before anything is timed, and a difference
stops the run. They print a few of the scores that caesura counts.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np

from limit_bench import NO_AIM, ONE, Bench, Figure, best, powers, seconds
from watch import CAESURA

HERE = Path(__file__).parents[2] / "shared" / "data" / "communities"
DOCUMENT = 500
"""The tokens of a document of discourse units."""
EMPTY = "\t_" * 7
ITEMS = 100
"""The items of a document that is segmented into topics."""
TURNS, SECTIONS = 500, 12
"""The segments of a recording of half an hour, and the sections of a track."""
DIGITS = {
    "sighan": 3, "disrpt": 12, "morphemes": 4, "topics": 9, "speakers": 9, "music": 9, "events": 9,
    "shots": 9,
}  # fmt: skip
"""The digits of the scores that the other programs print."""
SEGEVAL = """
import sys, segeval
scores = segeval.pk, segeval.window_diff, segeval.boundary_similarity
names = "pk_segeval", "windowdiff_segeval", "boundary_similarity"
system, gold = ([tuple(map(int, line.split())) for line in open(path)] for path in sys.argv[1:])
for name, score in zip(names, scores):
    print(name, float(sum(map(score, system, gold)) / len(gold)))
"""
PYANNOTE = """
import sys, warnings
warnings.simplefilter("ignore")
from pyannote.database.util import load_rttm
from pyannote.metrics.diarization import DiarizationErrorRate, JaccardErrorRate
from pyannote.metrics.segmentation import SegmentationPurityCoverageFMeasure
system, gold = map(load_rttm, sys.argv[1:])
metrics = DiarizationErrorRate(), JaccardErrorRate(), SegmentationPurityCoverageFMeasure()
for metric in metrics:
    for name in gold:
        metric(gold[name], system[name])
der, jer, purity = map(abs, metrics)
print("der", 100 * der, "jer", 100 * jer, "purity", purity)
"""
MIR_EVAL = """
import sys, warnings
warnings.simplefilter("ignore")
from pathlib import Path
from mir_eval import io, segment
system, gold = (sorted(Path(path).iterdir()) for path in sys.argv[1:])
load = io.load_labeled_intervals
scores = [segment.evaluate(*load(str(b)), *load(str(a))) for a, b in zip(system, gold)]
for name in ("F-measure@3.0", "Pairwise F-measure", "V-measure"):
    print(name, sum(each[name] for each in scores) / len(scores))
"""

SED_EVAL = """
import sys, warnings
warnings.filterwarnings("ignore")
from sed_eval.sound_event import EventBasedMetrics, SegmentBasedMetrics
def read(path):
    files = {}
    for line in open(path):
        name, start, end, label = line.rstrip().split("\\t")
        event = {"filename": name, "onset": float(start), "offset": float(end)}
        files.setdefault(name, []).append({**event, "event_label": label})
    return files
system, gold = map(read, sys.argv[1:])
labels = sorted({each["event_label"] for own in (*system.values(), *gold.values()) for each in own})
for name, kind in (("segment", SegmentBasedMetrics), ("event", EventBasedMetrics)):
    metrics = kind(labels)
    for file in gold:
        metrics.evaluate(gold[file], system.get(file, []))
    print(f"{name}_f1", metrics.overall_f_measure()["f_measure"])
"""
SHOTS = """
import json, sys
import numpy as np
arrays, videos = np.load(sys.argv[1]), [json.loads(line) for line in open(sys.argv[2])]
def shots_of(is_on):
    first, last, before, shots = 0, 0, False, []
    for at, on in enumerate(is_on.tolist()):
        if on and not before:
            last = at
        if before and not on:
            shots += [(first, last)] if last else []
            first = at
        before = on
    return shots + ([] if before else [(first, is_on.size - 1)])
def f1_at(threshold):
    tp = fp = fn = 0
    for video in videos:
        ours, theirs = (
            [(a[1] - 0.5, b[0] + 0.5) for a, b in zip(own, own[1:])]
            for own in (shots_of(arrays[video["video"]] > threshold), video["scenes"])
        )
        i = j = 0
        while i < len(ours) and j < len(theirs):
            if ours[i][1] < theirs[j][0]:
                i, fp = i + 1, fp + 1
            elif theirs[j][1] < ours[i][0]:
                j, fn = j + 1, fn + 1
            else:
                i, j, tp = i + 1, j + 1, tp + 1
        fp, fn = fp + len(ours) - i, fn + len(theirs) - j
    return 2 * tp / (2 * tp + fp + fn)
tried = (0.02, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
every = {threshold: f1_at(threshold) for threshold in tried}
print("best", max(every.values()))
print("f1", every[0.3])
"""


@dataclass(frozen=True, slots=True)
class Contest:
    """Files of a size, another community's program, and the scores that it prints by our names."""

    profile: str
    peer: str
    command: tuple[str, ...]
    names: Mapping[str, str]
    system: Path
    gold: Path
    level: str = "micro"
    options: tuple[str, ...] = ()

    @property
    def theirs(self) -> list[str]:
        """The other program's command."""
        files = {"SYSTEM": str(self.system), "GOLD": str(self.gold)}
        return [files.get(each, each) for each in self.command]

    @property
    def ours(self) -> list[str]:
        """The command that prints the same scores, and others."""
        files = [str(self.system), "--gold", str(self.gold)]
        return [CAESURA, "score", self.profile, *files, *self.options, "--quiet", "-f", "json"]

    def require_same(self) -> None:
        """Stop if the scores differ in the digits that the other program prints."""
        printed = _output(self.theirs)
        found = json.loads(_output([*self.ours, *ONE]))["systems"][0][self.level]
        for theirs, ours in self.names.items():
            value = float(re.findall(rf"{theirs}\s+([0-9.]+)", printed)[-1])
            value = value / 100 if self.profile == "morphemes" else value
            if abs(value - found[ours]) > 0.51 * 10 ** -DIGITS[self.profile]:
                raise SystemExit(f"{self.peer} prints {theirs} {value}, caesura {found[ours]}")


def figures(bench: Bench) -> Iterator[Figure]:
    """Each profile beside its program, where that is there."""
    size = bench.plan.profiles
    folder = Path(os.environ.get("COMMUNITIES", HERE))
    for make, number, work in (
        (sighan, size // 250, "sentences of Chinese"),
        (disrpt, size, "tokens of discourse units"),
        (morphemes, size // 12, "words into morphs"),
        (topics, size // 500, f"documents of {ITEMS} items into topics"),
        (speakers, size // 50, "segments of speakers"),
        (music, size // 5000, "tracks of music"),
        (events, size // 250, "sound events"),
        (shots, size // 5000, "videos of 1,200 frames"),
    ):
        sizes = [number // 4, number]
        contests = [make(bench.folder, folder, each) for each in sizes]
        if any(each is None for each in contests):
            print(f"{make.__name__}: its program is not there, no figure", file=sys.stderr)
            continue
        yield _figure(bench, [each for each in contests if each], sizes, work)


def _figure(bench: Bench, contests: list[Contest], sizes: list[int], work: str) -> Figure:
    """The largest of the contests, and how the time grows."""
    runs = []
    for each in contests:
        each.require_same()
        runs.append(best([each.theirs, [*each.ours, *ONE]], bench.plan.rounds))
    (their, own), last = runs[-1], contests[-1]
    return Figure(
        f"{last.profile}, {sizes[-1]:,} {work}", last.peer, seconds(their.wall),
        seconds(own.wall), their.wall / own.wall, NO_AIM,
        **powers(bench.start, sizes, [run[1] for run in runs]),
    )  # fmt: skip


def sighan(into: Path, folder: Path, lines: int) -> Contest | None:
    """PKU's test set as jieba segments it, with an empty dictionary."""
    source = folder / "sighan"
    files = _repeated(into, lines, source / "pku_jieba.utf8", source / "pku_test_gold.utf8")
    if files is None:
        return None
    command = "perl", str(source / "score"), os.devnull, "GOLD", "SYSTEM"
    names = {"TRUE WORDS RECALL:": "recall", "TEST WORDS PRECISION:": "precision"}
    return Contest("sighan", "SIGHAN's `score`", command, names, *files)


def disrpt(into: Path, folder: Path, tokens: int) -> Contest | None:
    """Made-up units, a tenth of the tokens begin one; the system misses a twentieth of them."""
    program = folder / "disrpt" / "seg_eval.py"
    if not program.exists():
        return None
    chance = np.random.default_rng(1)
    word, is_first = chance.integers(0, 5000, tokens), chance.random(tokens) < 0.1
    is_first[::DOCUMENT] = True
    is_found = is_first & (chance.random(tokens) > 0.05)
    files = into / f"system{tokens}.tok", into / f"gold{tokens}.tok"
    for path, begins in zip(files, (is_found, is_first), strict=True):
        rows = zip(word.tolist(), begins.tolist(), strict=True)
        lines = [
            f"# newdoc id = d{at // DOCUMENT}\n" * (at % DOCUMENT == 0)
            + f"{at % DOCUMENT + 1}\tw{form}{EMPTY}\t{'BeginSeg=Yes' if begin else '_'}\n"
            for at, (form, begin) in enumerate(rows)
        ]
        path.write_text("".join(lines))
    command = sys.executable, str(program), "GOLD", "SYSTEM"
    names = {"Precision:": "precision", "Recall:": "recall", "F-Score:": "f1"}
    return Contest("disrpt", "DISRPT's `seg_eval.py`", command, names, *files)


def morphemes(into: Path, folder: Path, lines: int) -> Contest | None:
    """The Czech words of the shared task, as one of its systems segmented them."""
    source = folder / "sigmorphon"
    paths = source / "ces.word.AUUH_A.tsv", source / "ces.word.test.gold.tsv"
    files = _repeated(into, lines, *paths)
    if files is None:
        return None
    options = "--gold", "GOLD", "--guess", "SYSTEM"
    command = sys.executable, str(source / "evaluate.py"), *options
    names = {"f_measure": "f1", "precision": "precision", "recall": "recall"}
    return Contest("morphemes", "SIGMORPHON's `evaluate.py`", command, names, *files)


def topics(into: Path, _: Path, documents: int) -> Contest:
    """Documents with a boundary after a tenth of their items, by chance on both sides."""
    chance = np.random.default_rng(2)
    files = into / f"system{documents}.masses", into / f"gold{documents}.masses"
    for path in files:
        ends = chance.random((documents, ITEMS)) < 0.1
        ends[:, -1] = True
        masses = (np.diff(np.flatnonzero(each), prepend=-1) for each in ends)
        path.write_text("".join(" ".join(map(str, each.tolist())) + "\n" for each in masses))
    command = sys.executable, "-c", SEGEVAL, "SYSTEM", "GOLD"
    own = "pk_segeval", "windowdiff_segeval", "boundary_similarity"
    return Contest("topics", "segeval", command, dict(zip(own, own, strict=True)), *files, "macro")


def speakers(into: Path, _: Path, segments: int) -> Contest:
    """Four speakers who interrupt each other, none of them oneself; a system that is often off."""
    chance = np.random.default_rng(3)
    paths = into / f"system{segments}.rttm", into / f"gold{segments}.rttm"
    start = np.cumsum(chance.integers(1700, 5500, segments))
    length, who = chance.integers(300, 6000, segments), np.arange(segments) % 4
    shift, is_wrong = chance.integers(0, 400, segments), chance.random(segments) < 0.1
    sides = (start + shift, who + 4 * is_wrong), (start, who)
    for path, (on, speaker) in zip(paths, sides, strict=True):
        rows = zip(on.tolist(), length.tolist(), speaker.tolist(), strict=True)
        path.write_text("".join(
            f"SPEAKER talk{at // TURNS} 1 {a / 1000} {b / 1000} <NA> <NA> s{c} <NA> <NA>\n"
            for at, (a, b, c) in enumerate(rows)
        ))  # fmt: skip
    command = sys.executable, "-c", PYANNOTE, "SYSTEM", "GOLD"
    names = {"der": "der", "jer": "jer"}
    return Contest("speakers", "pyannote.metrics", command, names, *paths)


def music(into: Path, _: Path, tracks: int) -> Contest:
    """Tracks of about four minutes, with the labels of a song."""
    chance = np.random.default_rng(4)
    folders = into / f"system{tracks}", into / f"gold{tracks}"
    for folder in folders:
        folder.mkdir()
        for at in range(tracks):
            edges = np.append(0, np.cumsum(chance.integers(8000, 32000, SECTIONS))) / 1000
            rows = zip(edges[:-1], edges[1:], chance.choice([*"ABCD"], SECTIONS), strict=True)
            lines = (f"{on}\t{off}\t{name}\n" for on, off, name in rows)
            (folder / f"{at:05}.lab").write_text("".join(lines))
    command = sys.executable, "-c", MIR_EVAL, "SYSTEM", "GOLD"
    names = {name: name for name in ("F-measure@3.0", "Pairwise F-measure", "V-measure")}
    return Contest("music", "mir_eval", command, names, *folders, "macro")


def events(into: Path, _: Path, number: int) -> Contest | None:
    """Sounds of ten labels, 100 in a recording; the system moves their edges by up to .3 s."""
    if find_spec("sed_eval") is None:
        return None
    chance = np.random.default_rng(3)
    start, length = chance.random(number) * 300, 0.5 + chance.random(number) * 5
    label = chance.integers(0, 10, number)
    files = into / f"system{number}.lab", into / f"gold{number}.lab"
    for path, moved in zip(files, (0.3, 0.0), strict=True):
        starts = np.maximum(start + moved * (2 * chance.random(number) - 1), 0)
        ends = starts + length + moved * (2 * chance.random(number) - 1)
        rows = zip(starts.tolist(), ends.tolist(), label.tolist(), strict=True)
        lines = (
            f"r{at // 100}.wav\t{a:.5f}\t{b:.5f}\tl{name}\n" for at, (a, b, name) in enumerate(rows)
        )
        path.write_text("".join(lines))
    command = sys.executable, "-c", SED_EVAL, "SYSTEM", "GOLD"
    own = "segment_f1", "event_f1"
    return Contest("events", "sed_eval", command, dict(zip(own, own, strict=True)), *files)


def shots(into: Path, _: Path, videos: int) -> Contest:
    """Made-up probabilities, which rise at cuts and sometimes elsewhere.

    The peer is a plain loop, as the programs of this community are, over twelve thresholds.
    """
    chance = np.random.default_rng(4)
    arrays: dict[str, Any] = {}
    lines = []
    for at in range(videos):
        cuts = np.sort(chance.choice(np.arange(10, 1190), 12, replace=False))
        scores = chance.random(1200) ** 8 * 0.3
        scores[cuts + chance.integers(-1, 2, 12)] = chance.random(12)
        arrays[f"v{at}"] = scores.astype(np.float32)
        starts, ends = [0, *(cuts + 1).tolist()], [*cuts.tolist(), 1199]
        scenes = [list(each) for each in zip(starts, ends, strict=True)]
        lines.append(json.dumps({"video": f"v{at}", "frames": 1200, "scenes": scenes}) + "\n")
    files = into / f"system{videos}.npz", into / f"gold{videos}.jsonl"
    np.savez(files[0], **arrays)
    files[1].write_text("".join(lines))
    command = sys.executable, "-c", SHOTS, "SYSTEM", "GOLD"
    return Contest("shots", "a loop over frames, 12 thresholds", command, {"f1": "f1"}, *files,
                   options=("--threshold", "0.3"))  # fmt: skip


def _repeated(into: Path, number: int, *paths: Path) -> tuple[Path, Path] | None:
    """Files with as many lines of others, again and again; None if those are not there."""
    if not all(path.exists() for path in paths):
        return None
    system, gold = (into / f"{number}{path.name}" for path in paths)
    for path, source in zip((system, gold), paths, strict=True):
        lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(islice(cycle(lines), number)), encoding="utf-8")
    return system, gold


def _output(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
