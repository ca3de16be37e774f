"""Compressed bytes: gzip, xz and Zstandard, how far they may grow, and what is said of bad ones."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import IO, Any, Protocol, cast

from caesura.errors import CaesuraError, FormatError, SourceError, UsageError, no_memory, reason

VARIABLE = "CAESURA_MAX_SIZE"
"""The environment variable that sets the limit."""
LARGEST, TIMES = 1 << 30, 20
"""A file may expand to LARGEST bytes, or to TIMES its own size if that is more."""
_PIECE = 1 << 16
_SIZE = re.compile(r"(\d{1,18})([KMGT]?)", re.IGNORECASE)
_POWERS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_OF_PATHS = (FileNotFoundError, PermissionError, IsADirectoryError, ConnectionError, TimeoutError)
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


class Readable(Protocol):
    """A file as far as it is needed here."""

    def read(self, size: int, /) -> bytes | None:
        """The next bytes."""


def largest(packed: int = 0) -> int:
    """The most bytes that a file may expand to, given its size on disk.

    Users set the limit as a number of bytes, or of KiB, MiB, GiB or TiB with the letter K, M, G or
    T after it.
    """
    limit = LARGEST
    if text := os.environ.get(VARIABLE, ""):
        size = _SIZE.fullmatch(text.strip())
        if size is None:
            raise UsageError(f"{VARIABLE} cannot be '{text}'; give a size such as 500M or 4G")
        limit = int(size[1]) << _POWERS[size[2].upper()] or LARGEST
    return max(limit, TIMES * packed)


def refuse_larger(path: str, size: int, packed: int = 0) -> None:
    """Raise an error if what a file expands to is too large."""
    if size > largest(packed):
        raise too_large(path, packed)


def too_large(path: str, packed: int = 0) -> SourceError:
    """The error for a file that expands too far."""
    most = f"{largest(packed) / 2**30:,.3g} GiB"
    times = f", over {TIMES} times its size," if packed else ""
    problem = f"expands to more than {most}{times} as a damaged or hostile file would"
    return SourceError(path, problem, f"if it is neither, set {VARIABLE} to a size such as 16G")


def pieces(file: Readable, path: str, packed: int = 0) -> Iterator[bytes]:
    """What a file expands to, piece by piece, up to the limit."""
    total, most = 0, largest(packed)
    while piece := file.read(_PIECE):
        total += len(piece)
        if total > most:
            raise too_large(path, packed)
        yield piece


def contents(file: Readable, path: str, packed: int = 0) -> bytes:
    """All that a file expands to, up to the limit."""
    data = BytesIO()
    for piece in pieces(file, path, packed):
        data.write(piece)
    return data.getvalue()


@contextmanager
def sound(path: str, problem: str, cure: str) -> Iterator[None]:
    """Turn anything that goes wrong inside a decoder into an error of one line.

    Decoders of damaged files raise exceptions of all kinds: those they document, and others.
    """
    try:
        yield
    except CaesuraError:
        raise
    except MemoryError:
        raise no_memory(path) from None
    except Exception as fault:
        if is_of_path(fault):
            raise SourceError(path, reason(fault), f"check the path, or {cure}") from None
        raise FormatError(path, f"{problem} ({reason(fault)})", cure) from None


def is_of_path(fault: Exception) -> bool:
    """Whether the system or the network failed; decoders raise OSErrors without a number."""
    return isinstance(fault, _OF_PATHS) or (isinstance(fault, OSError) and bool(fault.errno))
