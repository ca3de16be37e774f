"""Arrays of scores, one for each place: .npy files, and .npz files with an array per document."""

from __future__ import annotations

import zipfile
from functools import lru_cache
from io import BytesIO
from tokenize import TokenError
from typing import Any

import numpy as np

from caesura.core.place_scores import HALF, place_scores
from caesura.core.segmentation import Document, Segmentation
from caesura.errors import FormatError, UnknownNameError
from caesura.io.files import read_bytes, suffix_of
from caesura.io.members import stamp

ARRAY, ARRAYS = ".npy", ".npz"
CURE = "save an array of one number for each place, without pickles"


def names(path: str) -> list[str]:
    """The names of the arrays of an .npz file; none for one array."""
    if suffix_of(path).lower() != ARRAYS:
        return []
    try:
        with zipfile.ZipFile(BytesIO(read_bytes(path))) as file:
            return [name.removesuffix(ARRAY) for name in file.namelist()]
    except (zipfile.BadZipFile, EOFError):
        raise FormatError(path, "not a valid .npz file", CURE) from None


@lru_cache(maxsize=1)
def _loaded(path: str, _: tuple[int, ...]) -> Any:
    """The array or the arrays of a file, cached by its stamp: its directory is long to read."""
    return np.load(BytesIO(read_bytes(path)), allow_pickle=False)


def read(path: str, name: str, kind: str) -> Document:
    """The scores of a file, or of the array that is named."""
    place = f"{path}::{name}" if name else path
    try:
        loaded = _loaded(path, stamp(path))
        if isinstance(loaded, np.ndarray):
            array = loaded
        elif name in loaded.files or (not name and len(loaded.files) == 1):
            array = loaded[name or loaded.files[0]]
        else:
            raise UnknownNameError(f"array in {path}", name, loaded.files)
    except (ValueError, OSError, EOFError, TokenError, zipfile.BadZipFile) as problem:
        what = "an array of objects" if "allow_pickle" in str(problem) else "not a valid array"
        raise FormatError(place, what, CURE) from None
    if array.ndim != 1 or array.dtype.kind not in "fiub":
        shape = " × ".join(map(str, array.shape))
        raise FormatError(place, f"an array of {array.dtype} of the shape ({shape})", CURE)
    if not array.size:
        raise FormatError(place, "an empty array", CURE)
    scores = place_scores(
        array, kind, lambda at, what, cure: FormatError(place, f"{what} (place {at:,})", cure)
    )
    return Document(Segmentation.from_scores(scores, HALF), None, "array", place, recording=name)
