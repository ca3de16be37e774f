"""Text: `caesura text` beside `wc -w` and UD's script, on equal, altered and hard texts.

    python benchmarks/text.py [--quick] [--markdown] [--only SECTION …]

The input is the EWT test set of Universal Dependencies with NLTK's tokens and sentences as the
system, or made-up text of the same shape where it is not at hand, over and over again. Files lie
in a temporary folder that is removed. Every number is compared before anything is timed, and a
difference stops the benchmark: with UD's script for all its scores that we have, with `wc -w` for
the number of tokens, and for altered text with the longest common subsequence of the tokens.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rapidfuzz.distance import LCSseq

from caesura.core.text import Text
from caesura.formats.text_files import read_tokens
from caesura.measures.joint import AlignedTexts, Joint, JointCounts
from caesura.measures.treebank import TreebankCounts
from caesura.run.inputs import Case
from caesura.run.run import Running, run
from caesura.tasks.text.counting import TextTask
from common import Clock, print_table, time_once, times, words
from text_samples import SEED, Sample, altered, drawn, foreign, load, retokenized
from watch import CAESURA, keep_bytecode

COMMON_FEW = 30_000
UD_SCORES = {
    "Words": "words",
    "UPOS": "upos",
    "XPOS": "xpos",
    "UFeats": "ufeats",
    "AllTags": "alltags",
    "Lemmas": "lemmas",
    "UAS": "uas",
    "LAS": "las",
    "CLAS": "clas",
    "MLAS": "mlas",
    "BLEX": "blex",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to run."""

    sizes: tuple[int, ...]
    conllu: int
    hard: int
    budget: float
    markdown: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """The files of one text, and how many words the gold one has."""

    system: Path
    gold: Path
    words: int

    @property
    def size(self) -> int:
        """How many bytes both have."""
        return self.system.stat().st_size + self.gold.stat().st_size

    @property
    def command(self) -> list[str]:
        """What is timed with its start-up."""
        return [CAESURA, "text", "--quiet", "--force", str(self.system), "--gold", str(self.gold)]

    def count(self) -> Mapping[str, Any]:
        """Everything that the command does, without its start-up and its output."""
        case = Case("text", {"system": str(self.system)}, {"gold": str(self.gold)})
        task = TextTask(force=True)
        rows = run([case], task, Running(engine="serial")).table.rows()
        return {row.measure: row.counts for row in rows}

    def read(self) -> tuple[Text, Text]:
        """Both texts."""
        return read_tokens(self.system).text, read_tokens(self.gold).text

    def joint(self) -> JointCounts:
        """Tokens and sentences only, where both files are CoNLL-U too."""
        return Joint().count(*self.read())


@dataclass(frozen=True)
class Bench:
    """A sample, a folder for files made of it, and a clock."""

    sample: Sample
    folder: Path
    clock: Clock
    plan: Plan
    made: dict[str, Pair] = field(default_factory=dict)

    def pair(self, name: str, number: int, make: Callable[[], tuple[bytes, bytes]]) -> Pair:
        """Two files of a name, made when they are first asked for."""
        if name not in self.made:
            stem, _, suffix = name.rpartition(".")
            paths = [self.folder / f"{stem}.{side}.{suffix}" for side in ("system", "gold")]
            for path, data in zip(paths, make(), strict=True):
                path.write_bytes(data)
            self.made[name] = Pair(paths[0], paths[1], number)
        return self.made[name]

    def repeats(self, number: int) -> int:
        """How often to repeat the sample for about this many words."""
        return max(1, round(number / self.sample.words))

    def tokens(self, number: int) -> Pair:
        """The sample, repeated, as tokens."""
        many, sample = self.repeats(number), self.sample
        made = partial(_repeated, sample.system, sample.gold, many)
        return self.pair(f"{number}.txt", many * sample.words, made)

    def conllu(self, number: int) -> Pair:
        """The sample, repeated, in CoNLL-U."""
        many, sample = self.repeats(number), self.sample
        made = partial(_repeated, sample.system_conllu, sample.gold_conllu, many)
        return self.pair(f"{number}.conllu", many * sample.words, made)

    def altered(self, number: int, one_in: int) -> Pair:
        """The sample, repeated, with one token in `one_in` altered in the system's text."""
        equal = self.tokens(number)
        name = f"{number}-{one_in}.txt"
        if name in self.made:
            return self.made[name]
        change = altered(equal.system.read_bytes(), one_in, np.random.default_rng(SEED))
        pair = self.pair(name, equal.words, lambda: (change.data, equal.gold.read_bytes()))
        right = AlignedTexts.from_texts(*equal.read())
        one = right.tokens.system[:-1][right.tokens.is_one_to_one]
        expected = right.right_tokens - int(np.isin(change.changed, one).sum())
        found = pair.joint().token_tp
        _require(abs(found - expected) <= 0.1 * change.number, f"{found} tokens, not {expected}")
        return pair


