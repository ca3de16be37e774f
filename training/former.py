"""A few layers of attention over words, for training; `caesura.detect.networks` runs them."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from caesura.detect.training import networks
from caesura.detect.training.data import CLASSES
from caesura.detect.training.networks import TorchNetwork, Vectors


class Attention(nn.Module):
    """One layer of attention over the window and one of two dense ones, each added and normed."""

    def __init__(self, size: int, heads: int, head: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(size, 3 * heads * head)
        self.mix = nn.Linear(heads * head, size)
        self.norm1 = nn.LayerNorm(size, eps=1e-12)
        self.up = nn.Linear(size, inner)
        self.down = nn.Linear(inner, size)
        self.norm2 = nn.LayerNorm(size, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """States of the words (batch, words, size) to states of the same shape."""
        split = self.qkv(x).view(*x.shape[:2], 3, self.heads, -1)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
        x = self.norm1(x + self.dropout(self.mix(seen)))
        up = self.up(x)
        up = 0.5 * up * (1 + torch.tanh(0.851 * up))
        out: Tensor = self.norm2(x + self.dropout(self.down(up)))
        return out


class TorchFormer(TorchNetwork):
    """A few layers of attention over words; made to be distilled from a larger teacher."""

    kind = "former"

    def __init__(
        self,
        rows: int,
        *,
        size: int = 96,
        hidden: int = 384,
        inner: int = 512,
        layers: int = 3,
        heads: int = 8,
        head: int = 32,
        window: int = 192,
        margin: int = 8,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.vectors = Vectors(rows, size)
        self.widen = nn.Linear(size, hidden)
        self.places = nn.Parameter(torch.randn(window, hidden) * 0.02)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.layers = nn.ModuleList(
            Attention(hidden, heads, head, inner, dropout) for _ in range(layers)
        )
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, len(CLASSES))
        self.margin = margin
        self.window = window
        self.shape = {"window": window, "margin": self.margin, "heads": heads}

    def forward(self, rows: Tensor) -> Tensor:
        """Logits of all words of the window but the `margin` first and last."""
        x = self.dropout(self.norm(self.widen(self.vectors(rows)) + self.places))
        for layer in self.layers:
            x = layer(x)
        logits: Tensor = self.out(x[:, self.margin : -self.margin])
        return logits


NETWORKS: dict[str, type[TorchNetwork]] = {**networks.NETWORKS, TorchFormer.kind: TorchFormer}
