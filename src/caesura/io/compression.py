"""Compressed bytes: gzip, xz and Zstandard."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from typing import IO, cast

from caesura.errors import SourceError
from caesura.io.decoding_errors import sound
from caesura.io.limits import contents

Decompressor = Callable[[IO[bytes]], IO[bytes]]


def decompressed(raw: bytes, path: str, suffix: str) -> bytes:
    """What the bytes of a compressed file expand to."""
    try:
        opened = decompressor(suffix)
    except ImportError:
        raise SourceError(
            path,
            "reading .zst needs the package backports.zstd",
            "pip install 'caesura-eval[formats]'",
        ) from None
    with sound(path, f"not a valid {suffix} file", "compress it again"):
        return contents(opened(BytesIO(raw)), path, len(raw))


def decompressor(suffix: str) -> Decompressor:
    """What opens a compressed file of a suffix; its module is imported now."""
    if suffix == ".gz":
        from gzip import GzipFile

        return lambda file: cast("IO[bytes]", GzipFile(fileobj=file))
    if suffix == ".xz":
        from lzma import LZMAFile

        return cast("Decompressor", LZMAFile)
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return cast("Decompressor", zstd.ZstdFile)
