"""`caesura train`: from punctuated text to a model and its card."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import torch

from caesura import __version__
from caesura.core.segmentation import BoolArray
from caesura.detect.detector import Vocabulary, ends_of
from caesura.detect.training.data import (
    CLASSES,
    END,
    GAP,
    Labelled,
    LabelledCorpus,
    gather,
    require_ends,
)
from caesura.detect.training.loop import Feed, Held, Lexicon, Schedule, best_threshold, fit
from caesura.detect.training.networks import NETWORKS, TorchNetwork, exported, rounded
from caesura.detect.weights import Weights
from caesura.errors import FormatError, UsageError, number

KINDS = {"s1": "cnn", "s2": "rnn"}
RATE = 4e-3
LEAST = 2000
"""The least number of words to train on."""


@dataclass(frozen=True, slots=True)
class Training:
    """The settings of a training run: what to train and for how long."""

    name: str = "s1"
    words: int = 18_000
    buckets: int = 4096
    epochs: float = 20
    minutes: float | None = None
    patience: int = 4
    batch: int = 128
    held: float = 0.05
    seed: int = 1
    device: str = "auto"

    def run(self, documents: Sequence[Labelled], tell: Callable[[str], None]) -> Weights:
        """Train on most of the documents; stop early, and set the threshold, by the others."""
        learned, kept = _parted(documents, self.held)
        corpus = gather([learned])
        has_gpu = torch.cuda.is_available()
        if self.device == "cuda" and not has_gpu:
            raise UsageError("PyTorch finds no GPU; drop --device, or use cpu")
        device = ("cuda" if has_gpu else "cpu") if self.device == "auto" else self.device
        # Words that occur at least three times have vectors of their own.
        times = np.bincount(corpus.ids, minlength=len(corpus.words) + 1)[1:].tolist()
        frequent = [word for word, n in zip(corpus.words, times, strict=True) if n >= 3]
        vocabulary = Vocabulary(tuple(frequent[: self.words]), self.buckets)
        held_words = [word for document in kept for word in document.words]
        distinct_words = list(dict.fromkeys([*corpus.words, *held_words]))
        lexicon = Lexicon.from_vocabulary(vocabulary, distinct_words, device)
        held = _held(kept, distinct_words, lexicon, device)
        torch.manual_seed(self.seed)
        network = NETWORKS[KINDS[self.name]](vocabulary.size).to(device)
        size = int(np.count_nonzero(corpus.ids))
        tell(
            f"{number(size, 'word')} to train on, "
            f"{number(held.labels.size, 'word')} held out, on {device}"
        )
        feed = Feed.from_corpus(corpus, lexicon, device)
        best = rounded(fit(network, feed, self._plan(corpus, network), held.score, tell)[0])
        odds = held.odds(best)
        threshold, f1 = best_threshold(ends_of(odds), held.labels)
        tell(f"held out: F1 {f1:.3f} at the threshold {threshold:.3f}")
        most = odds.argmax(1)
        figures = {"end": _f1(ends_of(odds) > threshold, held.labels >= END)}
        for index, name in enumerate(CLASSES[1:], 1):
            figures[name] = _f1(most == index, held.labels == index)
        about = {
            "name": self.name,
            "threshold": threshold,
            "seed": self.seed,
            "words": size,
            "figures": figures,
            "made": f"caesura {__version__}, {datetime.now(UTC):%Y-%m-%d}",
        }
        return exported(best, vocabulary, about)

    def _plan(self, corpus: LabelledCorpus, network: TorchNetwork) -> Schedule:
        """Smaller batches for small corpora: about fifty of them hold the whole text."""
        inside = network.window - 2 * network.margin
        batch = int(np.clip(corpus.ids.size / (50 * inside), 8, self.batch))
        return Schedule(
            seconds=math.inf if self.minutes is None else 60 * self.minutes,
            steps=max(40, self.epochs * corpus.ids.size / (batch * inside)),
            batch=batch,
            rate=RATE,
            average=0.99,
            patience=self.patience,
            seed=self.seed,
        )


def _held(kept: Sequence[Labelled], words: Sequence[str], lexicon: Lexicon, device: str) -> Held:
    """The documents held out, with silence between them."""
    index = {word: row for row, word in enumerate(words, 1)}
    gap = [0] * GAP
    row = [id_ for one in kept for id_ in (*(index[word] for word in one.words), *gap)]
    ids = np.array(row, np.int32)
    labels = np.concatenate([one.labels for one in kept])
    return Held(torch.from_numpy(ids).to(device), labels, ids > 0, lexicon)


def _f1(guess: BoolArray, truth: BoolArray) -> float:
    both = int(guess.sum()) + int(truth.sum())
    return 2 * int((guess & truth).sum()) / both if both else np.nan


def card(weights: Weights, data: Iterable[str], command: str) -> str:
    """The model card."""
    about = weights.about
    figures = "".join(
        f"| {name} | {'–' if math.isnan(value) else f'{value:.3f}'} |\n"
        for name, value in about["figures"].items()
    )
    files = "".join(f"- {each}\n" for each in data)
    return (
        f"# A detector of unit boundaries: {about['name']}\n\n"
        f"Made by {about['made']} with\n\n```console\n$ {command}\n```\n\n"
        f"Trained on {number(about['words'], 'word')}, seed {about['seed']}:\n\n{files}\n"
        f"F1 on held-out words, unit ends at the threshold {about['threshold']:.3f}, each mark "
        f"where it is the most probable:\n\n| | F1 |\n|---|---|\n{figures}\n"
        "The weights may retain some of the training text: mind its licence.\n"
    )


def _parted(documents: Sequence[Labelled], held: float) -> tuple[list[Labelled], list[Labelled]]:
    """The last part of every document is held out, a twentieth of its words, say."""
    total = sum(len(each.words) for each in documents)
    if total < LEAST:
        raise FormatError(
            "the data",
            f"{number(total, 'word')} to train on",
            f"give {LEAST:,} or more, separated by spaces",
        )
    learned, kept = [], []
    for each in documents:
        at = len(each.words) - max(1, int(len(each.words) * held))
        learned.append(Labelled(each.words[:at], each.labels[:at]))
        kept.append(Labelled(each.words[at:], each.labels[at:]))
    require_ends(learned, "the text to train on")
    require_ends(kept, "the text held out")
    return [each for each in learned if each.words], kept
