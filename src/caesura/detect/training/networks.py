"""The networks as PyTorch modules, for training; `caesura.detect` runs the same in numpy.

Each takes rows of the table of vectors (batch, words, PARTS) and gives the logits of the classes
(batch, words, CLASSES). A network that looks `margin` words to each side is right only for words
that have as many beside them; words beyond the ends of a document are silence, row 0.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from caesura.detect.detector import Vocabulary
from caesura.detect.training.data import CLASSES
from caesura.detect.weights import Weights


class Vectors(nn.Module):
    """The vector of each word: the sum of its rows of a table."""

    def __init__(self, rows: int, size: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(rows, size) * 0.1)
        with torch.no_grad():
            self.table[0] = 0

    def forward(self, rows: Tensor) -> Tensor:
        """Vectors of rows (batch, words, PARTS)."""
        flat = functional.embedding_bag(rows.flatten(0, 1), self.table, mode="sum", padding_idx=0)
        return flat.view(*rows.shape[:2], -1)


class TorchNetwork(nn.Module):
    """The base of all networks: their kind, window and margin, and what inference must know."""

    kind: str
    window: int
    margin: int
    shape: Mapping[str, object]

    def arrays(self) -> Mapping[str, Tensor]:
        """The weights by the names that numpy inference gives them."""
        named: dict[str, Tensor] = dict(self.named_parameters())
        named["table"] = named.pop("vectors.table")
        return named


class TorchCnn(TorchNetwork):
    """S1: convolutions over a sliding window decide on its middle word."""

    kind = "cnn"

    def __init__(
        self,
        rows: int,
        *,
        size: int = 64,
        channels: int = 128,
        widths: Sequence[int] = (5, 5, 7),
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.vectors = Vectors(rows, size)
        sizes = [size] + [channels] * len(widths)
        self.layers = nn.ModuleList(
            nn.Conv1d(a, b, width) for a, b, width in zip(sizes, sizes[1:], widths, strict=False)
        )
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(channels, len(CLASSES))
        self.margin = sum(width // 2 for width in widths)
        self.window = 256
        self.shape = {"widths": list(widths)}

    def forward(self, rows: Tensor) -> Tensor:
        """Logits of all words but the `margin` first and last."""
        x = self.dropout(self.vectors(rows)).transpose(1, 2)
        for layer in self.layers:
            x = self.dropout(functional.relu(layer(x)))
        logits: Tensor = self.out(x.transpose(1, 2))
        return logits

    def arrays(self) -> Mapping[str, Tensor]:
        """The weights as numpy inference wants them: a convolution as a matrix over a window."""
        arrays = {"table": self.vectors.table, "out": self.out.weight, "out.bias": self.out.bias}
        for at, layer in enumerate(self.layers):
            arrays[f"layer{at}"] = layer.weight.transpose(1, 2).flatten(1)
            arrays[f"layer{at}.bias"] = layer.bias
        return arrays


class TorchRnn(TorchNetwork):
    """S2: a bidirectional GRU, a GRU over it with attention, late fusion (Tilk & Alumäe 2016)."""

    kind = "rnn"

    def __init__(
        self,
        rows: int,
        *,
        size: int = 64,
        hidden: int = 112,
        attention: int = 32,
        dropout: float = 0.15,
    ) -> None:
        super().__init__()
        self.vectors = Vectors(rows, size)
        self.context = nn.GRU(size, hidden, batch_first=True, bidirectional=True)
        self.state = nn.GRU(2 * hidden, hidden, batch_first=True)
        self.query = nn.Linear(hidden, attention, bias=False)
        self.key = nn.Linear(2 * hidden, attention)
        self.score = nn.Linear(attention, 1, bias=False)
        self.fuse_context = nn.Linear(2 * hidden, hidden, bias=False)
        self.gate_context = nn.Linear(hidden, hidden, bias=False)
        self.gate_state = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, len(CLASSES))
        self.dropout = nn.Dropout(dropout)
        self.margin = 16
        self.window = 128
        self.shape = {"window": self.window, "margin": self.margin}

    def forward(self, rows: Tensor) -> Tensor:
        """Logits of all words of the window but the `margin` first and last."""
        x = self.dropout(self.vectors(rows))
        with torch.autocast(x.device.type, enabled=False):
            context, _ = self.context(x.float())
            context = self.dropout(context)
            state, _ = self.state(context)
        before = functional.pad(state, (0, 0, 1, 0))[:, self.margin : -self.margin - 1]
        state = state[:, self.margin : -self.margin]
        mixed = self.key(context)[:, None] + self.query(before)[:, :, None]
        share = self.score(torch.tanh(mixed)).squeeze(-1).softmax(-1)
        fused = self.fuse_context(share.to(context.dtype) @ context)
        gate = torch.sigmoid(self.gate_context(fused) + self.gate_state(state))
        logits: Tensor = self.out(self.dropout(fused * gate + state))
        return logits


NETWORKS: dict[str, type[TorchNetwork]] = {one.kind: one for one in (TorchCnn, TorchRnn)}


def exported(network: TorchNetwork, vocabulary: Vocabulary, about: Mapping[str, object]) -> Weights:
    """A network as a model; `about` may add the threshold and the card."""
    arrays = {
        name: array.detach().float().cpu().numpy() for name, array in network.arrays().items()
    }
    itself = {
        "kind": network.kind,
        "shape": network.shape,
        "classes": list(CLASSES),
        "buckets": vocabulary.buckets,
    }
    return Weights(arrays, vocabulary.words, itself | dict(about))


@torch.no_grad()
def rounded(network: TorchNetwork) -> TorchNetwork:
    """The network with its weights rounded as they are in a model."""
    copied = copy.deepcopy(network)
    for weight in copied.parameters():
        if weight.ndim > 1:
            rows = weight.flatten(1)
            scale = rows.abs().amax(1, keepdim=True) / 127
            steps = torch.where(scale > 0, scale, 1)
            weight.copy_((torch.round(rows / steps) * scale).view_as(weight))
    return copied
