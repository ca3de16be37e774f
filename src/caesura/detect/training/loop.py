"""The training of one network: AdamW, warm-up, decay to zero, and weight averaging.

And how well it does on labelled words, at the threshold tuned on them.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from caesura.core.segmentation import BoolArray
from caesura.detect.detector import ends_of
from caesura.detect.training.data import UNKNOWN, LabelArray
from caesura.detect.training.feed import Batch, Feed, Lexicon
from caesura.detect.training.networks import TorchNetwork
from caesura.detect.weights import FloatArray


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
    run = _Run.from_plan(network, feed, plan)
    best, best_score, since, looks = run.average, -math.inf, 0, 0
    while run.done < 1 and since < plan.patience:
        run.step()
        if run.done < min(1, (looks + 1) / plan.looks):
            continue
        looks = math.floor(run.done * plan.looks)
        score = look(run.average)
        tell(f"{run.told()}  held out {100 * score:.2f}")
        since += 1
        if score > best_score:
            best, best_score, since = copy.deepcopy(run.average), score, 0
    return best, best_score


@dataclass(slots=True, eq=False)
class _Run:
    """A training under way."""

    network: TorchNetwork
    feed: Feed
    plan: Schedule
    run: Callable[[Tensor], Tensor]
    average: TorchNetwork
    optimizer: torch.optim.Optimizer
    generator: torch.Generator
    loss: Tensor
    begun: float = field(default_factory=time.monotonic)
    steps: int = 0
    words: int = 0

    @classmethod
    def from_plan(cls, network: TorchNetwork, feed: Feed, plan: Schedule) -> _Run:
        device = feed.ids.device
        optimizer = torch.optim.AdamW(
            groups(network, plan), lr=plan.rate, betas=(0.9, 0.98), fused=device.type == "cuda"
        )
        return cls(
            network,
            feed,
            plan,
            torch.compile(network) if plan.compiled and device.type == "cuda" else network,
            copy.deepcopy(network),
            optimizer,
            torch.Generator(device).manual_seed(plan.seed),
            torch.zeros((), device=device),
        )

    @property
    def done(self) -> float:
        """The share of the plan that is done."""
        spent = (time.monotonic() - self.begun) / self.plan.seconds
        return max(spent, self.steps / self.plan.steps)

    def step(self) -> None:
        """Learn from one batch."""
        done = min(1, self.done)
        for group in self.optimizer.param_groups:
            group["lr"] = self.plan.rate * slope(done, self.plan.warm)
        network, plan = self.network, self.plan
        batch = self.feed.draw(plan.batch, network.window, network.margin, self.generator)
        kind = batch.rows.device.type
        with torch.autocast(kind, torch.bfloat16, enabled=kind == "cuda"):
            logits = self.run(batch.rows)
        loss = loss_of(logits.float(), batch, plan.soft)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        self.optimizer.step()
        self._count(batch, loss.detach())

    @torch.no_grad()
    def _count(self, batch: Batch, loss: Tensor) -> None:
        self.steps += 1
        self.words += batch.labels.numel()
        weight = 1 - min(self.plan.average, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(
            list(self.average.parameters()), list(self.network.parameters()), weight
        )
        self.loss.lerp_(loss, 0.02 if self.steps > 50 else 1 / self.steps)

    def told(self) -> str:
        """The progress, in one line."""
        return (
            f"{time.monotonic() - self.begun:6.0f} s  step {self.steps:6d}  "
            f"{self.words / 1e6:7.1f}M words  loss {self.loss.item():.4f}"
        )


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
        found: FloatArray = probabilities(network, self.ids, self.lexicon)[self.is_word]
        return found

    def score(self, network: TorchNetwork) -> float:
        """The F1 of unit ends at the best threshold."""
        return best_threshold(ends_of(self.odds(network)), self.labels)[1]


def probabilities(network: TorchNetwork, ids: Tensor, lexicon: Lexicon) -> FloatArray:
    """The probabilities of the classes after each word of a document."""
    found: FloatArray = windowed(network, ids, lexicon).cpu().numpy()
    return found


@torch.no_grad()
def windowed(network: TorchNetwork, ids: Tensor, lexicon: Lexicon, *, batch: int = 256) -> Tensor:
    """The probabilities of the classes after each word of a row, on its device."""
    network.eval()
    step = network.window - 2 * network.margin
    short = -ids.numel() % step
    padded = functional.pad(ids, (network.margin, network.margin + short))
    windows = padded.unfold(0, network.window, step).split(batch)
    found = [network(lexicon.rows[some]).float().softmax(-1) for some in windows]
    network.train()
    return torch.cat(found).flatten(0, 1)[: ids.numel()]


def best_threshold(end: FloatArray, labels: LabelArray) -> tuple[float, float]:
    """The threshold with the highest F1 of unit ends, and that F1."""
    order = np.argsort(-end, kind="stable")
    truth = labels[order] >= 2
    f1 = 2 * np.cumsum(truth) / (np.arange(1, truth.size + 1) + truth.sum())
    at = int(np.argmax(f1))
    after = float(end[order[at + 1]]) if at + 1 < order.size else 0.0
    return (float(end[order[at]]) + after) / 2, float(f1[at])


def prf(guess: BoolArray, truth: BoolArray) -> dict[str, float]:
    """Precision, recall and F1."""
    hits = int((guess & truth).sum())
    precision, recall = (hits / n if n else np.nan for n in (int(guess.sum()), int(truth.sum())))
    both = int(guess.sum()) + int(truth.sum())
    return {"p": float(precision), "r": float(recall), "f1": 2 * hits / both if both else np.nan}


def report(odds: FloatArray, labels: LabelArray, threshold: float) -> dict[str, dict[str, float]]:
    """Unit ends at a threshold, and each class where it is the most probable."""
    most = odds.argmax(1)
    found = {"end": prf(ends_of(odds) > threshold, labels >= 2)}
    for at, name in ((1, "comma"), (2, "period"), (3, "question")):
        found[name] = prf(most == at, labels == at)
    return found