def _repeated(system: bytes, gold: bytes, many: int) -> tuple[bytes, bytes]:
    return system * many, gold * many


def _require(condition: object, problem: str) -> None:
    if not condition:
        raise AssertionError(problem)


def compare_equal(bench: Bench) -> None:
    """Equal characters: beside wc, and beside UD's script."""
    plan, clock = bench.plan, bench.clock
    ud = time_ud(bench)
    print("Equal characters: seconds of the best run; words are those of the gold text, both files")
    print(f"are read. UD's script ran once, in process, on {ud.words:,} words in CoNLL-U, with")
    print("garbage collection off; at other sizes it is taken to be linear.\n")
    rows = [_row("UD's script", ud.words, ud.seconds, None, ud)]
    for size in plan.sizes:
        pair = bench.tokens(size)
        wc = clock.best(partial(count_words, pair))
        _check_tokens(bench, pair)
        rows.append(_row("LC_ALL=C wc -w", pair.words, wc, wc, ud))
        rows.append(_row("caesura text", pair.words, time_command(pair, clock), wc, ud))
        rows.append(_row("  in process", pair.words, clock.best(pair.count), wc, ud))
    pair = bench.conllu(plan.conllu)
    rows.append(_row("caesura text, CoNLL-U", pair.words, time_command(pair, clock), None, ud))
    rows.append(_row("  in process", pair.words, clock.best(pair.count), None, ud))
    rows.append(_row("  no treebank", pair.words, clock.best(pair.joint), None, ud))
    header = ("", "words", "s", "words/s", "× wc", "faster than UD's")
    print_table(header, rows, markdown=plan.markdown)


@dataclass(frozen=True, slots=True)
class Peer:
    """How long UD's script took for this many words."""

    words: int
    seconds: float

    @property
    def speed(self) -> float:
        return self.words / self.seconds


def _row(what: str, number: int, seconds: float, wc: float | None, ud: Peer) -> tuple[str, ...]:
    speed = number / seconds
    beside = "" if wc is None else f"{seconds / wc:.2f}"
    return what, f"{number:,}", _seconds(seconds), f"{speed:,.0f}", beside, times(speed / ud.speed)


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds < 10 else f"{seconds:.1f}"


def time_command(pair: Pair, clock: Clock) -> float:
    return clock.best(partial(_run, pair.command))


