"""Gated recurrent units in numpy: many windows side by side, so that time is the only loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from caesura.detect.weights import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Gru:
    """One direction of a layer; the gates' halves are in the weights, since σ(2x) = (1 + tanh x)/2.

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


def both_ways(x: FloatArray, forward: Gru, backward: Gru) -> FloatArray:
    """The states of both directions, side by side."""
    hidden = forward.hidden
    states = np.empty((*x.shape[:2], 2 * hidden), np.float32)
    forward.run(x, states[..., :hidden])
    backward.run(x, states[..., hidden:])
    return states


def windows_of(vectors: FloatArray, window: int, step: int) -> FloatArray:
    """The windows that begin every `step` words, time first: (words, windows, size)."""
    views = sliding_window_view(vectors, window, axis=0)[::step]
    return np.ascontiguousarray(views.transpose(2, 0, 1))
