"""Models as files: matrices as int8 with one scale for each row, in a compressed npz.

Everything else (biases) stays float32. A model says what it is in JSON beside the weights.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from caesura.errors import FormatError, SourceError
from caesura.io.writing import replacing

FloatArray = npt.NDArray[np.float32]
_ABOUT, _WORDS, _SCALE = "about", "words", ".scale"
_CURE = "give a model written by `caesura train`"


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The arrays of a model by name, its frequent words, and what it says about itself."""

    arrays: Mapping[str, FloatArray]
    words: tuple[str, ...]
    about: Mapping[str, Any]


def write(path: str, weights: Weights) -> None:
    """Write a model atomically."""
    packed: dict[str, npt.NDArray[Any]] = {
        _ABOUT: _bytes(json.dumps(dict(weights.about), ensure_ascii=False)),
        _WORDS: _bytes("\n".join(weights.words)),
    }
    for name, array in weights.arrays.items():
        packed |= pack(name, np.asarray(array, np.float32))
    model = BytesIO()
    np.savez_compressed(model, allow_pickle=False, **packed)
    with replacing(path) as out:
        cast(TextIOWrapper, out).buffer.write(model.getvalue())


def read(path: str) -> Weights:
    """Read a model."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            packed = {name: stored[name] for name in stored.files}
        about = json.loads(packed.pop(_ABOUT).tobytes())
        words = packed.pop(_WORDS).tobytes().decode()
    except OSError as problem:
        raise SourceError(path, problem.strerror or "cannot be read", _CURE) from None
    except (KeyError, ValueError, AttributeError, EOFError, zipfile.BadZipFile):
        raise FormatError(path, "no model", _CURE) from None
    return Weights(unpack(packed), tuple(words.split("\n")) if words else (), about)


def pack(name: str, array: FloatArray) -> dict[str, npt.NDArray[Any]]:
    """An array as it is stored: a matrix as int8 and a scale for each row.

    >>> pack("w", np.array([[1.0, -2.0]], np.float32))["w"].tolist()
    [[64, -127]]
    """
    if array.ndim != 2:
        return {name: array}
    scale = np.abs(array).max(axis=1) / 127
    steps = np.where(scale > 0, scale, 1)[:, None]
    return {name: np.rint(array / steps).astype(np.int8), name + _SCALE: scale.astype(np.float32)}


def unpack(packed: Mapping[str, npt.NDArray[Any]]) -> dict[str, FloatArray]:
    """The arrays of a model as they were, up to the rounding of the matrices."""
    return {
        name: array * packed[name + _SCALE][:, None] if name + _SCALE in packed else array
        for name, array in packed.items()
        if not name.endswith(_SCALE)
    }


def size(path: str) -> int:
    """The bytes a model takes."""
    return Path(path).stat().st_size


def _bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)
