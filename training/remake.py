"""Remake the networks that come with caesura, from what `training/prepare.py` prepared.

    python training/remake.py teach WORK            # two teachers, and what they think
    python training/remake.py learn WORK best       # students of them, one for each seed

A GPU is wanted. The held-out words, by which all is chosen, are those of dev2012.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch

from caesura import __version__
from caesura.core.segmentation import BoolArray
from caesura.detect.detector import Vocabulary, ends_of
from caesura.detect.training.data import LabelledCorpus
from caesura.detect.training.loop import Feed, Held, Lexicon, Schedule, best_threshold, fit
from caesura.detect.training.networks import TorchNetwork, exported, rounded
from caesura.detect.weights import unpack, write
from former import NETWORKS, TorchFormer
from pieces import WordPieces
from student import begin
from teacher import Teacher, feed_of, lexicon_of, opinions

LICENCE = "CC BY-SA 4.0"
BUCKETS = 4096
_BEGIN, _SILENCE, _HIDDEN = 1, 2, 3
SHARES = {
    "changelog": 1.0,
    "bitcoin": 0.8,
    "cabnc": 0.7,
    "earnings22": 2.0,
    "rev16": 3.0,
    "state_union": 3.0,
    "inaugural": 2.0,
}
"""How often a word of a source is drawn, so that small sources are heard beside the podcasts."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A network, the number of its frequent words and how it is trained."""

    kind: str
    words: int
    plan: Schedule
    shape: Mapping[str, Any] = field(default_factory=dict)


TEACHER = Schedule(steps=4_500, batch=256, rate=2e-4, warm=0.04, looks=3, compiled=True)
RECIPES = {
    "s1": Recipe("cnn", 14_500, Schedule(steps=8_000, rate=4e-3, decay=0.02)),
    "s2": Recipe("rnn", 14_000, Schedule(steps=7_500, rate=4e-3)),
    "best": Recipe(
        "former", 20_000, Schedule(steps=14_000, batch=384, rate=1.2e-3, warm=0.04, compiled=True)
    ),
}


class Work:
    """A folder with the corpus, the teachers and what they think of every word."""

    def __init__(self, folder: Path, device: str) -> None:
        self.folder, self.device = folder, device
        with np.load(folder / "corpus.npz") as stored:
            every = {name: stored[name] for name in stored.files}
        self.words = every["words"].tobytes().decode().split("\n")
        self.known = self.words[: int(every["known"])]
        self.corpus = LabelledCorpus(self.words, every["ids"], every["labels"], every["starts"])
        self.weights = [SHARES.get(name, 1.0) for name in every["names"].tolist()]
        flat, counts = (every[name].astype(np.int64) for name in ("pieces", "counts"))
        self.pieces = WordPieces(
            np.append(_SILENCE, flat), np.append(1, counts), _BEGIN, _SILENCE, _HIDDEN
        )
        self.held = LabelledCorpus(
            self.words, every["held.ids"], every["held.labels"], np.zeros(1, int)
        )

    def teacher(self, seed: int | None = None) -> Teacher:
        """The teacher as it comes, or as it was taught with a seed."""
        teacher = Teacher(self.pieces.size, (_BEGIN, _SILENCE))
        if seed is not None:
            teacher.load_state_dict(torch.load(self.folder / f"teacher-{seed}.pt"))
        else:
            with np.load(self.folder / "teacher.npz") as stored:
                teacher.take(unpack({name: stored[name] for name in stored.files}))
        moved: Teacher = teacher.to(self.device)
        return moved

    @cached_property
    def spelled(self) -> tuple[Feed, BoolArray]:
        """The corpus in pieces, and which are the last of a word."""
        row, is_last = self.pieces.spell(self.corpus)
        lexicon = lexicon_of(self.pieces, self.device)
        return feed_of(row, lexicon, self.weights, self.device), is_last

    def opinions(self, teacher: TorchNetwork) -> torch.Tensor:
        """What a teacher thinks of every word."""
        feed, is_last = self.spelled
        return opinions(teacher, feed, is_last, self.corpus.ids > 0)

    def held_pieces(self, lexicon: Lexicon) -> Held:
        """The held-out words as a teacher reads them."""
        row, is_last = self.pieces.spell(self.held)
        return Held(torch.from_numpy(row.ids).to(self.device), self.held.labels, is_last, lexicon)

    def held_words(self, lexicon: Lexicon) -> Held:
        """The held-out words as a student reads them."""
        ids = torch.from_numpy(self.held.ids).to(self.device)
        return Held(ids, self.held.labels, self.held.ids > 0, lexicon)


