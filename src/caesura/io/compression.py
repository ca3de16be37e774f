"""Compressed bytes: gzip, xz and Zstandard."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from typing import IO, Any, cast

from caesura.errors import CaesuraError, SourceError
from caesura.io.decoding_errors import sound
from caesura.io.limits import contents

Decompressor = Callable[[IO[bytes]], IO[bytes]]
_NEEDED = "needs the package backports.zstd; pip install 'caesura-eval[formats]'"
Packer = Callable[[bytes], bytes]


def decompressed(raw: bytes, path: str, suffix: str) -> bytes:
    """What the bytes of a compressed file expand to."""
    try:
        opened = decompressor(suffix)
    except ImportError:
        raise SourceError(path, *f"reading .zst {_NEEDED}".split("; ")) from None
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
    return cast("Decompressor", _zstd().ZstdFile)


def packer(suffix: str) -> Packer:
    """What makes one member of a compressed file of a suffix; without one, nothing changes."""
    if suffix == ".gz":
        from gzip import compress

        return lambda data: compress(data, mtime=0)
    if suffix == ".zst":
        try:
            return cast("Packer", _zstd().compress)
        except ImportError:
            raise CaesuraError(f"writing .zst {_NEEDED}") from None
    return lambda data: data


def unpacker(suffix: str) -> Any:
    """What expands one member of a file of a suffix, `.gz` or `.zst`, and sees its end (`eof`)."""
    if suffix == ".gz":
        from zlib import decompressobj

        return decompressobj(wbits=31)
    return _zstd().ZstdDecompressor()


def _zstd() -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd
