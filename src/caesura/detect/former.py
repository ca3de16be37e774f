"""Layers of attention over words, small enough for numpy; distilled from a larger teacher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from caesura.detect.weights import FloatArray, Weights, whole

BATCH = 4
_SMALL = np.float32(1e-12)
_STEEP = np.float32(80)
"""Nothing is so steep that its exponential, summed over a window, would not be a number."""


@dataclass(frozen=True, slots=True, eq=False)
class Former:
    """The weights by their names, matrices turned for use."""

    arrays: Mapping[str, FloatArray]
    layers: int
    heads: int
    window: int
    margin: int

    @classmethod
    def from_weights(cls, weights: Weights) -> Former:
        """Take the weights of a model."""
        arrays, shape = dict(weights.arrays), weights.about["shape"]
        heads, window, margin = whole(shape["heads"]), whole(shape["window"]), shape["margin"]
        places = arrays.pop("places")
        turned = {name: np.ascontiguousarray(array.T) for name, array in arrays.items()}
        turned["places"] = places + turned["widen.bias"]
        layers = len({name.split(".")[1] for name in arrays if name.startswith("layers.")})
        for at in range(layers):
            _scale_queries(turned, f"layers.{at}.qkv", heads)
        return cls(turned, layers, heads, window, whole(margin, least=0))

    @property
    def step(self) -> int:
        """The number of words decided on at once."""
        return BATCH * (self.window - 2 * self.margin)

    def logits(self, vectors: FloatArray) -> FloatArray:
        """The logits of all words but the `margin` first and last."""
        step = self.window - 2 * self.margin
        count = len(vectors) - 2 * self.margin
        wide = np.pad(vectors, ((0, -count % step), (0, 0))) @ self.arrays["widen.weight"]
        views = sliding_window_view(wide, self.window, axis=0)[::step]
        x = self._normed(views.transpose(0, 2, 1) + self.arrays["places"], "norm")
        for at in range(self.layers - 1):
            x = self._layer(x, f"layers.{at}.", 0)
        x = self._layer(x, f"layers.{self.layers - 1}.", self.margin)
        logits: FloatArray = x @ self.arrays["out.weight"] + self.arrays["out.bias"]
        return logits.reshape(-1, logits.shape[-1])[:count]

    def _layer(self, x: FloatArray, name: str, margin: int) -> FloatArray:
        """The next states of all words but the `margin` first and last of each window."""
        inside = slice(margin, self.window - margin)
        attended = self._attended(self._dense(x, name + "qkv"), inside)
        seen = self._dense(attended, name + "mix")
        seen += x[:, inside]
        x = self._normed(seen, name + "norm1")
        up = self._dense(x, name + "up")
        gate = up * np.float32(0.851)
        np.tanh(gate, out=gate)
        gate += 1
        up *= gate
        down = self._dense(up, name + "down")
        down += x
        return self._normed(down, name + "norm2")

    def _attended(self, qkv: FloatArray, inside: slice) -> FloatArray:
        """The attention output of the words inside the window, all heads side by side."""
        windows, words, size = qkv.shape[0], qkv.shape[1], qkv.shape[2] // 3
        parts = qkv.reshape(windows, words, 3, self.heads, -1)
        kept = inside.stop - inside.start
        out = np.empty((windows, kept, self.heads, size // self.heads), np.float32)
        for at in range(windows):
            q, k, v = (np.ascontiguousarray(parts[at, :, i].swapaxes(0, 1)) for i in range(3))
            share = q[:, inside] @ k.swapaxes(1, 2)
            np.clip(share, -_STEEP, _STEEP, out=share)
            np.exp(share, out=share)
            seen = share @ v
            seen /= share.sum(axis=2, keepdims=True)
            out[at] = seen.swapaxes(0, 1)
        return out.reshape(windows, -1, size)

    def _dense(self, x: FloatArray, name: str) -> FloatArray:
        flat = x.reshape(-1, x.shape[-1]) @ self.arrays[name + ".weight"]
        flat += self.arrays[name + ".bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def _normed(self, x: FloatArray, name: str) -> FloatArray:
        centred: FloatArray = x - x.mean(axis=-1, keepdims=True)
        spread = np.einsum("...i,...i->...", centred, centred)[..., None] / x.shape[-1]
        centred /= np.sqrt(spread + _SMALL)
        centred *= self.arrays[name + ".weight"]
        centred += self.arrays[name + ".bias"]
        return centred


def _scale_queries(arrays: dict[str, FloatArray], name: str, heads: int) -> None:
    """Divide the queries by the root of a head's size once, here, and halve what GELU doubles."""
    size = arrays[name + ".bias"].size // 3
    scale = np.ones(3 * size, np.float32)
    scale[:size] = (size // heads) ** -0.5
    arrays[name + ".weight"] = arrays[name + ".weight"] * scale
    arrays[name + ".bias"] = arrays[name + ".bias"] * scale
    down = name.removesuffix("qkv") + "down.weight"
    arrays[down] = arrays[down] * np.float32(0.5)