def teach(work: Work, seeds: list[int], plan: Schedule = TEACHER) -> torch.Tensor:
    """Teach a teacher for each seed; returns the mean of their odds."""
    feed, _ = work.spelled
    held = work.held_pieces(feed.lexicon)
    total = torch.zeros(work.corpus.ids.size, 4, device=work.device)
    for seed in seeds:
        torch.manual_seed(seed)
        teacher, score = fit(work.teacher(), feed, replace(plan, seed=seed), held.score, say)
        say(f"== teacher {seed}: held out {100 * score:.2f}")
        torch.save(teacher.state_dict(), work.folder / f"teacher-{seed}.pt")
        total += work.opinions(teacher)
    return total / len(seeds)


def learn(work: Work, name: str, recipe: Recipe, seed: int, odds: torch.Tensor) -> Path:
    """Train one student; the file of its weights is named after it and its seed."""
    torch.manual_seed(seed)
    vocabulary = Vocabulary(tuple(work.known[: recipe.words]), BUCKETS)
    lexicon = Lexicon.from_vocabulary(vocabulary, work.words, work.device)
    network = NETWORKS[recipe.kind](vocabulary.size, **recipe.shape).to(work.device)
    feed = Feed.from_corpus(work.corpus, lexicon, work.device, weights=work.weights, odds=odds)
    if isinstance(network, TorchFormer):
        begin(network, work.teacher(1), work.pieces, work.words, vocabulary)
    held = work.held_words(lexicon)
    best = rounded(fit(network, feed, replace(recipe.plan, seed=seed), held.score, say)[0])
    threshold, score = best_threshold(ends_of(held.odds(best)), held.labels)
    say(f"== {name} {seed}: held out {100 * score:.2f} at {threshold:.4f}")
    about = {
        "name": name,
        "threshold": round(threshold, 4),
        "seed": seed,
        "licence": LICENCE,
        "made": f"caesura {__version__}",
    }
    path = work.folder / f"{name}-{seed}.npz"
    write(str(path), exported(best, vocabulary, about))
    return path


def say(line: str) -> None:
    """Print at once."""
    click.echo(line)


def _work(folder: Path) -> Work:
    torch.set_float32_matmul_precision("high")
    return Work(folder, "cuda" if torch.cuda.is_available() else "cpu")


@click.group(help=__doc__)
def main() -> None:
    """Remake the networks."""


@main.command("teach")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option("--seeds", default=2, show_default=True, help="How many teachers.")
def _teach(folder: Path, seeds: int) -> None:
    """Teach teachers, and write down the mean of what they think of every word."""
    odds = teach(_work(folder), list(range(1, seeds + 1)))
    np.save(folder / "odds.npy", odds.half().cpu().numpy())


@main.command("learn")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.argument("name", type=click.Choice(list(RECIPES)))
@click.option("--seeds", default=3, show_default=True, help="How many students.")
def _learn(folder: Path, name: str, seeds: int) -> None:
    """Train students of the teachers, one for each seed."""
    work = _work(folder)
    odds = torch.from_numpy(np.load(folder / "odds.npy")).to(work.device)
    for seed in range(1, seeds + 1):
        learn(work, name, RECIPES[name], seed, odds)


if __name__ == "__main__":
    main()
