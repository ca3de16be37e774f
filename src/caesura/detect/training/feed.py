"""Batches of windows drawn from a corpus that lies whole on the device, augmented on the fly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from caesura.core.segmentation import IntArray
from caesura.detect.detector import PARTS, Vocabulary
from caesura.detect.training.data import SILENCE, UNKNOWN, LabelledCorpus


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
        return cls(
            *(
                torch.from_numpy(_below_silence(rows)).to(device)
                for rows in (vocabulary.rows(words), vocabulary.parts(words))
            )
        )


def _below_silence(rows: IntArray) -> IntArray:
    return np.concatenate((np.zeros((1, PARTS), np.int64), rows))


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
        """Some windows; classes (and odds) are of all words but the `margin` first and last."""
        places = self._places(count, window, generator)
        ids = self.ids[places]
        inside = places[:, margin : window - margin]
        labels = self.labels[inside]
        ids, labels = self._silenced(ids, labels, margin, generator)
        chance = torch.rand(ids.shape, device=ids.device, generator=generator)
        other = torch.randint(self.ids.numel(), ids.shape, device=ids.device, generator=generator)
        swap = (chance < self.roughness.swaps) & (ids != SILENCE)
        ids = torch.where(swap, self.ids[other], ids)
        by_parts = (chance > 1 - self.roughness.parts)[..., None]
        rows = torch.where(by_parts, self.lexicon.parts[ids], self.lexicon.rows[ids])
        return Batch(rows, labels, None if self.odds is None else self.odds[inside])

    def _places(self, count: int, window: int, generator: torch.Generator) -> Tensor:
        source = torch.multinomial(self.shares, count, replacement=True, generator=generator)
        room = (self.starts[source + 1] - self.starts[source] - window).clamp(min=1)
        chance = torch.rand(count, device=room.device, generator=generator, dtype=torch.float64)
        first = self.starts[source] + (chance * room).long()
        places = first[:, None] + torch.arange(window, device=room.device)
        return places.clamp(max=self.ids.numel() - 1)

    def _silenced(
        self, ids: Tensor, labels: Tensor, margin: int, generator: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        """Let some windows begin or end in silence, as at the ends of a document."""
        count, window = ids.shape
        chance = torch.rand(4, count, 1, device=ids.device, generator=generator)
        length = margin + (chance[:2] * window / 2).long()
        length = length * (chance[2:] < self.roughness.silence)
        at = torch.arange(window, device=ids.device)
        silent = (at < length[0]) | (at >= window - length[1])
        labels = labels.masked_fill(silent[:, margin : window - margin], UNKNOWN)
        return ids.masked_fill(silent, SILENCE), labels
