"""Scores of places: how likely a unit ends after each word or frame, 32-bit floats from 0 to 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from caesura.core.segmentation import ScoreArray
from caesura.errors import CaesuraError, option

HALF = 0.5
"""The threshold of boundaries where none is given."""
LOGITS = "logits"
Problem = Callable[[int, str, str], CaesuraError]
"""Makes an error of the number of a place, what is wrong with its score, and how to fix it."""


def place_scores(values: npt.ArrayLike, kind: str, problem: Problem) -> ScoreArray:
    """Check scores, of which nan is none; those of the kind `logits` become probabilities."""
    given = np.asarray(values, np.float64)
    if kind == LOGITS:
        wrong, cure = np.isinf(given), "write a number"
        scores: Any = 0.5 * (1 + np.tanh(given / 2))  # σ without overflow
    else:
        wrong = (given < 0) | (given > 1)
        cure = f"write numbers from 0 to 1, or give {option('scores', LOGITS)} for other numbers"
        scores = given
    if wrong.any():
        at = int(wrong.argmax())
        raise problem(at, f"the score {given[at]:g} is not from 0 to 1", cure)
    found: ScoreArray = scores.astype(np.float32)
    return found


def short(score: float) -> float:
    """A 32-bit score as the shortest number that is read back as the same.

    >>> short(np.float32(0.35))
    0.35
    """
    return float(str(np.float32(score)))
