"""The training of one network: AdamW, warm-up, decay to zero, and weight averaging.

It learns from windows drawn from a corpus that lies whole on the device, augmented on the fly, and
is looked at on labelled words held out, at the threshold tuned on them.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from caesura.core.segmentation import BoolArray
from caesura.detect.detector import PARTS, Vocabulary, ends_of
from caesura.detect.training.data import SILENCE, UNKNOWN, LabelArray, LabelledCorpus
from caesura.detect.training.networks import TorchNetwork
from caesura.detect.weights import FloatArray


@dataclass(frozen=True, slots=True)
class Roughness:
    """Data augmentation, so that a network does not rely on single words.

    `parts` is the share of words that are taken by their parts although they are frequent,
    `swaps` of words replaced by another, `silence` of windows that begin (or end) in silence.
    """

    parts: float = 0.06
    swaps: float = 0.02
    silence: float = 0.06


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The rows of each word of a corpus, as they are and by their parts; word 0 is silence."""

    rows: Tensor
    parts: Tensor

    @classmethod
    def from_vocabulary(cls, vocabulary: Vocabulary, words: Sequence[str], device: str) -> Lexicon:
        """The rows of a corpus's distinct words."""
        silence = np.zeros((1, PARTS), np.int64)
        rows, parts = (
            torch.from_numpy(np.concatenate((silence, of_words))).to(device)
            for of_words in (vocabulary.rows(words), vocabulary.parts(words))
        )
        return cls(rows, parts)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Windows: the rows of their words, the classes and, where a teacher gave them, its odds."""

    rows: Tensor
    labels: Tensor
    odds: Tensor | None


@dataclass(frozen=True, slots=True, eq=False)
class Feed:
    """A corpus on the device. `shares` says how often each source is drawn from."""

    ids: Tensor
    labels: Tensor
    starts: Tensor
    shares: Tensor
    lexicon: Lexicon
    roughness: Roughness
    odds: Tensor | None = None

    @classmethod
    def from_corpus(
        cls,
        corpus: LabelledCorpus,
        lexicon: Lexicon,
        device: str,
        *,
        weights: Sequence[float] | None = None,
        roughness: Roughness | None = None,
        odds: Tensor | None = None,
    ) -> Feed:
        """Put a corpus on the device; a source weighs as many times its length as `weights` say."""
        starts = np.append(corpus.starts, corpus.ids.size)
        lengths = np.diff(starts).astype(np.float32)
        shares = lengths * (1 if weights is None else np.asarray(weights, np.float32))
        return cls(
            torch.from_numpy(corpus.ids).to(device),
            torch.from_numpy(corpus.labels).to(device),
            torch.from_numpy(starts).to(device),
            torch.from_numpy(shares / shares.sum()).to(device),
            lexicon,
            roughness or Roughness(),
            odds,
        )

    def draw(self, count: int, window: int, margin: int, generator: torch.Generator) -> Batch:
        """Some windows; classes (and odds) are of all words but the `margin` first and last.

        Some of them begin or end in silence, as at the ends of a document.
        """
        device = self.ids.device
        source = torch.multinomial(self.shares, count, replacement=True, generator=generator)
        room = (self.starts[source + 1] - self.starts[source] - window).clamp(min=1)
        chance = torch.rand(count, device=device, generator=generator, dtype=torch.float64)
        first = self.starts[source] + (chance * room).long()
        in_window = torch.arange(window, device=device)
        places = (first[:, None] + in_window).clamp(max=self.ids.numel() - 1)

        chance = torch.rand(4, count, 1, device=device, generator=generator)
        length = margin + (chance[:2] * window / 2).long()
        length = length * (chance[2:] < self.roughness.silence)
        silent = (in_window < length[0]) | (in_window >= window - length[1])
        ids = self.ids[places].masked_fill(silent, SILENCE)
        inside = slice(margin, window - margin)
        labels = self.labels[places[:, inside]].masked_fill(silent[:, inside], UNKNOWN)

        chance = torch.rand(ids.shape, device=device, generator=generator)
        other = torch.randint(self.ids.numel(), ids.shape, device=device, generator=generator)
        swap = (chance < self.roughness.swaps) & (ids != SILENCE)
        ids = torch.where(swap, self.ids[other], ids)
        by_parts = (chance > 1 - self.roughness.parts)[..., None]
        rows = torch.where(by_parts, self.lexicon.parts[ids], self.lexicon.rows[ids])
        odds = None if self.odds is None else self.odds[places[:, inside]]
        return Batch(rows, labels, odds)


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast to train; it ends with the first of `steps`, `seconds`, `patience`.

    `patience` is the number of held-out evaluations without improvement; `soft` is the share
    of a teacher's odds in what is learned, where there are any.
    """

    seconds: float = math.inf
    steps: float = math.inf
    batch: int = 512
    rate: float = 3e-3
    decay: float = 0.01
    warm: float = 0.03
    average: float = 0.999
    looks: int = 12
    patience: int = 12
    soft: float = 0.8
    seed: int = 1
    compiled: bool = False


