"""MiniLM as a teacher: learns the task itself, then says what it thinks of every word.

It is an encoder like BERT, of six layers of 384, that reads pieces of words. What its last layer
says of the last piece of a word is what it says of the word.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from caesura.core.segmentation import BoolArray
from caesura.detect.training.data import CLASSES, SILENCE, LabelledCorpus
from caesura.detect.training.loop import Feed, Lexicon, Roughness, windowed
from caesura.detect.training.networks import TorchNetwork
from caesura.detect.weights import FloatArray
from former import Attention
from pieces import WordPieces

ROUGHNESS = Roughness(parts=0.015, swaps=0.015, silence=0.03)
_LAYER = {
    "mix": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm2": "output.LayerNorm",
}
_HEAD = 32


class Teacher(TorchNetwork):
    """Layers of attention over pieces of words; a window begins and ends with a special piece."""

    kind = "teacher"

    def __init__(
        self,
        pieces: int,
        ends: tuple[int, int],
        *,
        size: int = 384,
        inner: int = 1536,
        layers: int = 6,
        window: int = 190,
        margin: int = 12,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.table = nn.Embedding(pieces, size)
        self.places = nn.Parameter(torch.randn(window + 2, size) * 0.02)
        self.norm = nn.LayerNorm(size, eps=1e-12)
        self.layers = nn.ModuleList(
            Attention(size, size // _HEAD, _HEAD, inner, dropout) for _ in range(layers)
        )
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(size, len(CLASSES))
        self.ends = ends
        self.window, self.margin = window, margin
        self.shape = {"window": window, "margin": margin}

    def forward(self, rows: Tensor) -> Tensor:
        """Logits of all pieces of the window but the `margin` first and last."""
        begin, end = (torch.full_like(rows[:, :1, 0], piece) for piece in self.ends)
        x = self.table(torch.cat((begin, rows[..., 0], end), 1)) + self.places
        x = self.dropout(self.norm(x))
        for layer in self.layers:
            x = layer(x)
        logits: Tensor = self.out(x[:, 1 + self.margin : -1 - self.margin])
        return logits

    @torch.no_grad()
    def take(self, arrays: Mapping[str, FloatArray]) -> Teacher:
        """Take the weights of an encoder by their names in BERT."""
        w = {name: torch.from_numpy(array) for name, array in arrays.items()}
        places = w["embeddings.position_embeddings.weight"][: len(self.places)]
        self.table.weight.copy_(w["embeddings.word_embeddings.weight"])
        self.places.copy_(places + w["embeddings.token_type_embeddings.weight"][0])
        _take(self.norm, w, "embeddings.LayerNorm")
        for at, layer in enumerate(self.layers):
            name = f"encoder.layer.{at}."
            for kind in ("weight", "bias"):
                kinds = [w[f"{name}attention.self.{x}.{kind}"] for x in ("query", "key", "value")]
                getattr(layer.qkv, kind).copy_(torch.cat(kinds))
            for ours, theirs in _LAYER.items():
                _take(getattr(layer, ours), w, name + theirs)
        return self


def _take(module: nn.Module, weights: Mapping[str, Tensor], name: str) -> None:
    for kind in ("weight", "bias"):
        getattr(module, kind).copy_(weights[f"{name}.{kind}"])


def lexicon_of(pieces: WordPieces, device: str) -> Lexicon:
    """Each piece is its own row; where a word would be taken by its parts, a piece is hidden."""
    rows = torch.arange(pieces.size, device=device)[:, None]
    hidden = torch.full_like(rows, pieces.hidden)
    hidden[SILENCE] = SILENCE
    return Lexicon(rows, hidden)


def feed_of(
    corpus: LabelledCorpus, lexicon: Lexicon, weights: list[float] | None, device: str
) -> Feed:
    """A corpus of pieces on the device."""
    return Feed.from_corpus(corpus, lexicon, device, weights=weights, roughness=ROUGHNESS)


@torch.no_grad()
def opinions(teacher: TorchNetwork, feed: Feed, is_last: BoolArray, is_word: BoolArray) -> Tensor:
    """The teacher's odds of every word of the corpus; zeros for silence."""
    kind = feed.ids.device.type
    with torch.autocast(kind, torch.bfloat16, enabled=kind == "cuda"):
        said = windowed(teacher, feed.ids, feed.lexicon, batch=1024 if kind == "cuda" else 64)
    last = torch.from_numpy(is_last).to(said.device)
    words = torch.from_numpy(is_word).to(said.device)
    every = torch.zeros(len(is_word), said.shape[1], dtype=said.dtype, device=said.device)
    every[words] = said[last]
    return every
