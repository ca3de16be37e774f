"""How well a network does on labelled words, at the threshold that is best on development data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from caesura.detect.training.data import LabelArray
from caesura.detect.training.feed import Lexicon
from caesura.detect.training.networks import Network

FloatArray = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Labelled words held out of training."""

    ids: Tensor
    labels: LabelArray


@torch.no_grad()
def probabilities(network: Network, ids: Tensor, lexicon: Lexicon, batch: int = 256) -> FloatArray:
    """The probabilities of the classes after each word of a document."""
    network.eval()
    step = network.window - 2 * network.margin
    short = -ids.numel() % step
    padded = torch.nn.functional.pad(ids, (network.margin, network.margin + short))
    windows = padded.unfold(0, network.window, step)
    found = [network(lexicon.rows[some]).float().softmax(-1) for some in windows.split(batch)]
    network.train()
    every: FloatArray = torch.cat(found).flatten(0, 1)[: ids.numel()].cpu().numpy()
    return every


def ends(odds: FloatArray) -> FloatArray:
    """The probability that a unit ends after each word: of a period or a question mark."""
    both: FloatArray = odds[:, 2] + odds[:, 3]
    return both


def best_threshold(end: FloatArray, labels: LabelArray) -> tuple[float, float]:
    """The threshold with the highest F1 of unit ends, and that F1."""
    order = np.argsort(-end, kind="stable")
    truth = labels[order] >= 2
    f1 = 2 * np.cumsum(truth) / (np.arange(1, truth.size + 1) + truth.sum())
    at = int(np.argmax(f1))
    after = float(end[order[at + 1]]) if at + 1 < order.size else 0.0
    return (float(end[order[at]]) + after) / 2, float(f1[at])


def prf(guess: npt.NDArray[np.bool_], truth: npt.NDArray[np.bool_]) -> dict[str, float]:
    """Precision, recall and F1."""
    hits = int((guess & truth).sum())
    precision, recall = (hits / n if n else np.nan for n in (int(guess.sum()), int(truth.sum())))
    both = int(guess.sum()) + int(truth.sum())
    return {"p": float(precision), "r": float(recall), "f1": 2 * hits / both if both else np.nan}


def report(odds: FloatArray, labels: LabelArray, threshold: float) -> dict[str, dict[str, float]]:
    """Unit ends at a threshold, and each class where it is the most probable."""
    most = odds.argmax(1)
    found = {"end": prf(ends(odds) > threshold, labels >= 2)}
    for at, name in ((1, "comma"), (2, "period"), (3, "question")):
        found[name] = prf(most == at, labels == at)
    return found