def fit(
    network: TorchNetwork,
    feed: Feed,
    plan: Schedule,
    look: Callable[[TorchNetwork], float],
    tell: Callable[[str], None] = print,
) -> tuple[TorchNetwork, float]:
    """Train; return the best averaged network, by held-out score, and its score."""
    device = feed.ids.device
    is_gpu = device.type == "cuda"
    run = torch.compile(network) if plan.compiled and is_gpu else network
    optimizer = torch.optim.AdamW(
        groups(network, plan), lr=plan.rate, betas=(0.9, 0.98), fused=is_gpu
    )
    generator = torch.Generator(device).manual_seed(plan.seed)
    average, mean_loss = copy.deepcopy(network), torch.zeros((), device=device)
    best, best_score, since, looks = average, -math.inf, 0, 0
    begun, steps, words = time.monotonic(), 0, 0

    def done() -> float:
        """The share of the plan that is done."""
        return max((time.monotonic() - begun) / plan.seconds, steps / plan.steps)

    while (progress := done()) < 1 and since < plan.patience:
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * slope(progress, plan.warm)
        batch = feed.draw(plan.batch, network.window, network.margin, generator)
        with torch.autocast(device.type, torch.bfloat16, enabled=is_gpu):
            logits = run(batch.rows)
        loss = loss_of(logits.float(), batch, plan.soft)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        steps, words = steps + 1, words + batch.labels.numel()
        with torch.no_grad():
            weight = 1 - min(plan.average, (1 + steps) / (10 + steps))
            torch._foreach_lerp_(list(average.parameters()), list(network.parameters()), weight)
            mean_loss.lerp_(loss, 0.02 if steps > 50 else 1 / steps)
        progress = done()
        if progress < min(1, (looks + 1) / plan.looks):
            continue
        looks = math.floor(progress * plan.looks)
        score = look(average)
        tell(
            f"{time.monotonic() - begun:6.0f} s  step {steps:6d}  {words / 1e6:7.1f}M words  "
            f"loss {mean_loss.item():.4f}  held out {100 * score:.2f}"
        )
        since += 1
        if score > best_score:
            best, best_score, since = copy.deepcopy(average), score, 0
    return best, best_score


def groups(network: nn.Module, plan: Schedule) -> list[dict[str, object]]:
    """Weights decay, biases and vectors of words do not."""
    named = list(network.named_parameters())
    decaying = [p for n, p in named if p.ndim > 1 and "table" not in n]
    others = [p for n, p in named if p.ndim <= 1 or "table" in n]
    return [
        {"params": decaying, "weight_decay": plan.decay},
        {"params": others, "weight_decay": 0.0},
    ]


def slope(done: float, warm: float) -> float:
    """The rate, as a share of the highest: up while warming, then down along half a cosine."""
    if done < warm:
        return max(done / warm, 0.02)
    return 0.5 * (1 + math.cos(math.pi * (done - warm) / (1 - warm)))


def loss_of(logits: Tensor, batch: Batch, soft: float) -> Tensor:
    """Cross entropy with the classes, mixed with that to a teacher's odds where there are any."""
    flat, labels = logits.flatten(0, 1), batch.labels.flatten().long()
    hard = functional.cross_entropy(flat, labels, ignore_index=UNKNOWN)
    if batch.odds is None:
        return hard
    known = (labels != UNKNOWN).float()
    far = -(batch.odds.flatten(0, 1).float() * flat.log_softmax(-1)).sum(-1)
    return (1 - soft) * hard + soft * (far * known).sum() / known.sum().clamp(min=1)


# How well a network does


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Labelled words held out of training, in one row; only words have labels."""

    ids: Tensor
    labels: LabelArray
    is_word: BoolArray
    lexicon: Lexicon

    def odds(self, network: TorchNetwork) -> FloatArray:
        """The probabilities of the classes after each word."""
        odds: FloatArray = probabilities(network, self.ids, self.lexicon)[self.is_word]
        return odds

    def score(self, network: TorchNetwork) -> float:
        """The F1 of unit ends at the best threshold."""
        return best_threshold(ends_of(self.odds(network)), self.labels)[1]


def probabilities(network: TorchNetwork, ids: Tensor, lexicon: Lexicon) -> FloatArray:
    """The probabilities of the classes after each word of a document."""
    odds: FloatArray = windowed(network, ids, lexicon).cpu().numpy()
    return odds


@torch.no_grad()
def windowed(network: TorchNetwork, ids: Tensor, lexicon: Lexicon, *, batch: int = 256) -> Tensor:
    """The probabilities of the classes after each word of a row, on its device."""
    network.eval()
    step = network.window - 2 * network.margin
    short = -ids.numel() % step
    padded = functional.pad(ids, (network.margin, network.margin + short))
    windows = padded.unfold(0, network.window, step).split(batch)
    odds = [network(lexicon.rows[rows]).float().softmax(-1) for rows in windows]
    network.train()
    return torch.cat(odds).flatten(0, 1)[: ids.numel()]


def best_threshold(end: FloatArray, labels: LabelArray) -> tuple[float, float]:
    """The threshold with the highest F1 of unit ends, and that F1."""
    order = np.argsort(-end, kind="stable")
    truth = labels[order] >= 2
    f1 = 2 * np.cumsum(truth) / (np.arange(1, truth.size + 1) + truth.sum())
    at = int(np.argmax(f1))
    after = float(end[order[at + 1]]) if at + 1 < order.size else 0.0
    return (float(end[order[at]]) + after) / 2, float(f1[at])
