"""Models as files: matrices as int8 with one scale for each row, in a compressed npz.

Everything else (biases) stays float32. A model says what it is in JSON beside the weights.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from typing import cast

import numpy as np
import numpy.typing as npt

from caesura.core.arrays import Array
from caesura.core.json_values import JsonObject
from caesura.errors import CaesuraError, FormatError, SourceError, reason
from caesura.io.writing import replacing

FloatArray = npt.NDArray[np.float32]
_ABOUT, _WORDS, _SCALE = "about", "words", ".scale"
LARGEST, LONGEST = 1 << 28, 1 << 20
"""Bytes of a model when it is unpacked, and of what it says about itself."""
WIDEST = 1 << 10
"""Words that a network sees at once."""
MOST = 1e9
"""What a weight is less than."""
_CURE = "give a model written by `caesura train`"


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The arrays of a model by name, its frequent words, and what it says about itself."""

    arrays: Mapping[str, FloatArray]
    words: tuple[str, ...]
    about: JsonObject


def write(path: str, weights: Weights) -> None:
    """Write a model atomically."""
    packed: dict[str, Array] = {
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
    """Read a model file without trusting it; anything wrong with it is one error."""
    try:
        _require_small(path)
        with np.load(path, allow_pickle=False) as stored:
            packed = {name: stored[name] for name in stored.files}
        about = dict(json.loads(packed.pop(_ABOUT).tobytes()))
        words = packed.pop(_WORDS).tobytes().decode()
        arrays = unpack(packed)
    except CaesuraError:
        raise
    except OSError as problem:
        raise SourceError(path, reason(problem), _CURE) from None
    except Exception:
        raise FormatError(path, "not a model", _CURE) from None
    if not all((np.abs(array) < MOST).all() for array in arrays.values()):
        raise FormatError(path, "weights that are huge or no numbers", "train the model again")
    return Weights(arrays, tuple(words.split("\n")) if words else (), about)


def _require_small(path: str) -> None:
    """Raise an error if a model is too large when it is unpacked; what is no zip is no model."""
    with zipfile.ZipFile(path) as stored:
        sizes = {each.filename: each.file_size for each in stored.infolist()}
    if sum(sizes.values()) > LARGEST or sizes.get(f"{_ABOUT}.npy", 0) > LONGEST:
        problem = f"a model of more than {LARGEST >> 20} MB, or that says too much of itself"
        raise FormatError(path, problem, _CURE)


def whole(value: object, least: int = 1) -> int:
    """A number of what a model says of its shape; a ValueError if it is none that can be.

    >>> whole(192)
    192
    """
    if type(value) is not int or not least <= value <= WIDEST:
        raise ValueError(f"{value!r:.40} is not a number from {least} to {WIDEST}")
    return value


def pack(name: str, array: FloatArray) -> dict[str, Array]:
    """An array as it is stored: a matrix as int8 and a scale for each row.

    >>> pack("w", np.array([[1.0, -2.0]], np.float32))["w"].tolist()
    [[64, -127]]
    """
    if array.ndim != 2:
        return {name: array}
    scale = np.abs(array).max(axis=1) / 127
    steps = np.where(scale > 0, scale, 1)[:, None]
    return {name: np.rint(array / steps).astype(np.int8), name + _SCALE: scale.astype(np.float32)}


def unpack(packed: Mapping[str, Array]) -> dict[str, FloatArray]:
    """The arrays of a model as they were, up to the rounding of the matrices."""
    arrays = {}
    with np.errstate(over="ignore", invalid="ignore"):
        for name in (name for name in packed if not name.endswith(_SCALE)):
            array, scale = packed[name], packed.get(name + _SCALE)
            if scale is not None:
                array = array * scale[:, None]
            if array.dtype.kind != "f" or array.ndim != (1 if scale is None else 2):
                raise ValueError("it is neither a vector of numbers nor a matrix with a scale")
            arrays[name] = array.astype(np.float32, copy=False)
    return arrays


def _bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)
