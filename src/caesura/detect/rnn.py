"""S2: a bidirectional GRU, a GRU over its states with attention, late fusion.

Tilk & Alumäe, "Bidirectional recurrent neural network with attention mechanism for punctuation
restoration", Interspeech 2016. The text is cut into windows that overlap by two margins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from caesura.detect.gru import Gru, both_ways, windows_of
from caesura.detect.weights import FloatArray, Weights, whole

BATCH = 96


@dataclass(frozen=True, slots=True, eq=False)
class Rnn:
    """The weights of S2."""

    forward: Gru
    backward: Gru
    state: Gru
    arrays: Mapping[str, FloatArray]
    window: int
    margin: int

    @classmethod
    def from_weights(cls, weights: Weights) -> Rnn:
        """Take the weights of a model."""
        arrays, shape = weights.arrays, weights.about["shape"]
        return cls(
            Gru.from_arrays(arrays, "context"),
            Gru.from_arrays(arrays, "context", backward=True),
            Gru.from_arrays(arrays, "state"),
            {name: array.T for name, array in arrays.items()},
            whole(shape["window"]),
            whole(shape["margin"]),
        )

    @property
    def step(self) -> int:
        """The number of words decided on at once."""
        return BATCH * (self.window - 2 * self.margin)

    def logits(self, vectors: FloatArray) -> FloatArray:
        """The logits of all words but the `margin` first and last."""
        step = self.window - 2 * self.margin
        count = len(vectors) - 2 * self.margin
        short = -count % step
        x = windows_of(np.pad(vectors, ((0, short), (0, 0))), self.window, step)
        context = both_ways(x, self.forward, self.backward)
        state = np.empty((*x.shape[:2], self.state.hidden), np.float32)
        self.state.run(context, state)
        fused = self._fused(context, state)
        logits: FloatArray = fused @ self.arrays["out.weight"] + self.arrays["out.bias"]
        return logits.reshape(-1, logits.shape[-1])[:count]

    def _fused(self, context: FloatArray, state: FloatArray) -> FloatArray:
        """The attention output, gated by the state and added to it (windows, words, hidden)."""
        w = self.arrays
        inside = slice(self.margin, self.window - self.margin)
        before = slice(self.margin - 1, self.window - self.margin - 1)
        keys = (context @ w["key.weight"] + w["key.bias"]).swapaxes(0, 1)
        asked = (state[before] @ w["query.weight"]).swapaxes(0, 1)
        seen = self._seen(keys, asked, context.swapaxes(0, 1))
        own = state[inside].swapaxes(0, 1)
        fused = seen @ w["fuse_context.weight"]
        gate = fused @ w["gate_context.weight"]
        gate += own @ w["gate_state.weight"]
        gate += w["gate_state.bias"]
        gate *= 0.5
        np.tanh(gate, out=gate)
        gate += 1
        gate *= 0.5
        fused *= gate
        fused += own
        return fused

    def _seen(self, keys: FloatArray, asked: FloatArray, context: FloatArray) -> FloatArray:
        """The context each word attends to, one window after the other to stay in the cache."""
        score = self.arrays["score.weight"]
        seen = np.empty((*asked.shape[:2], context.shape[2]), np.float32)
        for at in range(len(keys)):
            mixed = asked[at][:, None] + keys[at]
            np.tanh(mixed, out=mixed)
            share = (mixed.reshape(-1, mixed.shape[2]) @ score).reshape(mixed.shape[:2])
            np.exp(share, out=share)
            share /= share.sum(axis=1, keepdims=True)
            np.matmul(share, context[at], out=seen[at])
        return seen
