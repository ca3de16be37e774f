"""The networks of the detectors, in numpy: S1 (`Cnn`), S2 (`Rnn`) and best (`Former`).

Each takes the vectors of a row of words and gives the logits of each mark after each word, but for
`margin` words at both ends, whose context is not known; PyTorch trains the same networks
(`training/networks.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from caesura.detect.weights import FloatArray, Weights, whole

SMALL = np.float32(1e-12)
STEEPEST = np.float32(80)
"""The largest exponent of attention: summed over a window, its exponential is still a number."""


@dataclass(frozen=True, slots=True, eq=False)
class Cnn:
    """S1: convolutions over a sliding window of word vectors decide on the middle word.

    A layer is a matrix over the words of its own small window. Networks process `step` words at
    once.
    """

    layers: tuple[tuple[int, FloatArray, FloatArray], ...]
    out: FloatArray
    bias: FloatArray
    margin: int
    step: int = 2048

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
            windows = sliding_window_view(x, (width, x.shape[1]))
            x = windows.reshape(windows.shape[0], -1) @ matrix  # each window as one long row
            x += bias
            np.maximum(x, 0, out=x)
        logits: FloatArray = x @ self.out + self.bias
        return logits


@dataclass(frozen=True, slots=True, eq=False)
class Gru:
    """Gated recurrent units, one direction: many windows side by side, so time is the only loop.

    The gates' halves are in the weights, since σ(2x) = (1 + tanh x)/2:

    r = σ(W_r x + U_r h), z = σ(W_z x + U_z h), n = tanh(W_n x + r (U_n h)), h' = n + z (h − n)
    """

    from_input: FloatArray
    input_bias: FloatArray
    from_state: FloatArray
    state_bias: FloatArray
    backward: bool

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, FloatArray], name: str, *, backward: bool = False
    ) -> Gru:
        """Take the weights of a layer by their names in PyTorch."""
        end = "_l0_reverse" if backward else "_l0"
        into, state, bias_in, bias_state = (
            arrays[f"{name}.{kind}{end}"]
            for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        hidden = state.shape[1]
        half = np.repeat(np.array([0.5, 0.5, 1], np.float32), hidden)
        # The state's own bias counts at once for the gates; for n it is inside the reset gate.
        gates = np.repeat(np.array([1, 1, 0], np.float32), hidden)
        return cls(
            np.ascontiguousarray((into * half[:, None]).T),
            half * (bias_in + gates * bias_state),
            np.ascontiguousarray((state * half[:, None]).T),
            bias_state[2 * hidden :],
            backward,
        )

    @property
    def hidden(self) -> int:
        """The size of the state."""
        return len(self.from_state)

    def run(self, x: FloatArray, out: FloatArray) -> None:
        """The states (words, windows, hidden) of inputs (words, windows, size), into `out`."""
        words, windows, size = x.shape
        hidden = self.hidden
        given = x.reshape(-1, size) @ self.from_input
        given += self.input_bias
        given = given.reshape(words, windows, -1)
        state = np.zeros((windows, hidden), np.float32)
        moved = np.empty((windows, 3 * hidden), np.float32)
        for at in range(words - 1, -1, -1) if self.backward else range(words):
            np.matmul(state, self.from_state, out=moved)
            gates = moved[:, : 2 * hidden]
            gates += given[at, :, : 2 * hidden]
            np.tanh(gates, out=gates)
            gates += 1
            gates *= 0.5
            new = moved[:, 2 * hidden :]
            new += self.state_bias
            new *= moved[:, :hidden]
            new += given[at, :, 2 * hidden :]
            np.tanh(new, out=new)
            state -= new
            state *= moved[:, hidden : 2 * hidden]
            state += new
            out[at] = state


@dataclass(frozen=True, slots=True, eq=False)
class Rnn:
    """S2: a bidirectional GRU, a GRU over its states with attention, late fusion.

    Tilk & Alumäe, "Bidirectional recurrent neural network with attention mechanism for punctuation
    restoration", Interspeech 2016. The text is cut into windows that overlap by two margins.
    """

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
        return 96 * (self.window - 2 * self.margin)

    def logits(self, vectors: FloatArray) -> FloatArray:
        """The logits of all words but the `margin` first and last."""
        step = self.window - 2 * self.margin
        count = len(vectors) - 2 * self.margin
        short = -count % step
        padded = np.pad(vectors, ((0, short), (0, 0)))
        views = sliding_window_view(padded, self.window, axis=0)[::step]
        x = np.ascontiguousarray(views.transpose(2, 0, 1))  # (words, windows, size): time first
        hidden = self.forward.hidden
        context = np.empty((*x.shape[:2], 2 * hidden), np.float32)  # both directions side by side
        self.forward.run(x, context[..., :hidden])
        self.backward.run(x, context[..., hidden:])
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
        states = state[inside].swapaxes(0, 1)
        fused = seen @ w["fuse_context.weight"]
        gate = fused @ w["gate_context.weight"]
        gate += states @ w["gate_state.weight"]
        gate += w["gate_state.bias"]
        gate *= 0.5
        np.tanh(gate, out=gate)
        gate += 1
        gate *= 0.5
        fused *= gate
        fused += states
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


@dataclass(frozen=True, slots=True, eq=False)
class Former:
    """Best: layers of attention over words, small enough for numpy; distilled from a teacher.

    The weights are kept by their names, matrices turned for use.
    """

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
        return 4 * (self.window - 2 * self.margin)

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
            np.clip(share, -STEEPEST, STEEPEST, out=share)
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
        centred /= np.sqrt(spread + SMALL)
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


Network = Cnn | Rnn | Former
KINDS: dict[str, type[Network]] = {"cnn": Cnn, "rnn": Rnn, "former": Former}
"""The networks that a model may name."""
