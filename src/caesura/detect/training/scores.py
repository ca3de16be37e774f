"""How well a network does on labelled words, at the threshold tuned on development data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from caesura.core.segmentation import BoolArray
from caesura.detect.training.data import LabelArray
from caesura.detect.training.feed import Lexicon
from caesura.detect.training.networks import TorchNetwork

FloatArray = npt.NDArray[np.float32]


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
        return best_threshold(ends(self.odds(network)), self.labels)[1]


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