def _run(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def count_words(pair: Pair) -> list[int]:
    """How many words wc sees, in the system's file and in the gold one."""
    command = ["wc", "-w", str(pair.system), str(pair.gold)]
    run = partial(subprocess.run, command, check=True, capture_output=True, text=True)
    lines = run(env={**os.environ, "LC_ALL": "C"}).stdout.splitlines()
    return [int(line.split()[0]) for line in lines[:2]]


def _check_tokens(bench: Bench, pair: Pair) -> None:
    """As many tokens as wc sees and as we saw in the sample; the command says so too."""
    sample, many = bench.sample, pair.words // bench.sample.words
    # In the C locale wc passes over a word without a character of ASCII.
    unseen = [many * sum(map(_is_unseen, side.split())) for side in (sample.system, sample.gold)]
    joint, once = pair.joint(), bench.tokens(sample.words).joint()
    counted = [joint.token_system - unseen[0], joint.token_gold - unseen[1]]
    _require(count_words(pair) == counted, f"wc: {count_words(pair)}, ours: {counted}")
    grown = [getattr(once, name) * many for name in JointCounts.__slots__]
    _require([getattr(joint, name) for name in JointCounts.__slots__] == grown, f"{joint}")
    (told,) = json.loads(_run([*pair.command, "--format", "json"]))["systems"]
    _require(told["tokens"]["tp"] == joint.token_tp, f"{told['tokens']}")
    _require(told["sentences"]["tp"] == joint.sentence_tp, f"{told['sentences']}")


def _is_unseen(token: bytes) -> bool:
    return not any(0x20 < byte < 0x7F for byte in token)


def time_ud(bench: Bench) -> Peer:
    """UD's script on as many words as the budget allows, once its numbers are ours."""
    seconds = check_ud(bench, bench.sample.words)
    number = min(bench.plan.conllu, int(bench.plan.budget / seconds) * bench.sample.words)
    if bench.repeats(number) > 1:
        seconds = check_ud(bench, number)
    return Peer(bench.conllu(number).words, seconds)


def check_ud(bench: Bench, number: int) -> float:
    """Seconds of UD's script on a text; its numbers have to be ours."""
    pair = bench.conllu(number)
    scores: dict[str, tuple[int, int, int]] = {}
    seconds, _ = time_once(lambda: score_by_ud(pair, scores))
    counted = pair.count()
    joint, treebank = counted["joint"], counted["treebank"]
    _require(isinstance(treebank, TreebankCounts), "no treebank")
    ours = {
        "Tokens": (joint.token_tp, joint.token_gold, joint.token_system),
        "Sentences": (joint.sentence_tp, joint.sentence_gold, joint.sentence_system),
    }
    for metric, name in UD_SCORES.items():
        found = treebank.of(name)
        ours[metric] = found.tp, found.tp + found.fn, found.tp + found.fp
    theirs = {name: scores[name] for name in ours}
    _require(ours == theirs, f"UD's script: {theirs}, ours: {ours}")
    words_only = bench.tokens(number).joint()
    _require(words_only.token_tp == scores["Words"][0], f"words: {words_only.token_tp}")
    return seconds


def score_by_ud(pair: Pair, scores: dict[str, tuple[int, int, int]]) -> float:
    """Fill in the scores of UD's script."""
    udeval = import_module("udtools.udeval")
    sides = []
    for path in (pair.gold, pair.system):
        with path.open(encoding="utf-8") as file:
            sides.append(udeval.load_conllu(file, str(path), {}))
    for name, score in udeval.evaluate(*sides).items():
        scores[name] = score.correct, score.gold_total, score.system_total
    return 0.0


def time_altered(bench: Bench) -> None:
    """Characters that differ here and there."""
    print("Altered: this many tokens of the system replaced, deleted, doubled with another or")
    print("misspelt, by turns. Seconds of the best run; in process without start-up.\n")
    _check_altered(bench)
    rows = []
    for size in bench.plan.sizes:
        equal = bench.tokens(size)
        base = time_command(equal, bench.clock), bench.clock.best(equal.count)
        for name, pair in (
            ("none", equal),
            ("1 in 1,000", bench.altered(size, 1000)),
            ("1 in 100", bench.altered(size, 100)),
        ):
            command, inside = base
            if pair is not equal:
                command, inside = time_command(pair, bench.clock), bench.clock.best(pair.count)
            joint = pair.joint()
            rows.append(
                (
                    name,
                    words(size),
                    _seconds(command),
                    f"{command / base[0]:.2f}",
                    _seconds(inside),
                    f"{inside / base[1]:.2f}",
                    f"{joint.aligned_share:.4f}",
                    f"{joint.tokens.f1:.4f}",
                )
            )
    header = ("altered", "words", "s", "× equal", "in process", "× equal", "aligned", "token F1")
    print_table(header, rows, left=2, markdown=bench.plan.markdown)


def _check_altered(bench: Bench) -> None:
    """On a short text, no more tokens right than the longest common subsequence, nor far less."""
    for one_in in (1000, 100):
        pair = bench.altered(bench.sample.words, one_in)
        _check_common(pair, least=0.99)


def _check_common(pair: Pair, least: float) -> None:
    system, gold = (text.tokens(0, text.token_ends.size) for text in pair.read())
    most, found = LCSseq.similarity(system, gold), pair.joint().token_tp
    _require(least * most <= found <= most, f"{found} tokens right, {most} in common")


def time_hard(bench: Bench) -> None:
    """Texts that part for long."""
    print(f"Hard: {words(bench.plan.hard)} words drawn from the sample, so that hardly a string")
    print("occurs twice, but for the repeated sample. Seconds of the best run, in process.\n")
    rows, base = [], 0.0
    for (name, pair), (_, short) in zip(
        _hard(bench, bench.plan.hard), _hard(bench, COMMON_FEW), strict=True
    ):
        _check_common(short, least=0.0)
        seconds = bench.clock.best(pair.count)
        base = base or seconds
        joint = pair.joint()
        rows.append(
            (
                name,
                f"{pair.words:,}",
                _seconds(seconds),
                f"{seconds / base:.1f}",
                f"{joint.aligned_share:.3f}",
                f"{joint.sentences.f1:.3f}",
                f"{joint.tokens.f1:.3f}",
            )
        )
    header = ("system's text", "words", "s", "× equal", "aligned", "sentence F1", "token F1")
    print_table(header, rows, markdown=bench.plan.markdown)


def _hard(bench: Bench, number: int) -> Iterator[tuple[str, Pair]]:
    rng = np.random.default_rng(SEED)
    sentences = drawn(bench.sample, number, rng)
    gold = b"\n".join(sentences) + b"\n"
    tenth = len(sentences) // 10
    shuffled = [sentences[at] for at in rng.permutation(len(sentences)).tolist()]
    near = [sentences[at] for at in _jittered(len(sentences), rng)]
    texts = {
        "equal characters": sentences,
        "the first chapter missing": sentences[tenth:],
        "a chapter missing in the middle": sentences[: 4 * tenth] + sentences[5 * tenth :],
        "every second chapter missing": _every_second(sentences, tenth),
        "two halves exchanged": sentences[5 * tenth :] + sentences[: 5 * tenth],
        "sentences shuffled among ten": near,
        "sentences shuffled": shuffled,
    }
    for at, (name, system) in enumerate(texts.items()):
        made = partial(_spoilt, system, gold, rng)
        yield name, bench.pair(f"{number}-hard{at}.txt", len(gold.split()), made)
    made = partial(_foreign, gold, number, rng)
    yield "another language", bench.pair(f"{number}-foreign.txt", len(gold.split()), made)
    yield "the sample repeated, a tenth missing", _repeated_with_gap(bench, number)


def _spoilt(system: list[bytes], gold: bytes, rng: np.random.Generator) -> tuple[bytes, bytes]:
    return retokenized(system, rng), gold


def _foreign(gold: bytes, number: int, rng: np.random.Generator) -> tuple[bytes, bytes]:
    return foreign(number, rng), gold


def _every_second(sentences: list[bytes], size: int) -> list[bytes]:
    chapters = [sentences[at : at + size] for at in range(0, len(sentences), 2 * size)]
    return [sentence for chapter in chapters for sentence in chapter]


def _jittered(number: int, rng: np.random.Generator) -> list[int]:
    order: list[int] = np.argsort(np.arange(number) + 10 * rng.random(number)).tolist()
    return order


def _repeated_with_gap(bench: Bench, number: int) -> Pair:
    whole = bench.tokens(number)
    lines = whole.system.read_bytes().splitlines(keepends=True)
    tenth = len(lines) // 10
    left = b"".join(lines[: 4 * tenth + 7] + lines[5 * tenth + 7 :])
    return bench.pair(f"{number}-gap.txt", whole.words, lambda: (left, whole.gold.read_bytes()))


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "equal": compare_equal,
    "altered": time_altered,
    "hard": time_hard,
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, some seconds")
    parser.add_argument("--markdown", action="store_true", help="print tables for the docs")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help="run these sections only")
    return parser.parse_args()


def make_plan(*, quick: bool, markdown: bool) -> Plan:
    if quick:
        return Plan((10**5,), 10**5, 5 * 10**4, 2.0, markdown)
    million = 10**6
    return Plan((million, 5 * million), million, million, 60.0, markdown)


def main() -> None:
    """Run the sections that were asked for."""
    arguments = _arguments()
    plan = make_plan(quick=arguments.quick, markdown=arguments.markdown)
    clock = Clock(runs=3, patience=0.3) if arguments.quick else Clock(runs=9, patience=8)
    sample = load()
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}; {sample.name}\n")
    with TemporaryDirectory() as folder:
        keep_bytecode(Path(folder))
        bench = Bench(sample, Path(folder), clock, plan)
        for name in arguments.only or SECTIONS:
            SECTIONS[name](bench)
            print()
    print(clock.noise)


if __name__ == "__main__":
    main()
