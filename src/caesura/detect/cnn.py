"""S1: convolutions over a sliding window of word vectors decide on the middle word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from caesura.detect.weights import FloatArray, Weights, whole

STEP = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Cnn:
    """The weights of S1; a layer is a matrix over the words of its own small window."""

    layers: tuple[tuple[int, FloatArray, FloatArray], ...]
    out: FloatArray
    bias: FloatArray
    margin: int
    step: int = STEP

    @classmethod
    def from_weights(cls, weights: Weights) -> Cnn:
        """Take the weights of a model."""
        arrays, widths = weights.arrays, [*map(whole, weights.about["shape"]["widths"])]
        layers = tuple(
            (width, np.ascontiguousarray(arrays[f"layer{at}"].T), arrays[f"layer{at}.bias"])
            for at, width in enumerate(widths)
        )
        margin = sum(width // 2 for width in widths)
        return cls(layers, arrays["out"].T, arrays["out.bias"], margin)

    def logits(self, vectors: FloatArray) -> FloatArray:
        """The logits of all words but the `margin` first and last."""
        x = vectors
        for width, matrix, bias in self.layers:
            x = _windows(x, width) @ matrix
            x += bias
            np.maximum(x, 0, out=x)
        logits: FloatArray = x @ self.out + self.bias
        return logits


def _windows(x: FloatArray, width: int) -> FloatArray:
    """Each word's window as one long row."""
    views = sliding_window_view(x, (width, x.shape[1]))
    return views.reshape(views.shape[0], -1)
