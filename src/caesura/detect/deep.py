"""Two bidirectional GRUs, one upon the other, over windows that overlap by two margins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from caesura.detect.gru import Gru, both_ways, windows_of
from caesura.detect.weights import FloatArray, Weights

BATCH = 96


@dataclass(frozen=True, slots=True, eq=False)
class Deep:
    """The weights of both layers and of the decision."""

    layers: tuple[tuple[Gru, Gru], ...]
    out: FloatArray
    bias: FloatArray
    window: int
    margin: int

    @classmethod
    def of(cls, weights: Weights) -> Deep:
        """Take the weights of a model."""
        arrays, shape = weights.arrays, weights.about["shape"]
        layers = tuple(
            (Gru.of(arrays, name), Gru.of(arrays, name, backward=True))
            for name in ("first", "second")
        )
        out, bias = arrays["out.weight"].T, arrays["out.bias"]
        return cls(layers, out, bias, shape["window"], shape["margin"])

    @property
    def block(self) -> int:
        """The number of words decided on at once."""
        return BATCH * (self.window - 2 * self.margin)

    def logits(self, vectors: FloatArray) -> FloatArray:
        """The logits of all words but the `margin` first and last."""
        step = self.window - 2 * self.margin
        count = len(vectors) - 2 * self.margin
        x = windows_of(np.pad(vectors, ((0, -count % step), (0, 0))), self.window, step)
        for forward, backward in self.layers:
            x = both_ways(x, forward, backward)
        inside = x[self.margin : self.window - self.margin].swapaxes(0, 1)
        logits: FloatArray = inside @ self.out + self.bias
        return logits.reshape(-1, logits.shape[-1])[:count]
